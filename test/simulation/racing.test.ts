// Several workers on one database, with merchants and networks in between: whoever comes second finds the work done,
// and a decision based on outdated state is not written.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { railReference } from '../../src/core/connections/reference.ts'
import type { Organization } from '../../src/core/organizations/organization.ts'
import type { Payin } from '../../src/core/payins/payin.ts'
import { applyNotice } from '../../src/flows/connections/apply-notice.ts'
import type { Context } from '../../src/flows/context.ts'
import { cancelPayin } from '../../src/flows/payins/cancel.ts'
import { NO_FAULTS } from '../../src/sandbox/faults.ts'
import { claimDueNotices, type StoredNotice } from '../../src/store/connections/notices.ts'
import { readBalances } from '../../src/store/ledger/transfers.ts'
import { runAllDue, startWorkers } from '../../src/workers/start.ts'
import { byDepth } from '../depth.ts'
import { eventually } from '../world.ts'
import { checkMoney, unfinished } from './checker.ts'
import { type Simulation, startSimulation } from './harness.ts'
import { newPayin, newPayout, OVER_BREB, OVER_PSE, payer } from './payments.ts'

const DELAY_MS = 1_000
const LEASE_MS = 60_000
// Of each merchant, more than one claim takes.
const PAYINS_EACH = byDepth(16, 40)
const PAYOUTS_EACH = byDepth(12, 30)
const PAYABLE = 100
const TOO_MANY = byDepth(20, 50)
const SETTLEMENT_MS = 24 * 60 * 60_000

const calm = { faults: NO_FAULTS, delayMs: DELAY_MS }
const accounts = async (simulation: Simulation) => [
  ...(await unfinished(simulation.db)),
  ...(await checkMoney(simulation.db, simulation.sandbox.log())),
  ...simulation.failures(),
]

describe('three workers at once', () => {
  it('submit every payment once, book every outcome once, and leave nothing', async () => {
    await using simulation = await startSimulation({ ...calm, seed: 1, workers: 3 })
    const merchants = await Promise.all(
      ['Uno', 'Dos', 'Tres'].map((name) => simulation.newOrganization(name)),
    )
    const stop = startAll(simulation)
    try {
      const made = await Promise.all(
        merchants.flatMap((merchant) => [
          // Notified three times each, so that workers also race for notices.
          ...many(PAYINS_EACH, (index) =>
            newPayin(simulation, merchant, {
              way: index % 2 === 0 ? OVER_BREB : OVER_PSE,
              customer: payer('1000000011'),
            }),
          ),
          ...many(PAYOUTS_EACH, () => newPayout(simulation, merchant, { customer: payer('1000000011') })),
        ]),
      )
      // Time runs at its real speed. If it ran faster, the lease of a worker on a busy machine would expire.
      let seenAt = Math.floor(performance.now())
      const later = async () => {
        const elapsed = Math.floor(performance.now()) - seenAt
        seenAt += elapsed
        await simulation.passTime(elapsed)
        return statuses(simulation)
      }
      await eventually(later, (seen) => String(seen) === 'CONFIRMED')
      await simulation.passTime(SETTLEMENT_MS)
      await eventually(
        () => accounts(simulation),
        (findings) => findings.length === 0,
      )
      const orders = await ordersSent(simulation)
      assert.equal(orders.length, made.length)
      assert.deepEqual(
        orders.filter(({ taken, again }) => taken > 1 || again > 0),
        [],
      )
      assert.equal(simulation.sandbox.log().length, made.length)
    } finally {
      await stop()
    }
  })

  it('reserve no more than the balance: money for 100 of them', async () => {
    await using simulation = await startSimulation({ ...calm, seed: 2, workers: 3 })
    const merchant = await simulation.newOrganization('Café La Palma')
    const { AVAILABLE } = await readBalances(simulation.db, merchant.organizationId)
    await Promise.all(
      many(PAYABLE + TOO_MANY, () =>
        newPayout(simulation, merchant, { amountInCents: AVAILABLE / BigInt(PAYABLE) }),
      ),
    )
    await simulation.work()
    const reserved = await readBalances(simulation.db, merchant.organizationId)
    assert.equal(reserved.AVAILABLE, 0n)
    assert.equal(reserved.RESERVED, AVAILABLE)
    await simulation.passTime(DELAY_MS)
    await simulation.work()
    assert.deepEqual(await accounts(simulation), [])
    assert.equal(simulation.sandbox.log().length, PAYABLE)
  })
})

