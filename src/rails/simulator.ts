// The controls of the simulated networks, for staging: choose how a payment ends, move their clock. They are called over HTTP,
// like the networks themselves. Production has none.

import { request } from 'undici'

export type Simulation = {
  outcome: string
  errorCode?: string | undefined
  amountInCents?: number | undefined
}
// `gone`: the network has no such payment. `invalid`: the request makes no sense for any payment of its kind; `code` says
// which part of it.
export type SimulationAnswer =
  | 'done'
  | { problem: string; why: 'gone' | 'invalid' | 'refused'; code?: string | undefined }

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
      const { message, code } = failureOf(text)
      return {
        problem: message ?? `the simulated network answered ${statusCode}`,
        why: statusCode === 404 ? 'gone' : statusCode === 400 ? 'invalid' : 'refused',
        code,
      }
    } catch (error) {
      const problem = `the simulated network cannot be reached (${(error as Error).message})`
      return { problem, why: 'refused' }
    }
  }
  return {
    simulate: (reference, simulation) => post(`/payments/${reference}/simulate`, simulation),
    advanceClock: (seconds) => post('/clock/advance', { seconds }),
  }
}

function failureOf(text: string): { message?: string | undefined; code?: string | undefined } {
  const asText = (value: unknown) => (typeof value === 'string' ? value : undefined)
  try {
    const { message, code } = JSON.parse(text) as { message?: unknown; code?: unknown }
    return { message: asText(message), code: asText(code) }
  } catch {
    return {}
  }
}
