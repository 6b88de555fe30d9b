// Passkeys from the question to the session: whose challenge it is, that it works once, and that nobody loses their last way in.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { LOCK_AFTER } from '../../../src/core/team/lock.ts'
import { CHALLENGE_LIFETIME_MS, MAX_PASSKEYS, userHandleOf } from '../../../src/core/team/passkey.ts'
import { STEP_UP_MS } from '../../../src/core/team/user.ts'
import { changePassword, disableTotp } from '../../../src/flows/team/account.ts'
import { newChallenge, takeChallenge } from '../../../src/flows/team/challenges.ts'
import {
  beginPasskeyRegistration,
  beginPasskeySignIn,
  deleteOwnPasskey,
  finishPasskeyRegistration,
  finishPasskeySignIn,
  ownPasskeys,
  renameOwnPasskey,
} from '../../../src/flows/team/passkeys.ts'
import { type SignedIn, signedInBy } from '../../../src/flows/team/sessions.ts'
import { signInWithPassword } from '../../../src/flows/team/sign-in.ts'
import { beginStepUp, mustProve, stepUpByPasskey, stepUpByTyping } from '../../../src/flows/team/step-up.ts'
import { insertPasskey } from '../../../src/store/team/passkeys.ts'
import { KINDS, makePasskey, PRESENT, registrationOf } from '../../core/team/authenticator.ts'
import { createWorld, type World } from '../../world.ts'
import { newOrigin, PASSWORD, type People, peopleIn, SITE } from './people.ts'

const WRONG = { problem: 'WRONG' }
const EXPIRED = { problem: 'EXPIRED' }

