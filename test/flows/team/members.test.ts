// Who belongs to an organization: roles are given, changed and taken away only by whoever could grant them, the last owner stays,
// and an invitation works once, for the address it was made for.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { DAY_MS } from '../../../src/core/instant.ts'
import type { Organization } from '../../../src/core/organizations/organization.ts'
import { SCOPES } from '../../../src/core/organizations/scope.ts'
import { isRefusal } from '../../../src/core/refusal.ts'
import { INVITATION_LIFETIME_MS, MAX_INVITATIONS_A_DAY, MAX_TEAM } from '../../../src/core/team/invitation.ts'
import { mayGrant, ROLE_SCOPES, ROLES, type Role } from '../../../src/core/team/role.ts'
import { SIGN_IN_LINK_MS } from '../../../src/core/team/sign-in.ts'
import type { User } from '../../../src/core/team/user.ts'
import { revokeClient } from '../../../src/flows/organizations/issue-credential.ts'
import { acceptAsNewUser, acceptAsUser, openInvitation } from '../../../src/flows/team/accept-invitation.ts'
import { changeSettings } from '../../../src/flows/team/account.ts'
import type { TeamActor } from '../../../src/flows/team/granter.ts'
import {
  createInvitation,
  type InvitationWithLink,
  revokeOpenInvitation,
} from '../../../src/flows/team/invitations.ts'
import { changeRole, endMemberSessions, removeMember } from '../../../src/flows/team/members.ts'
import { signedInBy } from '../../../src/flows/team/sessions.ts'
import { createSignInLink, signInByLink } from '../../../src/flows/team/sign-in-links.ts'
import { listOpenInvitations } from '../../../src/store/team/invitations.ts'
import { countOwners, getMember, listMembers } from '../../../src/store/team/members.ts'
import { insertPasskey } from '../../../src/store/team/passkeys.ts'
import { lockUser } from '../../../src/store/team/sign-in-ways.ts'
import { membershipsOf } from '../../../src/store/team/users.ts'
import { auditedChangesOf } from '../../api/audit/audited-changes.ts'
import { entriesOf } from '../../api/audit/entries.ts'
import { waitingForLocks } from '../../locks.ts'
import { createWorld, eventually, type World } from '../../world.ts'
import { newOrigin, PASSWORD, type People, peopleIn } from './people.ts'

let world: World
let people: People
before(async () => {
  world = await createWorld()
  people = peopleIn(world)
})
after(() => world[Symbol.asyncDispose]())

const OPERATOR: TeamActor = { kind: 'operator', id: null, name: 'root' }
const WHOLE_KEY: TeamActor = { kind: 'key', id: randomUUID(), name: 'server', scopes: null }
const personal = ({ userId, name }: User): TeamActor => ({ kind: 'person', id: userId, name })
const newTeam = async () => {
  const { organization } = await world.newMerchant()
  const owner = await people.newMember('owner', organization)
  return { organization, id: organization.organizationId, owner }
}
const codeOf = (outcome: unknown): string => (isRefusal(outcome) ? outcome.refused : 'done')

let invited = 0
const invite = async (id: string, by: TeamActor, role: Role = 'support', email?: string) => {
  invited += 1
  const request = { email: email ?? `invited-${process.pid}-${invited}@example.com`, role, name: null }
  return createInvitation(people.ctx, id, request, by, null)
}
const invitedTo = async (...args: Parameters<typeof invite>) => {
  const made = await invite(...args)
  assert.ok(!isRefusal(made), JSON.stringify(made))
  return { ...made, token: tokenIn(made) }
}
const tokenIn = ({ url }: InvitationWithLink): string => url.split('/').at(-1) as string
const accept = (token: string, password: string | null = null) =>
  acceptAsNewUser(people.ctx, token, { name: 'Leo Díaz', language: 'es', password }, newOrigin())

