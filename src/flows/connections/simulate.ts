// Staging only: a developer tells the simulated networks how a payment ends, or moves the clock. What follows comes the
// ordinary way, as notices and as due work.

import { railReference } from '../../core/connections/reference.ts'
import type { Instant } from '../../core/instant.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import type { Simulation, SimulationAnswer } from '../../rails/simulator.ts'
import { advanceClock as moveClock } from '../../store/staging-clock.ts'
import { changeOnce } from '../change-once.ts'
import { AnsweredBefore, type Idempotency, type Needs } from '../context.ts'

export type Done = { readonly done: true }
export type MovedClock = { readonly offsetMs: number; readonly now: Instant }

const NO_SIMULATOR = refuse('NOT_FOUND', 'The networks behind this installation are not simulated.')

export async function simulatePayment(
  ctx: Needs<'clock' | 'ids' | 'db' | 'batched' | 'networks' | 'settings'>,
  kind: 'payin' | 'payout',
  subject: { organizationId: string; id: string },
  simulation: Simulation,
  remember: Idempotency<Done> | null,
): Promise<Done | Refusal> {
  if (ctx.networks.simulator === null) return NO_SIMULATOR
  const { organizationId, id } = subject
  // The effect is the network's and cannot be undone: whether the key was spent must be known before.
  if (remember !== null && (await ctx.batched.getRecord({ organizationId, key: remember.key })) !== undefined)
    throw new AnsweredBefore()
  const refused = refusalOf(
    await ctx.networks.simulator.simulate(railReference(kind, organizationId, id), simulation),
  )
  return refused ?? changeOnce(ctx, organizationId, remember, async () => ({ done: true }))
}

// Our clock goes first: what the networks then send is signed with the new time.
export async function advanceClock(
  ctx: Needs<'clock' | 'ids' | 'db' | 'networks' | 'signals' | 'settings'>,
  organizationId: string,
  seconds: number,
  remember: Idempotency<MovedClock> | null,
): Promise<MovedClock | Refusal> {
  if (ctx.networks.simulator === null) return NO_SIMULATOR
  const moved = await changeOnce(ctx, organizationId, remember, async (tx) => {
    const offsetMs = await moveClock(tx, seconds * 1_000)
    return { offsetMs, now: ctx.clock.now() + seconds * 1_000 }
  })
  if (isRefusal(moved)) return moved
  ctx.clock.setOffset(moved.offsetMs)
  const refused = refusalOf(await ctx.networks.simulator.advanceClock(seconds))
  for (const kind of ['payins', 'payouts', 'notices'] as const) ctx.signals.workAdded(kind)
  return refused ?? moved
}

function refusalOf(answer: SimulationAnswer): Refusal | undefined {
  if (answer === 'done') return undefined
  return refuse(answer.gone ? 'NOT_FOUND' : 'SIMULATION_REFUSED', `${answer.problem}.`)
}
