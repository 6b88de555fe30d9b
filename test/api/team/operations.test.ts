// The team over HTTP: what a key may do to it and what not, that links are shown once, and what strangers and nonsense get. A person
// runs the same operations, by the role that they have.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { Caller } from '../../../src/api/http/auth.ts'
import { createIdempotent } from '../../../src/api/http/idempotency.ts'
import { operationRunner, scopeRefusal } from '../../../src/api/http/run-operation.ts'
import { createTeamInvitationOperation } from '../../../src/api/team/invitations.ts'
import { changeTeamMemberOperation, listTeamMembersOperation } from '../../../src/api/team/members.ts'
import { SERVICE } from '../../../src/core/audit/actor.ts'
import { UNLIMITED_CREDENTIAL } from '../../../src/core/organizations/limits.ts'
import { SCOPES } from '../../../src/core/organizations/scope.ts'
import { isRefusal } from '../../../src/core/refusal.ts'
import { ROLE_SCOPES, ROLES, type Role } from '../../../src/core/team/role.ts'
import type { User } from '../../../src/core/team/user.ts'
import { acceptAsNewUser } from '../../../src/flows/team/accept-invitation.ts'
import { updateRole } from '../../../src/store/team/members.ts'
import { signIn } from '../../console/person.ts'
import { newOrigin, PASSWORD, type People, peopleIn } from '../../flows/team/people.ts'
import { type Client, createWorld, type World } from '../../world.ts'

let world: World
let people: People
before(async () => {
  world = await createWorld()
  people = peopleIn(world)
})
after(() => world[Symbol.asyncDispose]())

let count = 0
const newEmail = () => {
  count += 1
  return `invited-${count}@example.com`
}
const invite = (client: Client, changes: Record<string, unknown> = {}, headers?: Record<string, string>) =>
  client('POST', '/team/invitations', { email: newEmail(), role: 'support', ...changes }, headers)
const tokenIn = (url: string): string => url.split('/').at(-1) as string