describe('a role', () => {
  const ACTORS: readonly (Role | 'key' | 'operator')[] = [...ROLES, 'key', 'operator']

  for (const actor of ACTORS)
    it(`is given, changed, taken away and invited to by ${actor} as far as they could grant it`, async () => {
      const { id, organization } = await newTeam()
      const by =
        actor === 'key'
          ? WHOLE_KEY
          : actor === 'operator'
            ? OPERATOR
            : personal(await people.newMember(actor, organization))
      const granter =
        actor === 'key'
          ? { role: null, scopes: null }
          : {
              role: actor === 'operator' ? ('owner' as const) : actor,
              scopes: actor === 'operator' ? null : ROLE_SCOPES[actor],
            }
      for (const from of ROLES) {
        const mayTake = mayGrant(from, granter)
        for (const to of ROLES) {
          const member = await people.newMember(from, organization)
          const expected = mayTake && mayGrant(to, granter) ? 'done' : 'ROLE_NOT_GRANTABLE'
          const address = { organizationId: id, userId: member.userId }
          assert.equal(codeOf(await changeRole(people.ctx, address, to, by)), expected, `${from} → ${to}`)
          assert.equal((await getMember(world.db, id, member.userId))?.role, expected === 'done' ? to : from)
        }
        const member = await people.newMember(from, organization)
        const { token } = await people.signedIn(member)
        const address = { organizationId: id, userId: member.userId }
        const expected = mayTake ? 'done' : 'ROLE_NOT_GRANTABLE'
        assert.equal(codeOf(await endMemberSessions(people.ctx, address, by)), expected)
        assert.equal((await signedInBy(people.ctx, token)) === undefined, mayTake)
        assert.equal(codeOf(await removeMember(people.ctx, address, by)), expected)
        assert.equal((await getMember(world.db, id, member.userId)) === undefined, mayTake)
        assert.equal(codeOf(await invite(id, by, from)), expected)
        const open = await invitedTo(id, OPERATOR, from)
        const revoked = await revokeOpenInvitation(people.ctx, id, open.invitation.invitationId, by)
        assert.equal(codeOf(revoked), expected)
      }
    })

  it('grants what it is at that moment: one that was taken away grants nothing', async () => {
    const { id, organization } = await newTeam()
    const administrator = await people.newMember('administrator', organization)
    const member = await people.newMember('support', organization)
    const address = { organizationId: id, userId: member.userId }
    await changeRole(people.ctx, { organizationId: id, userId: administrator.userId }, 'support', OPERATOR)
    assert.equal(
      codeOf(await removeMember(people.ctx, address, personal(administrator))),
      'ROLE_NOT_GRANTABLE',
    )
    await removeMember(people.ctx, { organizationId: id, userId: administrator.userId }, OPERATOR)
    assert.equal(codeOf(await invite(id, personal(administrator), 'accountant')), 'ROLE_NOT_GRANTABLE')
  })

  it('is changed at the time that is told', async () => {
    const { id, organization } = await newTeam()
    const { userId } = await people.newMember('support', organization)
    people.pass(1_000)
    const told = await changeRole(people.ctx, { organizationId: id, userId }, 'accountant', OPERATOR)
    assert.deepEqual(told, await getMember(world.db, id, userId))
    assert.ok(!isRefusal(told) && told.updatedAt > told.createdAt)
  })

  it('signs a member out together with whatever was begun elsewhere', async () => {
    const { id, organization } = await newTeam()
    const member = await people.newMember('support', organization)
    const link = await createSignInLink(people.ctx, member.userId, SIGN_IN_LINK_MS)
    await endMemberSessions(people.ctx, { organizationId: id, userId: member.userId }, OPERATOR)
    const token = link.url.split('/').at(-1) as string
    assert.deepEqual(await signInByLink(people.ctx, token, newOrigin()), { problem: 'EXPIRED' })
  })

  it('of another organization grants nothing, and its members are nobody here', async () => {
    const [mine, theirs] = [await newTeam(), await newTeam()]
    const member = await people.newMember('support', theirs.organization)
    const here = { organizationId: mine.id, userId: member.userId }
    const there = { organizationId: theirs.id, userId: member.userId }
    const by = personal(mine.owner)
    for (const act of [
      () => changeRole(people.ctx, here, 'accountant', by),
      () => removeMember(people.ctx, here, by),
      () => endMemberSessions(people.ctx, here, by),
    ])
      assert.equal(codeOf(await act()), 'NOT_FOUND')
    for (const act of [
      () => changeRole(people.ctx, there, 'accountant', by),
      () => removeMember(people.ctx, there, by),
      () => endMemberSessions(people.ctx, there, by),
      () => invite(theirs.id, by),
    ])
      assert.equal(codeOf(await act()), 'ROLE_NOT_GRANTABLE')
    const open = await invitedTo(theirs.id, OPERATOR)
    const { invitationId } = open.invitation
    assert.equal(codeOf(await revokeOpenInvitation(people.ctx, mine.id, invitationId, by)), 'NOT_FOUND')
    assert.ok(await openInvitation(people.ctx, open.token))
  })

  it('of somebody who belongs to two organizations is changed and taken away in the one alone', async () => {
    const [mine, theirs] = [await newTeam(), await newTeam()]
    const member = await people.newMember('support', mine.organization)
    await people.join(member, 'accountant', theirs.organization)
    const { userId } = member
    const here = { organizationId: mine.id, userId }
    const roles = async () => [
      (await getMember(world.db, mine.id, userId))?.role,
      (await getMember(world.db, theirs.id, userId))?.role,
    ]
    assert.equal(codeOf(await changeRole(people.ctx, here, 'developer', personal(mine.owner))), 'done')
    assert.deepEqual(await roles(), ['developer', 'accountant'])
    assert.equal(codeOf(await removeMember(people.ctx, here, personal(mine.owner))), 'done')
    assert.deepEqual(await roles(), [undefined, 'accountant'])
  })

  it('of the last owner stays, whoever asks, and whoever asks at once', async () => {
    const { id, organization, owner } = await newTeam()
    const address = { organizationId: id, userId: owner.userId }
    for (const by of [personal(owner), OPERATOR]) {
      assert.equal(codeOf(await changeRole(people.ctx, address, 'support', by)), 'LAST_OWNER')
      assert.equal(codeOf(await removeMember(people.ctx, address, by)), 'LAST_OWNER')
    }
    for (let round = 0; round < 5; round += 1) {
      const second = await people.newMember('owner', organization)
      const owners = (await listMembers(world.db, id)).filter(({ role }) => role === 'owner')
      assert.equal(owners.length, 2)
      const [one, two] = owners.map(({ userId, name }) => ({ userId, name })) as [User, User]
      const acts = await Promise.all([
        changeRole(people.ctx, { organizationId: id, userId: two.userId }, 'support', personal(one)),
        removeMember(people.ctx, { organizationId: id, userId: one.userId }, personal(two)),
      ])
      assert.equal(acts.filter((act) => !isRefusal(act)).length, 1)
      assert.equal(await countOwners(world.db, id), 1)
      assert.ok(second)
    }
  })

  it('may be laid down by whoever has it: anybody may leave', async () => {
    const { id, organization } = await newTeam()
    for (const role of ROLES) {
      const member = await people.newMember(role, organization)
      const address = { organizationId: id, userId: member.userId }
      assert.equal(codeOf(await endMemberSessions(people.ctx, address, personal(member))), 'done')
      assert.equal(codeOf(await removeMember(people.ctx, address, personal(member))), 'done')
    }
  })

  it('of a key is held to its scopes', async () => {
    const { id } = await newTeam()
    const key = (
      scopes: TeamActor extends infer Actor ? (Actor extends { scopes: infer S } ? S : never) : never,
    ) => ({ kind: 'key', id: randomUUID(), name: 'key', scopes }) as TeamActor
    assert.equal(codeOf(await invite(id, key(['team:write']), 'accountant')), 'ROLE_NOT_GRANTABLE')
    assert.equal(
      codeOf(await invite(id, key([...ROLE_SCOPES.accountant, 'team:write']), 'accountant')),
      'done',
    )
    assert.equal(
      codeOf(await invite(id, key([...ROLE_SCOPES.accountant]), 'accountant')),
      'ROLE_NOT_GRANTABLE',
    )
    const refused = [await invite(id, key(SCOPES), 'owner'), await invite(id, key([]), 'accountant')]
    assert.deepEqual(refused.map(codeOf), ['ROLE_NOT_GRANTABLE', 'ROLE_NOT_GRANTABLE'])
    const [ofOwner, ofAccountant] = refused.map((one) => (isRefusal(one) ? one.detail : ''))
    assert.match(ofOwner ?? '', /role owner: only owners do/)
    assert.match(ofAccountant ?? '', /role accountant: you lack team:write, payins:read/)
  })
})

