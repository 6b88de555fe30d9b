// An invitation that was used by somebody who has no way to sign in yet works again. Whoever made it has its link, too.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isRefusal } from '../../../src/core/refusal.ts'
import type { Role } from '../../../src/core/team/role.ts'
import { acceptAsNewUser, openInvitation } from '../../../src/flows/team/accept-invitation.ts'
import type { TeamActor } from '../../../src/flows/team/granter.ts'
import { createInvitation, revokeOpenInvitation } from '../../../src/flows/team/invitations.ts'
import { changeRole, endMemberSessions, removeMember } from '../../../src/flows/team/members.ts'
import { signedInBy } from '../../../src/flows/team/sessions.ts'
import { createWorld, type World } from '../../world.ts'
import { newOrigin, PASSWORD, type People, peopleIn } from './people.ts'

let world: World
let people: People
before(async () => {
  world = await createWorld()
  people = peopleIn(world)
})
after(() => world[Symbol.asyncDispose]())

let invited = 0
// An administrator invites Leo, who accepts to make a passkey and has none yet.
async function unfinished() {
  const { organization } = await world.newMerchant()
  const { organizationId } = organization
  const [owner, eve] = [
    await people.newMember('owner', organization),
    await people.newMember('administrator', organization),
  ]
  const by = ({ userId: id, name }: typeof owner): TeamActor => ({ kind: 'person', id, name })
  invited += 1
  const request = { email: `leo-${process.pid}-${invited}@example.com`, role: 'support' as Role, name: null }
  const made = await createInvitation(people.ctx, organizationId, request, by(eve), null)
  assert.ok(!isRefusal(made))
  const link = made.url.split('/').at(-1) as string
  const accept = (password: string | null = null) =>
    acceptAsNewUser(people.ctx, link, { name: 'Leo', language: 'es', password }, newOrigin())
  const accepted = await accept()
  assert.ok('token' in accepted)
  const leo = await people.again(accepted.token)
  people.pass(1_000)
  const invitationId = made.invitation.invitationId
  return { organizationId, owner: by(owner), eve, leo, leoToken: accepted.token, link, accept, invitationId }
}

describe('an invitation that was used, and works again', () => {
  it('works no more for an inviter who was removed', async () => {
    const { organizationId, owner, eve, leo, link, accept } = await unfinished()
    const to = { organizationId, userId: leo.user.userId }
    assert.ok(!isRefusal(await changeRole(people.ctx, to, 'owner', owner)))
    assert.ok(!isRefusal(await removeMember(people.ctx, { organizationId, userId: eve.userId }, owner)))
    people.pass(60_000)
    const session = await accept(PASSWORD)
    const role =
      'token' in session
        ? (await signedInBy(people.ctx, session.token))?.memberships.map((one) => one.role)
        : 'nobody'
    assert.deepEqual(role, 'nobody', 'the inviter who was removed is signed in as')
    assert.equal(await openInvitation(people.ctx, link), undefined)
  })

  it('works no more once its person was given another role', async () => {
    const { organizationId, owner, leo, link } = await unfinished()
    for (const role of ['owner', 'support'] as const) {
      await changeRole(people.ctx, { organizationId, userId: leo.user.userId }, role, owner)
      assert.equal(await openInvitation(people.ctx, link), undefined, role)
    }
  })

  it('works no more once its person was signed out everywhere, with whatever they had begun', async () => {
    const { organizationId, owner, leo, leoToken, link } = await unfinished()
    const ended = await endMemberSessions(people.ctx, { organizationId, userId: leo.user.userId }, owner)
    assert.equal(ended, 1)
    assert.equal(await signedInBy(people.ctx, leoToken), undefined)
    assert.equal(await openInvitation(people.ctx, link), undefined)
  })

  it('can be revoked', async () => {
    const { organizationId, owner, invitationId, link } = await unfinished()
    const revoked = await revokeOpenInvitation(people.ctx, organizationId, invitationId, owner)
    assert.ok(!isRefusal(revoked), JSON.stringify(revoked))
    assert.equal(await openInvitation(people.ctx, link), undefined)
  })
})
