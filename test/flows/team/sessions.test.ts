// Sessions and the account: how long a session lasts, who ends it, what changing a password ends, links that work once, and what
// is left of somebody who was removed.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { DAY_MS, HOUR_MS } from '../../../src/core/instant.ts'
import { isRefusal } from '../../../src/core/refusal.ts'
import { DEMO_LINK_MS, SIGN_IN_LINK_MS } from '../../../src/core/team/sign-in.ts'
import { SESSION_IDLE_MS, SESSION_LIFETIME_MS, STEP_UP_MS } from '../../../src/core/team/user.ts'
import { acceptAsNewUser } from '../../../src/flows/team/accept-invitation.ts'
import {
  beginTotp,
  changePassword,
  changeSettings,
  disableTotp,
  finishTotp,
  renewRecoveryCodes,
} from '../../../src/flows/team/account.ts'
import { createInvitation } from '../../../src/flows/team/invitations.ts'
import { ensureOwner, resetUser, userNamed } from '../../../src/flows/team/let-in.ts'
import { ownPasskeys } from '../../../src/flows/team/passkeys.ts'
import {
  endOtherSessions,
  endOwnSession,
  ownSessions,
  signedInBy,
  startSession,
} from '../../../src/flows/team/sessions.ts'
import { finishSignIn, signInWithPassword } from '../../../src/flows/team/sign-in.ts'
import { createSignInLink, ownerOfLink, signInByLink } from '../../../src/flows/team/sign-in-links.ts'
import { deleteMembership, updateRole } from '../../../src/store/team/members.ts'
import { markSeen, proveSession } from '../../../src/store/team/sessions.ts'
import { membershipsOf } from '../../../src/store/team/users.ts'
import { createWorld, type World } from '../../world.ts'
import { newOrigin, PASSWORD, type People, peopleIn } from './people.ts'

let world: World
let people: People
before(async () => {
  world = await createWorld()
  people = peopleIn(world)
})
after(() => world[Symbol.asyncDispose]())

const isIn = async (token: string) => (await signedInBy(people.ctx, token)) !== undefined

describe('a session', () => {
  it('ends twelve hours after it was last used, and seven days after its beginning', async () => {
    assert.equal(SESSION_IDLE_MS, 12 * HOUR_MS)
    assert.equal(SESSION_LIFETIME_MS, 7 * DAY_MS)
    const { token } = await people.signedIn(await people.newUser())
    const idle = await people.signedIn(await people.newUser())
    for (let passed = 0; passed < SESSION_LIFETIME_MS - 11 * HOUR_MS; passed += 11 * HOUR_MS) {
      people.pass(11 * HOUR_MS)
      assert.ok(await isIn(token), `${passed / HOUR_MS} h`)
      if (passed > 0) assert.equal(await isIn(idle.token), false)
    }
    const { user } = await people.again(token)
    assert.equal((await ownSessions(people.ctx, { user })).length, 1)
    people.pass(11 * HOUR_MS)
    assert.equal(await isIn(token), false)
    assert.deepEqual(await ownSessions(people.ctx, { user }), [], 'used lately, and over all the same')
  })

  it('is seen to the minute, and never seen or proved earlier than it was', async () => {
    const { token, session } = await people.signedIn(await people.newUser())
    people.pass(61_000)
    await people.again(token)
    const { seenAt } = (await people.again(token)).session
    assert.ok(seenAt >= session.seenAt + 61_000)
    // Requests overlap, and the slower one began before.
    await markSeen(world.db, session.sessionId, session.seenAt)
    await proveSession(world.db, session.sessionId, session.provedAt - HOUR_MS)
    const then = (await people.again(token)).session
    assert.deepEqual([then.seenAt, then.provedAt], [seenAt, session.provedAt])
  })

  it('does not end because staging’s clock was moved', async () => {
    const { token } = await people.signedIn(await people.newUser())
    world.advance(100 * DAY_MS)
    assert.ok(await isIn(token))
  })

  it('has the roles of its person as they are now', async () => {
    const other = await world.newMerchant()
    const user = await people.newMember('administrator')
    await people.join(user, 'support', other.organization)
    const { token } = await people.signedIn(user)
    const roles = async () =>
      Object.fromEntries(
        (await people.again(token)).memberships.map(({ organization, role }) => [
          organization.organizationId,
          role,
        ]),
      )
    const [here, there] = [world.organization.organizationId, other.organization.organizationId]
    assert.deepEqual(await roles(), { [here]: 'administrator', [there]: 'support' })
    await updateRole(world.db, here, user.userId, 'accountant', people.wallClock())
    assert.deepEqual(await roles(), { [here]: 'accountant', [there]: 'support' })
    await deleteMembership(world.db, here, user.userId)
    assert.deepEqual(await roles(), { [there]: 'support' })
  })

  it('is listed and ended by its person alone', async () => {
    const [user, other] = [await people.newUser(), await people.newUser()]
    const [first, second] = [await people.signedIn(user), await people.signedIn(user)]
    const stranger = await people.signedIn(other)
    const listed = await ownSessions(people.ctx, first)
    assert.deepEqual(
      listed.map(({ sessionId }) => sessionId),
      [second.session.sessionId, first.session.sessionId],
    )
    assert.ok(listed.every((one) => one.address !== null && !('digest' in one)))
    assert.equal(await endOwnSession(people.ctx, stranger, first.session.sessionId), false)
    for (const id of [randomUUID(), '', 'x', `${'a'.repeat(1_000)}`])
      assert.equal(await endOwnSession(people.ctx, first, id), false)
    assert.equal(await endOwnSession(people.ctx, second, first.session.sessionId), true)
    assert.equal(await isIn(first.token), false)
    assert.equal(await endOwnSession(people.ctx, second, first.session.sessionId), false)
    assert.equal((await ownSessions(people.ctx, second)).length, 1)
    assert.equal(await isIn(stranger.token), true)
    await Promise.all([people.signedIn(user), people.signedIn(user)])
    assert.equal(await endOtherSessions(people.ctx, second), 2)
    assert.equal(await isIn(second.token), true)
    people.pass(SESSION_IDLE_MS)
    assert.deepEqual(await ownSessions(people.ctx, second), [])
  })

  it('that is over already is not ended again, nor counted', async () => {
    const user = await people.newUser()
    const [first, second] = [await people.signedIn(user), await people.signedIn(user)]
    await world.db.query({
      text: `update sessions set expires_at = created_at where session_id = $1`,
      values: [first.session.sessionId],
    })
    assert.equal(await endOtherSessions(people.ctx, second), 0)
  })

  it('keeps no more of a browser’s name than a line', async () => {
    const user = await people.newUser()
    const origin = { address: null, browser: 'x'.repeat(100_000) }
    const { session } = await startSession(people.ctx, user.userId, 'link', origin)
    assert.equal(session.browser?.length, 300)
  })
})

