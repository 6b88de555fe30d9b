// Staging only: a developer tells the simulated networks how a payment ends, or moves the clock. What follows comes the
// ordinary way, as notices and as due work.

import { railReference } from '../core/rail-reference.ts'
import { type Refusal, refuse } from '../core/refusal.ts'
import type { Simulation, SimulationAnswer } from '../rails/simulator.ts'
import { advanceClock as moveClock } from '../store/staging-clock.ts'
import type { Context } from './context.ts'

const NO_SIMULATOR = refuse('NOT_FOUND', 'The networks behind this installation are not simulated.')

export async function simulatePayment(
  ctx: Context,
  kind: 'payin' | 'payout',
  organizationId: string,
  id: string,
  simulation: Simulation,
): Promise<Refusal | undefined> {
  if (ctx.simulator === null) return NO_SIMULATOR
  return refusalOf(await ctx.simulator.simulate(railReference(kind, organizationId, id), simulation))
}

// Our clock goes first: what the networks then send is signed with the new time.
export async function advanceClock(ctx: Context, seconds: number): Promise<number | Refusal> {
  if (ctx.simulator === null) return NO_SIMULATOR
  const offsetMs = await moveClock(ctx.db, seconds * 1_000)
  ctx.followClock(offsetMs)
  const refused = refusalOf(await ctx.simulator.advanceClock(seconds))
  for (const kind of ['payins', 'payouts', 'notices'] as const) ctx.hint(kind)
  return refused ?? ctx.now()
}

function refusalOf(answer: SimulationAnswer): Refusal | undefined {
  if (answer === 'done') return undefined
  return refuse(answer.gone ? 'NOT_FOUND' : 'SIMULATION_REFUSED', `${answer.problem}.`)
}
