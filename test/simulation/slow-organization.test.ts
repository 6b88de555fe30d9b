// Organizations that pay to keys of a bank whose look-ups hang hold up nobody but themselves, neither while their look-ups
// hang nor after they were given up. The clock stands still: a payout that is put off even once would never leave.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Organization } from '../../src/core/organizations/organization.ts'
import { isRefusal } from '../../src/core/refusal.ts'
import { lookUpKey } from '../../src/flows/directory/look-up-key.ts'
import { NO_FAULTS } from '../../src/sandbox/faults.ts'
import { startWorkers } from '../../src/workers/due.ts'
import { eventually } from '../world.ts'
import { type Simulation, startSimulation } from './harness.ts'
import { newPayout } from './payments.ts'

// More than may be under way for one organization at once, and together more than a rail has connections.
const SLOW_PAYOUTS = 60
const SLOW_ORGANIZATIONS = 3
const ONE_WORKER = { seed: 1, workers: 1, faults: NO_FAULTS, delayMs: 1_000 }

type Standing = { stage: string; attempts: number }

describe('a slow bank and those who pay to it', () => {
  it('delay nobody else while its look-ups hang', async () => {
    await using stage = await startSimulation(ONE_WORKER)
    const quick = await stage.newOrganization('Rápida')
    await using _workers = workersOf(stage)
    const slow = await manySlow(stage)
    await eventually(
      () => standingsOf(stage, slow),
      (payouts) => payouts.filter(({ stage: at }) => at === 'SENDING').length >= 3 * 50,
    )
    await newPayout(stage, quick)
    await eventually(
      () => standingsOf(stage, [quick]),
      ([payout]) => payout?.stage === 'SENT',
    )
    const meanwhile = await standingsOf(stage, slow)
    assert.ok(
      meanwhile.every(({ attempts, stage: at }) => attempts === 0 && at !== 'SENT'),
      'it left before any of the slow look-ups had ended',
    )
  })

  it('delay nobody else, payouts or look-ups, once its look-ups were given up', async () => {
    await using stage = await startSimulation({ ...ONE_WORKER, railLimits: { lookUpMs: 2_000 } })
    const quick = await stage.newOrganization('Rápida')
    await using _workers = workersOf(stage)
    const slow = await manySlow(stage)
    await eventually(
      () => standingsOf(stage, slow),
      (payouts) => payouts.filter(({ attempts }) => attempts > 0).length >= 20,
    )
    await newPayout(stage, quick)
    const [payout] = await eventually(
      () => standingsOf(stage, [quick]),
      ([seen]) => seen?.stage === 'SENT' || (seen?.attempts ?? 0) > 0,
    )
    assert.deepEqual(payout, { stage: 'SENT', attempts: 0 })
    const [worker] = stage.workers
    assert.ok(worker)
    const { result } = await lookUpKey(worker, quick.organizationId, '@ANAGOMEZ')
    assert.equal(isRefusal(result), false)
  })
})

function workersOf(stage: Simulation): AsyncDisposable {
  const running = stage.workers.map((worker) => {
    const delivering = { sender: { send: neverCalled, close: async () => {} }, settings: NO_DELIVERIES }
    const workers = startWorkers(worker, stage.log, delivering)
    stage.ctx.signals.onWork(workers.wake)
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

async function manySlow(stage: Simulation): Promise<Organization[]> {
  const names = Array.from({ length: SLOW_ORGANIZATIONS }, (_, index) => `Lenta ${index}`)
  const slow = await Promise.all(names.map((name) => stage.newOrganization(name)))
  const keys = Array.from({ length: SLOW_PAYOUTS }, (_, index) => `@LENTA${index}`)
  await Promise.all(
    slow.flatMap((organization) => keys.map((keyString) => newPayout(stage, organization, { keyString }))),
  )
  return slow
}

async function standingsOf(stage: Simulation, organizations: readonly Organization[]): Promise<Standing[]> {
  const { rows } = await stage.db.query<Standing>({
    text: 'select stage, attempts from payouts where organization_id = any($1)',
    values: [organizations.map(({ organizationId }) => organizationId)],
  })
  return rows
}
