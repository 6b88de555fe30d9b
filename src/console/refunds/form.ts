// The form that gives a payin back, and what a payin's page says of its refunds.

import { createRefundOperation } from '../../api/refunds/operations.ts'
import { KEY_MAX_LENGTH } from '../../core/directory/breb-key.ts'
import { type Html, html } from '../../core/html.ts'
import { isUuid } from '../../core/ids.ts'
import type { Payin } from '../../core/payins/payin.ts'
import { REFUND_REASONS, REFUND_WAYS, refundableInCents } from '../../core/refunds/refund.ts'
import { refundsOfPayin } from '../../store/refunds/refunds.ts'
import { createPage } from '../create/frame.ts'
import { bodyOf, type Field } from '../fields.ts'
import { formFrame } from '../form-frame.ts'
import { type FormState, newForm } from '../form-state.ts'
import { amountText, shortTimeText } from '../format.ts'
import type { FactGroup } from '../objects/object-page.ts'
import type { Page } from '../page.ts'
import type { Route } from '../route.ts'
import { proofNote } from '../settings/frame.ts'
import type { Visit } from '../visit.ts'
import { STATES, statusMark } from '../words/states.ts'
import { REFUND_WORDS } from './words.ts'

const MAX_TYPED_AMOUNT = 20

function fieldsOf({ language }: Visit): Field[] {
  const words = REFUND_WORDS[language]
  return [
    {
      kind: 'select',
      path: '/reason',
      label: words.form.reason,
      hint: words.form.reasonHint,
      // It decides the legal deadline, so nobody sends one that they did not choose.
      options: [
        { value: '', label: words.form.choose },
        ...REFUND_REASONS.map((value) => ({ value, label: words.reasons[value] })),
      ],
    },
    {
      kind: 'money',
      path: '/amountInCents',
      label: words.form.amount,
      hint: words.form.amountHint,
      maxLength: MAX_TYPED_AMOUNT,
      autocomplete: 'off',
      isOptional: true,
    },
    {
      kind: 'select',
      path: '/way',
      label: words.form.way,
      isOptional: true,
      options: [
        { value: '', label: words.form.first },
        ...REFUND_WAYS.map((value) => ({ value, label: words.ways[value] })),
      ],
    },
    {
      kind: 'text',
      path: '/breb/keyString',
      label: words.form.key,
      hint: words.form.keyHint,
      maxLength: KEY_MAX_LENGTH,
      autocomplete: 'off',
      isOptional: true,
    },
  ]
}

async function newRefundPage(visit: Visit, form: FormState = newForm(visit)): Promise<Page | undefined> {
  const { ctx, language, organization } = visit
  const { payinId } = paramsOf(visit)
  const { organizationId } = organization
  const payin = isUuid(payinId)
    ? await ctx.batched.getPayin({ organizationId, payinId: payinId.toLowerCase() })
    : undefined
  if (payin === undefined) return undefined
  const words = REFUND_WORDS[language]
  const left = refundableInCents(payin)
  const path = `/payins/${payin.payinId}`
  return createPage(visit, {
    section: 'refunds',
    title: words.form.title,
    lead: left === 0n ? words.form.none : words.form.lead(amountText(left, language)),
    back: { path, label: payin.reference },
    notes: proofNote(visit),
    form: formFrame(visit, form, {
      action: `${path}/refunds`,
      operation: createRefundOperation,
      fields: fieldsOf(visit),
      submit: words.form.submit,
      cancel: path,
      lock: left === 0n ? words.form.none : undefined,
      call: { params: { payinId: payin.payinId }, body: { reason: 'NOT_RECEIVED' } },
    }),
  })
}

function paramsOf({ request }: Visit): { payinId: string } {
  return request.params as { payinId: string }
}

export function refundLink({ home, language }: Visit, payin: Payin): Html | false {
  return (
    refundableInCents(payin) > 0n &&
    html`<a class="button" href="${home}/payins/${payin.payinId}/refunds">${REFUND_WORDS[language].give}</a>`
  )
}

// Its refunds, the oldest first, and what is left to give back.
export async function refundGroup(visit: Visit, payin: Payin): Promise<FactGroup[]> {
  const { ctx, language, home } = visit
  const refunds = payin.status === 'CONFIRMED' ? await refundsOfPayin(ctx.db, payin) : []
  if (refunds.length === 0) return []
  const words = REFUND_WORDS[language]
  const now = ctx.clock.now()
  const rows = refunds.map(
    (refund) =>
      [
        shortTimeText(refund.createdAt, now, language),
        html`<a href="${home}/refunds/${refund.refundId}">${amountText(refund.amountInCents, language)}</a> ${statusMark(refund.status, STATES[language].refund[refund.status])}`,
      ] as const,
  )
  const given = [words.fields.refunded, amountText(payin.refundedInCents, language)] as const
  return [{ title: words.ofPayin, facts: [...rows, given] }]
}

export const refundFormRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/payins/:payinId/refunds',
    scope: 'payins:read',
    show: (visit) => newRefundPage(visit),
  },
  {
    method: 'POST',
    path: '/payins/:payinId/refunds',
    operation: createRefundOperation,
    stepUp: true,
    call: (visit, typed) => ({ params: paramsOf(visit), body: bodyOf(fieldsOf(visit), typed) }),
    done: (_visit, answer) => `/refunds/${(answer as { id: string }).id}`,
    again: newRefundPage,
  },
]
