// The port as tests call it.

import type { OpenedPayin, PayinRail, PaymentHandle } from '../../src/rails/rail.ts'

// A part that the adapter has.
export function offered<Part>(part: Part | null | undefined): Part {
  if (part === null || part === undefined) throw new Error('the adapter does not offer this')
  return part
}

// Of a payment that its network knows by our reference alone.
export function handleOf({
  reference,
  amountInCents,
}: Pick<PaymentHandle, 'reference' | 'amountInCents'>): PaymentHandle {
  return { reference, amountInCents, providerId: null }
}

export function returnPayment(
  rail: PayinRail,
  ...payment: Parameters<NonNullable<PayinRail['returnPayment']>>
): ReturnType<NonNullable<PayinRail['returnPayment']>> {
  if (rail.returnPayment === null) throw new Error('this rail sends nothing back')
  return rail.returnPayment(...payment)
}

// A network has no id of its own for an order, and whatever it names is all that the payer needs.
export function openedPayin({
  pageUrl = null,
  traceId = null,
}: {
  pageUrl?: string | null
  traceId?: string | null
} = {}): OpenedPayin {
  return {
    providerId: null,
    traceId,
    instructions: { keyString: null, qrPayload: null, pageUrl, isReady: true },
  }
}
