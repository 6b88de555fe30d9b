// The form that makes a key or a client, and the page that shows its secret once.

import { getOrganizationOperation } from '../../api/organizations/operations.ts'
import { html } from '../../core/html.ts'
import { curlOf } from '../curl.ts'
import { formFrame } from '../form-frame.ts'
import { type FormState, newForm } from '../form-state.ts'
import { timeText } from '../format.ts'
import type { Page } from '../page.ts'
import type { Route } from '../route.ts'
import type { Visit } from '../visit.ts'
import { newBody, newFields } from './credential-fields.ts'
import { KEYS_PATH, KIND_PLACES, KINDS, type Kind } from './credential-kinds.ts'
import { CREDENTIAL_WORDS } from './credential-words.ts'
import { panel, proofNote, settingsPage } from './frame.ts'
import { secretCard } from './secret-page.ts'
import { tokenCurl } from './token-curl.ts'

export function backToKeys({ language }: Visit) {
  return { path: KEYS_PATH, label: CREDENTIAL_WORDS[language].title }
}

async function newPage(visit: Visit, kind: Kind, form: FormState = newForm(visit)): Promise<Page> {
  const words = CREDENTIAL_WORDS[visit.language]
  const { path, operations } = KIND_PLACES[kind]
  const drawn = formFrame(visit, form, {
    action: `${path}/new`,
    operation: operations.create,
    fields: newFields(visit, kind),
    submit: words.kinds[kind].create,
    more: words.fields.more,
    cancel: KEYS_PATH,
    call: { body: Object.values(operations.create.body?.examples ?? {})[0]?.value },
  })
  return settingsPage(visit, {
    part: 'keys',
    title: words.kinds[kind].newTitle,
    lead: words.kinds[kind].text,
    back: backToKeys(visit),
    content: panel(words.kinds[kind].newTitle, false, html`${proofNote(visit)}${drawn}`),
  })
}

export type MadeCredential = {
  readonly id: string
  readonly name: string
  readonly secret: string
  readonly previousKeyUntil?: string
  readonly previousSecretUntil?: string | null
}

export function secretPage(visit: Visit, kind: Kind, made: MadeCredential, isRolled = false): Page {
  const { language, options, ctx } = visit
  const words = CREDENTIAL_WORDS[language]
  const own = words.kinds[kind]
  const { publicUrl } = options
  const until = made.previousKeyUntil ?? made.previousSecretUntil ?? null
  const now = ctx.clock.now()
  const isOverlapping = until !== null && Date.parse(until) > now
  const curl =
    kind === 'key'
      ? curlOf(getOrganizationOperation, {}, publicUrl).replace('$RECAUDO_API_KEY', made.secret)
      : tokenCurl(publicUrl, made.id, made.secret)
  const values: [string, string][] = [
    ...(kind === 'client' ? [[words.clientId, made.id] as [string, string]] : []),
    [own.secret, made.secret],
  ]
  return settingsPage(visit, {
    part: 'keys',
    title: isRolled ? own.rolled : own.made,
    lead: made.name,
    back: backToKeys(visit),
    content: secretCard(visit, {
      values,
      warning: words.secretOnce,
      notes: [isOverlapping && words.previousUntil(timeText(Date.parse(until), now, language))],
      tryIt: { label: words.tryIt, curl },
      next: { path: `${KIND_PLACES[kind].path}/${made.id}`, label: words.seeIt },
    }),
  })
}

export const credentialNewRoutes: readonly Route[] = KINDS.flatMap((kind): Route[] => {
  const { path, operations } = KIND_PLACES[kind]
  return [
    {
      method: 'GET',
      path: `${path}/new`,
      scope: 'credentials:read',
      show: (visit) => newPage(visit, kind),
    },
    {
      method: 'POST',
      path: `${path}/new`,
      operation: operations.create,
      stepUp: true,
      call: (visit, typed) => ({ body: newBody(visit, kind, typed) }),
      done: (visit, answer) => secretPage(visit, kind, answer as MadeCredential),
      again: (visit, form) => newPage(visit, kind, form),
    },
  ]
})
