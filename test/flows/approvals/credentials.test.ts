// Keys and clients that people must approve: nothing is made before, whoever asked takes it once, and taking a right away never waits.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Act } from '../../../src/core/audit/act.ts'
import { type Actor, SERVICE } from '../../../src/core/audit/actor.ts'
import { DAY_MS } from '../../../src/core/instant.ts'
import { isLooser, UNLIMITED_CREDENTIAL } from '../../../src/core/organizations/limits.ts'
import { isRefusal } from '../../../src/core/refusal.ts'
import type { User } from '../../../src/core/team/user.ts'
import { lapseDueApprovals } from '../../../src/flows/approvals/lapse.ts'
import { createApiKey } from '../../../src/flows/credentials/create.ts'
import { issueApiKey } from '../../../src/flows/organizations/issue-credential.ts'
import { recordAct, recordRefusal } from '../../../src/flows/record-act.ts'
import { credentialHolders } from '../../../src/store/audit/credential-holders.ts'
import { type Client, clientOf, createWorld, type World } from '../../world.ts'
import { type People, peopleIn, SITE } from '../team/people.ts'
import { decideAs, personActor, setRules } from './approving.ts'

const RULES = [{ kind: 'credential', tiers: [{ fromAmountInCents: 0, approvers: 1 }] }]
const WANTED = { name: 'Shop', scopes: ['payins:read'], expiresInDays: 30, maxPerSecond: 5 }