describe('a removed member', () => {
  it('sees the organization no more, with the session that they have', async () => {
    const { id, organization } = await newTeam()
    const member = await people.newMember('administrator', organization)
    const { token } = await people.signedIn(member)
    assert.equal((await people.again(token)).memberships.length, 1)
    await removeMember(people.ctx, { organizationId: id, userId: member.userId }, OPERATOR)
    assert.deepEqual((await people.again(token)).memberships, [])
  })

  it('leaves no way back: what they invited to is revoked with them, and so is what a lesser role may not grant', async () => {
    const { id, organization } = await newTeam()
    const member = await people.newMember('administrator', organization)
    const back = await invitedTo(id, personal(member), 'administrator')
    const others = await invitedTo(id, OPERATOR, 'administrator')
    await removeMember(people.ctx, { organizationId: id, userId: member.userId }, OPERATOR)
    assert.equal(await openInvitation(people.ctx, back.token), undefined)
    assert.deepEqual(await accept(back.token), { problem: 'EXPIRED' })
    assert.ok(await openInvitation(people.ctx, others.token))

    const owner = await people.newMember('owner', organization)
    const asOwner = await invitedTo(id, personal(owner), 'owner')
    const asSupport = await invitedTo(id, personal(owner), 'support')
    await changeRole(people.ctx, { organizationId: id, userId: owner.userId }, 'administrator', OPERATOR)
    assert.equal(await openInvitation(people.ctx, asOwner.token), undefined)
    assert.ok(await openInvitation(people.ctx, asSupport.token))
    // Nobody in support invites, to support neither.
    await changeRole(people.ctx, { organizationId: id, userId: owner.userId }, 'support', OPERATOR)
    assert.equal(await openInvitation(people.ctx, asSupport.token), undefined)
  })
})

