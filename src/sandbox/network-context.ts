// What every part of the networks stands on: their memory, their time, what goes wrong, and how long things take.

import type { Clock } from './clock.ts'
import type { Faults } from './faults.ts'
import type { Storage } from './storage.ts'

export type NetworkContext = {
  readonly storage: Storage
  readonly clock: Clock
  readonly faults: Faults
  readonly delayMs: number
}
