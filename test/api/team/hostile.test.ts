// What somebody tries who has a key that may change the team: to get past its limits, and to stay after it is gone. And that
// nothing about invitations happens without being written down.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Organization } from '../../../src/core/organizations/organization.ts'
import { acceptAsNewUser, openInvitation } from '../../../src/flows/team/accept-invitation.ts'
import { createInvitation } from '../../../src/flows/team/invitations.ts'
import { changeRole, removeMember } from '../../../src/flows/team/members.ts'
import { inTurn } from '../../../src/flows/team/passwords.ts'
import { newOrigin, type People, peopleIn } from '../../flows/team/people.ts'
import { clientOf, createWorld, type World } from '../../world.ts'
import { entriesOf } from '../audit/entries.ts'

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
  return `tried-${count}@example.com`
}
const tokenIn = (url: string): string => url.split('/').at(-1) as string
const revokedIn = async (organization: Organization) =>
  (await entriesOf(world, organization)).filter(({ act }) => act === 'invitation.revoke')

describe('a key with limits of its own', () => {
  const limited = async () => {
    const { client, organization } = await world.newMerchant()
    const made = await client('POST', '/api-keys', { name: 'Limited', payoutSumPerDayInCents: 1_000 })
    assert.equal(made.status, 201, made.text)
    return { organization, client: clientOf(world.baseUrl, { 'x-api-key': made.json.secret }) }
  }

  it('gives nobody a role, which would be without limits', async () => {
    const { client } = await limited()
    const { status, json } = await client('POST', '/team/invitations', {
      email: newEmail(),
      role: 'administrator',
    })
    assert.deepEqual([status, json.code], [403, 'CREDENTIAL_LIMITED'])
  })

  it('changes no role, and may still take one away', async () => {
    const { client, organization } = await limited()
    const member = await people.newMember('accountant', organization)
    const changed = await client('PATCH', `/team/members/${member.userId}`, { role: 'administrator' })
    assert.deepEqual([changed.status, changed.json.code], [403, 'CREDENTIAL_LIMITED'])
    assert.equal((await client('DELETE', `/team/members/${member.userId}`)).status, 200)
  })
})

describe('the invitations of a credential that is revoked', () => {
  it('are revoked with a key', async () => {
    const { client, organization } = await world.newMerchant()
    const key = await client('POST', '/api-keys', { name: 'Leaked' })
    const leaked = clientOf(world.baseUrl, { 'x-api-key': key.json.secret })
    const made = await leaked('POST', '/team/invitations', { email: newEmail(), role: 'administrator' })
    assert.ok(await openInvitation(people.ctx, tokenIn(made.json.url)))
    assert.equal((await client('DELETE', `/api-keys/${key.json.id}`)).status, 200)
    assert.equal(await openInvitation(people.ctx, tokenIn(made.json.url)), undefined)
    assert.deepEqual(
      (await revokedIn(organization)).map(({ objectId }) => objectId),
      [made.json.invitationId],
    )
  })

  it('are revoked with a client', async () => {
    const { client } = await world.newMerchant()
    const made = await client('POST', '/oauth-clients', { name: 'Leaked' })
    const { id, secret } = made.json
    const token = await world.anonymous('POST', '/oauth/token', {
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secret,
    })
    const leaked = clientOf(world.baseUrl, { authorization: `Bearer ${token.json.access_token}` })
    const invited = await leaked('POST', '/team/invitations', { email: newEmail(), role: 'support' })
    assert.equal(invited.status, 201, invited.text)
    assert.equal((await client('DELETE', `/oauth-clients/${id}`)).status, 200)
    assert.equal(await openInvitation(people.ctx, tokenIn(invited.json.url)), undefined)
  })
})

describe('an invitation for somebody who has an account', () => {
  it('hashes no password of whoever has the link, who would keep others from signing in', async () => {
    const { client, organization } = await world.newMerchant()
    await people.newMember('owner', organization)
    const { email } = await people.newUser()
    const { json } = await client('POST', '/team/invitations', { email, role: 'support' })
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    // As many as may wait.
    const others = Array.from({ length: 40 }, () => inTurn(() => held))
    const person = { name: 'Eva', language: 'es', password: 'correct horse battery' } as const
    const answer = await acceptAsNewUser(people.ctx, tokenIn(json.url), person, newOrigin())
    release()
    await Promise.all(others)
    assert.deepEqual(answer, { problem: 'SIGN_IN_FIRST' })
  })
})

describe('an invitation that ends because of something else', () => {
  const invitedBy = async (organization: Organization, id: string, name: string, email = newEmail()) => {
    const request = { email, role: 'administrator', name: null } as const
    const made = await createInvitation(
      people.ctx,
      organization.organizationId,
      request,
      { kind: 'person', id, name },
      null,
    )
    assert.ok('invitation' in made, JSON.stringify(made))
    return made.invitation.invitationId
  }
  const inviter = async () => {
    const { organization } = await world.newMerchant()
    const owner = await people.newMember('owner', organization)
    const { userId, name } = await people.newMember('administrator', organization)
    const address = { organizationId: organization.organizationId, userId }
    const by = { kind: 'person', id: owner.userId, name: owner.name } as const
    return {
      organization,
      address,
      by,
      invite: (email?: string) => invitedBy(organization, userId, name, email),
    }
  }

  it('is written down when a newer one replaces it', async () => {
    const { organization, invite } = await inviter()
    const email = newEmail()
    const first = await invite(email)
    await invite(email)
    const [entry, ...others] = await revokedIn(organization)
    assert.deepEqual([entry?.objectId, others], [first, []])
    assert.match(entry?.changes ?? '', /revokedAt/)
  })

  it('is written down when whoever invited may not any more, or is gone', async () => {
    for (const end of ['role', 'removal'] as const) {
      const { organization, address, by, invite } = await inviter()
      const invitationId = await invite()
      if (end === 'role') await changeRole(people.ctx, address, 'support', by)
      else await removeMember(people.ctx, address, by)
      const entries = await revokedIn(organization)
      assert.deepEqual(
        entries.map(({ objectId }) => objectId),
        [invitationId],
        end,
      )
    }
  })
})
