// Every simulated provider, by its name.

import type { Provider } from './provider.ts'
import { wompi } from './wompi/payments.ts'

const ALL: readonly Provider[] = [wompi]

export const PROVIDERS: Readonly<Record<string, Provider>> = Object.fromEntries(
  ALL.map((provider) => [provider.name, provider]),
)
