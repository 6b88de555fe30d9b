// What a scenario of `trigger` runs with: the client, the user's choices, and ways to report, to wait and to retry.

import type { Recaudo, RecaudoEvent } from '@recaudo/sdk'

export type ScenarioContext = {
  readonly recaudo: Recaudo
  readonly baseUrl: string
  readonly rail: 'BRE_B' | 'PSE'
  readonly isPayout: boolean
  readonly amountInCents: number | undefined
  // Reports a step that was done.
  readonly report: (text: string) => void
  // Returns the first event about the object with one of these names, or undefined if none comes in time.
  readonly waitForEvent: (
    objectId: string,
    names: readonly string[],
    withinMs?: number,
  ) => Promise<RecaudoEvent | undefined>
  // Retries while the call is refused with this code: a payment reaches its network a moment after it is created.
  readonly retryWhileRefused: <Value>(code: string, call: () => Promise<Value>) => Promise<Value>
}
