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
      takenBy: null,
      takenAt: null,
      resolvedAt: null,
      resolvedBy: null,
      resolution: null,
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

  it('is taken by one, and whoever else takes it is told by whom', async () => {
    const { organizationId } = world.organization
    const { alarmId } = await raise(organizationId, 'payin-unresolved')
    const ana = await world.key(null)
    const key = { 'idempotency-key': `take-${alarmId}` }
    const taken = await ana.client('POST', `/alarms/${alarmId}/take`, undefined, key)
    assert.deepEqual(taken.json.takenBy, { kind: 'key', id: ana.apiKeyId, name: 'test' })
    assert.deepEqual([taken.status, taken.json.status], [200, 'OPEN'])
    world.advance(1_000)
    const again = await ana.client('POST', `/alarms/${alarmId}/take`)
    assert.equal(again.json.takenAt, taken.json.takenAt)
    const second = await world.client('POST', `/alarms/${alarmId}/take`)
    assertProblem(second, 'ALARM_TAKEN')
    assert.match(second.json.detail, new RegExp(`^test took the alarm at ${taken.json.takenAt}`))
    assert.equal((await ana.client('POST', `/alarms/${alarmId}/take`, undefined, key)).text, taken.text)
    const { data } = (await world.client('GET', '/alarms')).json
    assert.deepEqual(data[0], again.json)
  })

  it('is resolved with a word, once, also by somebody who did not take it', async () => {
    const { organizationId } = world.organization
    const { alarmId } = await raise(organizationId, 'payout-unresolved')
    await (await world.key(null)).client('POST', `/alarms/${alarmId}/take`)
    const path = `/alarms/${alarmId}/resolve`
    for (const body of [{}, { word: '' }, { word: 'x'.repeat(1_001) }])
      assertProblem(await world.client('POST', path, body), 'INVALID_INPUT')
    const word = 'El banco le pagó a Ana Gómez.'
    const resolved = await world.client('POST', path, { word }, { 'idempotency-key': `resolve-${alarmId}` })
    assert.deepEqual(
      [resolved.json.status, resolved.json.resolution, resolved.json.resolvedBy.kind],
      ['RESOLVED', word, 'key'],
    )
    assertProblem(await world.client('POST', path, { word }), 'ALARM_RESOLVED')
    assertProblem(await world.client('POST', `/alarms/${alarmId}/take`), 'ALARM_RESOLVED')
    for (const [text, id] of [
      ['select resolution as kept from alarms where alarm_id = $1', alarmId],
      ['select body as kept from idempotency_records where idempotency_key = $1', `resolve-${alarmId}`],
    ] as const) {
      const { rows } = await world.db.query<{ kept: string }>({ text, values: [id] })
      assert.ok(rows[0] !== undefined && !rows[0].kept.includes('Ana'))
    }
  })

  it('knows every kind that there is', async () => {
    for (const kind of ALARM_KINDS) {
      const answer = await world.client('GET', `/alarms?kind=${kind}`)
      assert.equal(answer.status, 200, kind)
    }
  })
})