describe('a passkey', () => {
  let world: World
  let people: People
  before(async () => {
    world = await createWorld()
    people = peopleIn(world)
  })
  after(() => world[Symbol.asyncDispose]())

  const begin = async () => (await beginPasskeySignIn(people.ctx, SITE)).challenge
  const finish = (json: unknown) => finishPasskeySignIn(people.ctx, SITE, json, newOrigin())
  const register = async (session: SignedIn) => {
    const options = await beginPasskeyRegistration(people.ctx, SITE, session)
    assert.ok('challenge' in options, JSON.stringify(options))
    return options
  }

  for (const kind of KINDS)
    it(`of ${kind} is made, signs in without a name, and is listed`, async () => {
      const user = await people.newUser()
      const { signIn, id } = await people.withPasskey(user, kind)
      const done = await signIn()
      assert.ok('token' in done)
      const found = await signedInBy(people.ctx, done.token)
      assert.equal(found?.user.userId, user.userId)
      assert.equal(found?.session.method, 'passkey')
      const [listed, ...others] = await ownPasskeys(people.ctx, { user })
      assert.equal(others.length, 0)
      assert.equal(listed?.credentialId.toString('base64url'), id)
      assert.equal(listed?.name, 'Phone')
      assert.ok(listed?.lastUsedAt)
    })

  it('is asked for by what a browser reads', async () => {
    const user = await people.newUser()
    const known = await people.withPasskey(user)
    const options = await register(await people.signedIn(user))
    assert.deepEqual(options.rp, { id: SITE.rpId, name: 'Recaudo' })
    assert.deepEqual(options.user, {
      id: userHandleOf(user.userId).toString('base64url'),
      name: user.email,
      displayName: user.name,
    })
    assert.deepEqual(
      options.pubKeyCredParams.map(({ alg }) => alg),
      [-8, -7, -257],
    )
    assert.deepEqual(options.excludeCredentials, [{ type: 'public-key', id: known.id }])
    assert.deepEqual(options.authenticatorSelection, {
      residentKey: 'required',
      userVerification: 'required',
    })
    const question = await beginPasskeySignIn(people.ctx, SITE)
    assert.equal(question.rpId, SITE.rpId)
    assert.equal(question.userVerification, 'required')
    assert.equal(Buffer.from(question.challenge, 'base64url').length, 32)
    assert.ok(!('allowCredentials' in question), 'nobody learns who has passkeys')
  })

  it('answers a challenge once: not again, not too late, and not one that is not ours', async () => {
    const { answer } = await people.withPasskey(await people.newUser())
    const challenge = await begin()
    assert.ok('token' in (await finish(answer(challenge))))
    assert.deepEqual(await finish(answer(challenge)), EXPIRED)
    const late = await begin()
    people.pass(CHALLENGE_LIFETIME_MS)
    assert.deepEqual(await finish(answer(late)), EXPIRED)
    assert.deepEqual(await finish(answer(randomBytes(32).toString('base64url'))), EXPIRED)
    const atOnce = await begin()
    const tried = await Promise.all(Array.from({ length: 8 }, () => finish(answer(atOnce))))
    assert.equal(tried.filter((one) => 'token' in one).length, 1)
  })

  it('answers no challenge that somebody else was asked, whatever else is the same', async () => {
    const [asked, other] = [await people.newUser(), await people.newUser()]
    const taken = async (userId: string) => {
      const { challenge } = await newChallenge(people.ctx, SITE, 'step-up', asked.userId, 'same')
      const said = JSON.stringify({ type: 'webauthn.get', challenge, origin: SITE.origin })
      return takeChallenge(people.ctx, SITE, Buffer.from(said), 'step-up', userId, 'same')
    }
    assert.equal(await taken(other.userId), undefined)
    assert.notEqual(await taken(asked.userId), undefined)
  })

  it('uses up a challenge by a wrong answer, too', async () => {
    const { answer } = await people.withPasskey(await people.newUser())
    const challenge = await begin()
    assert.deepEqual(await finish(answer(challenge, { flags: PRESENT })), WRONG)
    assert.deepEqual(await finish(answer(challenge)), EXPIRED)
  })

  it('is refused alike whether it is unknown, another site’s, unverified, or claims to be another person’s', async () => {
    const user = await people.newUser()
    const { signIn, made } = await people.withPasskey(user)
    const stranger = await people.newUser()
    assert.deepEqual(await signIn({ origin: 'https://evil.example' }), WRONG)
    assert.deepEqual(await signIn({ rpId: 'evil.example' }), WRONG)
    assert.deepEqual(await signIn({ flags: PRESENT }), WRONG)
    assert.deepEqual(await signIn({ userHandle: userHandleOf(stranger.userId) }), WRONG)
    assert.ok('token' in (await signIn({ userHandle: null })), 'an authenticator need not say whose it is')
    const { answer } = await people.withPasskey(stranger)
    const unknown = { ...answer(await begin()), rawId: randomBytes(32).toString('base64url') }
    assert.deepEqual(await finish(unknown), WRONG)
    const swapped = { ...answer(await begin()), rawId: made.credentialId.toString('base64url') }
    assert.deepEqual(await finish(swapped), WRONG)
    for (const nonsense of [null, {}, 'x', { rawId: 'A' }]) assert.deepEqual(await finish(nonsense), WRONG)
  })

  it('that counts is refused once it counts back, in parallel too', async () => {
    const user = await people.newUser()
    const { signIn, answer } = await people.withPasskey(user, 'ES256', { signCount: 1 })
    assert.ok('token' in (await signIn({ signCount: 2 })))
    assert.deepEqual(await signIn({ signCount: 2 }), WRONG)
    assert.deepEqual(await signIn({ signCount: 0 }), WRONG)
    const challenges = await Promise.all([begin(), begin(), begin()])
    const tried = await Promise.all(challenges.map((one) => finish(answer(one, { signCount: 3 }))))
    assert.equal(tried.filter((one) => 'token' in one).length, 1, 'a copy has the same count')
  })

  it('signs in while its owner’s account is locked', async () => {
    const user = await people.withPassword()
    const { signIn } = await people.withPasskey(user)
    const guess = () => signInWithPassword(people.ctx, { email: user.email, password: 'x' }, newOrigin())
    for (let tried = 0; tried <= LOCK_AFTER; tried += 1) await guess()
    assert.equal(((await guess()) as { problem: string }).problem, 'LOCKED')
    assert.ok('token' in (await signIn()))
  })

  it('is made only by the person and in the session that asked, and is nobody else’s already', async () => {
    const [user, other] = [await people.newUser(), await people.newUser()]
    const session = await people.signedIn(user)
    const challenge = async () => (await register(session)).challenge
    const made = makePasskey()
    const json = async () => registrationOf(made, { ...SITE, challenge: await challenge() })
    const store = (who: SignedIn, answer: unknown) =>
      finishPasskeyRegistration(people.ctx, SITE, who, answer, 'Phone')
    assert.deepEqual(await store(await people.signedIn(other), await json()), EXPIRED)
    assert.deepEqual(await store(await people.signedIn(user), await json()), EXPIRED, 'another session')
    const answer = await json()
    assert.ok('credentialId' in (await store(session, answer)))
    assert.deepEqual(await store(session, answer), EXPIRED)
    assert.deepEqual(await store(session, await json()), { problem: 'KNOWN' })
    const otherSession = await people.signedIn(other)
    const options = await register(otherSession)
    const stolen = registrationOf(made, { ...SITE, challenge: options.challenge })
    assert.deepEqual(await store(otherSession, stolen), { problem: 'KNOWN' }, 'it stays whose it is')
    const signInChallenge = registrationOf(makePasskey(), { ...SITE, challenge: await begin() })
    assert.deepEqual(await store(session, signInChallenge), EXPIRED, 'a challenge for something else')
    const unverified = registrationOf(makePasskey(), {
      ...SITE,
      challenge: await challenge(),
      flags: PRESENT,
    })
    assert.deepEqual(await store(session, unverified), WRONG)
    assert.deepEqual(await store(session, {}), WRONG)
  })

  it('has a name that can be shown, and is renamed by its owner alone', async () => {
    const [user, other] = [await people.newUser(), await people.newUser()]
    const { id } = await people.withPasskey(user)
    const nameOf = async () => (await ownPasskeys(people.ctx, { user }))[0]?.name
    assert.equal(await renameOwnPasskey(people.ctx, { user }, id, ' My <b>phone</b> '), true)
    assert.equal(await nameOf(), 'My <b>phone</b>')
    assert.equal(await renameOwnPasskey(people.ctx, { user }, id, 'x'.repeat(1_000)), true)
    assert.equal((await nameOf())?.length, 60)
    assert.equal(await renameOwnPasskey(people.ctx, { user }, id, 'a\u202eb'), true)
    assert.equal(await nameOf(), 'Passkey')
    assert.equal(await renameOwnPasskey(people.ctx, { user: other }, id, 'mine'), false)
    assert.equal(await renameOwnPasskey(people.ctx, { user }, 'no id', 'x'), false)
    assert.equal(await nameOf(), 'Passkey')
  })

  it('is deleted by its owner alone, and never as the last way in', async () => {
    const [user, other] = [await people.newUser(), await people.newUser()]
    const first = await people.withPasskey(user)
    const session = await people.signedIn(user)
    const remove = (who: SignedIn, id: string) => deleteOwnPasskey(people.ctx, who, id)
    assert.deepEqual(await remove(session, first.id), { problem: 'LAST_WAY_IN' })
    const second = await people.withPasskey(user)
    assert.deepEqual(await remove(await people.signedIn(other), second.id), { problem: 'NOT_FOUND' })
    const both = await Promise.all([remove(session, first.id), remove(session, second.id)])
    assert.equal(both.filter((one) => one === 'deleted').length, 1, 'not both at once')
    assert.equal((await ownPasskeys(people.ctx, { user })).length, 1)
    assert.equal(
      await changePassword(people.ctx, session, { current: '', next: PASSWORD }, newOrigin()),
      'changed',
    )
    const [left] = await ownPasskeys(people.ctx, { user })
    assert.equal(await remove(session, left?.credentialId.toString('base64url') as string), 'deleted')
  })

  it('is one of twenty at most', async () => {
    const user = await people.newUser()
    for (let made = 0; made < MAX_PASSKEYS - 1; made += 1)
      await insertPasskey(world.db, {
        credentialId: randomBytes(16),
        userId: user.userId,
        publicKey: randomBytes(44),
        algorithm: -8,
        signCount: 0,
        name: 'x',
        createdAt: people.wallClock(),
        lastUsedAt: null,
      })
    const session = await people.signedIn(user)
    const [one, two] = [await register(session), await register(session)]
    const store = (challenge: string) =>
      finishPasskeyRegistration(
        people.ctx,
        SITE,
        session,
        registrationOf(makePasskey(), { ...SITE, challenge }),
        'x',
      )
    const stored = await Promise.all([store(one.challenge), store(two.challenge)])
    assert.deepEqual(
      stored.filter((each) => 'problem' in each),
      [{ problem: 'TOO_MANY' }],
    )
    assert.deepEqual(await beginPasskeyRegistration(people.ctx, SITE, session), { problem: 'TOO_MANY' })
  })
})

