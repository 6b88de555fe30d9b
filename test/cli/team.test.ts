// recaudo team: people are invited, listed, given roles, signed out and removed.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newMember } from '../api/http/calls.ts'
import { peopleIn } from '../flows/team/people.ts'
import { createWorld, type World } from '../world.ts'
import type { Merchant } from './binary.ts'
import { merchantInProcess } from './in-process.ts'

describe('recaudo team', () => {
  let world: World
  let merchant: Merchant
  before(async () => {
    world = await createWorld()
    merchant = merchantInProcess(world)
  })
  after(async () => {
    merchant[Symbol.dispose]()
    await world[Symbol.asyncDispose]()
  })

  it('invites, shows the link once, and revokes', async () => {
    const made = await merchant.run(['team', 'invite', '--email', 'Leo@Example.com', '--role', 'accountant'])
    assert.equal(made.code, 0, made.stderr)
    const [, id = ''] = /^id +(\S+)$/m.exec(made.stdout) ?? []
    assert.match(made.stdout, /^e-mail +leo@example\.com$/m)
    assert.match(made.stdout, /^link +http:\/\/localhost:\d+\/console\/invite\/[\w-]{43}$/m)
    assert.match(made.stdout, /it is not shown again/)
    const listed = await merchant.run(['team', 'invitations'])
    assert.match(listed.stdout, new RegExp(`^${id} +leo@example\\.com +– +accountant +test +`, 'm'))
    assert.doesNotMatch(listed.stdout, /invite\//)
    assert.equal((await merchant.run(['team', 'revoke', id])).stdout, `Revoked ${id}.\n`)
    assert.equal((await merchant.run(['team', 'invitations'])).stdout, 'none\n')
    const refused = await merchant.run(['team', 'invite', '--email', 'leo@example.com', '--role', 'owner'])
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /ROLE_NOT_GRANTABLE/)
    assert.equal((await merchant.run(['team', 'invite', '--email', 'leo@example.com'])).code, 2)
    assert.equal((await merchant.run(['team', 'invite', '--email', 'a@b.co', '--role', 'king'])).code, 1)
  })

  it('lists, changes a role, signs out and removes', async () => {
    const userId = await newMember(world, world.client)
    const people = peopleIn(world)
    const { token } = await people.signedIn({ userId } as never)
    const listed = await merchant.run(['team', 'list'])
    assert.match(
      listed.stdout,
      new RegExp(`^${userId} +${userId}@example\\.com +Eva Ruiz +support +– +\\S`, 'm'),
    )
    const changed = await merchant.run(['team', 'role', userId, '--role', 'developer'])
    assert.match(changed.stdout, /^Eva Ruiz \(\S+\) is developer now\.$/m)
    assert.match((await merchant.run(['team', 'sessions', userId])).stdout, /link +203\.0\./)
    assert.equal((await merchant.run(['team', 'sign-out', userId])).stdout, 'Ended 1 session.\n')
    assert.equal((await merchant.run(['team', 'sessions', userId])).stdout, 'none\n')
    assert.ok(token)
    assert.equal((await merchant.run(['team', 'remove', userId])).stdout, `Removed ${userId}.\n`)
    assert.deepEqual((await merchant.json('team', 'list')).data, [])
    assert.equal((await merchant.run(['team', 'remove', userId])).code, 1)
  })
})