describe('a worker that comes too late', () => {
  let simulation: Simulation
  let merchant: Organization
  before(async () => {
    simulation = await startSimulation({ ...calm, seed: 3, workers: 2 })
    merchant = await simulation.newOrganization('Café La Palma')
  })
  after(() => simulation[Symbol.asyncDispose]())

  const [first, second] = [0, 1].map((index) => () => simulation.workers[index] as Context) as [
    () => Context,
    () => Context,
  ]
  const debitsOf = (payoutId: string) => {
    const reference = railReference('payout', merchant.organizationId, payoutId)
    return simulation.sandbox.log().filter((entry) => entry.reference === reference)
  }

  it('before its order: another has sent the payout, and the network treats the second order as the first', async () => {
    const gate = newGate()
    const { payouts } = first().networks
    const slow = withRails(first(), { payouts: { ...payouts, submit: gate.before(payouts.submit) } })
    const payout = await newPayout(simulation, merchant)
    const late = runAllDue(slow, simulation.log)
    await gate.reached
    await simulation.passTime(LEASE_MS)
    await runAllDue(second(), simulation.log)
    gate.open()
    await late
    await finish(simulation)
    assert.equal(debitsOf(payout.payoutId).length, 1)
    assert.deepEqual(await accounts(simulation), [])
  })

  it('after its order: another has queried and settled, and the late answer is not written', async () => {
    const gate = newGate()
    const { payouts } = first().networks
    const slow = withRails(first(), { payouts: { ...payouts, submit: gate.after(payouts.submit) } })
    const payout = await newPayout(simulation, merchant)
    const late = runAllDue(slow, simulation.log)
    await gate.reached
    await simulation.passTime(LEASE_MS)
    await runAllDue(second(), simulation.log)
    gate.open()
    await late
    await finish(simulation)
    assert.equal(debitsOf(payout.payoutId).length, 1)
    assert.deepEqual(await accounts(simulation), [])
  })

  it('with a payin the merchant canceled meanwhile: what it opened is closed again, and nobody can pay it', async () => {
    const gate = newGate()
    const { payins } = first().networks
    const BRE_B = { ...payins.BRE_B, submit: gate.before(payins.BRE_B.submit) }
    const slow = withRails(first(), { payins: { ...payins, BRE_B } })
    // The network would never report that it was paid.
    const payin = await newPayin(simulation, merchant, { customer: payer('1000000015') })
    const late = runAllDue(slow, simulation.log)
    await gate.reached
    await cancelPayin(simulation.ctx, payin, null)
    await runAllDue(second(), simulation.log)
    gate.open()
    await late
    await finish(simulation)
    assert.deepEqual(await accounts(simulation), [])
    assert.equal((await read(simulation, payin))?.status, 'CANCELED')
  })

  it('with a notice that was decided on an older stage: the completed close stays completed', async () => {
    const payin = await newPayin(simulation, merchant, { customer: payer('1000000007') })
    await runAllDue(second(), simulation.log)
    await cancelPayin(simulation.ctx, payin, null)
    const reference = railReference('payin', merchant.organizationId, payin.payinId)
    await simulation.ctx.networks.simulator?.simulate(reference, { outcome: 'confirmed' })
    const { organizationId } = merchant
    const now = simulation.ctx.clock.now()
    const [notice] = await eventually(
      () => claimDueNotices(simulation.db, organizationId, now, now + LEASE_MS, 1),
      (claimed) => claimed.length === 1,
    )
    const gate = newGate()
    const { batched } = first()
    const writePayin = Object.assign(gate.before(batched.writePayin), { waiting: 0 })
    const late = applyNotice(
      { ...first(), batched: { ...batched, writePayin } },
      notice as StoredNotice,
      merchant,
    )
    await gate.reached
    await runAllDue(second(), simulation.log)
    assert.equal((await read(simulation, payin))?.progress.stage, 'DONE')
    gate.open()
    await late
    assert.equal((await read(simulation, payin))?.progress.stage, 'DONE')
    await finish(simulation)
    assert.deepEqual(await accounts(simulation), [])
  })
})

function startAll(simulation: Simulation): () => Promise<void> {
  const sender = { send: () => Promise.reject(new Error('nobody has an endpoint')), close: async () => {} }
  const running = simulation.workers.map((worker) =>
    startWorkers(worker, simulation.log, { sender, settings: { schedule: [], perEndpoint: 1 } }),
  )
  return async () => {
    await Promise.all(running.map((workers) => workers.stop()))
  }
}

function many<Value>(count: number, make: (index: number) => Value): Value[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

// Holds a call until it is released, before it is made or after it is answered.
function newGate() {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  const wait = (): Promise<void> => {
    reached.resolve()
    return opened.promise
  }
  return {
    reached: reached.promise,
    open: opened.resolve,
    before:
      <Asked, Answer>(call: (asked: Asked) => Promise<Answer>) =>
      async (asked: Asked): Promise<Answer> => {
        await wait()
        return call(asked)
      },
    after:
      <Asked, Answer>(call: (asked: Asked) => Promise<Answer>) =>
      async (asked: Asked): Promise<Answer> => {
        const answer = await call(asked)
        await wait()
        return answer
      },
  }
}

function withRails(worker: Context, changes: Partial<Context['networks']>): Context {
  return { ...worker, networks: { ...worker.networks, ...changes } }
}

async function finish(simulation: Simulation): Promise<void> {
  for (const ms of [DELAY_MS, LEASE_MS, LEASE_MS, 15 * 60_000, 60 * 60_000, SETTLEMENT_MS]) {
    await simulation.passTime(ms)
    await simulation.work()
  }
}

async function read(simulation: Simulation, { organizationId, payinId }: Payin): Promise<Payin | undefined> {
  return simulation.ctx.batched.getPayin({ organizationId, payinId })
}

async function statuses(simulation: Simulation): Promise<string[]> {
  const { rows } = await simulation.db.query<{ status: string }>({
    text: 'select status from payins union select status from payouts',
  })
  return rows.map((row) => row.status)
}

// How often the network accepted an order as new, and how often it got an order again that it had already answered.
async function ordersSent(
  simulation: Simulation,
): Promise<{ reference: string; taken: number; again: number }[]> {
  const { rows } = await simulation.db.query<{ reference: string; taken: number; again: number }>({
    text: `select reference, count(*) filter (where status in (201, 202))::integer as taken,
                  (count(*) - count(*) filter (where status is null) - 1)::integer as again
             from rail_exchanges
            where operation like 'PUT %'
            group by reference`,
  })
  return rows
}
