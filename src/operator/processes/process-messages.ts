// What the parent and its processes tell each other when `recaudo start --processes` runs many.

import cluster, { type Worker } from 'node:cluster'
import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { Balance, Use } from '../../api/http/shared-rate-limit.ts'
import type { ServiceParts } from '../prepare.ts'

// The values of one process, as its registry gives them.
export type ProcessMetrics = MetricObjectWithValues<MetricValue<string>>[]

// The first message to a process. `number` is its place, which another takes when it ends.
export type BeginMessage = {
  about: 'begin'
  number: number
  processes: number
  parts: ServiceParts
  databaseUrl: string
}

export type ToProcess =
  | BeginMessage
  // The address is free for the API.
  | { about: 'listen' }
  // What is left of the rate limits it reported on, and one that has come near.
  | { about: 'balances'; balances: Balance[] }
  | { about: 'recall'; balance: Balance }
  // What was handed to you before this has reached you.
  | { about: 'leave' }
  // Send what you have counted.
  | { about: 'count'; request: number }
  // The metrics of all processes, as text.
  | { about: 'metrics'; request: number; text: string }

export type FromProcess =
  | { about: 'prepared' }
  | { about: 'ready' }
  // It cannot start, for a reason that an operator can remove.
  | { about: 'failed'; message: string }
  | { about: 'used'; uses: Use[] }
  | { about: 'counted'; request: number | null; counted: ProcessMetrics }
  | { about: 'metrics-wanted'; request: number }
  // It accepts no more connections and is about to end.
  | { about: 'leaving' }

// One that has just ended hears nothing, and need not.
export function tell(worker: Worker, message: ToProcess): void {
  if (worker.isConnected()) worker.send(message, () => {})
}

// Resolves when the message is on its way, so that a process may end after it.
export function tellParent(message: FromProcess): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined || cluster.worker === undefined) return resolve()
    process.send(message, undefined, undefined, () => resolve())
  })
}
