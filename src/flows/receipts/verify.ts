// Verifies a statement that somebody shows, or the address of a receipt of ours: by its signature, and then by the books. A
// signature alone would also hold for whoever took a key; the books tell what happened, and whether it was charged back since.

import { isoOrNull } from '../../core/instant.ts'
import { type CheckedStatement, checkStatement, type StatementFacts } from '../../core/receipts/check.ts'
import {
  factsOfPayin,
  factsOfPayout,
  type PaymentFacts,
  readReceiptId,
} from '../../core/receipts/statement.ts'
import type { Needs } from '../context.ts'
import { openReceiver } from '../people/vault.ts'
import { findEvidence } from './evidence.ts'
import { stateReceipt } from './receipt.ts'

// What changed since it was signed.
export type SinceThen = {
  readonly chargebackAt: string | null
  readonly chargebackAmountInCents: number | null
  // Of a payout.
  readonly statusNow: string | null
}

export type VerifiedStatement =
  | (Extract<CheckedStatement, { verdict: 'genuine' }> & { readonly since: SinceThen })
  | Extract<CheckedStatement, { verdict: 'altered' | 'unknown' }>

type AddressContext = Parameters<typeof findEvidence>[0]

export async function verifyStatement(
  ctx: AddressContext & Needs<'batched' | 'statements' | 'vault'>,
  text: string,
): Promise<VerifiedStatement> {
  const statement = (await statementAt(ctx, text)) ?? text
  const checked = await checkStatement(statement, await ctx.statements.keys())
  if (checked.verdict !== 'genuine') return checked
  const address = readReceiptId(checked.receiptId)
  const since = address && (await sinceThen(ctx, address, checked.facts))
  return since === undefined ? { verdict: 'unknown' } : { ...checked, since }
}

// People paste the address of a receipt's page, which holds no signature. What the page would show is stated here and never given
// away: after a chargeback too. An address on another host is not ours, whatever id it carries.
async function statementAt(ctx: AddressContext, text: string): Promise<string | undefined> {
  const host = ctx.settings.checkoutUrl.replace(/^https?:\/\//, '')
  const [, place = '', kind, receiptId = ''] =
    /(?:^|\s)(?:https?:\/\/)?(\S+)\/(receipts|evidence)\/([\w-]{43}(?:\.[\w-]{22})?)(?![\w-])/i.exec(text) ??
    []
  if (place.toLowerCase() !== host.toLowerCase() || text.includes('recaudo1.')) return undefined
  return kind === 'receipts' ? stateReceipt(ctx, receiptId) : (await findEvidence(ctx, receiptId))?.statement
}

// Undefined if the books know no such payment. What may be told later, such as the network's name for it, is not compared.
async function sinceThen(
  ctx: Needs<'batched' | 'vault'>,
  { organizationId, paymentId }: { organizationId: string; paymentId: string },
  facts: StatementFacts,
): Promise<SinceThen | undefined> {
  if (facts.kind === 'payin') {
    const payin = await ctx.batched.getPayin({ organizationId, payinId: paymentId })
    if (payin?.status !== 'CONFIRMED' || !isStatedBy(facts, factsOfPayin(payin))) return undefined
    return {
      chargebackAt: isoOrNull(payin.chargebackAt),
      chargebackAmountInCents: payin.chargebackAt === null ? null : Number(payin.chargedBackInCents),
      statusNow: null,
    }
  }
  const payout = await ctx.batched.getPayout({ organizationId, payoutId: paymentId })
  if (payout === undefined) return undefined
  const receiver = openReceiver(await ctx.vault(organizationId), paymentId, payout.receiver)
  const keyString = typeof receiver === 'string' ? null : receiver.keyStringSent
  if (!isStatedBy(facts, factsOfPayout(payout, keyString))) return undefined
  return { chargebackAt: null, chargebackAmountInCents: null, statusNow: payout.status }
}

function isStatedBy(facts: StatementFacts, books: PaymentFacts): boolean {
  const isItsTime = books.times.some((seconds) => seconds * 1_000 === Date.parse(facts.at))
  return (
    isItsTime &&
    (books.merchant === null || books.merchant === facts.merchant) &&
    (books.key === null || books.key === facts.key) &&
    books.amountInCents === facts.amountInCents &&
    books.reference === facts.reference &&
    books.rail === facts.rail
  )
}