describe('a password', () => {
  const change = (who: Parameters<typeof changePassword>[1], current: string, next: string) =>
    changePassword(people.ctx, who, { current, next }, newOrigin())

  it('is changed by whoever knows it, and ends every other session and what was begun', async () => {
    const user = await people.withPassword()
    const { codeAt } = await people.withApp(user)
    const [here, elsewhere] = [await people.signedIn(user), await people.signedIn(user)]
    const begun = await signInWithPassword(people.ctx, { email: user.email, password: PASSWORD }, newOrigin())
    const link = await createSignInLink(people.ctx, user.userId, SIGN_IN_LINK_MS)
    people.pass(STEP_UP_MS)
    assert.deepEqual(await change(here, 'guess', 'another horse battery'), { problem: 'WRONG' })
    assert.equal(await change(here, PASSWORD, 'another horse battery'), 'changed')
    assert.equal(await isIn(here.token), true)
    assert.equal(await isIn(elsewhere.token), false)
    const { secondStep } = begun as { secondStep: string }
    const finished = await finishSignIn(people.ctx, { secondStep, code: codeAt() }, newOrigin())
    assert.deepEqual(finished, { problem: 'EXPIRED' })
    assert.deepEqual(await signInByLink(people.ctx, tokenIn(link.url), newOrigin()), { problem: 'EXPIRED' })
    const old = { email: user.email, password: PASSWORD }
    assert.deepEqual(await signInWithPassword(people.ctx, old, newOrigin()), { problem: 'WRONG' })
  })

  it('is set by whoever has none, if they have shown lately that it is them', async () => {
    const user = await people.newUser()
    const session = await people.signedIn(user)
    await people.withPasskey(user)
    people.pass(STEP_UP_MS)
    assert.deepEqual(await change(session, '', PASSWORD), { problem: 'STEP_UP' })
    assert.equal(await change(await people.signedIn(user), '', PASSWORD), 'changed')
  })

  it('is changed by whoever knows it, however long ago they signed in; whoever has none shows who they are', async () => {
    const [user, without] = [await people.withPassword(), await people.newUser()]
    await people.withApp(user)
    await people.withPasskey(without)
    const [session, old] = [await people.signedIn(user), await people.signedIn(without)]
    people.pass(STEP_UP_MS)
    assert.equal(await change(session, PASSWORD, 'another horse battery'), 'changed')
    assert.deepEqual(await change(old, '', 'another horse battery'), { problem: 'STEP_UP' })
    const { problem } = (await change(session, PASSWORD, 'a third horse battery')) as { problem: string }
    assert.equal(problem, 'WRONG')
  })

  it('follows the rules', async () => {
    const session = await people.signedIn(await people.newUser())
    assert.deepEqual(await change(session, '', 'short'), { problem: 'PASSWORD', reason: 'TOO_SHORT' })
    assert.deepEqual(await change(session, '', session.user.email), {
      problem: 'PASSWORD',
      reason: 'IS_EMAIL',
    })
  })

  it('is changed once of two at once', async () => {
    const user = await people.withPassword()
    const session = await people.signedIn(user)
    const both = await Promise.all([
      change(session, PASSWORD, 'first horse battery'),
      change(session, PASSWORD, 'second horse battery'),
    ])
    assert.equal(both.filter((one) => one === 'changed').length, 1)
  })
})

