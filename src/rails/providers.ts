// The adapters of providers; the only file that knows them all. A new provider gets a folder here, a line below, and its
// description in core/connections/provider.ts.

import type { Provider } from '../core/connections/provider.ts'
import { openMono } from './mono/mono.ts'
import { openPlacetopay } from './placetopay/placetopay.ts'
import type { OpenProvider } from './provider.ts'
import { openWompi } from './wompi/wompi.ts'

export const OPEN_PROVIDER: Readonly<Record<Provider, OpenProvider>> = {
  mono: openMono,
  placetopay: openPlacetopay,
  wompi: openWompi,
}
