// The list of API keys and OAuth clients: what each is for, what it may do, and when it was last used.

import { type Html, html } from '../../core/html.ts'
import { shortTimeText } from '../format.ts'
import { icon } from '../icons.ts'
import type { Page } from '../page.ts'
import type { Route } from '../route.ts'
import type { Visit } from '../visit.ts'
import { statusMark } from '../words/states.ts'
import {
  type Credential,
  KEYS_PATH,
  KIND_PLACES,
  KINDS,
  type Kind,
  listCredentials,
} from './credential-kinds.ts'
import { CREDENTIAL_WORDS } from './credential-words.ts'
import { settingsPage, wayTo } from './frame.ts'

async function credentialsPage(visit: Visit): Promise<Page> {
  const words = CREDENTIAL_WORDS[visit.language]
  const parts = await Promise.all(
    KINDS.map(async (kind) => kindPart(visit, kind, await listCredentials(visit, kind))),
  )
  return settingsPage(visit, {
    part: 'keys',
    title: words.title,
    lead: words.lead,
    content: html`${parts}`,
  })
}

function kindPart(visit: Visit, kind: Kind, credentials: readonly Credential[]): Html {
  const words = CREDENTIAL_WORDS[visit.language]
  const own = words.kinds[kind]
  const working = credentials.filter(({ status }) => status === 'ACTIVE')
  const ended = credentials.filter(({ status }) => status !== 'ACTIVE')
  const create = wayTo(
    visit,
    `${KIND_PLACES[kind].path}/new`,
    own.create,
    'credentials:write',
    kind === 'key' ? 'main' : '',
  )
  const rows = (some: readonly Credential[]) =>
    html`<ul class="row-list card">${some.map((credential) => row(visit, credential))}</ul>`
  return html`<section class="list-part"><div class="part-head"><div><h2>${own.plural}</h2><p class="hint">${own.text}</p></div>${create}</div>
${working.length === 0 ? html`<p class="card nothing">${own.none}</p>` : rows(working)}
${ended.length > 0 && html`<details class="ended"><summary>${words.ended(ended.length)}</summary>${rows(ended)}</details>`}</section>`
}

function row(visit: Visit, credential: Credential): Html {
  const { language, home, ctx } = visit
  const words = CREDENTIAL_WORDS[language]
  const now = ctx.clock.now()
  const { lastUsedAt, revokedAt, expiresAt, status } = credential
  const time = (at: number) => shortTimeText(at, now, language)
  const used = lastUsedAt === null ? words.unused : words.usedAt(time(lastUsedAt))
  const end =
    status !== 'ACTIVE'
      ? words.endedAt(time(revokedAt ?? expiresAt ?? now))
      : expiresAt !== null && words.endsAt(time(expiresAt))
  return html`<li class="row-item"><a href="${home}${KIND_PLACES[credential.kind].path}/${credential.id}">
<span class="row-main"><b>${credential.name}</b><code>${credential.prefix ?? credential.id}</code></span>
<span class="row-text">${scopesText(visit, credential)}<small>${used}${end && ` · ${end}`}</small></span>
${status !== 'ACTIVE' && statusMark(status, words.status[status], 'quiet')}${icon('right')}</a></li>`
}

export function scopesText({ language }: Visit, { scopes }: Pick<Credential, 'scopes'>): string {
  const words = CREDENTIAL_WORDS[language]
  return scopes === null ? words.everything : words.scopes(scopes.length)
}

export const credentialListRoutes: readonly Route[] = [
  { method: 'GET', path: KEYS_PATH, scope: 'credentials:read', show: credentialsPage },
]
