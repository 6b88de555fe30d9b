// The alarms that a merchant sees: its own, open and resolved, by kind and by time.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ALARM_KINDS, type AlarmKind } from '../../../src/core/ledger/alarm.ts'
import { insertAlarm, resolveAlarm } from '../../../src/store/ledger/alarms.ts'
import { createWorld, type World } from '../../world.ts'
import { assertProblem } from '../http/problem.ts'

describe('GET /alarms', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const raise = async (organizationId: string, kind: AlarmKind) => {
    const { ctx, db } = world
    const alarmId = ctx.ids.next()
    const subjectId = ctx.ids.next()
    await insertAlarm(db, organizationId, subjectId, { alarmId, kind, detail: 'See why.' }, ctx.clock.now())
    return { alarmId, subjectId }
  }

  it('shows the organization’s own, newest first, and how they stand', async () => {
    const { client, organization } = await world.newMerchant()
    const { organizationId } = organization
    await raise(world.organization.organizationId, 'orphan-notice')
    const first = await raise(organizationId, 'payin-unresolved')
    world.advance(1_000)
    const second = await raise(organizationId, 'reconciliation')
    await resolveAlarm(world.db, first.alarmId, world.ctx.clock.now())
    const ids = async (query: string) =>
      (await client('GET', `/alarms${query}`)).json.data.map(({ id }: { id: string }) => id)

    const { data } = (await client('GET', '/alarms')).json
    assert.deepEqual(data[0], {
      id: second.alarmId,
      kind: 'reconciliation',
      status: 'OPEN',
      subjectId: second.subjectId,
      detail: 'See why.',
      createdAt: data[0].createdAt,
      resolvedAt: null,
    })
    assert.deepEqual([data.length, data[1].status, data[1].id], [2, 'RESOLVED', first.alarmId])
    assert.ok(data[1].resolvedAt > data[1].createdAt)
    assert.deepEqual(await ids('?status=OPEN'), [second.alarmId])
    assert.deepEqual(await ids('?status=RESOLVED'), [first.alarmId])
    assert.deepEqual(await ids('?kind=payin-unresolved'), [first.alarmId])
    assert.deepEqual(await ids('?kind=payin-unresolved&status=OPEN'), [])
    assert.deepEqual(await ids(`?createdFrom=${data[0].createdAt}`), [second.alarmId])
    assert.deepEqual(await ids(`?createdTo=${data[1].createdAt}`), [first.alarmId])
    for (const query of ['?status=open', '?kind=none'])
      assertProblem(await client('GET', `/alarms${query}`), 'INVALID_INPUT')
  })

  it('knows every kind that there is', async () => {
    for (const kind of ALARM_KINDS) {
      const answer = await world.client('GET', `/alarms?kind=${kind}`)
      assert.equal(answer.status, 200, kind)
    }
  })
})
