// The receipt of a payin that was paid: its facts, signed. After a chargeback there are no new signatures, because whoever reads
// one without a network could not know.

import { type Instant, isoInstant } from '../../core/instant.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import type { Payin, PayinAddress } from '../../core/payins/payin.ts'
import { payinStatementFields, qrTextOf, readReceiptId, receiptIdOf } from '../../core/receipts/statement.ts'
import { getOrganization } from '../../store/organizations/organizations.ts'
import type { Needs } from '../context.ts'
import { openNote } from '../people/vault.ts'

export type Receipt = {
  readonly receiptId: string
  readonly organization: Organization
  readonly payin: Payin
  // As it was named when the payment was asked for.
  readonly merchantName: string
  // What was paid for, in the merchant's words.
  readonly description: string | null
  readonly paidAt: Instant
  readonly paidInCents: bigint
  readonly trace: string | null
  readonly url: string
  readonly verifyUrl: string
  // Null once any of it was charged back.
  readonly signed: { readonly statement: string; readonly qrText: string } | null
}

export async function findReceipt(
  ctx: Needs<'db' | 'batched' | 'settings' | 'statements' | 'vault'>,
  receiptId: string,
): Promise<Receipt | undefined> {
  const address = readReceiptId(receiptId)
  return address && readReceipt(ctx, { organizationId: address.organizationId, payinId: address.paymentId })
}

// The statement of whatever was paid, charged back or not, for a check within this service.
export async function stateReceipt(
  ctx: Needs<'db' | 'batched' | 'settings' | 'statements' | 'vault'>,
  receiptId: string,
): Promise<string | undefined> {
  const receipt = await findReceipt(ctx, receiptId)
  return receipt && ctx.statements.sign(receiptId, payinStatementFields(receipt.organization, receipt.payin))
}

// Undefined if there is no such payin, or no money came for it.
export async function readReceipt(
  ctx: Needs<'db' | 'batched' | 'settings' | 'statements' | 'vault'>,
  address: PayinAddress,
): Promise<Receipt | undefined> {
  const payin = await ctx.batched.getPayin(address)
  if (payin?.status !== 'CONFIRMED') return undefined
  const organization = await getOrganization(ctx.db, address.organizationId)
  if (organization === undefined) return undefined
  const receiptId = receiptIdOf(address.organizationId, address.payinId)
  const verifyUrl = `${ctx.settings.checkoutUrl}/verify`
  return {
    receiptId,
    organization,
    payin,
    merchantName: payin.frozenOrder.merchantName ?? organization.name,
    description: await descriptionOf(ctx, payin),
    paidAt: payin.resultAt ?? payin.updatedAt,
    paidInCents: payin.confirmedAmountInCents ?? payin.amountInCents,
    trace: payin.progress.traceId ?? payin.progress.paymentId,
    url: `${ctx.settings.checkoutUrl}/receipts/${receiptId}`,
    verifyUrl,
    signed: payin.chargebackAt === null ? await signReceipt(ctx, receiptId, organization, payin) : null,
  }
}

async function descriptionOf(ctx: Needs<'vault'>, { organizationId, payinId, note }: Payin) {
  if (note === null) return null
  return openNote(await ctx.vault(organizationId), payinId, note)?.description ?? null
}

async function signReceipt(
  ctx: Needs<'settings' | 'statements'>,
  receiptId: string,
  organization: Organization,
  payin: Payin,
): Promise<Receipt['signed']> {
  const statement = await ctx.statements.sign(receiptId, payinStatementFields(organization, payin))
  return { statement, qrText: qrTextOf(`${ctx.settings.checkoutUrl}/verify`, statement) }
}

/** As programs read it. */
export function presentReceipt(receipt: Receipt): Record<string, unknown> {
  const { payin, organization } = receipt
  const isReversed = payin.chargebackAt !== null
  return {
    id: receipt.receiptId,
    url: receipt.url,
    imageUrl: receipt.signed && `${receipt.url}/image.svg`,
    verifyUrl: receipt.verifyUrl,
    merchant: { name: receipt.merchantName, taxId: organization.taxId },
    amountInCents: Number(receipt.paidInCents),
    currency: payin.currency,
    paidAt: isoInstant(receipt.paidAt),
    description: receipt.description,
    reference: payin.reference,
    rail: payin.source.rail,
    trace: receipt.trace,
    chargebackAt: payin.chargebackAt === null ? null : isoInstant(payin.chargebackAt),
    chargebackAmountInCents: isReversed ? Number(payin.chargedBackInCents) : null,
    statement: receipt.signed?.statement ?? null,
    qrText: receipt.signed?.qrText ?? null,
  }
}
