// What every part of the networks needs: storage, clock, faults, and how long an outcome takes.

import type { Clock } from './clock.ts'
import type { Faults } from './faults.ts'
import type { Storage } from './storage.ts'

export type NetworkContext = {
  readonly storage: Storage
  readonly clock: Clock
  readonly faults: Faults
  readonly delayMs: number
}
