// The page of one payout.

import { simulatePayoutOperation } from '../../api/connections/sandbox.ts'
import { cancelPayoutOperation, getPayoutOperation } from '../../api/payouts/operations.ts'
import { type Html, html } from '../../core/html.ts'
import { isUuid } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import { presentPayout } from '../../core/payouts/object.ts'
import type { Payout } from '../../core/payouts/payout.ts'
import { isCancelable } from '../../core/payouts/settle.ts'
import type { Receiver } from '../../core/people/customer.ts'
import type { UserLanguage } from '../../core/team/user.ts'
import { openNote } from '../../flows/people/vault.ts'
import { evidenceUrl } from '../../flows/receipts/evidence.ts'
import { getWaitingApproval } from '../../store/approvals/approvals.ts'
import { type NextPayoutWork, nextPayoutWork } from '../../store/payouts/next-work.ts'
import { APPROVAL_WORDS } from '../approvals/words.ts'
import { copyable } from '../curl-block.ts'
import { bodyOf } from '../fields.ts'
import { actionButton, problemSummary } from '../form-frame.ts'
import { type FormState, newForm } from '../form-state.ts'
import { amountText, timeText, whenText, withFullStop } from '../format.ts'
import { icon } from '../icons.ts'
import { type FactGroup, objectPage } from '../objects/object-page.ts'
import { personFacts } from '../objects/person-facts.ts'
import { shownData } from '../objects/shown-json.ts'
import { shownControl, shownPersonRoute, shownUntil } from '../objects/shown-person.ts'
import { simulateControl, simulateFields } from '../objects/simulate.ts'
import {
  actEntries,
  alarmEntries,
  bookingEntries,
  callEntries,
  eventEntries,
  exchangeEntries,
  madeEntry,
  noticeEntries,
} from '../objects/sources.ts'
import { OBJECT_WORDS } from '../objects/words.ts'
import type { Page } from '../page.ts'
import { eyesOf, type PeopleEyes, receiverSeen } from '../people.ts'
import type { Route } from '../route.ts'
import type { Visit } from '../visit.ts'
import { STATES, statusMark, toneOf } from '../words/states.ts'
import { PAYOUT_WORDS } from './words.ts'

const OUTCOMES = ['confirmed', 'declined', 'canceled'] as const

async function payoutOf({ ctx, organization, request }: Visit): Promise<Payout | undefined> {
  const { payoutId } = request.params as { payoutId: string }
  const { organizationId } = organization
  return isUuid(payoutId)
    ? ctx.batched.getPayout({ organizationId, payoutId: payoutId.toLowerCase() })
    : undefined
}

async function payoutPage(visit: Visit, form: FormState = newForm(visit)): Promise<Page | undefined> {
  const payout = await payoutOf(visit)
  if (payout === undefined) return undefined
  const { ctx, language } = visit
  const { payoutId } = payout
  const eyes = await eyesOf(visit, shownUntil(visit, payoutId) !== null)
  const [work, ...entries] = await Promise.all([
    nextPayoutWork(ctx.db, payout),
    callEntries(visit, payoutId),
    actEntries(visit, payoutId),
    exchangeEntries(visit, 'payout', payoutId),
    noticeEntries(visit, payoutId),
    eventEntries(visit, payoutId, eyes),
    bookingEntries(visit, payoutId),
    alarmEntries(visit, payoutId),
  ])
  const receiver = receiverSeen(eyes, payoutId, payout.receiver)
  const states = STATES[language]
  const isReturned = payout.returnedAt !== null
  return objectPage(visit, {
    section: 'payouts',
    list: { path: '/payouts', label: PAYOUT_WORDS[language].list },
    id: payoutId,
    name: payout.reference,
    headline: amountText(payout.amountInCents, language),
    status: isReturned
      ? statusMark(payout.status, states.returned, 'bad')
      : statusMark(payout.status, states.payout[payout.status]),
    sentence: sentenceOf(payout, receiver, work, ctx.clock.now(), language),
    tone: isReturned || payout.stage === 'STOPPED' ? 'bad' : toneOf(payout.status),
    actions: [await approvalWay(visit, payout), ...actionsOf(visit, payout, eyes)],
    problem: problemSummary(visit, form, simulateFields(visit, OUTCOMES)),
    groups: groupsOf(visit, payout, eyes, receiver),
    entries: [madeEntry(visit, payout.createdAt), ...entries.flat()],
    json: shownData(JSON.stringify(presentPayout(payout)), eyes),
    operation: getPayoutOperation,
    call: { params: { payoutId } },
    watches: [`payouts/${payoutId}`],
  })
}

// Where the people decide whom it waits for.
async function approvalWay(visit: Visit, payout: Payout): Promise<Html | false> {
  if (payout.stage !== 'AWAITING_APPROVAL') return false
  const { ctx, home, language } = visit
  const { organizationId, payoutId: subjectId } = payout
  const waiting = await getWaitingApproval(ctx.db, { organizationId, kind: 'payout', subjectId })
  return (
    waiting !== undefined &&
    html`<a class="button" href="${home}/approvals/${waiting.approvalId}">${icon('approvals')}${APPROVAL_WORDS[language].see}</a>`
  )
}