describe('the team', () => {
  it('is listed with roles and how well each is protected, and nothing that anybody signs in with', async () => {
    const { client, organization } = await world.newMerchant()
    const [owner, member] = [
      await people.newMember('owner', organization),
      await people.newMember('support', organization),
    ]
    await people.withPasskey(member)
    const [plain, careful] = [await people.withPassword(), await people.withPassword()]
    for (const one of [plain, careful]) await people.join(one, 'accountant', organization)
    await people.withApp(careful)
    const { json, text } = await client('GET', '/team/members')
    assert.deepEqual(
      json.data.map((one: Record<string, unknown>) => [
        one.userId,
        one.role,
        one.passkeys,
        one.password,
        one.authenticatorApp,
      ]),
      [
        [owner.userId, 'owner', 0, false, false],
        [member.userId, 'support', 1, false, false],
        [plain.userId, 'accountant', 0, true, false],
        [careful.userId, 'accountant', 0, true, true],
      ],
    )
    assert.equal(json.data[0].lastSeenAt, null)
    assert.match(json.data[1].lastSeenAt, /Z$/)
    assert.doesNotMatch(text, /hash|digest|sealed|argon2/)
    const others = await world.newMerchant()
    assert.deepEqual((await others.client('GET', '/team/members')).json, { data: [] })
  })

  it('is changed by a key up to administrators, and never owners', async () => {
    const { client, organization } = await world.newMerchant()
    const owner = await people.newMember('owner', organization)
    await people.newMember('owner', organization)
    const member = await people.newMember('support', organization)
    for (const role of ROLES) {
      const { status, json } = await client('PATCH', `/team/members/${member.userId}`, { role })
      assert.equal(status, role === 'owner' ? 403 : 200, role)
      if (role === 'owner') assert.equal(json.code, 'ROLE_NOT_GRANTABLE')
      else assert.deepEqual([json.role, json.updatedAt > json.createdAt], [role, true])
    }
    for (const [method, path, body] of [
      ['PATCH', '', { role: 'support' }],
      ['DELETE', '', undefined],
      ['DELETE', '/sessions', undefined],
    ] as const) {
      const { status, json } = await client(method, `/team/members/${owner.userId}${path}`, body)
      assert.deepEqual([status, json.code], [403, 'ROLE_NOT_GRANTABLE'])
    }
    assert.equal((await invite(client, { role: 'owner' })).json.code, 'ROLE_NOT_GRANTABLE')
    const { token } = await people.signedIn(member)
    const listed = await client('GET', `/team/members/${member.userId}/sessions`)
    assert.equal(listed.json.data.length, 1)
    const [{ createdAt, expiresAt }] = listed.json.data
    assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), 7 * 86_400_000)
    assert.ok(!listed.text.includes(token))
    assert.deepEqual((await client('DELETE', `/team/members/${member.userId}/sessions`)).json, {
      userId: member.userId,
      ended: 1,
    })
    assert.deepEqual((await client('GET', `/team/members/${member.userId}/sessions`)).json, { data: [] })
    assert.deepEqual((await client('DELETE', `/team/members/${member.userId}`)).json, {
      userId: member.userId,
      removed: true,
      remaining: [],
    })
    assert.equal((await client('DELETE', `/team/members/${member.userId}`)).status, 404)
  })

  it('that is removed leaves what they made, and whoever removes them is told', async () => {
    const { client, organization } = await world.newMerchant()
    const maker = await signIn(world, 'administrator', { organization })
    const key = async (name: string) => {
      const typed = { '/name': name, '/expiresInDays': '30', '/scopes': 'payins:read' }
      assert.equal((await maker.post('/settings/keys/new', typed)).status, 200)
    }
    for (const name of ['kept', 'rolled', 'revoked']) await key(name)
    await client('POST', '/api-keys', { name: 'of a key', scopes: ['payins:read'] })
    const all = (await client('GET', '/api-keys')).json.data as { id: string; name: string }[]
    const idOf = (name: string) => all.find((one) => one.name === name)?.id as string
    assert.equal(
      (await maker.post(`/settings/keys/${idOf('rolled')}/roll`, { '/overlapHours': '0' })).status,
      200,
    )
    await client('DELETE', `/api-keys/${idOf('revoked')}`)
    for (const name of ['partner', 'ended'])
      await maker.post('/settings/clients/new', { '/name': name, '/scopes': 'payins:read' })
    const clients = (await client('GET', '/oauth-clients')).json.data as { id: string; name: string }[]
    const ended = clients.find(({ name }) => name === 'ended')
    assert.equal((await client('DELETE', `/oauth-clients/${ended?.id}`)).status, 200)
    await maker.post('/webhooks', { '/url': 'https://shop.example/hooks' })
    const owner = await signIn(world, 'owner', { organization })
    const { text } = await owner.get(`/settings/team/${maker.userId}`)
    for (const name of ['kept', 'rolled', 'partner', 'https://shop.example/hooks'])
      assert.ok(text.includes(`<b>${name}</b>`), name)
    assert.ok(!text.includes('of a key') && !text.includes('<b>revoked</b>'))
    const { json } = await client('DELETE', `/team/members/${maker.userId}`)
    const told = json.remaining.map(({ kind, name }: Record<string, string>) => `${kind} ${name}`).sort()
    assert.deepEqual(told, [
      'API_KEY kept',
      'API_KEY rolled',
      'OAUTH_CLIENT partner',
      'WEBHOOK_ENDPOINT https://shop.example/hooks',
    ])
    assert.notEqual(
      json.remaining.find(({ name }: Record<string, string>) => name === 'rolled').id,
      idOf('rolled'),
      'the one that works',
    )
  })

  it('that is removed by a key leaves what that key may read, and nothing else is told', async () => {
    const maker = await signIn(world, 'administrator')
    const typed = { '/name': 'theirs', '/expiresInDays': '30', '/scopes': 'payins:read' }
    assert.equal((await maker.post('/settings/keys/new', typed)).status, 200)
    await maker.post('/webhooks', { '/url': 'https://shop.example/theirs' })
    const { organizationId } = world.organization
    await updateRole(world.db, organizationId, maker.userId, 'accountant', Date.now())
    const { client } = await world.key([
      ...ROLE_SCOPES.accountant,
      ...(['team:read', 'team:write', 'webhooks:read'] as const),
    ])
    const { json } = await client('DELETE', `/team/members/${maker.userId}`)
    assert.deepEqual(
      json.remaining.map(({ name }: { name: string }) => name),
      ['https://shop.example/theirs'],
    )
  })

  it('is changed by a key only as far as its scopes reach', async () => {
    const { client } = await world.key(['team:write', 'team:read'])
    const member = await people.newMember('support')
    for (const role of ROLES) {
      assert.equal((await invite(client, { role })).json.code, 'ROLE_NOT_GRANTABLE', role)
      const changed = await client('PATCH', `/team/members/${member.userId}`, { role })
      assert.equal(changed.json.code, 'ROLE_NOT_GRANTABLE', role)
    }
    assert.equal((await client('DELETE', `/team/members/${member.userId}`)).status, 403)
    const reader = await world.key(['team:read'])
    assert.equal((await reader.client('GET', '/team/members')).status, 200)
    assert.equal((await invite(reader.client)).json.code, 'INSUFFICIENT_SCOPE')
    const accountants = await world.key(['team:write', ...ROLE_SCOPES.accountant])
    assert.equal((await invite(accountants.client, { role: 'accountant' })).status, 201)
  })

  it('of another organization is not there', async () => {
    const theirs = await world.newMerchant()
    const member = await people.newMember('support', theirs.organization)
    const { invitationId } = (await invite(theirs.client)).json
    const paths: readonly [string, string, unknown?][] = [
      ['PATCH', `/team/members/${member.userId}`, { role: 'accountant' }],
      ['DELETE', `/team/members/${member.userId}`],
      ['GET', `/team/members/${member.userId}/sessions`],
      ['DELETE', `/team/members/${member.userId}/sessions`],
      ['DELETE', `/team/invitations/${invitationId}`],
    ]
    for (const [method, path, body] of paths) {
      const foreign = await world.client(method, path, body)
      const nobody = await world.client(method, path.replace(/[0-9a-f-]{36}/, randomUUID()), body)
      assert.equal(foreign.status, 404, path)
      const plain = (text: string) => text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|req[\w-]*/g, '')
      assert.equal(plain(foreign.json.detail), plain(nobody.json.detail))
      for (const nonsense of ['x', '..%2f', '%00', 'a'.repeat(300)])
        assert.equal((await world.client(method, path.replace(/[0-9a-f-]{36}/, nonsense), body)).status, 404)
    }
    assert.equal((await theirs.client('GET', '/team/invitations')).json.data.length, 1)
  })
})