describe('an invitation', () => {
  it('makes somebody new a member once, however many try at once, and works until they can sign in', async () => {
    const { id, owner } = await newTeam()
    const { token, invitation, url, isMailed } = await invitedTo(id, personal(owner), 'preparer')
    assert.equal(isMailed, false)
    assert.ok(url.startsWith(`http://localhost:${world.config.port}/console/invite/`), url)
    assert.equal(invitation.invitedBy, owner.name)
    assert.equal(invitation.expiresAt - invitation.createdAt, INVITATION_LIFETIME_MS)
    for (let looked = 0; looked < 2; looked += 1)
      assert.equal((await openInvitation(people.ctx, token))?.hasAccount, false)
    const tried = await Promise.all(Array.from({ length: 6 }, () => accept(token)))
    const done = tried.filter((one) => 'token' in one)
    assert.ok(done.length >= 1)
    for (const one of tried) if ('problem' in one) assert.deepEqual(one, { problem: 'EXPIRED' })
    const made = (await listMembers(world.db, id)).filter(({ email }) => email === invitation.email)
    assert.equal(made.length, 1)
    for (const one of done as unknown as { token: string }[])
      assert.equal((await people.again(one.token)).user.userId, made[0]?.userId)
    const [first] = done as unknown as [{ token: string; organizationId: string }]
    assert.equal(first.organizationId, id)
    const { user, memberships, session } = await people.again(first.token)
    assert.deepEqual([user.email, user.name, user.language], [invitation.email, 'Leo Díaz', 'es'])
    assert.deepEqual(
      memberships.map(({ role, organization }) => [organization.organizationId, role]),
      [[id, 'preparer']],
    )
    assert.equal(session.method, 'link')
    assert.equal((await openInvitation(people.ctx, token))?.hasAccount, false)
    assert.ok('token' in (await accept(token, PASSWORD)))
    assert.equal(await openInvitation(people.ctx, token), undefined)
    assert.deepEqual(await accept(token), { problem: 'EXPIRED' })
  })

  it('works again only for whom it made: within its 72 hours, while they belong, and while nothing else has happened', async () => {
    const { id } = await newTeam()
    const unfinished = async () => {
      const { token, invitation } = await invitedTo(id, OPERATOR)
      const done = await accept(token)
      assert.ok('token' in done)
      return { token, invitation, ...(await people.again(done.token)) }
    }
    const isOver = async (token: string, why: string) => {
      assert.equal(await openInvitation(people.ctx, token), undefined, why)
      assert.deepEqual(await accept(token, PASSWORD), { problem: 'EXPIRED' }, why)
    }
    const gone = await unfinished()
    await removeMember(people.ctx, { organizationId: id, userId: gone.user.userId }, OPERATOR)
    await isOver(gone.token, 'they were removed')
    const renamed = await unfinished()
    people.pass(1_000)
    await changeSettings(people.ctx, renamed, { name: 'Leo' })
    await isOver(renamed.token, 'they have changed their name')
    const older = await people.newUser()
    const { token, invitation } = await invitedTo(id, OPERATOR, 'support', older.email)
    people.pass(1_000)
    assert.ok('organizationId' in (await acceptAsUser(people.ctx, token, { user: older })))
    await world.db.query({
      text: `update users set updated_at = (select used_at from invitations where invitation_id = $2) where user_id = $1`,
      values: [older.userId, invitation.invitationId],
    })
    await isOver(token, 'they had an account before')
    const late = await unfinished()
    people.pass(INVITATION_LIFETIME_MS)
    await isOver(late.token, 'it is too old')
  })

  it('does not work again for whoever makes a passkey at this moment', async () => {
    const { id } = await newTeam()
    const { token } = await invitedTo(id, OPERATOR)
    const done = await accept(token)
    assert.ok('token' in done)
    const { user } = await people.again(done.token)
    const tried = await world.db.inTransaction(async (tx) => {
      await lockUser(tx, user.userId)
      const again = accept(token)
      await eventually(
        () => waitingForLocks(world.db),
        (count) => count > 0,
      )
      await insertPasskey(tx, {
        credentialId: Buffer.from('one'),
        userId: user.userId,
        publicKey: Buffer.from('key'),
        algorithm: -7,
        signCount: 0,
        name: 'Phone',
        createdAt: people.wallClock(),
        lastUsedAt: null,
      })
      return { again }
    })
    assert.deepEqual(await tried.again, { problem: 'EXPIRED' })
  })

  it('takes a password that follows the rules, and a name that can be shown', async () => {
    const { id } = await newTeam()
    const { token, invitation } = await invitedTo(id, OPERATOR)
    assert.deepEqual(await accept(token, 'short'), { problem: 'PASSWORD', reason: 'TOO_SHORT' })
    assert.deepEqual(await accept(token, invitation.email), { problem: 'PASSWORD', reason: 'IS_EMAIL' })
    const nameless = { name: ' ', language: 'es', password: null } as const
    assert.deepEqual(await acceptAsNewUser(people.ctx, token, nameless, newOrigin()), { problem: 'NAME' })
    const person = { name: ' Leo Díaz ', language: 'en', password: PASSWORD } as const
    const done = await acceptAsNewUser(people.ctx, token, person, newOrigin())
    assert.ok('token' in done)
    const { session, user } = await people.again(done.token)
    assert.deepEqual([session.method, user.name, user.language], ['password', 'Leo Díaz', 'en'])
  })

  it('lasts 72 hours, and not once it is revoked', async () => {
    const { id } = await newTeam()
    const late = await invitedTo(id, OPERATOR)
    people.pass(INVITATION_LIFETIME_MS - 60_000)
    assert.ok(await openInvitation(people.ctx, late.token))
    people.pass(60_000)
    assert.equal(await openInvitation(people.ctx, late.token), undefined)
    assert.deepEqual(await accept(late.token), { problem: 'EXPIRED' })
    const { invitationId, expiresAt } = late.invitation
    assert.equal((await listOpenInvitations(world.db, id, expiresAt - 1)).length, 1)
    assert.deepEqual(await listOpenInvitations(world.db, id, expiresAt), [])
    assert.equal(codeOf(await revokeOpenInvitation(people.ctx, id, invitationId, OPERATOR)), 'NOT_FOUND')
    const revoked = await invitedTo(id, OPERATOR)
    await revokeOpenInvitation(people.ctx, id, revoked.invitation.invitationId, OPERATOR)
    assert.deepEqual(await accept(revoked.token), { problem: 'EXPIRED' })
    assert.equal(
      codeOf(await revokeOpenInvitation(people.ctx, id, revoked.invitation.invitationId, OPERATOR)),
      'NOT_FOUND',
    )
    assert.deepEqual(await listOpenInvitations(world.db, id, people.wallClock()), [])
    for (const nothing of ['', 'x', 'A'.repeat(1_000_000)])
      assert.deepEqual(await accept(nothing), { problem: 'EXPIRED' })
  })

  it('opens nobody’s account: whoever has one signs in, and must be the one it is for', async () => {
    const { id } = await newTeam()
    const [user, other] = [await people.newUser(), await people.newUser()]
    const { token } = await invitedTo(id, OPERATOR, 'support', user.email)
    assert.equal((await openInvitation(people.ctx, token))?.hasAccount, true)
    assert.deepEqual(await accept(token, PASSWORD), { problem: 'SIGN_IN_FIRST' })
    assert.deepEqual(await acceptAsUser(people.ctx, token, { user: other }), { problem: 'OTHER_EMAIL' })
    assert.ok(await openInvitation(people.ctx, token), 'nobody has used it up')
    const tried = await Promise.all(
      Array.from({ length: 4 }, () => acceptAsUser(people.ctx, token, { user })),
    )
    assert.equal(tried.filter((one) => 'organizationId' in one).length, 1)
    assert.equal((await membershipsOf(world.db, user.userId))[0]?.role, 'support')
  })

  it('lets a person belong to several organizations', async () => {
    const user = await people.newUser()
    const teams = [await newTeam(), await newTeam()]
    for (const { id } of teams) {
      const { token } = await invitedTo(id, OPERATOR, 'accountant', user.email)
      assert.ok('organizationId' in (await acceptAsUser(people.ctx, token, { user })))
    }
    assert.equal((await membershipsOf(world.db, user.userId)).length, 2)
  })

  it('is in Spanish where no person has made it, and otherwise in theirs', async () => {
    const { id, organization } = await newTeam()
    const english = await people.newMember('owner', organization)
    await changeSettings(people.ctx, await people.signedIn(english), { language: 'en' })
    for (const [by, language] of [
      [OPERATOR, 'es'],
      [WHOLE_KEY, 'es'],
      [personal(english), 'en'],
    ] as const)
      assert.equal((await invitedTo(id, by)).invitation.language, language)
  })

  it('of a client ends with the client', async () => {
    const { id, organization } = await newTeam()
    const { clientId } = await world.oauthClient(organization)
    const client: TeamActor = { kind: 'client', id: clientId, name: 'test', scopes: null }
    const [theirs, another] = [await invitedTo(id, client), await invitedTo(id, WHOLE_KEY)]
    assert.ok(await openInvitation(people.ctx, theirs.token))
    assert.equal(await revokeClient(people.ctx, clientId), true)
    assert.equal(await openInvitation(people.ctx, theirs.token), undefined)
    assert.ok(await openInvitation(people.ctx, another.token))
  })

  it('is in the log as used, by whom and when', async () => {
    const { id, organization } = await newTeam()
    const user = await people.newUser()
    const { token, invitation } = await invitedTo(id, OPERATOR, 'accountant', user.email)
    assert.ok('organizationId' in (await acceptAsUser(people.ctx, token, { user })))
    const [entry] = (await entriesOf(world, organization)).filter(({ act }) => act === 'invitation.accept')
    assert.equal(entry?.objectId, invitation.invitationId)
    const now = people.ctx.clock.wallClock()
    assert.deepEqual(auditedChangesOf(entry, now), ['usedAt: null → now', 'userId: null → "id"'])
  })

  it('makes one account of two invitations that are accepted at once', async () => {
    const [first, second] = [await newTeam(), await newTeam()]
    const email = `twice-${process.pid}@example.com`
    const tokens = [
      (await invitedTo(first.id, OPERATOR, 'support', email)).token,
      (await invitedTo(second.id, OPERATOR, 'support', email)).token,
    ]
    const tried = await Promise.all(tokens.map((token) => accept(token)))
    assert.equal(tried.filter((one) => 'token' in one).length, 1)
    assert.deepEqual(
      tried.filter((one) => 'problem' in one),
      [{ problem: 'SIGN_IN_FIRST' }],
    )
  })

  it('is not for whoever belongs already; a newer one to the same address replaces it', async () => {
    const { id, organization } = await newTeam()
    const member = await people.newMember('support', organization)
    assert.equal(codeOf(await invite(id, OPERATOR, 'owner', member.email)), 'ALREADY_A_MEMBER')
    const first = await invitedTo(id, OPERATOR, 'support')
    const second = await invitedTo(id, OPERATOR, 'accountant', first.invitation.email)
    assert.equal(await openInvitation(people.ctx, first.token), undefined)
    const open = await listOpenInvitations(world.db, id, people.wallClock())
    assert.deepEqual(
      open.map(({ invitationId }) => invitationId),
      [second.invitation.invitationId],
    )
    const owners = await invitedTo(id, OPERATOR, 'owner')
    const administrator = personal(await people.newMember('administrator', organization))
    assert.equal(
      codeOf(await invite(id, administrator, 'support', owners.invitation.email)),
      'ROLE_NOT_GRANTABLE',
      'an owner’s is replaced by owners only',
    )
    assert.ok(await openInvitation(people.ctx, owners.token))
    const late = await people.newUser()
    const { token } = await invitedTo(id, OPERATOR, 'owner', late.email)
    await people.join(late, 'support', organization)
    assert.deepEqual(await acceptAsUser(people.ctx, token, { user: late }), { problem: 'ALREADY_A_MEMBER' })
    assert.equal((await getMember(world.db, id, late.userId))?.role, 'support')
  })

  const fill = async (organization: Organization, count: number, daysAgo: number) => {
    const at = new Date(people.wallClock() - daysAgo * DAY_MS).toISOString()
    await world.db.query({
      text: `insert into invitations (digest, invitation_id, organization_id, email, role, invited_by, language, created_at, expires_at)
             select sha256(gen_random_uuid()::text::bytea), gen_random_uuid(), $1, 'x' || n || '@example.com', 'support', 'x', 'es', $2,
                    $2::timestamptz + interval '72 hours'
               from generate_series(1, $3) n`,
      values: [organization.organizationId, at, count],
    })
  }

  it('is one of so many: in a team, and in a day', async () => {
    const full = await newTeam()
    await fill(full.organization, MAX_TEAM - 1, 2)
    assert.equal(codeOf(await invite(full.id, OPERATOR)), 'TEAM_TOO_LARGE')
    assert.equal(
      codeOf(await invite(full.id, OPERATOR, 'support', 'x1@example.com')),
      'done',
      'in place of one',
    )
    const busy = await newTeam()
    await fill(busy.organization, MAX_INVITATIONS_A_DAY - 1, 0.9)
    assert.equal(codeOf(await invite(busy.id, OPERATOR)), 'done')
    const refused = await invite(busy.id, OPERATOR)
    assert.ok(isRefusal(refused) && refused.refused === 'TOO_MANY_INVITATIONS')
    assert.equal(refused.retryAfterSeconds, 3_600)
    people.pass(DAY_MS)
    assert.equal(codeOf(await invite(busy.id, OPERATOR)), 'done')
  })

  it('is stored as a digest', async () => {
    const { id } = await newTeam()
    const { token, invitation } = await invitedTo(id, OPERATOR)
    const { rows } = await world.db.query<{ row: string }>({
      text: 'select i::text as row from invitations i where invitation_id = $1',
      values: [invitation.invitationId],
    })
    assert.ok(!rows[0]?.row.includes(token))
    assert.ok(!rows[0]?.row.includes(Buffer.from(token).toString('hex')))
  })
})
