// Staging only: a developer decides how a simulated payment ends, or moves the clock. The effects come the usual way,
// as notices and as due work.

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
  idempotency: Idempotency<Done> | null,
): Promise<Done | Refusal> {
  if (ctx.networks.simulator === null) return NO_SIMULATOR
  const { organizationId, id } = subject
  // The effect is the network's and cannot be undone, so we check first whether the key was used.
  if (
    idempotency !== null &&
    (await ctx.batched.getRecord({ organizationId, key: idempotency.key })) !== undefined
  )
    throw new AnsweredBefore()
  const refused = refusalOf(
    await ctx.networks.simulator.simulate(railReference(kind, organizationId, id), simulation),
  )
  return refused ?? changeOnce(ctx, organizationId, idempotency, async () => ({ done: true }))
}

// Our clock moves first, because the networks sign what they send next with the new time.
export async function advanceClock(
  ctx: Needs<'clock' | 'ids' | 'db' | 'networks' | 'signals' | 'settings'>,
  organizationId: string,
  seconds: number,
  idempotency: Idempotency<MovedClock> | null,
): Promise<MovedClock | Refusal> {
  if (ctx.networks.simulator === null) return NO_SIMULATOR
  const moved = await changeOnce(ctx, organizationId, idempotency, async (tx) => {
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