describe('an invitation', () => {
  it('has its link in the first answer, and in the same answer again by its key, sealed at rest', async () => {
    const { client, organization } = await world.newMerchant()
    const email = newEmail()
    const headers = { 'idempotency-key': randomUUID() }
    const made = await invite(client, { email: email.toUpperCase(), name: 'Leo Díaz' }, headers)
    assert.equal(made.status, 201)
    assert.equal(made.json.email, email)
    assert.equal(made.json.emailed, false)
    assert.equal(Date.parse(made.json.expiresAt) - Date.parse(made.json.createdAt), 72 * 3_600_000)
    assert.match(made.json.url, /^http:\/\/localhost:\d+\/console\/invite\/[\w-]{43}$/)
    const again = await invite(client, { email: email.toUpperCase(), name: 'Leo Díaz' }, headers)
    assert.equal(again.text, made.text)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    const token = tokenIn(made.json.url)
    const listed = await client('GET', '/team/invitations')
    assert.ok(!listed.text.includes(token))
    assert.deepEqual(
      listed.json.data.map((one: { email: string }) => one.email),
      [email],
    )
    const { rows } = await world.db.query<{ body: string }>({
      text: 'select body from idempotency_records where organization_id = $1',
      values: [organization.organizationId],
    })
    assert.ok(rows.length === 1 && !rows[0]?.body.includes(token))
    assert.ok(!JSON.stringify(world.logLines()).includes(token), 'not in the log')
  })

  it('is accepted, and its inviter is the key’s name', async () => {
    const { client, organization } = await world.newMerchant()
    const { json } = await invite(client, { role: 'accountant' })
    assert.equal(json.invitedBy, 'test')
    const person = { name: 'Leo', language: 'es', password: PASSWORD } as const
    const done = await acceptAsNewUser(world.ctx, tokenIn(json.url), person, newOrigin())
    assert.ok('token' in done && done.organizationId === organization.organizationId)
    assert.deepEqual((await client('GET', '/team/invitations')).json, { data: [] })
    assert.equal((await client('GET', '/team/members')).json.data[0].role, 'accountant')
    assert.equal((await invite(client, { email: json.email })).json.code, 'ALREADY_A_MEMBER')
    assert.equal((await client('DELETE', `/team/invitations/${json.invitationId}`)).status, 404)
  })

  it('is refused with every wrong field named at once', async () => {
    const wrong = await world.client('POST', '/team/invitations', { email: 'nobody', role: 'king', name: '' })
    assert.equal(wrong.status, 400)
    assert.deepEqual(
      wrong.json.errors.map(({ path }: { path: string }) => path).sort(),
      ['/email', '/name', '/role'].sort(),
    )
    const bad: readonly Record<string, unknown>[] = [
      { email: 'a\u200bna@example.com' },
      { email: 'ana\u202e@example.com' },
      { email: `${'a'.repeat(300)}@example.com` },
      { email: 5 },
      { email: null },
      { role: 'OWNER' },
      { role: ['support'] },
      { role: '__proto__' },
      { name: 'x'.repeat(121) },
      { name: 'a\u0000b' },
    ]
    for (const changes of bad) {
      const { status, json } = await invite(world.client, changes)
      assert.deepEqual([status, json.code], [400, 'INVALID_INPUT'], JSON.stringify(changes).slice(0, 60))
    }
    const accented = await invite(world.client, { email: 'JOSE\u0301@café.example' })
    assert.equal(accented.json.email, 'josé@café.example')
    for (const body of [{}, { role: null }, { role: 'king' }]) {
      const { status } = await world.client('PATCH', `/team/members/${randomUUID()}`, body)
      assert.equal(status, 400)
    }
  })
})