describe('a key or client that must be approved', () => {
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

  const waiting = async (answer: { status: number; json: Record<string, never>; text: string }) => {
    assert.deepEqual([answer.status, answer.json.code], [409, 'APPROVAL_REQUIRED'], answer.text)
    const [{ approvalId }] = answer.json.errors as unknown as [{ approvalId: string }]
    return (await world.client('GET', `/approvals/${approvalId}`)).json
  }
  const approve = (approval: { id: string; digest: string; organizationId: string }) =>
    decideAs(people.ctx, carla, approval, 'APPROVED', {
      given: { passkey: sign(Buffer.from(approval.digest, 'hex').toString('base64url')) },
    })
  const approved = async (approval: Parameters<typeof approve>[0]) => {
    const decided = await approve(approval)
    assert.ok(!isRefusal(decided), JSON.stringify(isRefusal(decided) && decided))
  }
  const keys = async (): Promise<{ id: string; name: string; status: string }[]> =>
    (await world.client('GET', '/api-keys')).json.data
  const anotherClient = async (): Promise<Client> => {
    const { organizationId } = world.organization
    const issued = await issueApiKey(people.ctx, {
      organizationId,
      name: 'other',
      scopes: null,
      expiresAt: null,
    })
    return clientOf(world.baseUrl, { 'x-api-key': issued?.secret ?? '' })
  }

  it('waits, is approved, and is then made once for whoever asked, with the secret that nobody has kept', async () => {
    const before = (await keys()).length
    const approval = await waiting(await world.client('POST', '/api-keys', WANTED))
    assert.deepEqual(
      [approval.kind, approval.status, approval.approvers, approval.maker.kind, approval.usedAt],
      ['credential', 'WAITING', 1, 'key', null],
    )
    assert.equal(approval.document.name, 'Shop')
    assert.deepEqual(approval.document.scopes, ['payins:read'])
    assert.equal(approval.document.expiresInDays, 30)
    const again = await waiting(await world.client('POST', '/api-keys', WANTED))
    assert.equal(again.id, approval.id, 'the same request is the same approval')
    assert.equal((await keys()).length, before)
    await approved(approval)
    assert.equal((await keys()).length, before, 'an approval makes nothing by itself')
    const made = await world.client('POST', '/api-keys', WANTED)
    assert.equal(made.status, 201, made.text)
    assert.match(made.json.secret, /^rk_stg_/)
    assert.equal(made.json.maxPerSecond, 5)
    const { json: used } = await world.client('GET', `/approvals/${approval.id}`)
    assert.ok(Date.parse(used.usedAt) > 0)
    const { rows } = await world.db.query<{ text: string }>({
      text: 'select a::text as text from approvals a',
      values: [],
    })
    assert.ok(rows.every(({ text }) => !text.includes(made.json.secret)))
    const second = await waiting(await world.client('POST', '/api-keys', WANTED))
    assert.notEqual(second.id, approval.id, 'an approval is used once')
    assert.equal((await keys()).length, before + 1)
  })

  it('an approval says when it was used, and not when it was given', async () => {
    const wanted = { ...WANTED, name: 'Used later' }
    const approval = await waiting(await world.client('POST', '/api-keys', wanted))
    await approved(approval)
    const shown = async () => (await world.client('GET', `/approvals/${approval.id}`)).json
    assert.equal((await shown()).usedAt, null)
    world.advance(60_000)
    assert.equal((await world.client('POST', '/api-keys', wanted)).status, 201)
    const { decidedAt, usedAt } = await shown()
    assert.ok(Date.parse(usedAt) >= Date.parse(decidedAt) + 60_000, `${decidedAt} ${usedAt}`)
  })

  it('an approval is for exactly what was asked for, and for whoever asked', async () => {
    const wanted = { ...WANTED, name: 'Exactly' }
    const approval = await waiting(await world.client('POST', '/api-keys', wanted))
    await approved(approval)
    for (const changes of [
      { name: 'Other' },
      { scopes: ['payins:read', 'payouts:write'] },
      { expiresInDays: 31 },
      { maxPerSecond: 6 },
      { payoutsPerDay: 1 },
    ]) {
      const other = await waiting(await world.client('POST', '/api-keys', { ...wanted, ...changes }))
      assert.notEqual(other.id, approval.id)
    }
    const stranger = await anotherClient()
    assert.notEqual((await waiting(await stranger('POST', '/api-keys', wanted))).id, approval.id)
    const client = await world.client('POST', '/oauth-clients', { name: 'Exactly', scopes: ['payins:read'] })
    assert.notEqual((await waiting(client)).id, approval.id)
    assert.equal((await world.client('POST', '/api-keys', wanted)).status, 201)
  })

  it('many who send it at once after the approval get one key', async () => {
    const wanted = { ...WANTED, name: 'At once' }
    await approved(await waiting(await world.client('POST', '/api-keys', wanted)))
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => world.client('POST', '/api-keys', wanted)),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(7).fill(409)])
    assert.equal((await keys()).filter(({ name }) => name === 'At once').length, 1)
  })

  it('whoever asked cannot approve it, refused it is not made, and a person asks like a key', async () => {
    const owner = await people.newMember('owner')
    const ctx = { ...people.ctx, actor: personActor(owner) }
    const { organizationId } = world.organization
    const granter = { kind: 'person', scopes: null, limits: UNLIMITED_CREDENTIAL } as const
    const ask = () =>
      createApiKey(ctx, granter, { organizationId, name: 'Mine', scopes: null, expiresInDays: null }, null)
    const asked = await ask()
    assert.ok(isRefusal(asked) && asked.refused === 'APPROVAL_REQUIRED')
    const { json: approval } = await world.client('GET', `/approvals/${asked.errors?.[0]?.approvalId}`)
    const own = await decideAs(people.ctx, owner, approval, 'APPROVED')
    assert.ok(isRefusal(own) && own.refused === 'APPROVAL_OWN')
    assert.ok(!isRefusal(await decideAs(people.ctx, carla, approval, 'REFUSED')))
    const again = await ask()
    assert.ok(isRefusal(again) && again.errors?.[0]?.approvalId !== approval.id, 'it is asked for anew')
    assert.equal((await keys()).filter(({ name }) => name === 'Mine').length, 0)
  })

  it('an approval that nobody gave lapses, and so does one that nobody used', async () => {
    const [unused, undecided] = ['Unused', 'Undecided'].map((name) => ({ ...WANTED, name }))
    const approval = await waiting(await world.client('POST', '/api-keys', unused))
    await approved(approval)
    const other = await waiting(await world.client('POST', '/api-keys', undecided))
    world.advance(7 * DAY_MS)
    const late = await approve(other)
    assert.ok(isRefusal(late) && late.refused === 'APPROVAL_LAPSED')
    await lapseDueApprovals(people.ctx)
    const { json: lapsed } = await world.client('GET', `/approvals/${other.id}`)
    assert.equal(lapsed.status, 'LAPSED')
    for (const [wanted, before] of [
      [unused, approval],
      [undecided, other],
    ])
      assert.notEqual((await waiting(await world.client('POST', '/api-keys', wanted))).id, before.id)
  })

  it('rolls wait too, of keys and of clients; one that was changed or revoked meanwhile is void', async () => {
    const [key] = (await keys()).filter(({ status }) => status === 'ACTIVE')
    assert.ok(key)
    const wantedClient = { name: 'Client', scopes: ['payins:read'], maxPerSecond: 9 }
    await approved(await waiting(await world.client('POST', '/oauth-clients', wantedClient)))
    const { json: client } = await world.client('POST', '/oauth-clients', wantedClient)
    const wantedKey = { ...WANTED, name: 'To roll' }
    await approved(await waiting(await world.client('POST', '/api-keys', wantedKey)))
    const { json: made } = await world.client('POST', '/api-keys', wantedKey)
    for (const [at, status] of [
      [`/oauth-clients/${client.id}`, 200],
      [`/api-keys/${made.id}`, 201],
    ] as const) {
      const roll = (overlapHours: number) => world.client('POST', `${at}/roll`, { overlapHours })
      const first = await waiting(await roll(1))
      const { name, scopes, expiresAt } = status === 201 ? made : client
      const shown = { name, scopes, expiresAt: expiresAt === undefined ? null : Date.parse(expiresAt) }
      assert.deepEqual(
        Object.fromEntries(Object.keys(shown).map((field) => [field, first.document[field]])),
        shown,
        'whoever approves sees what it is',
      )
      const renamed = await world.client('PATCH', at, { name: 'Renamed' })
      assert.equal(renamed.status, 200, 'a name gives nothing')
      const stale = await approve(first)
      assert.ok(isRefusal(stale) && stale.refused === 'APPROVAL_STALE')
      const second = await waiting(await roll(1))
      await approved(second)
      assert.notEqual((await waiting(await roll(2))).id, second.id)
      const rolled = await roll(1)
      assert.equal(rolled.status, status, rolled.text)
      const last = await waiting(await roll(0))
      const id = rolled.json.id
      const now = at.startsWith('/api-keys') ? `/api-keys/${id}` : at
      assert.equal((await world.client('DELETE', now)).status, 200, 'revoking never waits')
      if (now === at) {
        const gone = await approve(last)
        assert.ok(isRefusal(gone) && gone.refused === 'APPROVAL_STALE')
      }
    }
  })

  it('a change that gives more waits, and one that takes away does not', async () => {
    const wanted = { ...WANTED, name: 'Limits', allowedAddresses: ['203.0.113.7'], payoutsPerDay: 3 }
    await approved(await waiting(await world.client('POST', '/api-keys', wanted)))
    const { json: key } = await world.client('POST', '/api-keys', wanted)
    const change = (body: object) => world.client('PATCH', `/api-keys/${key.id}`, body)
    assert.equal((await change({ maxPerSecond: 4, payoutsPerDay: 2 })).status, 200)
    for (const more of [
      { maxPerSecond: 5 },
      { payoutsPerDay: null },
      { allowedAddresses: null },
      { allowedAddresses: ['203.0.113.7', '203.0.113.8'] },
    ])
      await waiting(await change(more))
    const approval = await waiting(await change({ maxPerSecond: 10 }))
    assert.deepEqual(approval.document.changes, { maxPerSecond: 10 })
    await approved(approval)
    const changed = await change({ maxPerSecond: 10 })
    assert.deepEqual([changed.status, changed.json.maxPerSecond], [200, 10])
    const client = { name: 'Wide', scopes: ['payins:read'], maxPerSecond: 9 }
    await approved(await waiting(await world.client('POST', '/oauth-clients', client)))
    const { json: made } = await world.client('POST', '/oauth-clients', client)
    const at = `/oauth-clients/${made.id}`
    await approved(await waiting(await world.client('PATCH', at, { maxPerSecond: null })))
    assert.equal((await world.client('PATCH', at, { maxPerSecond: null })).json.maxPerSecond, null)
  })

  it('which limits are looser', () => {
    const some = { maxPerSecond: 5, allowedAddresses: ['a'], payoutsPerDay: 5, payoutSumPerDay: 5n }
    assert.ok(!isLooser(some, some))
    assert.ok(!isLooser(UNLIMITED_CREDENTIAL, some))
    assert.ok(isLooser(some, { ...some, payoutSumPerDay: 6n }))
    assert.ok(isLooser(some, { ...some, payoutSumPerDay: null }))
    assert.ok(!isLooser(some, { ...some, allowedAddresses: [] }))
  })

  it('without a rule nobody is asked', async () => {
    await setRules(world, [])
    assert.equal((await world.client('POST', '/api-keys', { ...WANTED, name: 'Free' })).status, 201)
  })
})

