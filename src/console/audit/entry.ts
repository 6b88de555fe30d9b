// One entry of the audit log: who, from where, what changed, and its line in the chain.

import { listAuditOperation } from '../../api/audit/operations.ts'
import type { Changes } from '../../core/audit/entry.ts'
import { type Html, html } from '../../core/html.ts'
import { auditList, type ListedEntry } from '../../store/audit/entries.ts'
import { curlOf } from '../curl.ts'
import { copyable, curlBlock } from '../curl-block.ts'
import { exactClockText, timeText } from '../format.ts'
import { icon } from '../icons.ts'
import type { Page } from '../page.ts'
import { idParam } from '../params.ts'
import type { Route } from '../route.ts'
import { settingsPage } from '../settings/frame.ts'
import type { Visit } from '../visit.ts'
import { STATES, statusMark } from '../words/states.ts'
import { AUDIT_PATH, actorText } from './list.ts'
import { objectName } from './object-words.ts'
import { AUDIT_WORDS, actName } from './words.ts'

// The page of what it was done to, after `visit.home`.
const PAGES: Readonly<Record<string, string>> = {
  payin: '/payins',
  payout: '/payouts',
  refund: '/refunds',
  payoutbatch: '/batches',
  approval: '/approvals',
  suspense: '/suspense',
  paymentlink: '/links',
  paymentpage: '/pages',
  event: '/events',
  webhook: '/webhooks',
  connection: '/settings/connections',
  apikey: '/settings/keys',
  client: '/settings/clients',
  member: '/settings/team',
}

async function entryOf(visit: Visit): Promise<ListedEntry | undefined> {
  const id = idParam(visit, 'entryId')
  if (id === undefined) return undefined
  const { ctx, organization } = visit
  // The one that begins a list from this id on.
  const [entry] = await auditList(ctx.db, organization.organizationId, { fromId: id }).seek(
    { direction: 'newer', from: null },
    1,
  )
  return entry?.entryId === id ? entry : undefined
}

async function entryPage(visit: Visit): Promise<Page | undefined> {
  const entry = await entryOf(visit)
  if (entry === undefined) return undefined
  const { language, options } = visit
  const states = STATES[language]
  const { outcome, act, objectId } = entry
  const curl = curlOf(listAuditOperation, {}, options.publicUrl).replace(
    '/audit',
    `/audit?${new URLSearchParams({ act, ...(objectId !== null && { objectId }) })}`,
  )
  return settingsPage(visit, {
    part: 'audit',
    title: actName(act, language),
    actions: statusMark('', states.auditOutcomes[outcome], outcome === 'refused' ? 'bad' : 'good'),
    back: { path: AUDIT_PATH, label: AUDIT_WORDS[language].entry.back },
    content: html`<section class="card panel">${factsHtml(visit, entry)}</section>
<section class="card panel"><h2>${AUDIT_WORDS[language].entry.changes}</h2>${changesHtml(visit, entry)}</section>
<details class="curl"><summary>${visit.words.form.asCurl}</summary>${curlBlock(visit, curl)}</details>`,
  })
}

function factsHtml(visit: Visit, entry: ListedEntry): Html {
  const { language, ctx, home } = visit
  const words = AUDIT_WORDS[language].entry
  const states = STATES[language]
  const { actor, objectKind, objectId } = entry
  const link = (query: string, label: string) =>
    html`<a class="button small" href="${home}${AUDIT_PATH}?${query}&amp;period=all">${label}</a>`
  const who = html`${actorText(entry, { states })}${actor.id !== null && html` ${link(`actor=${encodeURIComponent(actor.id)}`, words.allBy)}`}`
  const page = objectId !== null ? PAGES[objectKind] : undefined
  const object = html`${objectName(objectKind, language)}${objectId !== null && html` ${copyable(visit, objectId)}`}${page !== undefined && html` <a class="button small" href="${home}${page}/${objectId}">${icon('right')}${words.seeObject}</a>`}${objectId !== null && html` ${link(`object=${encodeURIComponent(objectId)}`, words.allOf)}`}`
  const when = `${timeText(entry.at, ctx.clock.now(), language).split(',')[0]}, ${exactClockText(entry.at, language)}`
  const rows: [string, Html | string | null][] = [
    [words.who, who],
    [words.kind, states.actorKinds[actor.kind]],
    [words.from, actor.address ?? (actor.kind === 'person' ? words.unknownAddress : null)],
    [words.when, when],
    [words.what, html`<code>${entry.act}</code>`],
    [words.object, object],
    [
      words.outcome,
      html`${states.auditOutcomes[entry.outcome]}${entry.refusal !== null && html` <code>${entry.refusal}</code>`}`,
    ],
    [words.request, actor.requestId === null ? null : copyable(visit, actor.requestId)],
    [words.session, actor.sessionId === null ? null : html`<code>${actor.sessionId}</code>`],
    [words.line, entry.sequence === null ? words.noLine : `#${entry.sequence}`],
    [
      words.digest,
      entry.digest === null ? null : html`<code class="digest">${entry.digest.toString('hex')}</code>`,
    ],
  ]
  return html`<dl class="facts">${rows.map(([label, value]) => value !== null && html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>`
}

function changesHtml({ language }: Visit, { changes }: ListedEntry): Html {
  const words = AUDIT_WORDS[language].entry
  const rows = Object.entries(JSON.parse(changes) as Changes)
  if (rows.length === 0) return html`<p class="hint">${words.noChanges}</p>`
  const shown = (value: unknown): Html =>
    value === null || value === undefined
      ? html`<span class="soft">${words.nothing}</span>`
      : html`${typeof value === 'string' ? value : JSON.stringify(value)}`
  return html`<table class="changes"><thead><tr><th scope="col">${words.field}</th><th scope="col">${words.before}</th><th scope="col">${words.after}</th></tr></thead><tbody>${rows.map(
    ([field, { before, after }]) =>
      html`<tr><th scope="row"><code>${field}</code></th><td data-label="${words.before}">${shown(before)}</td><td data-label="${words.after}">${shown(after)}</td></tr>`,
  )}</tbody></table>`
}

export const auditEntryRoutes: readonly Route[] = [
  { method: 'GET', path: `${AUDIT_PATH}/:entryId`, scope: 'audit:read', show: entryPage },
]
