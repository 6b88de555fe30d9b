// The page of one refund.

import { cancelRefundOperation, getRefundOperation } from '../../api/refunds/operations.ts'
import { type Html, html } from '../../core/html.ts'
import { isUuid } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import { legalDeadline } from '../../core/refunds/deadline.ts'
import { claimUrl, presentRefund } from '../../core/refunds/object.ts'
import type { Refund } from '../../core/refunds/refund.ts'
import { getWaitingApproval } from '../../store/approvals/approvals.ts'
import { getRefund } from '../../store/refunds/refunds.ts'
import { APPROVAL_WORDS } from '../approvals/words.ts'
import { copyable } from '../curl-block.ts'
import { actionButton, problemSummary } from '../form-frame.ts'
import { type FormState, newForm } from '../form-state.ts'
import { amountText, timeText, whenText, withFullStop } from '../format.ts'
import { icon } from '../icons.ts'
import { type FactGroup, objectPage } from '../objects/object-page.ts'
import { shareCard } from '../objects/share.ts'
import {
  actEntries,
  alarmEntries,
  bookingEntries,
  callEntries,
  eventEntries,
  exchangeEntries,
  madeEntry,
} from '../objects/sources.ts'
import { OBJECT_WORDS } from '../objects/words.ts'
import type { Page } from '../page.ts'
import { eyesOf } from '../people.ts'
import type { Route } from '../route.ts'
import type { Visit } from '../visit.ts'
import { STATES, statusMark, toneOf } from '../words/states.ts'
import { isWaiting, refundReason } from './reason.ts'
import { REFUND_WORDS } from './words.ts'

async function refundOf({ ctx, organization, request }: Visit): Promise<Refund | undefined> {
  const { refundId } = paramsOf({ request })
  const { organizationId } = organization
  return isUuid(refundId)
    ? getRefund(ctx.db, { organizationId, refundId: refundId.toLowerCase() })
    : undefined
}

async function refundPage(visit: Visit, form: FormState = newForm(visit)): Promise<Page | undefined> {
  const refund = await refundOf(visit)
  const payin = refund && (await visit.ctx.batched.getPayin(refund))
  if (refund === undefined || payin === undefined) return undefined
  const { ctx, language } = visit
  const { refundId } = refund
  const words = REFUND_WORDS[language]
  const eyes = await eyesOf(visit, false)
  const entries = await Promise.all([
    callEntries(visit, refundId),
    actEntries(visit, refundId),
    exchangeEntries(visit, 'return', refundId),
    eventEntries(visit, refundId, eyes),
    bookingEntries(visit, refundId),
    alarmEntries(visit, refundId),
  ])
  const states = STATES[language]
  const isReturned = refund.returnedAt !== null
  return objectPage(visit, {
    section: 'refunds',
    list: { path: '/refunds', label: words.list },
    id: refundId,
    name: words.name(payin.reference),
    headline: amountText(refund.amountInCents, language),
    status: isReturned
      ? statusMark(refund.status, states.returned, 'bad')
      : statusMark(refund.status, states.refund[refund.status]),
    sentence: sentenceOf(refund, ctx.clock.now(), visit),
    tone: isReturned ? 'bad' : toneOf(refund.status),
    actions: [await approvalWay(visit, refund), ...actionsOf(visit, refund)],
    problem: problemSummary(visit, form, []),
    before: claimCard(visit, refund),
    groups: groupsOf(visit, refund),
    entries: [madeEntry(visit, refund.createdAt), ...entries.flat()],
    json: JSON.stringify(presentRefund(ctx.settings, refund, visit.caller)),
    operation: getRefundOperation,
    call: { params: { refundId } },
    watches: [`refunds/${refundId}`],
  })
}

// Where the people decide whom it waits for.
async function approvalWay({ ctx, home, language }: Visit, refund: Refund): Promise<Html | false> {
  if (refund.stage !== 'AWAITING_APPROVAL') return false
  const { organizationId, refundId: subjectId } = refund
  const waiting = await getWaitingApproval(ctx.db, { organizationId, kind: 'refund', subjectId })
  return (
    waiting !== undefined &&
    html`<a class="button" href="${home}/approvals/${waiting.approvalId}">${icon('approvals')}${APPROVAL_WORDS[language].see}</a>`
  )
}

// What the payer is sent.
function claimCard(visit: Visit, refund: Refund): Html | false {
  const { ctx, language, organization, caller } = visit
  const url = refund.stage === 'AWAITING_CLAIM' ? claimUrl(ctx.settings, refund, caller) : null
  if (url === null) return false
  const words = REFUND_WORDS[language]
  const amount = amountText(refund.amountInCents, language)
  return shareCard(visit, {
    url,
    qrLabel: words.qr,
    chatText: words.chatText(amount, organization.name, url),
  })
}

