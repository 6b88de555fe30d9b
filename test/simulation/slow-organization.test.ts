// Organizations that pay to keys of a bank whose look-ups hang delay only themselves, both while their look-ups hang
// and after they time out. The clock stands still: a payout that is deferred even once would never be sent.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Organization } from '../../src/core/organizations/organization.ts'
import { isRefusal } from '../../src/core/refusal.ts'
import { lookUpKey } from '../../src/flows/directory/look-up-key.ts'
import { NO_FAULTS } from '../../src/sandbox/faults.ts'
import { startWorkers } from '../../src/workers/start.ts'
import { eventually } from '../world.ts'
import { type Simulation, startSimulation } from './harness.ts'
import { newPayout } from './payments.ts'

// More than one organization may have in progress at once, and in total more than a rail has connections.
const SLOW_PAYOUTS = 60
const SLOW_ORGANIZATIONS = 3
const ONE_WORKER = { seed: 1, workers: 1, faults: NO_FAULTS, delayMs: 1_000 }

type PayoutProgress = { stage: string; attempts: number }

describe('a slow bank and the organizations that pay to it', () => {
  it('delay nobody else while its look-ups hang', async () => {
    await using simulation = await startSimulation(ONE_WORKER)
    const quick = await simulation.newOrganization('Rápida')
    await using _workers = workersOf(simulation)
    const slow = await manySlow(simulation)
    await eventually(
      () => progressOf(simulation, slow),
      (payouts) => payouts.filter(({ stage: at }) => at === 'SENDING').length >= 3 * 50,
    )
    await newPayout(simulation, quick)
    await eventually(
      () => progressOf(simulation, [quick]),
      ([payout]) => payout?.stage === 'SENT',
    )
    const meanwhile = await progressOf(simulation, slow)
    assert.ok(
      meanwhile.every(({ attempts, stage: at }) => attempts === 0 && at !== 'SENT'),
      'it left before any of the slow look-ups had ended',
    )
  })

  it('delay nobody else, payouts or look-ups, once its look-ups have timed out', async () => {
    await using simulation = await startSimulation({ ...ONE_WORKER, railLimits: { lookUpMs: 2_000 } })
    const quick = await simulation.newOrganization('Rápida')
    await using _workers = workersOf(simulation)
    const slow = await manySlow(simulation)
    await eventually(
      () => progressOf(simulation, slow),
      (payouts) => payouts.filter(({ attempts }) => attempts > 0).length >= 20,
    )
    await newPayout(simulation, quick)
    const [payout] = await eventually(
      () => progressOf(simulation, [quick]),
      ([seen]) => seen?.stage === 'SENT' || (seen?.attempts ?? 0) > 0,
    )
    // A look-up that had failed would have been counted before it was sent.
    assert.equal(payout?.stage, 'SENT')
    const [worker] = simulation.workers
    assert.ok(worker)
    const { result } = await lookUpKey(worker, quick, '@ANAGOMEZ')
    assert.equal(isRefusal(result), false)
  })
})

function workersOf(simulation: Simulation): AsyncDisposable {
  const running = simulation.workers.map((worker) => {
    const delivering = { sender: { send: neverCalled, close: async () => {} }, settings: NO_DELIVERIES }
    const workers = startWorkers(worker, simulation.log, delivering)
    simulation.ctx.signals.onWork(workers.wake)
    return workers
  })
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all(running.map((workers) => workers.stop()))
    },
  }
}

const NO_DELIVERIES = { schedule: [], perEndpoint: 1 }
const neverCalled = () => Promise.reject(new Error('nobody has an endpoint here'))

async function manySlow(simulation: Simulation): Promise<Organization[]> {
  const names = Array.from({ length: SLOW_ORGANIZATIONS }, (_, index) => `Lenta ${index}`)
  const slow = await Promise.all(names.map((name) => simulation.newOrganization(name)))
  const keys = Array.from({ length: SLOW_PAYOUTS }, (_, index) => `@LENTA${index}`)
  await Promise.all(
    slow.flatMap((organization) =>
      keys.map((keyString) => newPayout(simulation, organization, { keyString })),
    ),
  )
  return slow
}

async function progressOf(
  simulation: Simulation,
  organizations: readonly Organization[],
): Promise<PayoutProgress[]> {
  const { rows } = await simulation.db.query<PayoutProgress>({
    text: 'select stage, attempts from payouts where organization_id = any($1)',
    values: [organizations.map(({ organizationId }) => organizationId)],
  })
  return rows
}
