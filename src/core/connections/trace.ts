// What a payment is called where it was made. Providers count from their own one, so their ids are kept with the provider's name before
// them (`wompi:1292-…`). Such an id is no CUS: PSE knows nothing of it.

import { PROVIDER_DESCRIPTIONS, PROVIDERS } from './provider.ts'

export type ProviderTrace = { readonly title: string; readonly id: string }

// Undefined: a network's own name for the payment.
export function providerTrace(traceId: string | null): ProviderTrace | undefined {
  const provider = PROVIDERS.find((name) => traceId?.startsWith(`${name}:`))
  if (traceId === null || provider === undefined) return undefined
  return { title: PROVIDER_DESCRIPTIONS[provider].title, id: traceId.slice(provider.length + 1) }
}
