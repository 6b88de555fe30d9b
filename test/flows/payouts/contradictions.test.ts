// A network that contradicts itself about a payout. What was booked stays, and a person is told.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { railReference } from '../../../src/core/connections/reference.ts'
import { applyNotice } from '../../../src/flows/connections/apply-notice.ts'
import type { Context } from '../../../src/flows/context.ts'
import type { StoredNotice } from '../../../src/store/connections/notices.ts'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import type { PayoutAddress } from '../../../src/store/payouts/payouts.ts'
import { type PayoutWrite, writePayouts } from '../../../src/store/payouts/write.ts'
import { newPayout } from '../../api/http/calls.ts'
import { CUSTOMER, createWorld, type World } from '../../world.ts'
import { notify } from '../connections/notify.ts'

describe('a network that reports a payout as completed', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  // The network has it and says nothing.
  const sent = async () => {
    const open = { inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }
    const { json } = await world.client('POST', '/payouts', newPayout(open))
    await world.work()
    const reference = railReference('payout', world.organization.organizationId, json.id)
    return { id: json.id as string, amount: `${json.amount}.00`, reference }
  }
  const completed = async (fields: Record<string, unknown>) => {
    assert.equal(await notify(world, { type: 'transfer.completed', ...fields }), 200)
    await world.work()
  }
  // So that the network's own log agrees with ours in the end.
  const finish = (id: string) =>
    world.client('POST', `/sandbox/payouts/${id}/simulate`, { outcome: 'confirmed' })
  const statusOf = async (id: string) => (await world.client('GET', `/payouts/${id}`)).json.status
  const alarmsOf = async (id: string) =>
    (await listOpenAlarms(world.db)).filter(({ subjectId }) => subjectId === id).map(({ detail }) => detail)

  it('with another amount is believed, and a person is told', async () => {
    const { id, reference } = await sent()
    await completed({ reference, endToEndId: 'E2E-1', amount: '9.00' })
    assert.equal(await statusOf(id), 'CONFIRMED')
    assert.match((await alarmsOf(id)).join(), /^the network says that it paid 900 cents of a payout of \d+$/)
    const told = (await listOpenAlarms(world.db)).filter(({ subjectId }) => subjectId === id)
    assert.deepEqual(
      told.map(({ kind }) => kind),
      ['payout-contradiction'],
    )
    await finish(id)
  })

  it('with its own amount tells nobody', async () => {
    const { id, reference, amount } = await sent()
    await completed({ reference, endToEndId: 'E2E-1', amount })
    assert.equal(await statusOf(id), 'CONFIRMED')
    assert.deepEqual(await alarmsOf(id), [])
    await finish(id)
  })

  it('with another amount after it was confirmed tells a person too', async () => {
    const { id, reference } = await sent()
    await completed({ reference, endToEndId: 'E2E-1' })
    await completed({ reference, endToEndId: 'E2E-1', amount: '9.00' })
    assert.equal((await alarmsOf(id)).length, 1)
    await finish(id)
  })

  // A worker in another process, with batches of its own, that reads the payout and waits for the other to read it too.
  const workers = (count: number): Context[] => {
    let reads = 0
    const { promise: allHaveRead, resolve } = Promise.withResolvers<void>()
    return Array.from({ length: count }, () => {
      let isFirst = true
      const getPayout = async (address: PayoutAddress) => {
        const payout = await world.ctx.batched.getPayout(address)
        if (!isFirst) return payout
        isFirst = false
        reads += 1
        if (reads === count) resolve()
        await allHaveRead
        return payout
      }
      const writePayout = async (write: PayoutWrite) => (await writePayouts(world.db, [write]))[0] as boolean
      const { batched } = world.ctx
      return {
        ...world.ctx,
        batched: {
          ...batched,
          getPayout: Object.assign(getPayout, { waiting: batched.getPayout.waiting }),
          writePayout: Object.assign(writePayout, { waiting: batched.writePayout.waiting }),
        },
      }
    })
  }

  it('under two ids, to two workers at once: the first id stays, and a person is told of the second', async () => {
    const { id, reference } = await sent()
    await completed({ reference })
    assert.equal(await statusOf(id), 'CONFIRMED')
    const now = world.ctx.clock.now()
    const noticeOf = (traceId: string): StoredNotice => ({
      organizationId: world.organization.organizationId,
      rail: 'BRE_B',
      noticeId: randomUUID(),
      subjectKind: 'payout',
      subjectId: id,
      update: { kind: 'payout.completed', traceId },
      networkCode: '',
      occurredAt: now,
      receivedAt: now,
    })
    const notices = [noticeOf('E2E-A'), noticeOf('E2E-B')]
    for (const notice of notices)
      await world.ctx.batched.insertNotice({ ...notice, dueAt: now + 60 * 60_000 })
    const contexts = workers(notices.length)
    await Promise.all(
      notices.map((notice, index) => applyNotice(contexts[index] as Context, notice, world.organization)),
    )
    const { rows } = await world.db.query<{ trace_id: string }>({
      text: 'select trace_id from payouts where payout_id = $1',
      values: [id],
    })
    const [first, second] = rows[0]?.trace_id === 'E2E-A' ? ['E2E-A', 'E2E-B'] : ['E2E-B', 'E2E-A']
    assert.deepEqual(await alarmsOf(id), [`the network paid this payout as ${first}, and again as ${second}`])
    await finish(id)
  })
})
