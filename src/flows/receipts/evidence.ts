// The evidence of a payout, for a receiver who says that it never came: what was asked and by whom, what the network answered,
// when and under which name. It is read and signed when somebody asks, so an erased receiver is erased here too. The receiver's
// document is not in it, unless it is the key that the payout went to.

import { timingSafeEqual } from 'node:crypto'
import { isoInstant, isoOrNull } from '../../core/instant.ts'
import { centsToNumber } from '../../core/money.ts'
import type { Payout } from '../../core/payouts/payout.ts'
import {
  evidenceStatementFields,
  networkReferenceOf,
  payoutStatementFields,
  qrTextOf,
  readReceiptId,
  receiptIdOf,
} from '../../core/receipts/statement.ts'
import { listExchanges } from '../../store/connections/exchanges.ts'
import { getOrganization } from '../../store/organizations/organizations.ts'
import {
  listPayoutNotices,
  type Requester,
  readCredentialName,
  readPayoutCredential,
} from '../../store/payouts/evidence.ts'
import type { PayoutAddress } from '../../store/payouts/payouts.ts'
import type { Needs } from '../context.ts'
import { openReceiver, type Vault } from '../people/vault.ts'

export type NetworkAnswer = {
  // asked: our order or question and how it was answered. told: what the network reported on its own.
  readonly how: 'asked' | 'told'
  readonly at: string
  readonly what: string
  // Null if there was no answer at all.
  readonly httpStatus?: number | null
  readonly networkCode?: string
  readonly trace?: string | null
  readonly occurredAt?: string
}

export type Evidence = {
  readonly payoutId: string
  readonly payer: { readonly name: string; readonly taxId: string | null }
  readonly requested: {
    readonly at: string
    readonly amountInCents: number
    readonly currency: 'COP'
    readonly rail: 'BRE_B'
    readonly reference: string
    // Null if the receiver was erased.
    readonly key: string | null
    readonly receiver: string | null
    // Null in payouts from before this was kept.
    readonly by: Requester | null
  }
  readonly network: { readonly reference: string; readonly answers: readonly NetworkAnswer[] }
  readonly outcome: {
    readonly status: Payout['status']
    readonly at: string | null
    readonly trace: string | null
    readonly errorCode: string | null
    readonly networkCode: string | null
  }
  readonly issuedAt: string
}

export type SignedEvidence = {
  readonly receiptId: string
  readonly url: string
  readonly verifyUrl: string
  readonly evidence: Evidence
  // Everything, signed.
  readonly statement: string
  // The main facts, signed, short enough for the QR code.
  readonly qrText: string
}

type EvidenceContext = Needs<'clock' | 'db' | 'batched' | 'settings' | 'statements' | 'vault'>

// Its page names the receiver, and ids are known to those who see people masked: without the tag it is not found.
export function evidenceUrl(
  { settings }: Needs<'settings'>,
  vault: Vault,
  { organizationId, payoutId }: PayoutAddress,
): string {
  const id = receiptIdOf(organizationId, payoutId)
  return `${settings.checkoutUrl}/evidence/${id}.${vault.evidenceAddressTag(payoutId)}`
}

// `place`: what follows /evidence/ in its address.
export async function findEvidence(ctx: EvidenceContext, place: string): Promise<SignedEvidence | undefined> {
  const [receiptId = '', tag = ''] = place.split('.', 2)
  const address = readReceiptId(receiptId)
  if (address === undefined) return undefined
  const { organizationId, paymentId: payoutId } = address
  const evidence = await readEvidence(ctx, { organizationId, payoutId })
  // Data keys are made for those who have a payout.
  return evidence && isSameText(tag, (await ctx.vault(organizationId)).evidenceAddressTag(payoutId))
    ? evidence
    : undefined
}

function isSameText(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

export async function readEvidence(
  ctx: EvidenceContext,
  address: PayoutAddress,
): Promise<SignedEvidence | undefined> {
  const payout = await ctx.batched.getPayout(address)
  const organization = payout && (await getOrganization(ctx.db, address.organizationId))
  if (payout === undefined || organization === undefined) return undefined
  const vault = await ctx.vault(address.organizationId)
  const opened = openReceiver(vault, payout.payoutId, payout.receiver)
  const receiver = typeof opened === 'string' ? null : opened
  const evidence: Evidence = {
    payoutId: payout.payoutId,
    payer: { name: organization.name, taxId: organization.taxId },
    requested: {
      at: isoInstant(payout.createdAt),
      amountInCents: centsToNumber(payout.amountInCents),
      currency: 'COP',
      rail: 'BRE_B',
      reference: payout.reference,
      key: receiver?.keyStringSent ?? null,
      receiver: receiver?.customer.name ?? null,
      by: await requesterOf(ctx, address),
    },
    network: { reference: networkReferenceOf(payout), answers: await answersOf(ctx, payout) },
    outcome: {
      status: payout.status,
      at: isoOrNull(payout.resultAt),
      trace: payout.traceId,
      errorCode: payout.errorCode,
      networkCode: payout.networkCode,
    },
    issuedAt: isoInstant(ctx.clock.now()),
  }
  const receiptId = receiptIdOf(address.organizationId, address.payoutId)
  const facts = payoutStatementFields(organization, payout, evidence.requested.key)
  const { checkoutUrl } = ctx.settings
  return {
    receiptId,
    url: evidenceUrl(ctx, vault, address),
    verifyUrl: `${checkoutUrl}/verify`,
    evidence,
    statement: await ctx.statements.sign(receiptId, evidenceStatementFields(facts, evidence)),
    qrText: qrTextOf(`${checkoutUrl}/verify`, await ctx.statements.sign(receiptId, facts)),
  }
}

async function requesterOf(ctx: Needs<'db'>, address: PayoutAddress): Promise<Requester | null> {
  const credentialId = await readPayoutCredential(ctx.db, address)
  if (credentialId === null) return null
  return (await readCredentialName(ctx.db, address.organizationId, credentialId)) ?? null
}

// A payout whose network was silent is asked about for days. The last answers tell the most.
const MAX_ANSWERS = 20

// Exchanges and notices leave after a time; what they led to stays in the outcome.
async function answersOf(ctx: Needs<'db'>, payout: Payout): Promise<NetworkAnswer[]> {
  const exchanges = await listExchanges(ctx.db, payout.organizationId, networkReferenceOf(payout))
  const notices = await listPayoutNotices(ctx.db, payout)
  const answers: NetworkAnswer[] = [
    ...exchanges.map(({ at, operation, status }) => ({
      how: 'asked' as const,
      at: isoInstant(at),
      what: operation,
      httpStatus: status,
    })),
    ...notices.map(({ receivedAt, occurredAt, kind, networkCode, traceId }) => ({
      how: 'told' as const,
      at: isoInstant(receivedAt),
      what: kind,
      networkCode,
      trace: traceId,
      occurredAt: isoInstant(occurredAt),
    })),
  ]
  return answers.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).slice(-MAX_ANSWERS)
}
