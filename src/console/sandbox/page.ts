// The sandbox, in staging alone: samples to make, payments whose end somebody decides, and the clock.

import {
  advanceClockOperation,
  simulatePayinOperation,
  simulatePayoutOperation,
} from '../../api/connections/sandbox.ts'
import { type Html, html } from '../../core/html.ts'
import type { Instant } from '../../core/instant.ts'
import { isOpen, type Payin } from '../../core/payins/payin.ts'
import type { Payout } from '../../core/payouts/payout.ts'
import { mayMoveClock } from '../../flows/connections/simulate.ts'
import { payinList } from '../../store/payins/lists.ts'
import { payoutList } from '../../store/payouts/payouts.ts'
import { bodyOf, type Field } from '../fields.ts'
import { formFrame, problemSummary } from '../form-frame.ts'
import { FORM_KEY, type FormState, newForm } from '../form-state.ts'
import { amountText, durationText, shortTimeText, timeText } from '../format.ts'
import type { Page } from '../page.ts'
import { paramOf } from '../params.ts'
import type { FormRoute, Route } from '../route.ts'
import { panel } from '../settings/frame.ts'
import { may, type Visit } from '../visit.ts'
import { STATES, statusMark } from '../words/states.ts'
import { SAMPLES, sampleForm, sampleRoute } from './sample.ts'
import { SANDBOX_WORDS } from './words.ts'

const PATH = '/sandbox'
const ROWS = 8
// So little is how far two clocks are apart anyway.
const MOVED_MS = 2_000

type Part = 'sample' | 'clock' | 'decide'
type Open = { readonly part: Part; readonly form: FormState }

async function sandboxPage(visit: Visit, open?: Open): Promise<Page> {
  const { ctx, organization, language } = visit
  const words = SANDBOX_WORDS[language]
  const newest = { direction: 'older', from: null } as const
  const [payins, payouts, isOurs] = await Promise.all([
    payinList(ctx.db, organization.organizationId, {}).seek(newest, ROWS),
    payoutList(ctx.db, organization.organizationId, {}).seek(newest, ROWS),
    mayMoveClock(ctx, organization.organizationId),
  ])
  const formOf = (part: Part) => (open?.part === part ? open.form : newForm(visit))
  const content = html`<div class="head"><h1>${words.title}</h1></div><p class="lead">${words.lead}</p>
${open?.part === 'decide' && problemSummary(visit, open.form, [])}
<div class="sandbox"><div>${panel(words.make.title, words.make.text, sampleForm(visit, formOf('sample')))}
${panel(words.clock.title, words.clock.text, clockHtml(visit, formOf('clock'), isOurs))}</div>
<div>${rowsHtml(
    words.decide.payins,
    payins.map((payin) => payinRow(visit, payin)),
    words.decide.none,
  )}
${rowsHtml(
  words.decide.payouts,
  payouts.map((payout) => payoutRow(visit, payout)),
  words.decide.none,
)}
${faultsHtml(visit)}</div></div>`
  return { title: words.title, section: 'sandbox', content, watches: ['payins', 'payouts'] }
}

function clockHtml(visit: Visit, form: FormState, isOurs: boolean): Html {
  const { ctx, language } = visit
  const words = SANDBOX_WORDS[language].clock
  const now = ctx.clock.now()
  const ahead = now - ctx.clock.wallClock()
  const drawn = formFrame(visit, form, {
    action: `${PATH}/clock`,
    operation: advanceClockOperation,
    fields: [clockField(visit)],
    submit: words.submit,
    lock: isOurs ? undefined : words.closed,
    call: { body: { seconds: 900 } },
  })
  return html`<p class="clock-now"><span>${words.now}</span> <b>${timeText(now, ctx.clock.wallClock(), language)}</b>${ahead > MOVED_MS && html` <span class="soft">${words.moved(durationText(ahead, language))}</span>`}</p>${drawn}`
}

function clockField({ language }: Visit): Field {
  const words = SANDBOX_WORDS[language].clock
  return {
    kind: 'select',
    path: '/seconds',
    label: words.field,
    value: '900',
    options: Object.entries(words.steps).map(([value, label]) => ({ value, label })),
  }
}

function rowsHtml(title: string, rows: readonly Html[], none: string): Html {
  return html`<section class="list-part"><div class="part-head"><h2>${title}</h2></div>${rows.length === 0 ? html`<p class="card nothing">${none}</p>` : html`<ul class="row-list card">${rows}</ul>`}</section>`
}

type Row = {
  readonly path: string
  readonly reference: string
  readonly amountInCents: bigint
  readonly createdAt: Instant
  readonly note: string
  readonly status: Html
  readonly outcomes: readonly (readonly [outcome: string, label: string])[]
  readonly isElsewhere: boolean
}

