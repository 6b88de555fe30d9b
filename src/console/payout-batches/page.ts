// The page of one batch: what its rows add up to, what is wrong beside each cell, and what can be done with it.

import {
  cancelPayoutBatchOperation,
  retryPayoutBatchOperation,
  submitPayoutBatchOperation,
} from '../../api/payout-batches/operations.ts'
import {
  checkPayoutBatchOperation,
  getPayoutBatchResultOperation,
  leaveOutPayoutBatchRowsOperation,
} from '../../api/payout-batches/rows.ts'
import { type Html, html } from '../../core/html.ts'
import type { BatchView } from '../../flows/payout-batches/view.ts'
import { getWaitingApproval } from '../../store/approvals/approvals.ts'
import { APPROVAL_WORDS } from '../approvals/words.ts'
import { bodyOf, type Field } from '../fields.ts'
import { actionButton, formFrame, problemSummary } from '../form-frame.ts'
import { type FormState, newForm } from '../form-state.ts'
import { amountText, countText } from '../format.ts'
import { icon } from '../icons.ts'
import { shownControl, shownPersonRoute } from '../objects/shown-person.ts'
import type { Page, Sent } from '../page.ts'
import type { FormRoute, Route } from '../route.ts'
import { PRIVATE_HEADERS } from '../send.ts'
import type { Visit } from '../visit.ts'
import { batchMark } from './list.ts'
import { rowsTable } from './rows.ts'
import { batchEyes, batchIdIn, viewIn, within } from './visited.ts'
import { BATCH_WORDS } from './words.ts'

// While something happens to it by itself, it is shown anew so often.
const FRESH_IN_MS = 1_500

async function batchPage(visit: Visit, form: FormState = newForm(visit)): Promise<Page | undefined> {
  const view = await viewIn(visit)
  if (view === undefined) return undefined
  const { home, language } = visit
  const words = BATCH_WORDS[language]
  const { batch } = view
  const isMoving = batch.status === 'CHECKING' || batch.status === 'PROCESSING'
  const retryOf =
    batch.retryOf !== null &&
    html`<p class="hint">${words.retryOf} <a href="${home}/batches/${batch.retryOf}">${batch.retryOf}</a></p>`
  const content = html`<nav class="trail"><a href="${home}/batches">${icon('left')}${words.list}</a></nav>
<div class="head"><h1>${batch.fileName}</h1>${batchMark(view, language)}<div class="head-actions">${await actionsOf(visit, view)}</div></div>
${retryOf}
${batch.status === 'DRAFT' ? false : problemSummary(visit, form, [])}
${await waitingPart(visit, view)}
${factsOf(visit, view)}
${batch.status === 'DRAFT' && submitPart(visit, view, form)}
${shownPart(visit, batch.batchId)}
${await rowsTable(visit, view)}`
  return {
    title: batch.fileName,
    section: 'payouts',
    content,
    watches: ['payouts'],
    ...(isMoving && { freshInMs: FRESH_IN_MS }),
  }
}

function shownPart(visit: Visit, batchId: string): Html | false {
  const control = shownControl(visit, `/batches/${batchId}`, batchId)
  return control && html`<div class="card panel">${control}</div>`
}

// Who must do what before anything is sent.
async function waitingPart(
  { ctx, organization, home, language }: Visit,
  { batch }: BatchView,
): Promise<Html | false> {
  if (batch.status !== 'WAITING') return false
  const { organizationId } = organization
  const subject = { organizationId, kind: 'payout-batch', subjectId: batch.batchId } as const
  const waiting = await getWaitingApproval(ctx.db, subject)
  const way =
    waiting !== undefined &&
    html` <a class="button" href="${home}/approvals/${waiting.approvalId}">${icon('approvals')}${APPROVAL_WORDS[language].see}</a>`
  return html`<section class="card panel"><div class="batch-errors"><p>${BATCH_WORDS[language].waits}</p>${way}</div></section>`
}