describe('whoever has seen the secret of a key', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  it('made it, or rolled the one before it, or did so with a key whose secret they have seen', async () => {
    const { organization } = await world.newMerchant()
    const { organizationId } = organization
    const [ana, eva, ivo] = Array.from({ length: 3 }, () => world.ctx.ids.next()) as [string, string, string]
    const wrote = (actor: Partial<Actor>, act: Act, objectId: string, after: object | null = null) =>
      world.db.inTransaction((tx) =>
        recordAct({ ...world.ctx, actor: { ...SERVICE, ...actor } }, tx, {
          ...{ organizationId, act, objectId, after },
          before: null,
        }),
      )
    const holders = async (id: string) => (await credentialHolders(world.db, organizationId, id)).toSorted()
    await wrote({ kind: 'person', id: ana }, 'apikey.create', 'first')
    await wrote({ kind: 'person', id: eva }, 'apikey.roll', 'first', { replacedBy: 'second' })
    await wrote({ kind: 'key', id: 'second' }, 'client.create', 'rc_test_Made')
    await recordRefusal(
      { ...world.ctx, actor: { ...SERVICE, kind: 'person', id: ivo } },
      { organizationId, act: 'client.roll', objectId: 'rc_test_Made', refusal: 'NOT_FOUND' },
    )
    assert.deepEqual(await holders('first'), [ana])
    assert.deepEqual(await holders('second'), [eva])
    assert.deepEqual(await holders('rc_test_Made'), [eva])
  })
})
