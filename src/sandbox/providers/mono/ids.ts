// Ids in Mono's format: what it is, and 22 characters. They are drawn from the seed and the name, so a run repeats, and the count makes
// each unique.

import { drawnHex } from '../../faults.ts'
import type { ProviderContext } from '../provider.ts'

export function newId(context: ProviderContext, prefix: string, name: string): string {
  const count = context.storage.countStep(name, `mono ${prefix}`)
  const hex = drawnHex(context.faults.seed, 'mono', prefix, name, String(count))
  return `${prefix}_${Buffer.from(hex, 'hex').subarray(0, 16).toString('base64url')}`
}