function rowHtml(visit: Visit, row: Row): Html {
  const { language, home, ctx } = visit
  const words = SANDBOX_WORDS[language].decide
  const isClosed = !may(visit, 'sandbox:write')
  const buttons = row.outcomes.map(
    ([outcome, label]) =>
      html`<button class="button small" name="/outcome" value="${outcome}"${isClosed && html` disabled`}>${label}<span class="unseen"> ${row.reference}</span></button>`,
  )
  const deciding = row.isElsewhere
    ? html`<small>${words.elsewhere}</small>`
    : html`<form method="post" action="${home}${PATH}${row.path}" class="decide" data-once><input type="hidden" name="${FORM_KEY}" value="${newForm(visit).key}">${buttons}</form>`
  return html`<li class="row-item"><div class="row-line"><span class="row-main"><b><a href="${home}${row.path}">${row.reference}</a></b><span class="soft">${amountText(row.amountInCents, language)} · ${row.note} · ${shortTimeText(row.createdAt, ctx.clock.now(), language)}</span></span>${row.status}${deciding}</div></li>`
}

function payinRow(visit: Visit, payin: Payin): Html {
  const { language } = visit
  const states = STATES[language]
  const words = SANDBOX_WORDS[language].decide
  const { outcomes } = words
  const note = [states.rails[payin.source.rail], ...(payin.paymentLinkId === null ? [] : [words.byLink])]
  return rowHtml(visit, {
    path: `/payins/${payin.payinId}`,
    reference: payin.reference,
    amountInCents: payin.amountInCents,
    createdAt: payin.createdAt,
    note: note.join(' '),
    status: statusMark(payin.status, states.payin[payin.status]),
    outcomes: isOpen(payin)
      ? (['confirmed', 'declined', 'canceled'] as const).map((one) => [one, outcomes[one]] as const)
      : payin.status === 'CONFIRMED'
        ? payin.chargebackAt === null
          ? [['chargeback', outcomes.chargeback]]
          : []
        : [['confirmed', outcomes.late]],
    isElsewhere: payin.connection !== null,
  })
}

function payoutRow(visit: Visit, payout: Payout): Html {
  const { language } = visit
  const states = STATES[language]
  const { outcomes, final } = SANDBOX_WORDS[language].decide
  const isProcessing = payout.status === 'PROCESSING'
  return rowHtml(visit, {
    path: `/payouts/${payout.payoutId}`,
    reference: payout.reference,
    amountInCents: payout.amountInCents,
    createdAt: payout.createdAt,
    note: isProcessing ? states.rails.BRE_B : final,
    status: statusMark(payout.status, states.payout[payout.status]),
    outcomes: isProcessing
      ? (['confirmed', 'declined', 'canceled'] as const).map((one) => [one, outcomes[one]] as const)
      : [],
    isElsewhere: payout.connection !== null,
  })
}

function faultsHtml({ language }: Visit): Html {
  const words = SANDBOX_WORDS[language].faults
  const rows = words.keys.map(
    ([key, lookup, payout]) =>
      html`<tr><th scope="row"><code>${key}</code></th><td data-label="${words.lookup}">${lookup}</td><td data-label="${words.payout}">${payout}</td></tr>`,
  )
  return panel(
    words.title,
    words.text,
    html`<table class="changes"><thead><tr><th scope="col">${words.key}</th><th scope="col">${words.lookup}</th><th scope="col">${words.payout}</th></tr></thead><tbody>${rows}</tbody></table><p class="hint">${words.bank}</p><p class="hint">${words.app}</p>`,
  )
}

function decideRoute(
  kind: 'payins' | 'payouts',
  operation: FormRoute['operation'],
  param: string,
): FormRoute {
  return {
    method: 'POST',
    path: `${PATH}/${kind}/:${param}`,
    operation,
    only: 'staging',
    call: (visit, typed) => ({
      params: { [param]: paramOf(visit, param) },
      body: { outcome: typed.get('/outcome') ?? '' },
    }),
    done: () => PATH,
    again: (visit, form) => sandboxPage(visit, { part: 'decide', form }),
  }
}

export const sandboxRoutes: readonly Route[] = [
  { method: 'GET', path: PATH, scope: 'sandbox:write', only: 'staging', show: (visit) => sandboxPage(visit) },
  ...SAMPLES.map((sample) =>
    sampleRoute(sample, (visit, form) => sandboxPage(visit, { part: 'sample', form })),
  ),
  decideRoute('payins', simulatePayinOperation, 'payinId'),
  decideRoute('payouts', simulatePayoutOperation, 'payoutId'),
  {
    method: 'POST',
    path: `${PATH}/clock`,
    operation: advanceClockOperation,
    only: 'staging',
    call: (visit, typed) => {
      const { seconds } = bodyOf([clockField(visit)], typed)
      return { body: { seconds: /^\d+$/.test(String(seconds)) ? Number(seconds) : seconds } }
    },
    done: () => PATH,
    again: (visit, form) => sandboxPage(visit, { part: 'clock', form }),
  },
]
