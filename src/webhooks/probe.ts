// Sends a few requests to an address that is not trusted yet, on connections of their own, and waits less for it than for an
// endpoint: a merchant waits for the result.

import { type Attempt, createSender, type SenderOptions, type SendRequest } from './send.ts'

const PROBE_LIMITS = { connectMs: 2_000, waitMs: 3_000, headersMs: 5_000, totalMs: 5_000 }

export async function probeEndpoint(
  options: SenderOptions,
  probes: readonly SendRequest[],
): Promise<Attempt[]> {
  const sender = createSender({ ...options, limits: { ...options.limits, ...PROBE_LIMITS } })
  try {
    return await Promise.all(probes.map(sender.send))
  } finally {
    await sender.close()
  }
}
