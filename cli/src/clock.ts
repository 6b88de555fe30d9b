// recaudo clock: advances staging's clock. Work that becomes due runs at once.

import { openClient } from './client.ts'
import type { Call, Shown } from './command.ts'
import { usageFailure } from './failure.ts'
import { readSpanSeconds, shownTime } from './time.ts'

export async function advanceClock({ argument }: Call): Promise<Shown> {
  const seconds = readSpanSeconds(argument)
  if (seconds === undefined || seconds === 0)
    throw usageFailure(`The span must be like 90s, 30m, 2h or 1d, not ${JSON.stringify(argument)}.`)
  const { recaudo } = await openClient()
  const clock = await recaudo.sandbox.advanceClock({ seconds })
  return { json: clock, text: () => `On staging it is ${shownTime(clock.now)} now.` }
}
