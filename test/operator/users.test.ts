// recaudo user: the first owner, links that let in, and what an operator is refused.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorNamed } from '../../src/core/audit/actor.ts'
import type { Context } from '../../src/flows/context.ts'
import { acceptAsNewUser } from '../../src/flows/team/accept-invitation.ts'
import { signInByLink } from '../../src/flows/team/sign-in-links.ts'
import { OperatorFailure, USAGE_EXIT_CODE } from '../../src/operator/failure.ts'
import { operatorName } from '../../src/operator/operator-name.ts'
import { inviteUser, letIn, makeSignInLink, removeUser, showUsers } from '../../src/operator/team/users.ts'
import { newOrigin, type People, peopleIn } from '../flows/team/people.ts'
import { createWorld, type World } from '../world.ts'

describe('recaudo user', () => {
  let world: World
  let people: People
  let ctx: Context
  before(async () => {
    world = await createWorld()
    people = peopleIn(world)
    ctx = { ...world.ctx, actor: operatorNamed('root') }
  })
  after(() => world[Symbol.asyncDispose]())

  const tokenIn = (row: Record<string, unknown>) => String(row.link).split('/').at(-1) as string
  const wrong = (work: Promise<unknown>, message: RegExp, exitCode?: number) =>
    assert.rejects(work, (error: OperatorFailure) => {
      assert.ok(error instanceof OperatorFailure)
      assert.match(error.message, message)
      if (exitCode !== undefined) assert.equal(error.exitCode, exitCode)
      return true
    })

  it('invite makes the first owner of an organization, by a link', async () => {
    const { organization } = await world.newMerchant()
    const flags = { email: 'Dueña@Example.com', role: 'owner', org: organization.organizationId }
    const row = await inviteUser(ctx, flags)
    assert.equal(row.email, 'dueña@example.com')
    assert.equal(row.emailed, false)
    assert.match(String(row.link), /\/console\/invite\/[\w-]{43}$/)
    const person = { name: 'Dueña', language: 'es', password: null } as const
    const accepted = await acceptAsNewUser(world.ctx, tokenIn(row), person, newOrigin())
    assert.ok('token' in accepted)
    const [member, ...others] = await showUsers(ctx, { org: organization.organizationId })
    assert.deepEqual([member?.email, member?.role, others.length], ['dueña@example.com', 'owner', 0])
    const all = await showUsers(ctx, {})
    assert.deepEqual(all.find(({ email }) => email === 'dueña@example.com')?.roles, ['Café La Palma: owner'])
    const { rows } = await world.db.query<{ invited_by: string; inviter_id: string | null }>({
      text: 'select invited_by, inviter_id from invitations where organization_id = $1',
      values: [organization.organizationId],
    })
    assert.deepEqual(rows, [{ invited_by: 'root', inviter_id: null }])
    await wrong(inviteUser(ctx, flags), /belongs to this organization already/)
  })

  it('explains what is wrong', async () => {
    const org = world.organization.organizationId
    await wrong(inviteUser(ctx, { org, role: 'owner' }), /--email must be/, USAGE_EXIT_CODE)
    await wrong(inviteUser(ctx, { org, email: 'x', role: 'owner' }), /--email must be/, USAGE_EXIT_CODE)
    await wrong(inviteUser(ctx, { org, email: 'a@example.com', role: 'king' }), /--role must be one of owner/)
    const nameless = { org, email: 'a@example.com', role: 'owner', name: ' ' }
    await wrong(inviteUser(ctx, nameless), /--name must have/, USAGE_EXIT_CODE)
    await wrong(makeSignInLink(ctx, {}, 'nobody@example.com'), /Nobody signs in as nobody@example\.com/)
    await wrong(letIn(ctx, {}, 'nobody@example.com'), /Nobody signs in/)
    await wrong(removeUser(ctx, { org }, 'nobody@example.com'), /Nobody signs in/)
  })

  it('list says by what each member signs in', async () => {
    const { organization } = await world.newMerchant()
    const [plain, careful] = [await people.withPassword(), await people.withPassword()]
    for (const one of [plain, careful]) await people.join(one, 'support', organization)
    await people.withApp(careful)
    const rows = await showUsers(ctx, { org: organization.organizationId })
    assert.deepEqual(
      rows.map((row) => [row.email, row.password, row.authenticatorApp, row.passkeys]),
      [
        [plain.email, true, false, 0],
        [careful.email, true, true, 0],
      ],
    )
  })

  it('sign-in-link lets somebody in once', async () => {
    const user = await people.newMember('support')
    const row = await makeSignInLink(ctx, {}, user.email.toUpperCase())
    const done = await signInByLink(world.ctx, tokenIn(row), newOrigin())
    assert.ok('token' in done)
    assert.equal((await people.again(done.token)).user.userId, user.userId)
    assert.ok('problem' in (await signInByLink(world.ctx, tokenIn(row), newOrigin())))
  })

  it('remove takes somebody out of one organization, and leaves it an owner', async () => {
    const { organization } = await world.newMerchant()
    const org = organization.organizationId
    const owner = await people.newMember('owner', organization)
    await wrong(removeUser(ctx, { org }, owner.email), /one owner at least/)
    const other = await people.newMember('owner', organization)
    await people.join(other, 'support')
    assert.equal((await removeUser(ctx, { org }, other.email)).removed, true)
    const roles = (await showUsers(ctx, {})).find(({ email }) => email === other.email)?.roles
    assert.deepEqual(roles, ['Café La Palma: support'])
    await wrong(removeUser(ctx, { org }, other.email), /Nobody in this organization/)
  })

  it('reset clears what somebody signs in with, and makes a link', async () => {
    const user = await people.withPassword()
    await people.withPasskey(user)
    const { token } = await people.signedIn(user)
    const row = await letIn(ctx, {}, user.email)
    await assert.rejects(people.again(token))
    assert.ok('token' in (await signInByLink(world.ctx, tokenIn(row), newOrigin())))
  })

  it('knows who the operator is', () => {
    assert.ok(operatorName().length > 0)
  })
})