describe('showing again that it is them', () => {
  let world: World
  let people: People
  before(async () => {
    world = await createWorld()
    people = peopleIn(world)
  })
  after(() => world[Symbol.asyncDispose]())

  const type = (who: SignedIn, typed: string) => stepUpByTyping(people.ctx, who, typed, newOrigin())

  it('is needed five minutes after the sign-in, and by whoever has something to show', async () => {
    const user = await people.newUser()
    const fresh = await people.signedIn(user)
    assert.equal(await mustProve(people.ctx, fresh), false)
    people.pass(STEP_UP_MS)
    assert.equal(await mustProve(people.ctx, fresh), false, 'came by a link, and has nothing yet')
    await people.withPasskey(user)
    assert.equal(await mustProve(people.ctx, fresh), true)
  })

  it('is needed to change how somebody signs in', async () => {
    const user = await people.withPassword()
    await people.withApp(user)
    const { id } = await people.withPasskey(user)
    const session = await people.signedIn(user)
    people.pass(STEP_UP_MS)
    const needed = { problem: 'STEP_UP' }
    assert.deepEqual(await beginPasskeyRegistration(people.ctx, SITE, session), needed)
    assert.deepEqual(await deleteOwnPasskey(people.ctx, session, id), needed)
    assert.deepEqual(await disableTotp(people.ctx, session), needed)
  })

  it('by passkey counts for the session that asked, once, and only with the person’s own', async () => {
    const [user, other] = [await people.newUser(), await people.newUser()]
    const [mine, theirs] = [await people.withPasskey(user), await people.withPasskey(other)]
    const session = await people.signedIn(user)
    const elsewhere = await people.signedIn(user)
    people.pass(STEP_UP_MS)
    const ask = async () => {
      const question = await beginStepUp(people.ctx, SITE, session)
      assert.deepEqual(question.allowCredentials, [{ type: 'public-key', id: mine.id }])
      return question.challenge
    }
    const prove = (who: SignedIn, json: unknown) => stepUpByPasskey(people.ctx, SITE, who, json)
    assert.deepEqual(await prove(session, theirs.answer(await ask())), WRONG)
    assert.deepEqual(await prove(elsewhere, mine.answer(await ask())), EXPIRED)
    const { challenge } = await beginPasskeySignIn(people.ctx, SITE)
    assert.deepEqual(await prove(session, mine.answer(challenge)), EXPIRED, 'a challenge for something else')
    assert.equal(await mustProve(people.ctx, await people.again(session.token)), true)
    const answer = mine.answer(await ask())
    assert.equal(await prove(session, answer), 'proved')
    assert.deepEqual(await prove(session, answer), EXPIRED)
    assert.equal(await mustProve(people.ctx, await people.again(session.token)), false)
    assert.equal(await mustProve(people.ctx, await people.again(elsewhere.token)), true)
  })

  it('by code or recovery code, each once, and not by the password of whoever has an app', async () => {
    const user = await people.withPassword()
    const { codeAt, recoveryCodes } = await people.withApp(user)
    const session = await people.signedIn(user)
    people.pass(STEP_UP_MS)
    assert.deepEqual(await type(session, PASSWORD), WRONG)
    const code = codeAt()
    assert.equal(await type(session, code), 'proved')
    assert.deepEqual(await type(session, code), WRONG)
    assert.equal(await type(session, recoveryCodes[0] as string), 'proved')
    assert.deepEqual(await type(session, recoveryCodes[0] as string), WRONG)
  })

  it('by the password of whoever has no app, and is locked like a sign-in', async () => {
    const user = await people.withPassword()
    const session = await people.signedIn(user)
    people.pass(STEP_UP_MS)
    assert.equal(await type(session, PASSWORD), 'proved')
    assert.equal(await mustProve(people.ctx, await people.again(session.token)), false)
    for (let tried = 0; tried < LOCK_AFTER; tried += 1) assert.deepEqual(await type(session, 'guess'), WRONG)
    assert.equal(((await type(session, PASSWORD)) as { problem: string }).problem, 'LOCKED')
    const bare = await people.signedIn(await people.newUser())
    assert.deepEqual(await type(bare, ''), WRONG)
  })
})