function sentenceOf(refund: Refund, now: Instant, { ctx, caller, language }: Visit): string {
  const words = REFUND_WORDS[language]
  const when = (instant: Instant | null) => whenText(instant ?? refund.updatedAt, now, language)
  const sentences = (): string[] => {
    if (refund.status === 'PROCESSING') {
      const why =
        refund.stage === 'AWAITING_FUNDS' && isWaiting(refund.errorCode)
          ? [words.waits[refund.errorCode]]
          : refund.stage === 'AWAITING_CLAIM' && refund.errorCode !== null
            ? [words.keyFailed]
            : []
      const isWithPeople = refund.stage === 'AWAITING_CLAIM' || refund.stage === 'AWAITING_APPROVAL'
      const missing = isWithPeople && refund.reservedInCents === 0n ? [words.notReserved] : []
      const isOthers = refund.stage === 'AWAITING_CLAIM' && claimUrl(ctx.settings, refund, caller) === null
      return [...why, isOthers ? words.othersSend : words.open[refund.stage], ...missing]
    }
    if (refund.status === 'CONFIRMED') {
      const given = words.given(amountText(refund.amountInCents, language), when(refund.resultAt))
      return [given, ...(refund.returnedAt === null ? [] : [words.cameBack(when(refund.returnedAt))])]
    }
    return [
      refundReason(refund, language) ?? STATES[language].refund[refund.status],
      words.ended(when(refund.resultAt)),
    ]
  }
  return sentences().map(withFullStop).join(' ')
}

const CANCELABLE: readonly Refund['stage'][] = [
  'READY',
  'AWAITING_FUNDS',
  'AWAITING_CLAIM',
  'AWAITING_APPROVAL',
]

function actionsOf(visit: Visit, { refundId, stage }: Refund): (Html | false)[] {
  const words = REFUND_WORDS[visit.language]
  return [
    CANCELABLE.includes(stage) &&
      actionButton(visit, newForm(visit), {
        action: `/refunds/${refundId}/cancel`,
        operation: cancelRefundOperation,
        submit: words.cancel,
        isGrave: true,
        call: { params: { refundId } },
        confirm: words.cancelSure,
      }),
  ]
}

function groupsOf(visit: Visit, refund: Refund): FactGroup[] {
  const { language, ctx, home } = visit
  const { fields, facts } = OBJECT_WORDS[language]
  const words = REFUND_WORDS[language]
  const now = ctx.clock.now()
  const time = (instant: Instant | null) => (instant === null ? null : timeText(instant, now, language))
  const short = (id: string) => `${id.slice(0, 13)}…`
  const deadline = legalDeadline(refund.reason, refund.createdAt)
  const url = claimUrl(ctx.settings, refund, visit.caller)
  const { claim } = refund
  return [
    {
      title: facts,
      facts: [
        [fields.amount, amountText(refund.amountInCents, language)],
        [words.fields.payin, html`<a href="${home}/payins/${refund.payinId}">${short(refund.payinId)}</a>`],
        [words.fields.reason, words.reasons[refund.reason]],
        ...(deadline === null ? [] : [[words.rules[deadline.rule], words.deadline(deadline.day)] as const]),
        [words.fields.way, words.ways[refund.way]],
        [
          words.fields.reserved,
          refund.reservedInCents > 0n ? amountText(refund.reservedInCents, language) : null,
        ],
        [words.fields.stage, refund.status === 'PROCESSING' ? words.stages[refund.stage] : null],
        [
          words.fields.payout,
          refund.payoutId && html`<a href="${home}/payouts/${refund.payoutId}">${short(refund.payoutId)}</a>`,
        ],
        [
          words.fields.claimUrl,
          url !== null ? copyable(visit, url) : refund.stage === 'AWAITING_CLAIM' ? words.claimHidden : null,
        ],
        [words.fields.claimUntil, time(refund.claimExpiresAt)],
        [fields.transfer, refund.traceId === null ? null : copyable(visit, refund.traceId)],
        [fields.networkCode, refund.networkCode === null ? null : html`<code>${refund.networkCode}</code>`],
        [fields.created, time(refund.createdAt)],
        [fields.result, time(refund.resultAt)],
        [fields.returned, time(refund.returnedAt)],
      ],
    },
    ...(claim === null
      ? []
      : [
          {
            title: fields.key,
            facts: [
              [words.fields.holder, claim.holderName],
              [words.fields.participant, claim.participant],
              [words.fields.match, words.matches[claim.match]],
            ] as const,
          },
        ]),
  ]
}

function paramsOf({ request }: Pick<Visit, 'request'>): { refundId: string } {
  return request.params as { refundId: string }
}

export const refundRoutes: readonly Route[] = [
  { method: 'GET', path: '/refunds/:refundId', scope: 'payins:read', show: (visit) => refundPage(visit) },
  {
    method: 'POST',
    path: '/refunds/:refundId/cancel',
    operation: cancelRefundOperation,
    call: (visit) => ({ params: paramsOf(visit) }),
    done: (visit) => `/refunds/${paramsOf(visit).refundId}`,
    again: refundPage,
  },
]
