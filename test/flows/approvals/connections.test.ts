// Connections that people must approve: made, changed and deleted when they have, as they have read it, and never before.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DAY_MS } from '../../../src/core/instant.ts'
import { isRefusal } from '../../../src/core/refusal.ts'
import type { User } from '../../../src/core/team/user.ts'
import { lapseDueApprovals } from '../../../src/flows/approvals/lapse.ts'
import { changeConnection } from '../../../src/flows/connections/change-connection.ts'
import { openCredentials } from '../../../src/flows/connections/credentials.ts'
import { getConnection } from '../../../src/store/connections/connections.ts'
import { WOMPI } from '../../api/connections/fake-provider.ts'
import { brebPayin, createWorld, type World } from '../../world.ts'
import { type People, peopleIn, SITE } from '../team/people.ts'
import { decideAs, personActor, setRules } from './approving.ts'

const RULES = [{ kind: 'connection', tiers: [{ fromAmountInCents: 0, approvers: 1 }] }]
const SECRET = 'test_events_another'

describe('a connection that must be approved', () => {
  let world: World
  let people: People
  let carla: User
  let sign: (challenge: string) => unknown
  before(async () => {
    world = await createWorld({ env: { PUBLIC_URL: SITE.origin } })
    people = peopleIn(world)
    carla = await people.newMember('approver')
    sign = (await people.withPasskey(carla)).answer
    await setRules(world, RULES)
  })
  after(() => world[Symbol.asyncDispose]())

  const read = async (approvalId: string) => (await world.client('GET', `/approvals/${approvalId}`)).json
  const waiting = async (answer: { status: number; json: Record<string, never>; text: string }) => {
    assert.deepEqual([answer.status, answer.json.code], [409, 'APPROVAL_REQUIRED'], answer.text)
    const [{ approvalId }] = answer.json.errors as unknown as [{ approvalId: string }]
    return read(approvalId)
  }
  const approve = (approval: { id: string; digest: string; organizationId: string }) =>
    decideAs(people.ctx, carla, approval, 'APPROVED', {
      given: { passkey: sign(Buffer.from(approval.digest, 'hex').toString('base64url')) },
    })
  const approved = async (approval: Parameters<typeof approve>[0]) => {
    const decided = await approve(approval)
    assert.ok(!isRefusal(decided), JSON.stringify(isRefusal(decided) && decided))
  }
  const stale = async (approval: Parameters<typeof approve>[0]) => {
    const decided = await approve(approval)
    assert.ok(isRefusal(decided) && decided.refused === 'APPROVAL_STALE')
    assert.equal((await read(approval.id)).status, 'VOIDED')
  }
  const create = (changes: object = {}) => world.client('POST', '/connections', { ...WOMPI, ...changes })
  const made = async (changes: object = {}) => {
    const approval = await waiting(await create(changes))
    await approved(approval)
    return approval.subjectId as string
  }
  const change = (id: string, body: object) => world.client('PATCH', `/connections/${id}`, body)
  const get = async (id: string) => (await world.client('GET', `/connections/${id}`)).json
  const payloadOf = async (approvalId: string) => {
    const { rows } = await world.db.query<{ payload: string | null; text: string }>({
      text: 'select payload, a::text as text from approvals a where approval_id = $1',
      values: [approvalId],
    })
    return rows[0]
  }

  it('waits, and is made as it was read when somebody else has approved it, with its secrets sealed all the while', async () => {
    const approval = await waiting(await create({ minimumInCents: 100, name: 'First' }))
    assert.deepEqual((await world.client('GET', '/connections')).json.data, [])
    const { document } = approval
    assert.deepEqual(
      [document.act, document.name, document.minimumInCents, document.credentials.privateKey],
      ['connection.create', 'First', '100', null],
    )
    assert.equal(document.credentials.publicKey, WOMPI.credentials.publicKey, 'what is no secret is shown')
    const stored = await payloadOf(approval.id)
    assert.ok(stored?.payload)
    for (const secret of [WOMPI.credentials.privateKey, WOMPI.credentials.eventsSecret]) {
      assert.ok(!JSON.stringify(approval).includes(secret))
      assert.ok(!stored.text.includes(secret))
      assert.ok(!Buffer.from(stored.payload, 'base64').toString('latin1').includes(secret))
    }
    const again = await waiting(await create({ minimumInCents: 100, name: 'First' }))
    assert.equal(again.id, approval.id, 'whoever sends it again has not asked for a second one')
    const other = await waiting(
      await create({
        minimumInCents: 100,
        name: 'First',
        credentials: { ...WOMPI.credentials, eventsSecret: SECRET },
      }),
    )
    assert.notEqual(other.id, approval.id, 'other secrets are another connection')
    assert.ok(!isRefusal(await decideAs(people.ctx, carla, other, 'REFUSED')))
    assert.equal((await payloadOf(other.id))?.payload, null, 'what is decided keeps no secrets')
    await approved(approval)
    const { json } = await world.client('GET', '/connections')
    assert.deepEqual(
      json.data.map((one: Record<string, unknown>) => [one.id, one.name, one.minimumInCents]),
      [[approval.subjectId, 'First', 100]],
    )
    const { organizationId } = world.organization
    const connection = await getConnection(world.db, { organizationId, connectionId: approval.subjectId })
    assert.ok(connection)
    const opened = openCredentials(people.ctx.settings.keys, approval.subjectId, connection.credentials)
    assert.deepEqual({ ...opened }, WOMPI.credentials)
    assert.equal((await payloadOf(approval.id))?.payload, null)
  })

  it('a change waits, happens once, and keeps what it does not name', async () => {
    const id = await made({ name: 'To change' })
    const body = { priority: 7, maximumInCents: 500_000, credentials: { eventsSecret: SECRET } }
    const approval = await waiting(await change(id, body))
    assert.deepEqual(approval.document.changes, { priority: 7, maximumInCents: '500000' })
    assert.deepEqual(approval.document.credentials, { eventsSecret: null })
    assert.equal((await get(id)).priority, 100)
    assert.equal((await waiting(await change(id, body))).id, approval.id)
    await approved(approval)
    const changed = await get(id)
    assert.deepEqual([changed.priority, changed.maximumInCents, changed.name], [7, 500_000, 'To change'])
    assert.notEqual(changed.previousCredentialsUntil, null)
    const { organizationId } = world.organization
    const connection = await getConnection(world.db, { organizationId, connectionId: id })
    const opened = connection && openCredentials(people.ctx.settings.keys, id, connection.credentials)
    assert.deepEqual({ ...opened }, { ...WOMPI.credentials, eventsSecret: SECRET })
    const twice = await approve(approval)
    assert.ok(isRefusal(twice) && twice.refused === 'APPROVAL_ENDED')
  })

  it('another change takes the place of the one that waits, and one that is refused leaves it alone', async () => {
    const id = await made({ name: 'Places' })
    const first = await waiting(await change(id, { priority: 1 }))
    const second = await waiting(await change(id, { priority: 2 }))
    assert.equal((await read(first.id)).status, 'VOIDED')
    assert.equal((await change(id, { minimumInCents: 5, maximumInCents: 4 })).status, 400)
    assert.equal((await read(second.id)).status, 'WAITING')
    await approved(second)
    assert.equal((await get(id)).priority, 2)
    const answers = await Promise.all([3, 4, 5, 6].map((priority) => change(id, { priority })))
    for (const answer of answers) await waiting(answer)
    const { json } = await world.client('GET', `/approvals?subjectId=${id}&status=WAITING`)
    assert.equal(json.data.length, 1)
  })

  it('the same change that another key asks for is asked for by that key', async () => {
    const id = await made({ name: 'Same' })
    const first = await waiting(await change(id, { priority: 9 }))
    const { client, apiKeyId } = await world.key(null)
    const second = await waiting(await client('PATCH', `/connections/${id}`, { priority: 9 }))
    assert.deepEqual([second.maker.id, (await read(first.id)).status], [apiKeyId, 'VOIDED'])
  })

  it('a limit that is as high as it is low is kept as it was approved', async () => {
    const id = await made({ name: 'One amount' })
    const limits = { minimumInCents: 150_000, maximumInCents: 150_000 }
    await approved(await waiting(await change(id, limits)))
    const { minimumInCents, maximumInCents } = await get(id)
    assert.deepEqual({ minimumInCents, maximumInCents }, limits)
  })

  it('is void where there are as many as there may be by the time it is approved', async () => {
    const approval = await waiting(await create({ name: 'One more' }))
    const room = 20 - (await world.client('GET', '/connections')).json.data.length
    await world.db.query({
      text: `insert into connections
             select (jsonb_populate_record(null::connections, to_jsonb(c) ||
                    jsonb_build_object('connection_id', gen_random_uuid(), 'name', 'copy'))).*
               from (select * from connections limit 1) c, generate_series(1, $1)`,
      values: [room],
    })
    await stale(approval)
    await world.db.query({ text: `delete from connections where name = 'copy'`, values: [] })
  })

  it('switching it off never waits, and voids what was asked of it before', async () => {
    const id = await made({ name: 'Off' })
    const approval = await waiting(await change(id, { priority: 3 }))
    assert.equal((await change(id, { enabled: false })).json.enabled, false)
    assert.equal((await read(approval.id)).status, 'VOIDED')
    await waiting(await change(id, { enabled: false, priority: 3 }))
    await waiting(await change(id, { enabled: true }))
    await waiting(await change(id, { enabled: false, credentials: { eventsSecret: SECRET } }))
  })

  it('what was changed under the approval is void, and so are secrets that are not those that were submitted', async () => {
    const id = await made({ name: 'Stale' })
    const approval = await waiting(await change(id, { priority: 3 }))
    await world.db.query({
      text: 'update connections set version = version + 1 where connection_id = $1',
      values: [id],
    })
    await stale(approval)
    const one = await waiting(await change(id, { credentials: { eventsSecret: SECRET } }))
    const { payload } = (await payloadOf(one.id)) ?? {}
    const two = await waiting(await change(id, { credentials: { eventsSecret: 'test_events_evil' } }))
    await world.db.query({
      text: 'update approvals set payload = $2 where approval_id = $1',
      values: [two.id, payload],
    })
    await stale(two)
    const three = await waiting(await change(id, { credentials: { eventsSecret: SECRET } }))
    await world.db.query({
      text: `update approvals set payload = 'AAAA' where approval_id = $1`,
      values: [three.id],
    })
    await stale(three)
    assert.equal((await get(id)).previousCredentialsUntil, null)
  })

  it('deleting waits, and is void if the connection is needed when it is approved', async () => {
    const id = await made({ name: 'Delete' })
    const remove = () => world.client('DELETE', `/connections/${id}`)
    const first = await waiting(await remove())
    assert.equal(first.document.act, 'connection.delete')
    const payin = await world.client('POST', '/payins', brebPayin())
    const { rows } = await world.db.query<{ due: string }>({
      text: 'update payins set connection_id = $2, due_at = now() where payin_id = $1 returning payin_id as due',
      values: [payin.json.id, id],
    })
    assert.equal(rows.length, 1, payin.text)
    await stale(first)
    assert.equal((await remove()).json.code, 'CONNECTION_IN_USE')
    await world.db.query({
      text: 'update payins set connection_id = null, due_at = null where payin_id = $1',
      values: [payin.json.id],
    })
    await approved(await waiting(await remove()))
    assert.equal((await world.client('GET', `/connections/${id}`)).status, 404)
    assert.equal((await remove()).status, 404)
  })

  it('nobody approves what they asked for, and what nobody decides about lapses', async () => {
    const id = await made({ name: 'Own' })
    const owner = await people.newMember('owner')
    const { organizationId } = world.organization
    const ctx = { ...people.ctx, actor: personActor(owner) }
    const asked = await changeConnection(ctx, { organizationId, connectionId: id }, { priority: 9 })
    assert.ok(isRefusal(asked))
    const approval = await read(asked.errors?.[0]?.approvalId ?? '')
    const own = await decideAs(people.ctx, owner, approval, 'REFUSED')
    assert.ok(isRefusal(own) && own.refused === 'APPROVAL_OWN')
    world.advance(7 * DAY_MS)
    await lapseDueApprovals(people.ctx)
    assert.equal((await read(approval.id)).status, 'LAPSED')
    assert.equal((await get(id)).priority, 100)
  })

  it('without a rule nobody is asked', async () => {
    await setRules(world, [])
    assert.equal((await create({ name: 'Free' })).status, 201)
  })
})
