// Notices at the door: whom they are about, who works on them, and how long one waits for its subject.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { NetworkUpdate, RailNotice } from '../../../src/core/connections/notice.ts'
import { type ReferenceKind, railReference } from '../../../src/core/connections/reference.ts'
import { HOUR_MS } from '../../../src/core/instant.ts'
import { receiveNotice } from '../../../src/flows/connections/receive-notice.ts'
import type { Context } from '../../../src/flows/context.ts'
import type { StoredNotice } from '../../../src/store/connections/notices.ts'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import { newPayout } from '../../api/http/calls.ts'
import { brebPayin, createWorld, type World } from '../../world.ts'

const CANCELED: NetworkUpdate = { kind: 'payin.canceled', reason: 'CANCELED_BY_PAYER' }
const COMPLETED: NetworkUpdate = { kind: 'payout.completed', traceId: null }

describe('a notice', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const noticeOf = (kind: ReferenceKind, update: NetworkUpdate, subjectId = randomUUID()): RailNotice => ({
    rail: 'BRE_B',
    noticeId: randomUUID(),
    reference: railReference(kind, world.organization.organizationId, subjectId),
    update,
    networkCode: '',
    occurredAt: world.ctx.clock.now(),
  })
  const stateOf = async ({ noticeId }: RailNotice): Promise<string | undefined> => {
    const { rows } = await world.db.query<{ state: string }>({
      text: 'select state from rail_notices where organization_id = $1 and notice_id = $2',
      values: [world.organization.organizationId, noticeId],
    })
    return rows[0]?.state
  }

  // A payin and a payout never share an id but in a forged or broken notice.
  it('that names a payin by a payout’s reference, or the reverse, moves neither', async () => {
    const { json: payin } = await world.client('POST', '/payins', brebPayin())
    const { json: payout } = await world.client('POST', '/payouts', newPayout())
    for (const [kind, id, update] of [
      ['payout', payin.id, COMPLETED],
      ['payout', payin.id, CANCELED],
      ['payin', payout.id, CANCELED],
      ['payin', payout.id, COMPLETED],
    ] as const)
      await receiveNotice(world.ctx, noticeOf(kind, update, id))
    await world.work()
    assert.equal((await world.client('GET', `/payins/${payin.id}`)).json.status, 'PROCESSING')
    assert.equal((await world.client('GET', `/payouts/${payout.id}`)).json.status, 'PROCESSING')
  })

  it('is handed to a worker once, however often the network repeats it', async () => {
    const taken: StoredNotice[] = []
    const noticeWorker = () => ({
      until: world.ctx.clock.now() + HOUR_MS,
      take: (notice: StoredNotice) => void taken.push(notice),
    })
    const ctx: Context = { ...world.ctx, signals: { ...world.ctx.signals, noticeWorker } }
    const notice = noticeOf('payin', CANCELED)
    assert.deepEqual(
      [await receiveNotice(ctx, notice), await receiveNotice(ctx, notice), await receiveNotice(ctx, notice)],
      [true, false, false],
    )
    assert.deepEqual(
      taken.map(({ noticeId }) => noticeId),
      [notice.noticeId],
    )
  })

  it('that comes again with another content is not applied, and a person is told once', async () => {
    const subjectId = randomUUID()
    const first = noticeOf('payin', { kind: 'payin.paid', amountInCents: 100n, paymentId: 'A' }, subjectId)
    const other = { ...first, update: { kind: 'payin.paid', amountInCents: 200n, paymentId: 'B' } } as const
    const alarms = async () =>
      (await listOpenAlarms(world.db)).filter((alarm) => alarm.subjectId === subjectId)
    assert.deepEqual(
      [await receiveNotice(world.ctx, first), await receiveNotice(world.ctx, first)],
      [true, false],
    )
    assert.deepEqual(await alarms(), [])
    assert.equal(await receiveNotice(world.ctx, other), false)
    assert.equal(await receiveNotice(world.ctx, other), false)
    const [alarm, ...more] = await alarms()
    assert.deepEqual(more, [])
    assert.match(alarm?.detail ?? '', new RegExp(`${first.noticeId}.*amountInCents 200, paymentId B$`))
  })

  it('of an organization that does not exist is compared with what was kept of it', async () => {
    const reference = railReference('payin', randomUUID(), randomUUID())
    const first = { ...noticeOf('payin', CANCELED), reference }
    const alarms = async () =>
      (await listOpenAlarms(world.db)).filter(({ detail }) => detail.includes(first.noticeId))
    await receiveNotice(world.ctx, first)
    await receiveNotice(world.ctx, first)
    assert.deepEqual(await alarms(), [])
    await receiveNotice(world.ctx, { ...first, update: { kind: 'payin.declined', reason: 'RISK_REJECTED' } })
    assert.equal((await alarms()).length, 1)
  })

  it('about something unknown waits an hour from when we received it, however old its news is', async () => {
    const subjectId = randomUUID()
    const old = {
      ...noticeOf('payin', CANCELED, subjectId),
      occurredAt: world.ctx.clock.now() - 30 * HOUR_MS,
    }
    const alarms = async () =>
      (await listOpenAlarms(world.db)).filter((alarm) => alarm.subjectId === subjectId).length
    await receiveNotice(world.ctx, old)
    for (const waitedMs of [0, HOUR_MS - 60_000]) {
      world.advance(waitedMs)
      await world.work()
      assert.deepEqual([await stateOf(old), await alarms()], ['WAITING', 0])
    }
    world.advance(60_000)
    await world.work()
    assert.deepEqual([await stateOf(old), await alarms()], ['ORPHAN', 1])
  })
})
