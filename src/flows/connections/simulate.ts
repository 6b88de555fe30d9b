// Staging only: a developer decides how a simulated payment ends, or moves the clock. The effects come the usual way,
// as notices and as due work.

import { setTimeout as sleep } from 'node:timers/promises'
import { railReference } from '../../core/connections/reference.ts'
import type { Instant } from '../../core/instant.ts'
import { DEMO_ORGANIZATION_ID } from '../../core/organizations/organization.ts'
import { awaitsPayer, isOpen, type Payin } from '../../core/payins/payin.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import { MAX_CLOCK_OFFSET_MS } from '../../core/staging-clock.ts'
import type { Simulation, SimulationAnswer, Simulator } from '../../rails/simulator.ts'
import { isOnlyOrganization } from '../../store/organizations/organizations.ts'
import { advanceClock as moveClock, readClockOffset } from '../../store/staging-clock.ts'
import { changeOnce } from '../change-once.ts'
import { AnsweredBefore, type Idempotency, type Needs, WORKER_KINDS } from '../context.ts'
import { recordAct } from '../record-act.ts'

export type Simulated = { readonly done: true }
export type MovedClock = { readonly offsetMs: number; readonly now: Instant }

const NO_SIMULATOR = refuse('NOT_FOUND', 'The networks behind this installation are not simulated.')

export async function simulatePayment(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'batched' | 'networks' | 'settings'>,
  kind: 'payin' | 'payout',
  subject: { organizationId: string; id: string },
  simulation: Simulation,
  idempotency: Idempotency<Simulated> | null,
): Promise<Simulated | Refusal> {
  if (ctx.networks.simulator === null) return NO_SIMULATOR
  const { organizationId } = subject
  if (await isOverConnection(ctx, kind, subject)) return NOT_SIMULATED
  // The effect is the network's and cannot be undone, so we check first whether the key was used.
  if (
    idempotency !== null &&
    (await ctx.batched.getRecord({ organizationId, key: idempotency.key })) !== undefined
  )
    throw new AnsweredBefore()
  const refused = refusalOf(await simulateOnceThere(ctx, ctx.networks.simulator, kind, subject, simulation))
  if (refused !== undefined) return refused
  return changeOnce(ctx, organizationId, idempotency, async (tx) => {
    const act = { act: `${kind}.simulate`, before: null, after: simulation } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: subject.id })
    return { done: true }
  })
}

const NOT_SIMULATED = refuse(
  'SIMULATION_REFUSED',
  'This payment goes over a connection: how it ends is decided at its provider, or at the provider’s sandbox.',
)

async function isOverConnection(
  ctx: Needs<'batched'>,
  kind: 'payin' | 'payout',
  { organizationId, id }: { organizationId: string; id: string },
): Promise<boolean> {
  const payment =
    kind === 'payin'
      ? await ctx.batched.getPayin({ organizationId, payinId: id })
      : await ctx.batched.getPayout({ organizationId, payoutId: id })
  return payment !== undefined && payment.connection !== null
}

// A worker hands a new payment over a moment after it was created, and whoever decides its end right away should not
// have to try twice.
async function simulateOnceThere(
  ctx: Needs<'clock' | 'batched'>,
  simulator: Simulator,
  kind: 'payin' | 'payout',
  { organizationId, id }: { organizationId: string; id: string },
  simulation: Simulation,
): Promise<SimulationAnswer> {
  const reference = railReference(kind, organizationId, id)
  const giveUpAt = ctx.clock.wallClock() + HAND_OVER_WITHIN_MS
  for (;;) {
    const answer = await simulator.simulate(reference, simulation)
    if (answer === 'done' || answer.why !== 'gone') return answer
    const isOnItsWay =
      kind === 'payin'
        ? willBeHandedOver(await ctx.batched.getPayin({ organizationId, payinId: id }))
        : (await ctx.batched.getPayout({ organizationId, payoutId: id }))?.status === 'PROCESSING'
    if (!isOnItsWay || ctx.clock.wallClock() >= giveUpAt)
      return { problem: `the ${kind} has not reached the simulated network`, why: 'refused' }
    await sleep(ASK_AGAIN_AFTER_MS)
  }
}

function willBeHandedOver(payin: Payin | undefined): boolean {
  return payin !== undefined && isOpen(payin) && !awaitsPayer(payin)
}

const HAND_OVER_WITHIN_MS = 5_000
const ASK_AGAIN_AFTER_MS = 50

// Our clock moves first, because the networks sign what they send next with the new time.
export async function advanceClock(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'networks' | 'signals' | 'settings'>,
  organizationId: string,
  seconds: number,
  idempotency: Idempotency<MovedClock> | null,
): Promise<MovedClock | Refusal> {
  if (ctx.networks.simulator === null) return NO_SIMULATOR
  if (!(await mayMoveClock(ctx, organizationId))) return NOT_YOUR_CLOCK
  const moved = await changeOnce(ctx, organizationId, idempotency, async (tx) => {
    const offsetMs = await moveClock(tx, seconds * 1_000)
    if (offsetMs === undefined) return refuseTooFar(await readClockOffset(tx))
    const now = ctx.clock.now() + seconds * 1_000
    const act = { act: 'clock.advance', before: null, after: { seconds, now } } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: null })
    return { offsetMs, now }
  })
  if (isRefusal(moved)) return moved
  ctx.clock.setOffset(moved.offsetMs)
  ctx.signals.workAdded('clock')
  const refused = refusalOf(await ctx.networks.simulator.advanceClock(seconds))
  for (const kind of WORKER_KINDS) ctx.signals.workAdded(kind)
  return refused ?? moved
}

// Settlement, retention, due work and the simulated networks go by one time, which is that of every organization. So whoever
// moves it must be alone, or the operator's own, or allowed to by the operator.
export async function mayMoveClock(ctx: Needs<'db' | 'settings'>, organizationId: string): Promise<boolean> {
  if (ctx.settings.sharedClock || organizationId === DEMO_ORGANIZATION_ID) return true
  return isOnlyOrganization(ctx.db, organizationId)
}

const NOT_YOUR_CLOCK = refuse(
  'SIMULATION_REFUSED',
  'Staging has one clock, and other organizations live by it: move it with a key of the demo organization, or have the operator set SANDBOX_SHARED_CLOCK=true.',
)

function refuseTooFar(offsetMs: number): Refusal {
  const leftSeconds = Math.floor((MAX_CLOCK_OFFSET_MS - offsetMs) / 1_000)
  const message = `the clock can be moved by ${leftSeconds} seconds more, of ten years in all; starting over sets it back`
  const error = { path: '/seconds', code: 'OUT_OF_RANGE', message } as const
  return refuse('INVALID_INPUT', `/seconds: ${message}`, { errors: [error] })
}

function refusalOf(answer: SimulationAnswer): Refusal | undefined {
  if (answer === 'done') return undefined
  const detail = `${answer.problem}.`
  const path = answer.why === 'invalid' ? FIELD_OF_CODE[answer.code ?? ''] : undefined
  if (path === undefined) return refuse('SIMULATION_REFUSED', detail)
  const error = { path, code: 'NOT_ALLOWED', message: answer.problem } as const
  return refuse('INVALID_INPUT', `${path}: ${answer.problem}`, { errors: [error] })
}

// The field of our request that the control API refuses.
const FIELD_OF_CODE: Readonly<Record<string, string>> = {
  OUTCOME_INVALID: '/outcome',
  ERROR_CODE_INVALID: '/errorCode',
  AMOUNT_INVALID: '/amountInCents',
}
