// Every simulated provider, by its name.

import { mono } from './mono/mono.ts'
import { placetopay } from './placetopay/gateway.ts'
import type { Provider } from './provider.ts'
import { wompi } from './wompi/payments.ts'
import { wompiPayouts } from './wompi/payouts.ts'

const ALL: readonly Provider[] = [wompi, wompiPayouts, mono, placetopay]

export const PROVIDERS: Readonly<Record<string, Provider>> = Object.fromEntries(
  ALL.map((provider) => [provider.name, provider]),
)