describe('an authenticator app', () => {
  it('counts once it has shown a code; until then a new secret takes its place', async () => {
    const user = await people.withPassword()
    const session = await people.signedIn(user)
    assert.deepEqual(await finishTotp(people.ctx, session, '123456'), { problem: 'NOT_BEGUN' })
    const first = await beginTotp(people.ctx, session)
    const second = await beginTotp(people.ctx, session)
    assert.ok('typed' in first && 'typed' in second)
    assert.notEqual(first.typed, second.typed)
    assert.deepEqual(await finishTotp(people.ctx, session, '000000'), { problem: 'WRONG' })
    const tried = await signInWithPassword(people.ctx, { email: user.email, password: PASSWORD }, newOrigin())
    assert.ok('token' in tried, 'it does not count yet')
    await people.withApp(user)
    assert.deepEqual(
      await beginTotp(people.ctx, session),
      { problem: 'ENABLED' },
      'nobody replaces one that counts',
    )
    assert.deepEqual(await finishTotp(people.ctx, session, '000000'), { problem: 'ENABLED' })
  })

  it('is disabled with its recovery codes, which are renewed only while it is enabled', async () => {
    const user = await people.withPassword()
    const session = await people.signedIn(user)
    assert.deepEqual(await renewRecoveryCodes(people.ctx, session), { problem: 'NOT_ENABLED' })
    const { recoveryCodes } = await people.withApp(user)
    const renewed = await renewRecoveryCodes(people.ctx, session)
    assert.ok('recoveryCodes' in renewed && renewed.recoveryCodes.length === 10)
    const tryCode = async (code: string) => {
      const begun = await signInWithPassword(
        people.ctx,
        { email: user.email, password: PASSWORD },
        newOrigin(),
      )
      const { secondStep } = begun as { secondStep: string }
      return 'token' in (await finishSignIn(people.ctx, { secondStep, code }, newOrigin()))
    }
    assert.equal(await tryCode(recoveryCodes[0] as string), false)
    assert.equal(await tryCode(renewed.recoveryCodes[0] as string), true)
    assert.equal(await disableTotp(people.ctx, session), 'disabled')
    assert.deepEqual(await disableTotp(people.ctx, session), { problem: 'NOT_ENABLED' })
    const then = await signInWithPassword(people.ctx, { email: user.email, password: PASSWORD }, newOrigin())
    assert.ok('token' in then)
    await people.withApp(user)
  })
})

describe('settings', () => {
  it('of whoever is new have single keys: of the invited and of the owner whom an operator makes', async () => {
    const { organizationId } = world.organization
    const email = `new-${process.pid}@example.com`
    const request = { email, role: 'support', name: null } as const
    const operator = { kind: 'operator', id: null, name: 'root' } as const
    const invited = await createInvitation(people.ctx, organizationId, request, operator, null)
    assert.ok(!isRefusal(invited))
    const token = invited.url.split('/').at(-1) as string
    const person = { name: 'Leo', language: 'es', password: null } as const
    const accepted = await acceptAsNewUser(people.ctx, token, person, newOrigin())
    assert.ok('token' in accepted)
    assert.equal((await people.again(accepted.token)).user.singleKeys, true)
    const owner = { email: `owner-${process.pid}@example.com`, name: 'Eva' }
    assert.equal((await ensureOwner(people.ctx, organizationId, owner)).singleKeys, true)
  })

  it('are the person’s own: name, language, single keys; the e-mail address stays', async () => {
    const session = await people.signedIn(await people.newUser())
    const changed = await changeSettings(people.ctx, session, {
      name: 'Ana María',
      language: 'en',
      singleKeys: false,
    })
    assert.ok(!('problem' in changed))
    const { user } = await people.again(session.token)
    assert.deepEqual([user.name, user.language, user.singleKeys], ['Ana María', 'en', false])
    assert.equal(user.email, session.user.email)
    for (const name of ['', '  ', 'x'.repeat(121), 'a\u202eb', 'a\nb'])
      assert.deepEqual(await changeSettings(people.ctx, session, { name }), { problem: 'NAME' })
    await changeSettings(people.ctx, session, { language: 'es' })
    assert.equal((await people.again(session.token)).user.name, 'Ana María')
  })
})