function sentenceOf(
  payout: Payout,
  receiver: Receiver | string,
  work: NextPayoutWork | undefined,
  now: Instant,
  language: UserLanguage,
): string {
  const words = PAYOUT_WORDS[language]
  const when = (instant: Instant | null) => whenText(instant ?? payout.updatedAt, now, language)
  const sentences = (): string[] => {
    if (payout.status === 'PROCESSING') {
      const isAsking = payout.stage === 'SENDING' || payout.stage === 'SENT'
      const next =
        isAsking && work !== undefined && work.dueAt !== null && work.dueAt > now ? work.dueAt : null
      return [words.open[payout.stage], ...(next === null ? [] : [words.askAgain(when(next))])]
    }
    if (payout.status === 'CONFIRMED') {
      const [who, key] =
        typeof receiver === 'string' ? [receiver, receiver] : [receiver.customer.name, receiver.keyString]
      const paid = words.paid(who, amountText(payout.amountInCents, language), key, when(payout.resultAt))
      return [paid, ...(payout.returnedAt === null ? [] : [words.cameBack(when(payout.returnedAt))])]
    }
    const { missingInCents } = payout
    return [
      payout.errorCode === null ? STATES[language].payout[payout.status] : words.why[payout.errorCode],
      // Where the balance was too small nothing was set aside, and nothing comes back.
      missingInCents === null ? words.released : words.missing(amountText(missingInCents, language)),
      words.ended(when(payout.resultAt)),
    ]
  }
  return sentences().map(withFullStop).join(' ')
}

function actionsOf(visit: Visit, payout: Payout, { isMasked, vault }: PeopleEyes): (Html | false)[] {
  const { language, ctx, environment } = visit
  const words = PAYOUT_WORDS[language]
  const { payoutId } = payout
  const path = `/payouts/${payoutId}`
  const mayBeCanceled = isCancelable(payout)
  return [
    // It names the receiver.
    payout.status === 'CONFIRMED' &&
      !isMasked &&
      html`<a class="button" href="${evidenceUrl(ctx, vault, payout)}" target="_blank" rel="noopener">${icon('outside')}${OBJECT_WORDS[language].evidence}</a>`,
    environment === 'staging' &&
      payout.status === 'PROCESSING' &&
      simulateControl(visit, {
        action: `${path}/simulate`,
        operation: simulatePayoutOperation,
        outcomes: OUTCOMES,
        call: { params: { payoutId } },
      }),
    mayBeCanceled &&
      actionButton(visit, newForm(visit), {
        action: `${path}/cancel`,
        operation: cancelPayoutOperation,
        submit: words.cancel,
        isGrave: true,
        call: { params: { payoutId } },
        confirm: words.cancelSure,
      }),
  ]
}

function groupsOf(visit: Visit, payout: Payout, eyes: PeopleEyes, receiver: Receiver | string): FactGroup[] {
  const { language, ctx } = visit
  const { fields, facts, ownNetwork } = OBJECT_WORDS[language]
  const now = ctx.clock.now()
  const time = (instant: Instant | null) => (instant === null ? null : timeText(instant, now, language))
  const note = eyes.isMasked ? null : openNote(eyes.vault, payout.payoutId, payout.note)
  const key = typeof receiver === 'string' ? receiver : receiver.keyString
  return [
    {
      title: facts,
      facts: [
        [fields.amount, amountText(payout.amountInCents, language)],
        [fields.rail, STATES[language].rails.BRE_B],
        [fields.key, copyable(visit, key)],
        [fields.keyType, payout.keyType],
        [fields.transfer, payout.traceId === null ? null : copyable(visit, payout.traceId)],
        [fields.networkCode, payout.networkCode === null ? null : html`<code>${payout.networkCode}</code>`],
        [fields.created, time(payout.createdAt)],
        [fields.result, time(payout.resultAt)],
        [fields.returned, time(payout.returnedAt)],
        [fields.connection, payout.connection?.provider ?? ownNetwork],
        [fields.description, note?.description],
        ...Object.entries(note?.metadata ?? {}),
      ],
    },
    {
      title: fields.receiver,
      facts: personFacts(typeof receiver === 'string' ? receiver : receiver.customer, language),
      after: shownControl(visit, `/payouts/${payout.payoutId}`, payout.payoutId),
    },
  ]
}

function paramsOf({ request }: Visit): { payoutId: string } {
  return request.params as { payoutId: string }
}

export const payoutRoutes: readonly Route[] = [
  { method: 'GET', path: '/payouts/:payoutId', scope: 'payouts:read', show: (visit) => payoutPage(visit) },
  {
    method: 'POST',
    path: '/payouts/:payoutId/cancel',
    operation: cancelPayoutOperation,
    call: (visit) => ({ params: paramsOf(visit) }),
    done: (visit) => `/payouts/${paramsOf(visit).payoutId}`,
    again: payoutPage,
  },
  {
    method: 'POST',
    path: '/payouts/:payoutId/simulate',
    operation: simulatePayoutOperation,
    call: (visit, typed) => ({
      params: paramsOf(visit),
      body: bodyOf(simulateFields(visit, OUTCOMES), typed),
    }),
    done: (visit) => `/payouts/${paramsOf(visit).payoutId}`,
    again: payoutPage,
  },
  shownPersonRoute('/payouts/:payoutId', 'payouts:read', async (visit) => (await payoutOf(visit))?.payoutId),
]
