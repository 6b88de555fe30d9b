// A payin as merchants see it, in responses and events. Its QR image is rendered when the text is sent (qr-image-reference.ts),
// and its customer opened (people/shown.ts).

import { isoInstant, isoOrNull } from '../instant.ts'
import { centsToNumber, centsToPesos } from '../money.ts'
import { presentNote } from '../people/note.ts'
import { qrImageReference } from '../qr-image-reference.ts'
import type { SealingKeys } from '../seal.ts'
import { payinPageToken } from './page-token.ts'
import type { Payin } from './payin.ts'

export type Presenter = { readonly checkoutUrl: string; readonly keys: SealingKeys }

export function presentPayin(presenter: Presenter, payin: Payin): Record<string, unknown> {
  return present(presenter, payin, payin.customer)
}

export function presentPayinInList(
  presenter: Presenter,
  payin: Payin,
  customerName: string | null,
): Record<string, unknown> {
  return present(presenter, payin, customerName)
}

function present(presenter: Presenter, payin: Payin, inlineCustomer: unknown): Record<string, unknown> {
  const { confirmedAmountInCents } = payin
  const createdAt = isoInstant(payin.createdAt)
  return {
    id: payin.payinId,
    amount: centsToPesos(payin.amountInCents),
    amountInCents: centsToNumber(payin.amountInCents),
    confirmedAmount: confirmedAmountInCents === null ? null : centsToPesos(confirmedAmountInCents),
    confirmedAmountInCents: confirmedAmountInCents === null ? null : centsToNumber(confirmedAmountInCents),
    currency: payin.currency,
    status: payin.status,
    settlementStatus: payin.settlementStatus,
    rail: payin.source.rail,
    reference: payin.reference,
    ...presentNote(payin.note),
    paymentLinkId: payin.paymentLinkId,
    inlineCustomer,
    errorCode: payin.errorCode,
    createdAt,
    updatedAt: payin.updatedAt === payin.createdAt ? createdAt : isoInstant(payin.updatedAt),
    expiresAt: isoInstant(payin.expiresAt),
    resultAt: isoOrNull(payin.resultAt),
    chargebackAt: isoOrNull(payin.chargebackAt),
    chargebackAmountInCents: payin.chargebackAt === null ? null : centsToNumber(payin.chargedBackInCents),
    refundedAmountInCents: centsToNumber(payin.refundedInCents),
    organizationId: payin.organizationId,
    sourceData: presentSource(presenter, payin),
    callbackUrl: payin.callbackUrl,
  }
}

function presentSource(presenter: Presenter, payin: Payin): Record<string, unknown> {
  const pageUrl = `${presenter.checkoutUrl}/pay/${payinPageToken(presenter.keys.page, payin)}`
  const { source } = payin
  if (source.rail === 'PSE') return { bank: source.bank, pseUrl: pageUrl }
  const { keyType, keyString, qrPayload } = source
  return {
    keyType,
    keyString,
    ...(qrPayload !== null && { qrString: qrImageReference(qrPayload), qrPayload }),
    checkoutUrl: pageUrl,
  }
}
