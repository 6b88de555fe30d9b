// The controls of the simulated networks, for staging: choose how a payment ends, move their clock. They are called over HTTP,
// like the networks themselves. Production has none.

import { request } from 'undici'

export type Simulation = {
  outcome: string
  errorCode?: string | undefined
  amountInCents?: number | undefined
}
export type SimulationAnswer = 'done' | { problem: string; gone: boolean }

export type Simulator = {
  simulate: (reference: string, simulation: Simulation) => Promise<SimulationAnswer>
  advanceClock: (seconds: number) => Promise<SimulationAnswer>
}

const TIMEOUT_MS = 10_000

export function openSimulator(controlUrl: string, secret: string): Simulator {
  const post = async (path: string, body: unknown): Promise<SimulationAnswer> => {
    try {
      const { statusCode, body: answer } = await request(`${controlUrl}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      const text = await answer.text()
      if (statusCode < 300) return 'done'
      return {
        problem: messageOf(text) ?? `the simulated network answered ${statusCode}`,
        gone: statusCode === 404,
      }
    } catch (error) {
      return { problem: `the simulated network cannot be reached (${(error as Error).message})`, gone: false }
    }
  }
  return {
    simulate: (reference, simulation) => post(`/payments/${reference}/simulate`, simulation),
    advanceClock: (seconds) => post('/clock/advance', { seconds }),
  }
}

function messageOf(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { message?: unknown }
    return typeof message === 'string' ? message : undefined
  } catch {
    return undefined
  }
}
