// Signing in by a company's own accounts, against an OpenID Connect provider on this machine: who is let in as whom, and every
// answer that is not one to our question.

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { COMPANY_SIGN_IN_MS } from '../../../src/core/team/company-sign-in.ts'
import { STEP_UP_MS } from '../../../src/core/team/user.ts'
import { beginCompanySignIn, finishCompanySignIn } from '../../../src/flows/team/company-sign-in.ts'
import { resetUser } from '../../../src/flows/team/let-in.ts'
import { beginPasskeyRegistration } from '../../../src/flows/team/passkeys.ts'
import { signedInBy } from '../../../src/flows/team/sessions.ts'
import { signInWithPassword } from '../../../src/flows/team/sign-in.ts'
import { openCompanySignIn } from '../../../src/oidc/company-sign-in.ts'
import { findByIdentity, insertExternalIdentity } from '../../../src/store/team/sign-in-ways.ts'
import { personWith } from '../../console/person.ts'
import { createWorld, type World } from '../../world.ts'
import { type Approval, CLIENT, type OidcProvider, startOidcProvider } from './oidc-provider.ts'
import { newOrigin, PASSWORD, type People, peopleIn, SITE } from './people.ts'

describe('signing in by the company', () => {
  let provider: OidcProvider
  let world: World
  let people: People
  before(async () => {
    provider = await startOidcProvider()
    world = await createWorld({
      env: {
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: CLIENT.id,
        OIDC_CLIENT_SECRET: CLIENT.secret,
      },
    })
    people = peopleIn(world)
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    await provider[Symbol.asyncDispose]()
  })
  beforeEach(() => {
    provider.state = 'up'
  })

  const begin = async () => {
    const begun = await beginCompanySignIn(people.ctx)
    assert.ok('url' in begun, JSON.stringify(begun))
    return begun
  }
  const finish = (state: string, parameters: URLSearchParams) =>
    finishCompanySignIn(people.ctx, state, parameters, newOrigin())
  const signIn = async (approval: Approval) => {
    const { url, state } = await begin()
    return finish(state, provider.approve(url, approval))
  }

  it('asks by code, with PKCE, state and nonce, and comes back to the console', async () => {
    const { url, state } = await begin()
    const asked = new URL(url)
    assert.equal(asked.origin + asked.pathname, `${provider.issuer}/authorize`)
    const given = Object.fromEntries(asked.searchParams)
    assert.equal(given.response_type, 'code')
    assert.equal(given.client_id, CLIENT.id)
    assert.equal(given.code_challenge_method, 'S256')
    assert.equal(given.state, state)
    assert.equal(given.redirect_uri, `http://localhost:${world.config.port}/console/sign-in/company`)
    assert.ok(given.nonce && given.code_challenge)
    assert.ok(!url.includes(CLIENT.secret.replaceAll(' ', '+')))
  })

  it('links the account with the verified e-mail address at first, and knows the person from then on', async () => {
    const user = await people.newUser()
    const subject = `sub-${user.userId}`
    const first = await signIn({ subject, email: user.email.toUpperCase() })
    assert.ok('token' in first)
    const found = await people.again(first.token)
    assert.deepEqual([found.user.userId, found.session.method], [user.userId, 'oidc'])
    const moved = await signIn({ subject, email: 'another@example.com' })
    assert.ok('token' in moved)
    assert.equal((await people.again(moved.token)).user.userId, user.userId, 'whatever their address is now')
    assert.ok('token' in (await signIn({ subject })))
  })

  it('knows nobody by the name that another company gives them', async () => {
    const user = await people.newUser()
    const identity = { subject: 'the same', userId: user.userId, at: 0 }
    assert.equal(await insertExternalIdentity(world.db, { ...identity, issuer: 'https://one.example' }), true)
    assert.equal(await findByIdentity(world.db, 'https://one.example', 'the same'), user.userId)
    assert.equal(await findByIdentity(world.db, 'https://other.example', 'the same'), undefined)
  })

  it('shares an account with nobody who made it in the other’s name', async () => {
    const user = await people.withPassword()
    const inviter = await people.signedIn(user)
    const passkey = await people.withPasskey(user)
    const real = await signIn({ subject: `sub-${user.userId}`, email: user.email })
    assert.ok('token' in real)
    assert.equal((await people.again(real.token)).user.userId, user.userId)
    assert.equal(await signedInBy(people.ctx, inviter.token), undefined, 'the other session has ended')
    const typed = { email: user.email, password: PASSWORD }
    assert.deepEqual(await signInWithPassword(people.ctx, typed, newOrigin()), { problem: 'WRONG' })
    assert.deepEqual(await passkey.signIn(), { problem: 'WRONG' })
    // From then on what they make is theirs.
    await people.withPasskey(user)
    assert.ok('token' in (await signIn({ subject: `sub-${user.userId}` })))
    assert.equal((await people.again(real.token)).user.userId, user.userId)
  })

  it('leaves what somebody has who is signed in when they link it', async () => {
    const user = await people.withPassword()
    const { url, state } = await begin()
    const approved = provider.approve(url, { subject: `sub-${user.userId}`, email: user.email })
    const linked = await finishCompanySignIn(people.ctx, state, approved, newOrigin(), user.userId)
    assert.ok('token' in linked)
    const typed = { email: user.email, password: PASSWORD }
    assert.ok('token' in (await signInWithPassword(people.ctx, typed, newOrigin())))
    const begun = await people.signedIn(await people.withPassword())
    const other = await people.withPassword()
    const again = await begin()
    const approval = provider.approve(again.url, { subject: `sub-${other.userId}`, email: other.email })
    const anothers = { cookie: `recaudo_session=${begun.token}; recaudo_company=${again.state}.` }
    const answer = await fetch(`${world.baseUrl}/console/sign-in/company?${approval}`, {
      ...{ redirect: 'manual' as const, headers: anothers },
    })
    assert.equal(answer.status, 303)
    const theirs = { email: other.email, password: PASSWORD }
    assert.deepEqual(await signInWithPassword(people.ctx, theirs, newOrigin()), { problem: 'WRONG' })
  })

  it('is taken away with everything else when an operator lets somebody in again', async () => {
    const user = await people.newUser()
    const subject = `sub-${user.userId}`
    assert.ok('token' in (await signIn({ subject, email: user.email })))
    await resetUser(people.ctx, user)
    assert.deepEqual(await signIn({ subject, email: 'another@example.com' }), { problem: 'UNKNOWN' })
    assert.ok(
      'token' in (await signIn({ subject, email: user.email })),
      'whoever has the address is linked anew',
    )
  })

  it('is shown again by whoever has nothing else, before they make another way in', async () => {
    const user = await people.newUser()
    const approval = { subject: `sub-${user.userId}`, email: user.email }
    const begun = await signIn(approval)
    assert.ok('token' in begun)
    const make = async (token: string) =>
      beginPasskeyRegistration(people.ctx, SITE, await people.again(token))
    assert.ok('challenge' in (await make(begun.token)))
    people.pass(STEP_UP_MS)
    assert.deepEqual(await make(begun.token), { problem: 'STEP_UP' })
    await world.db.query({
      text: `update sessions set proved_at = now() - interval '1 hour' where session_id = $1`,
      values: [begun.session.sessionId],
    })
    const person = personWith(world, user.userId, begun.token, world.organization)
    const to = '/console/account/access'
    const { location } = await person.get(`/console/prove?to=${encodeURIComponent(to)}`)
    assert.equal(location, `/console/sign-in/company/begin?to=${encodeURIComponent(to)}`)
    const again = await signIn(approval)
    assert.ok('token' in again && 'challenge' in (await make(again.token)))
  })

  it('makes no account, and takes no address that is not verified', async () => {
    const user = await people.newUser()
    const unknown = { problem: 'UNKNOWN' }
    assert.deepEqual(await signIn({ subject: 'new', email: 'stranger@example.com' }), unknown)
    assert.deepEqual(await signIn({ subject: 'none' }), unknown)
    for (const emailVerified of [false, 'true', 1, null])
      assert.deepEqual(await signIn({ subject: 'x', email: user.email, emailVerified }), unknown)
    assert.deepEqual(await signIn({ subject: 'x', email: `${user.email}\u200b` }), unknown)
    const { rows } = await world.db.query({
      text: 'select from external_identities where user_id = $1',
      values: [user.userId],
    })
    assert.equal(rows.length, 0)
  })

  it('is finished once, in time, and by the browser that began', async () => {
    const user = await people.newUser()
    const approval = { subject: user.userId, email: user.email }
    const expired = { problem: 'EXPIRED' }
    const { url, state } = await begin()
    const back = provider.approve(url, approval)
    const stranger = await begin()
    assert.deepEqual(await finish(stranger.state, back), expired, 'another browser')
    assert.deepEqual(await finish('', back), expired)
    const tried = await Promise.all([finish(state, back), finish(state, back), finish(state, back)])
    assert.equal(tried.filter((one) => 'token' in one).length, 1)
    assert.deepEqual(await finish(state, back), expired)
    const late = await begin()
    people.pass(COMPANY_SIGN_IN_MS)
    assert.deepEqual(await finish(late.state, provider.approve(late.url, approval)), expired)
  })

  const WRONG: Readonly<Record<string, Partial<Approval>>> = {
    'signed by somebody else': { forged: true },
    'for another client': { claims: { aud: 'other' } },
    'of another issuer': { claims: { iss: 'https://evil.example' } },
    'that has expired': { claims: { exp: Math.floor(Date.now() / 1_000) - 3_600 } },
    'with another nonce': { claims: { nonce: 'other' } },
    'without a nonce': { claims: { nonce: undefined } },
    'about nobody': { claims: { sub: '' } },
    'with a name without end': { claims: { sub: 'x'.repeat(256) } },
  }
  for (const [what, changes] of Object.entries(WRONG))
    it(`refuses an identity ${what}`, async () => {
      const user = await people.newUser()
      const done = await signIn({ subject: user.userId, email: user.email, ...changes })
      assert.deepEqual(done, { problem: 'WRONG' })
    })

  it('refuses a code that is none, an error, and nonsense', async () => {
    for (const extra of [{ code: 'made-up' }, { error: 'access_denied' }, { code: 'x'.repeat(10_000) }]) {
      const { state } = await begin()
      const parameters = new URLSearchParams({ state, ...extra } as Record<string, string>)
      assert.deepEqual(await finish(state, parameters), { problem: 'WRONG' })
    }
  })

  it('says that the company cannot be asked, and asks again later', async () => {
    const user = await people.newUser()
    const { url, state } = await begin()
    const back = provider.approve(url, { subject: user.userId, email: user.email })
    provider.state = 'silent'
    assert.deepEqual(await finish(state, back), { problem: 'UNAVAILABLE' })
    const settings = { issuer: provider.issuer, clientId: CLIENT.id, clientSecret: CLIENT.secret }
    let now = 0
    const fresh = openCompanySignIn(settings, () => now)
    const question = { redirectUri: 'http://localhost/', state: 's', nonce: 'n', verifier: 'v'.repeat(43) }
    provider.state = 'down'
    assert.equal(await fresh.begin(question), 'unavailable')
    provider.state = 'up'
    provider.discoveries = 0
    assert.notEqual(await fresh.begin(question), 'unavailable', 'a failure is not remembered')
    await fresh.begin(question)
    assert.equal(provider.discoveries, 1)
    now += 3_600_000
    await fresh.begin(question)
    assert.equal(provider.discoveries, 2, 'addresses are read anew after an hour')
  })

  it('keeps what it remembers sealed', async () => {
    const { state } = await begin()
    const { rows } = await world.db.query<{ note: string }>({
      text: `select note from sign_in_tokens where purpose = 'oidc'`,
    })
    assert.ok(rows.length > 0)
    for (const { note } of rows) assert.ok(!note.includes(state) && !note.startsWith('['))
  })
})

describe('an installation without company accounts', () => {
  it('says so', async () => {
    await using world = await createWorld()
    const { ctx } = peopleIn(world)
    assert.deepEqual(await beginCompanySignIn(ctx), { problem: 'NOT_SET_UP' })
    const finished = await finishCompanySignIn(ctx, 'x', new URLSearchParams({ state: 'x' }), newOrigin())
    assert.deepEqual(finished, { problem: 'NOT_SET_UP' })
  })
})
