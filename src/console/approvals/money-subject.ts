// Money that waits, in words: who gets it and at which key, as far as the role of whoever looks may see people.

import { type Approval, documentOf } from '../../core/approvals/approval.ts'
import { type Html, html } from '../../core/html.ts'
import type { Customer } from '../../core/people/customer.ts'
import type { Sealed } from '../../core/people/sealed.ts'
import type { Refund } from '../../core/refunds/refund.ts'
import type { UserLanguage } from '../../core/team/user.ts'
import { getBatch } from '../../store/payout-batches/batches.ts'
import { listLargestRows, readBatchTotals } from '../../store/payout-batches/rows.ts'
import { getRefund } from '../../store/refunds/refunds.ts'
import { amountText, countText } from '../format.ts'
import type { Fact } from '../objects/object-page.ts'
import { personFacts } from '../objects/person-facts.ts'
import { eyesOf, type PeopleEyes, receiverSeen } from '../people.ts'
import { REFUND_WORDS } from '../refunds/words.ts'
import type { Visit } from '../visit.ts'
import { APPROVAL_WORDS } from './words.ts'

export type SubjectView = { readonly what: string; readonly facts: readonly Fact[] }

export type MoneyKind = 'payout' | 'payout-batch' | 'refund'

type Subject = (visit: Visit, approval: Approval, facts: readonly Fact[]) => Promise<SubjectView>

export const MONEY_SUBJECTS: Readonly<Record<MoneyKind, Subject>> = {
  payout: payoutSubject,
  'payout-batch': batchSubject,
  refund: refundSubject,
}

type Seen = { readonly person: Customer | string; readonly who: string; readonly key: string }

function seenBy(eyes: PeopleEyes, objectId: string, sealed: Parameters<typeof receiverSeen>[2]): Seen {
  const receiver = receiverSeen(eyes, objectId, sealed)
  return typeof receiver === 'string'
    ? { person: receiver, who: receiver, key: receiver }
    : { person: receiver.customer, who: receiver.customer.name, key: receiver.keyString }
}

async function payoutSubject(visit: Visit, approval: Approval, facts: readonly Fact[]): Promise<SubjectView> {
  const { ctx, language, organization } = visit
  const words = APPROVAL_WORDS[language]
  const { organizationId } = organization
  const payout = await ctx.batched.getPayout({ organizationId, payoutId: approval.subjectId })
  if (payout === undefined) return { what: words.what.gone, facts }
  const { person, who, key } = seenBy(await eyesOf(visit), payout.payoutId, payout.receiver)
  return {
    what: words.what.payout(amountText(payout.amountInCents, language), who, key),
    facts: [
      ...facts,
      ...feesFact(payout.feeInCents + payout.feeTaxInCents, language),
      ...personFacts(person, language),
      [words.facts.key, key],
      [words.facts.reference, payout.reference],
    ],
  }
}

// What it costs beside its amount.
function feesFact(feesInCents: bigint, language: UserLanguage): Fact[] {
  return feesInCents > 0n ? [[APPROVAL_WORDS[language].facts.fees, amountText(feesInCents, language)]] : []
}

// So many receivers are named here. The page of the batch has all of them.
const LARGEST = 5

async function batchSubject(visit: Visit, approval: Approval, facts: readonly Fact[]): Promise<SubjectView> {
  const { ctx, language, organization, home } = visit
  const words = APPROVAL_WORDS[language]
  const { organizationId } = organization
  const batchId = approval.subjectId
  const [batch, totals, largest, eyes] = await Promise.all([
    getBatch(ctx.db, organizationId, batchId),
    readBatchTotals(ctx.db, organizationId, [batchId]),
    listLargestRows(ctx.db, organizationId, batchId, LARGEST),
    eyesOf(visit),
  ])
  const sums = totals.get(batchId)?.totals
  if (batch === undefined || sums === undefined) return { what: words.what.gone, facts }
  const warned: Fact[] =
    sums.withWarnings === 0
      ? []
      : [
          [
            words.facts.warnings,
            html`<a href="${home}/batches/${batchId}?only=warnings">${words.seeRows(countText(sums.withWarnings, language))}</a>`,
          ],
        ]
  const [count, total] = [countText(sums.toSend, language), amountText(sums.sumInCents, language)]
  const line = (amountInCents: bigint, person: Sealed, rowId: string): Html => {
    const { who, key } = seenBy(eyes, rowId, person)
    const where = key === who ? who : `${who}, ${key}`
    return html`<span class="block">${amountText(amountInCents, language)} · ${where}</span><br>`
  }
  return {
    what: words.what.batch(count, total, batch.fileName),
    facts: [
      ...facts,
      ...feesFact(BigInt((documentOf(approval).feesInCents as string | undefined) ?? 0), language),
      [words.facts.file, batch.fileName],
      [words.facts.payouts, html`<a href="${home}/batches/${batchId}">${words.seeRows(count)}</a>`],
      ...warned,
      [
        sums.toSend > LARGEST ? words.facts.largest : words.facts.receivers,
        html`${largest.map(({ amountInCents, person, rowId }) => line(amountInCents ?? 0n, person, rowId))}`,
      ],
    ],
  }
}

async function refundSubject(visit: Visit, approval: Approval, facts: readonly Fact[]): Promise<SubjectView> {
  const { ctx, language, organization, home } = visit
  const words = APPROVAL_WORDS[language]
  const { fields, reasons, ways, matches } = REFUND_WORDS[language]
  const { organizationId } = organization
  const refund = await getRefund(ctx.db, { organizationId, refundId: approval.subjectId })
  if (refund === undefined) return { what: words.what.gone, facts }
  const payin = await ctx.batched.getPayin({ organizationId, payinId: refund.payinId })
  const seen = refund.receiver && seenBy(await eyesOf(visit), refund.refundId, refund.receiver)
  const { claim } = refund
  return {
    what: refundSentence(visit, refund, seen),
    facts: [
      ...facts,
      [
        fields.payin,
        html`<a href="${home}/payins/${refund.payinId}">${payin?.reference ?? refund.payinId}</a>`,
      ],
      [fields.reason, reasons[refund.reason]],
      [fields.way, ways[refund.way]],
      [words.facts.key, seen?.key],
      [fields.holder, claim?.holderName],
      [fields.participant, claim?.participant],
      [fields.match, claim && matches[claim.match]],
    ],
  }
}

// Without a receiver it goes back the way it came, or the payer is asked, or a payout has it already.
function refundSentence({ language }: Visit, refund: Refund, seen: Seen | null): string {
  const { what } = APPROVAL_WORDS[language]
  const { fields, matches } = REFUND_WORDS[language]
  const amount = amountText(refund.amountInCents, language)
  if (seen !== null) {
    const { claim } = refund
    const sentence = what.refundToKey(amount, claim?.holderName ?? seen.who, seen.key)
    // Above the buttons, because that is why it waits.
    return claim === null || claim.match === 'SAME'
      ? sentence
      : `${sentence} ${fields.match}: ${matches[claim.match]}.`
  }
  return refund.way === 'RAIL' ? what.refundByRail(amount) : what.refundByClaim(amount)
}