describe('a link that signs in', () => {
  it('works once, for as long as it was made for, and may be looked at', async () => {
    const user = await people.newUser()
    const { url, expiresAt } = await createSignInLink(people.ctx, user.userId, DEMO_LINK_MS)
    assert.ok(url.startsWith(`http://localhost:${world.config.port}/console/sign-in/`), url)
    assert.ok(Math.abs(expiresAt - people.wallClock() - DAY_MS) < 60_000)
    const token = tokenIn(url)
    for (let looked = 0; looked < 2; looked += 1)
      assert.equal((await ownerOfLink(people.ctx, token))?.userId, user.userId)
    const tried = await Promise.all(
      Array.from({ length: 8 }, () => signInByLink(people.ctx, token, newOrigin())),
    )
    const done = tried.filter((one) => 'token' in one)
    assert.equal(done.length, 1)
    assert.equal((await people.again((done[0] as { token: string }).token)).session.method, 'link')
    assert.equal(await ownerOfLink(people.ctx, token), undefined)
    const late = await createSignInLink(people.ctx, user.userId, SIGN_IN_LINK_MS)
    people.pass(SIGN_IN_LINK_MS)
    assert.equal(await ownerOfLink(people.ctx, tokenIn(late.url)), undefined)
    assert.deepEqual(await signInByLink(people.ctx, tokenIn(late.url), newOrigin()), { problem: 'EXPIRED' })
    for (const nothing of ['', 'x', 'A'.repeat(1_000_000)])
      assert.deepEqual(await signInByLink(people.ctx, nothing, newOrigin()), { problem: 'EXPIRED' })
  })
})

describe('an operator', () => {
  it('makes an owner once, however often', async () => {
    const { organization } = await world.newMerchant()
    const person = { email: `demo-${process.pid}@example.com`, name: 'Demo' }
    const first = await ensureOwner(people.ctx, organization.organizationId, person)
    const again = await ensureOwner(people.ctx, organization.organizationId, person)
    assert.equal(first.userId, again.userId)
    const [membership, ...others] = await membershipsOf(world.db, first.userId)
    assert.equal(membership?.role, 'owner')
    assert.equal(others.length, 0)
    assert.equal((await userNamed(people.ctx, ` ${person.email.toUpperCase()}`))?.userId, first.userId)
    assert.equal(await userNamed(people.ctx, 'nonsense'), undefined)
  })

  it('lets in somebody who is locked out: nothing that they had works any more, and a link does once', async () => {
    const user = await people.withPassword()
    await people.withApp(user)
    const passkey = await people.withPasskey(user)
    const { token } = await people.signedIn(user)
    const bystander = await people.signedIn(await people.newUser())
    const wrong = { email: user.email, password: 'guess' }
    for (let tried = 0; tried < 11; tried += 1) await signInWithPassword(people.ctx, wrong, newOrigin())
    const { url } = await resetUser(people.ctx, user)
    assert.equal(await isIn(token), false)
    assert.equal(await isIn(bystander.token), true)
    assert.deepEqual(await ownPasskeys(people.ctx, { user }), [])
    assert.deepEqual(await passkey.signIn(), { problem: 'WRONG' })
    const old = { email: user.email, password: PASSWORD }
    assert.deepEqual(await signInWithPassword(people.ctx, old, newOrigin()), { problem: 'WRONG' })
    const done = await signInByLink(people.ctx, tokenIn(url), newOrigin())
    assert.ok('token' in done)
    const session = await people.again(done.token)
    const origin = newOrigin()
    const set = await changePassword(people.ctx, session, { current: '', next: PASSWORD }, origin)
    assert.equal(set, 'changed')
    assert.ok('token' in (await signInWithPassword(people.ctx, old, newOrigin())))
  })
})

function tokenIn(url: string): string {
  return url.split('/').at(-1) as string
}