describe('a person', () => {
  const callerOf = (user: User, role: Role): Caller => ({
    kind: 'person',
    name: user.name,
    organization: world.organization,
    scopes: ROLE_SCOPES[role],
    credentialId: user.userId,
    limits: UNLIMITED_CREDENTIAL,
  })
  const run = (operation: typeof listTeamMembersOperation, caller: Caller, params = {}, body?: unknown) =>
    operationRunner(
      world.ctx,
      operation,
      createIdempotent(world.ctx),
    )({
      caller,
      actor: { ...SERVICE, kind: 'person', id: caller.credentialId },
      requestId: randomUUID(),
      path: operation.path,
      params,
      query: {},
      body,
      headers: {},
      idempotencyKey: undefined,
    })

  it('runs the operations of their role, with what a key of the same scopes could not: owners make owners', async () => {
    const owner = await people.newMember('owner')
    const asOwner = callerOf(owner, 'owner')
    const body = { email: newEmail(), role: 'owner' }
    const made = await run(createTeamInvitationOperation, asOwner, {}, body)
    assert.ok(!isRefusal(made) && made.status === 201)
    assert.equal(JSON.parse(made.body).invitedBy, owner.name)
    assert.equal((await (await world.key([...SCOPES])).client('POST', '/team/invitations', body)).status, 403)
    for (const role of ['preparer', 'approver', 'support', 'accountant', 'developer'] as const)
      assert.ok(scopeRefusal(listTeamMembersOperation, callerOf(owner, role)))
  })

  it('has the rights of the role that they have now, whatever the page thought', async () => {
    const member = await people.newMember('administrator')
    const other = await people.newMember('support')
    const stale = callerOf(member, 'administrator')
    const promote = () =>
      run(changeTeamMemberOperation, stale, { userId: other.userId }, { role: 'developer' })
    assert.ok(!isRefusal(await promote()))
    await world.client('PATCH', `/team/members/${member.userId}`, { role: 'support' })
    const refused = await promote()
    assert.ok(isRefusal(refused) && refused.refused === 'ROLE_NOT_GRANTABLE')
    const forged = callerOf(member, 'owner')
    const self = await run(changeTeamMemberOperation, forged, { userId: member.userId }, { role: 'owner' })
    assert.ok(isRefusal(self) && self.refused === 'ROLE_NOT_GRANTABLE')
  })
})