function factsOf({ language }: Visit, { batch, totals, results }: BatchView): Html {
  const { facts } = BATCH_WORDS[language]
  const isSent = batch.submittedAt !== null && batch.status !== 'DRAFT'
  const shown: [string, string][] = [
    [facts.toSend, countText(totals.toSend, language)],
    [facts.total, amountText(totals.sumInCents, language)],
    ...(batch.reservedFeesInCents > 0n
      ? [[facts.fees, amountText(batch.reservedFeesInCents, language)] satisfies [string, string]]
      : []),
    ...(isSent
      ? ([
          [facts.processing, countText(results.queued + results.processing, language)],
          [facts.confirmed, countText(results.confirmed, language)],
          [facts.failed, countText(results.failed, language)],
        ] as [string, string][])
      : ([
          [facts.rows, countText(totals.rows, language)],
          [facts.errors, countText(totals.withErrors, language)],
          [facts.warnings, countText(totals.withWarnings, language)],
          [facts.unchecked, countText(totals.keysUnchecked + totals.keysPending, language)],
        ] as [string, string][])),
  ]
  return html`<dl class="card batch-facts">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

async function actionsOf(visit: Visit, { batch, totals, results }: BatchView): Promise<Html> {
  const { home, language } = visit
  const words = BATCH_WORDS[language]
  const at = `/batches/${batch.batchId}`
  const call = { params: { batchId: batch.batchId } }
  const button = (name: string, operation: FormRoute['operation'], submit: string, isGrave = false): Html =>
    actionButton(visit, newForm(visit), { action: `${at}/${name}`, operation, submit, call, isGrave })
  const isOpen = ['CHECKING', 'DRAFT', 'WAITING'].includes(batch.status)
  const canCheck = batch.status === 'DRAFT' && totals.keysUnchecked > 0
  const { isMasked } = await batchEyes(visit)
  return html`${isOpen && button('cancel', cancelPayoutBatchOperation, words.cancel, true)}${canCheck && button('check', checkPayoutBatchOperation, words.check)}${batch.status === 'COMPLETED' && results.failed > 0 && button('retry', retryPayoutBatchOperation, words.retry)}${!isMasked && html`<a class="button" href="${within(visit, `${home}${at}/result.csv`)}" download>${icon('download')}${words.result}</a>`}`
}

function submitFields({ language }: Visit, { batch, totals }: BatchView): Field[] {
  const words = BATCH_WORDS[language]
  const warnings: Field[] =
    totals.withWarnings === 0
      ? []
      : [
          {
            kind: 'flag',
            path: '/acceptWarnings',
            label: words.acceptWarnings(countText(totals.withWarnings, language)),
          },
        ]
  return [...warnings, { kind: 'hidden', path: '/version', value: String(batch.version) }]
}

function submitPart(visit: Visit, view: BatchView, form: FormState): Html {
  const { language } = visit
  const words = BATCH_WORDS[language]
  const { batch, totals } = view
  const at = `/batches/${batch.batchId}`
  const call = { params: { batchId: batch.batchId } }
  if (totals.withErrors > 0) {
    const count = countText(totals.withErrors, language)
    const leaveOut = actionButton(visit, newForm(visit), {
      action: `${at}/leave-out`,
      operation: leaveOutPayoutBatchRowsOperation,
      submit: words.leaveOutErrors(count),
      call,
    })
    return html`<section class="card panel">${problemSummary(visit, form, [])}<div class="batch-errors"><p>${words.seeErrors(count)}</p>${leaveOut}</div></section>`
  }
  return html`<section class="card panel">${formFrame(visit, form, {
    action: `${at}/submit`,
    operation: submitPayoutBatchOperation,
    fields: submitFields(visit, view),
    submit: words.submit(countText(totals.toSend, language), amountText(totals.sumInCents, language)),
    call: { ...call, body: { acceptWarnings: totals.withWarnings > 0, version: batch.version } },
  })}</section>`
}

async function sendResult(visit: Visit): Promise<Sent | undefined> {
  const { ctx, caller, reply, request } = visit
  // Whoever sees people masked gets no file with all of them.
  if ((await batchEyes(visit)).isMasked || (await viewIn(visit)) === undefined) return undefined
  const asked = { ctx, caller, requestId: request.id, params: { batchId: batchIdIn(visit) }, headers: {} }
  const answer = await getPayoutBatchResultOperation.handle({
    ...asked,
    query: {},
    body: undefined,
    idempotency: null,
  })
  if (!('image' in answer) || answer.image === undefined) return undefined
  void reply
    .headers({ ...PRIVATE_HEADERS, ...answer.headers })
    .type(answer.image.mediaType)
    .send(answer.image.bytes)
  return 'sent'
}

const step = (name: string, operation: FormRoute['operation'], more: Partial<FormRoute> = {}): FormRoute => ({
  method: 'POST',
  path: `/batches/:batchId/${name}`,
  operation,
  call: (visit) => ({ params: { batchId: batchIdIn(visit) } }),
  done: (_visit, answer) => `/batches/${(answer as { id: string }).id}`,
  again: batchPage,
  ...more,
})

export const batchRoutes: readonly Route[] = [
  { method: 'GET', path: '/batches/:batchId', scope: 'payouts:read', show: (visit) => batchPage(visit) },
  {
    method: 'GET',
    path: '/batches/:batchId/result.csv',
    scope: 'payouts:read',
    isStream: true,
    show: sendResult,
  },
  step('submit', submitPayoutBatchOperation, {
    stepUp: true,
    call: async (visit, typed) => {
      const view = await viewIn(visit)
      const { version, ...rest } = view ? bodyOf(submitFields(visit, view), typed) : {}
      const body = { ...rest, ...(version !== undefined && { version: Number(version) }) }
      return { params: { batchId: batchIdIn(visit) }, body }
    },
  }),
  step('cancel', cancelPayoutBatchOperation),
  step('check', checkPayoutBatchOperation),
  step('retry', retryPayoutBatchOperation),
  step('leave-out', leaveOutPayoutBatchRowsOperation),
  shownPersonRoute(
    '/batches/:batchId',
    'payouts:read',
    async (visit) => (await viewIn(visit))?.batch.batchId,
  ),
]
