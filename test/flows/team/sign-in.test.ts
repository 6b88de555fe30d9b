// Signing in by password and code: what a stranger learns, how often anybody may be wrong, and that nothing works twice.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { accountSubject, LOCK_AFTER, LOCK_MS, LOCK_WINDOW_MS } from '../../../src/core/team/lock.ts'
import { SECOND_STEP_MS } from '../../../src/core/team/sign-in.ts'
import type { User } from '../../../src/core/team/user.ts'
import type { Origin } from '../../../src/flows/team/sessions.ts'
import { signedInBy } from '../../../src/flows/team/sessions.ts'
import { finishSignIn, signInWithPassword } from '../../../src/flows/team/sign-in.ts'
import { stepUpByTyping } from '../../../src/flows/team/step-up.ts'
import type { Db } from '../../../src/store/db.ts'
import { setPassword } from '../../../src/store/team/sign-in-ways.ts'
import { createWorld, type World } from '../../world.ts'
import { newOrigin, PASSWORD, type People, peopleIn } from './people.ts'

// For as long as the lock still lasts.
function assertLocked(answer: object, message = 'it is locked'): void {
  const { problem, retryAfterMs = 0 } = answer as { problem?: string; retryAfterMs?: number }
  assert.equal(problem, 'LOCKED', message)
  assert.ok(retryAfterMs > 0 && retryAfterMs <= LOCK_MS, `${retryAfterMs}`)
}
const WRONG = { problem: 'WRONG' }

// Whoever looks up an account by its address waits until so many have done so.
function lookingUpTogether(db: Db, count: number): Db {
  const found: (() => void)[] = []
  const query: Db['query'] = async (config) => {
    const result = await db.query(config)
    if (config.name !== 'ways-by-email') return result as never
    await new Promise<void>((resolve) => {
      found.push(resolve)
      if (found.length === count) for (const go of found) go()
    })
    return result as never
  }
  return { ...db, query }
}

describe('signing in by password', () => {
  let world: World
  let people: People
  before(async () => {
    world = await createWorld()
    people = peopleIn(world)
  })
  after(() => world[Symbol.asyncDispose]())

  const tryPassword = (email: string, password: string, origin: Origin = newOrigin()) =>
    signInWithPassword(people.ctx, { email, password }, origin)
  const beginSecondStep = async ({ email }: User): Promise<string> => {
    const begun = await tryPassword(email, PASSWORD)
    assert.ok('secondStep' in begun, JSON.stringify(begun))
    return begun.secondStep
  }
  const finish = (secondStep: string, code: string, origin: Origin = newOrigin()) =>
    finishSignIn(people.ctx, { secondStep, code }, origin)
  // Without the work of a hash: nobody has these addresses.
  const failAs = async (email: string, times: number, origin?: Origin) => {
    for (let tried = 0; tried < times; tried += 1)
      assert.deepEqual(await tryPassword(email, 'wrong password', origin ?? newOrigin()), WRONG)
  }

  it('begins a session, known by its cookie alone, which is stored as a digest', async () => {
    const user = await people.withPassword()
    const origin = newOrigin()
    const done = await tryPassword(` ${user.email.toUpperCase()} `, PASSWORD, origin)
    assert.ok('token' in done)
    const found = await signedInBy(people.ctx, done.token)
    assert.equal(found?.user.userId, user.userId)
    assert.equal(found?.session.method, 'password')
    assert.equal(found?.session.address, origin.address)
    const { rows } = await world.db.query<{ row: string }>({
      text: 'select s::text as row from sessions s where user_id = $1',
      values: [user.userId],
    })
    assert.equal(rows.length, 1)
    assert.ok(!rows[0]?.row.includes(done.token))
    const raw = Buffer.from(done.token, 'base64url')
    assert.equal(raw.length, 32)
    assert.ok(!rows[0]?.row.includes(raw.toString('hex')))
    for (const other of ['', done.token.slice(1), `${done.token}A`, 'A'.repeat(100_000)])
      assert.equal(await signedInBy(people.ctx, other), undefined)
  })

  it('takes no password that was changed while it was compared', async () => {
    const user = await people.withPassword()
    const ctx = people.afterRead('where u.email = $1', () =>
      setPassword(world.db, user.userId, null, people.wallClock()),
    )
    assert.deepEqual(
      await signInWithPassword(ctx, { email: user.email, password: PASSWORD }, newOrigin()),
      WRONG,
    )
    const other = await people.withPassword()
    const session = await people.signedIn(other)
    const changing = people.afterRead('where u.user_id = $1', () =>
      setPassword(world.db, other.userId, null, people.wallClock()),
    )
    assert.deepEqual(await stepUpByTyping(changing, session, PASSWORD, newOrigin()), WRONG)
  })

  it('leaves no session where the sign-in is not committed', async () => {
    const user = await people.withPassword()
    const db: Db = {
      ...people.ctx.db,
      inTransaction: (work) =>
        people.ctx.db.inTransaction(async (tx) => {
          await work(tx)
          throw new Error('the connection is cut')
        }),
    }
    const typed = { email: user.email, password: PASSWORD }
    await assert.rejects(signInWithPassword({ ...people.ctx, db }, typed, newOrigin()), /is cut/)
    const { rows } = await world.db.query({
      text: 'select session_id from sessions where user_id = $1',
      values: [user.userId],
    })
    assert.deepEqual(rows, [])
  })

  it('gives every sign-in a new session: what a browser had before becomes nothing', async () => {
    const user = await people.withPassword()
    const tokens = new Set<string>()
    for (let times = 0; times < 3; times += 1) {
      const done = await tryPassword(user.email, PASSWORD)
      assert.ok('token' in done)
      tokens.add(done.token)
    }
    assert.equal(tokens.size, 3)
  })

  it('says the same to a wrong password, an unknown account, one without a password, and nonsense', async () => {
    const user = await people.withPassword()
    const bare = await people.newUser()
    for (const email of [
      user.email,
      bare.email,
      'nobody@example.com',
      '',
      'no address',
      '\u0000',
      'x'.repeat(100_000),
    ])
      assert.deepEqual(await tryPassword(email, 'wrong password'), WRONG, email.slice(0, 20))
    assert.deepEqual(await tryPassword(user.email, 'x'.repeat(1_000_000)), WRONG)
    assert.deepEqual(await tryPassword(bare.email, ''), WRONG)
  })

  it('takes an unknown account as long as a known one', async () => {
    const user = await people.withPassword()
    const times: Record<string, number[]> = { known: [], unknown: [] }
    for (let round = 0; round < 5; round += 1)
      for (const [kind, email] of [
        ['known', user.email],
        ['unknown', `nobody-${round}@example.com`],
      ] as const) {
        const begun = performance.now()
        await tryPassword(email, 'wrong password')
        times[kind]?.push(performance.now() - begun)
      }
    const median = (kind: string) => times[kind]?.sort((a, b) => a - b)[2] as number
    // Without a hash it would be a hundredth.
    assert.ok(median('unknown') > 0.3 * median('known'), JSON.stringify(times))
    assert.ok(median('known') > 0.3 * median('unknown'), JSON.stringify(times))
  })

  for (const kind of ['a known', 'an unknown'] as const)
    it(`locks ${kind} account after ${LOCK_AFTER} failures, for fifteen minutes, and says no more`, async () => {
      const user = await people.withPassword()
      const email = kind === 'a known' ? user.email : `x${user.email}`
      await failAs(email, LOCK_AFTER)
      const locked = await tryPassword(email, 'wrong password')
      assertLocked(locked)
      assert.ok('retryAfterMs' in locked && locked.retryAfterMs > LOCK_MS / 2, 'they are told how long')
      assertLocked(await tryPassword(email, PASSWORD), 'the right one, too')
      people.pass(LOCK_MS - 60_000)
      assertLocked(await tryPassword(email, PASSWORD), 'what is tried meanwhile prolongs nothing')
      people.pass(60_000)
      const then = await tryPassword(email, PASSWORD)
      if (kind === 'a known') assert.ok('token' in then)
      else assert.deepEqual(then, WRONG)
    })

  it('counts failures within fifteen minutes, and forgets them once somebody is right', async () => {
    const user = await people.withPassword()
    await failAs(user.email, LOCK_AFTER - 1)
    people.pass(LOCK_WINDOW_MS)
    await failAs(user.email, LOCK_AFTER - 1)
    assert.ok('token' in (await tryPassword(user.email, PASSWORD)))
    await failAs(user.email, LOCK_AFTER - 1)
    assert.ok('token' in (await tryPassword(user.email, PASSWORD)), 'the tenth attempt counts if it fails')
  })

  it('locks an address after as many failures, whosever accounts they were, and no other', async () => {
    const user = await people.withPassword()
    const origin = newOrigin()
    for (let tried = 0; tried < LOCK_AFTER; tried += 1)
      await failAs(`stranger-${tried}-${user.email}`, 1, origin)
    assertLocked(await tryPassword(user.email, PASSWORD, origin))
    assert.ok('token' in (await tryPassword(user.email, PASSWORD)))
    people.pass(LOCK_MS)
    assert.ok('token' in (await tryPassword(user.email, PASSWORD, origin)))
  })

  it('counts IPv6 addresses by the network that one customer has', async () => {
    const { email } = await people.newUser()
    const at = (address: string): Origin => ({ address, browser: null })
    for (let tried = 0; tried < LOCK_AFTER; tried += 1)
      await failAs(`v6-${tried}-${email}`, 1, at(`2001:db8:1:2::${tried + 1}`))
    assertLocked(await tryPassword(email, 'x', at('2001:db8:1:2:ffff::1')))
    assert.deepEqual(await tryPassword(email, 'x', at('2001:db8:1:3::1')), WRONG)
  })

  it('does not let somebody with an account of their own guess at others’ for ever', async () => {
    const [own, other] = [await people.withPassword(), await people.withPassword()]
    const origin = newOrigin()
    let guesses = 0
    for (; guesses < 3 * LOCK_AFTER; guesses += 1) {
      const tried = await tryPassword(`${guesses}${other.email}`, 'guess', origin)
      if ('problem' in tried && tried.problem === 'LOCKED') break
      if (guesses % 4 === 3) await tryPassword(own.email, PASSWORD, origin)
    }
    assert.equal(guesses, LOCK_AFTER)
  })

  it('a locked address locks no account, and a locked account no address', async () => {
    const user = await people.withPassword()
    const attacker = newOrigin()
    for (let tried = 0; tried < LOCK_AFTER; tried += 1) await failAs(`a${tried}${user.email}`, 1, attacker)
    for (let tried = 0; tried < 2 * LOCK_AFTER; tried += 1)
      assertLocked(await tryPassword(user.email, 'guess', attacker))
    assert.ok('token' in (await tryPassword(user.email, PASSWORD)))
    const office = newOrigin()
    const locked = await people.withPassword()
    await failAs(locked.email, LOCK_AFTER)
    for (let tried = 0; tried < 2 * LOCK_AFTER; tried += 1)
      assertLocked(await tryPassword(locked.email, PASSWORD, office))
    assert.ok('token' in (await tryPassword(user.email, PASSWORD, office)))
  })

  it('of many guesses at once checks no more than so many', async () => {
    const { email } = await people.newUser()
    const origin = newOrigin()
    const tried = await Promise.all(
      Array.from({ length: 18 }, (_, at) =>
        tryPassword(email, `guess ${at}`, at % 2 === 0 ? origin : newOrigin()),
      ),
    )
    const kinds = tried.map((one) => ('problem' in one ? one.problem : 'in'))
    assert.equal(kinds.filter((kind) => kind === 'WRONG').length, LOCK_AFTER)
    assert.equal(kinds.filter((kind) => kind === 'LOCKED').length, 18 - LOCK_AFTER)
  })

  it('hashes two at a time, lets twenty wait, and costs those beyond no attempt', async () => {
    const emails = Array.from({ length: 30 }, (_, at) => `${at}@busy.example`)
    const nowhere: Origin = { address: null, browser: null }
    // All of them have been looked up before the first is hashed, however slow the machine.
    const ctx = { ...people.ctx, db: lookingUpTogether(world.db, emails.length) }
    const tried = await Promise.all(
      emails.map((email) => signInWithPassword(ctx, { email, password: 'x' }, nowhere)),
    )
    const busy = emails.filter((_, at) => JSON.stringify(tried[at]) === '{"problem":"BUSY"}')
    assert.equal(busy.length, 8)
    const { rows } = await world.db.query<{ failures: number }>({
      text: 'select failures from sign_in_failures where subject = any($1)',
      values: [busy.map(accountSubject)],
    })
    assert.deepEqual(
      rows.map(({ failures }) => failures),
      busy.map(() => 0),
    )
  })

  describe('with an authenticator app', () => {
    it('asks for a code, and only then begins a session', async () => {
      const user = await people.withPassword()
      const { codeAt } = await people.withApp(user)
      people.pass(60_000)
      const secondStep = await beginSecondStep(user)
      assert.equal(await signedInBy(people.ctx, secondStep), undefined, 'no session yet')
      assert.deepEqual(await finish(secondStep, '000000'), WRONG)
      const done = await finish(secondStep, codeAt())
      assert.ok('token' in done)
      assert.deepEqual(await finish(secondStep, codeAt(people.wallClock() + 30_000)), { problem: 'EXPIRED' })
    })

    it('locks no address from which people type right passwords, however often', async () => {
      const user = await people.withPassword()
      await people.withApp(user)
      const office = newOrigin()
      for (let tried = 0; tried <= LOCK_AFTER; tried += 1)
        assert.ok('secondStep' in (await tryPassword(user.email, PASSWORD, office)), `${tried}`)
    })

    it('takes each code once: not the one that enabled it, nor one that signed in', async () => {
      const user = await people.withPassword()
      const { codeAt, enabledBy } = await people.withApp(user)
      assert.deepEqual(await finish(await beginSecondStep(user), enabledBy), WRONG)
      people.pass(60_000)
      const code = codeAt()
      assert.ok('token' in (await finish(await beginSecondStep(user), code)))
      assert.deepEqual(await finish(await beginSecondStep(user), code), WRONG)
      assert.deepEqual(await finish(await beginSecondStep(user), codeAt(people.wallClock() - 30_000)), WRONG)
    })

    it('gives one session for one code and for one step, however many try at once', async () => {
      const user = await people.withPassword()
      const { codeAt } = await people.withApp(user)
      people.pass(60_000)
      const steps = await Promise.all([beginSecondStep(user), beginSecondStep(user), beginSecondStep(user)])
      const sameCode = await Promise.all(steps.map((step) => finish(step, codeAt())))
      assert.equal(sameCode.filter((one) => 'token' in one).length, 1)
      people.pass(60_000)
      const step = await beginSecondStep(user)
      const near = [-1, 0, 1].map((away) => codeAt(people.wallClock() + away * 30_000))
      const sameStep = await Promise.all(near.map((code) => finish(step, code)))
      assert.equal(sameStep.filter((one) => 'token' in one).length, 1)
    })

    it('takes no code for a step that was finished while it was read, and counts no failure', async () => {
      const user = await people.withPassword()
      const { codeAt } = await people.withApp(user)
      people.pass(60_000)
      const secondStep = await beginSecondStep(user)
      const ctx = people.afterRead('from sign_in_tokens', () => finish(secondStep, codeAt()))
      const code = codeAt(people.wallClock() + 30_000)
      assert.deepEqual(await finishSignIn(ctx, { secondStep, code }, newOrigin()), { problem: 'EXPIRED' })
      const { rows } = await world.db.query<{ failures: number }>({
        text: 'select failures from sign_in_failures where subject = $1',
        values: [accountSubject(user.email)],
      })
      assert.equal(rows[0]?.failures ?? 0, 0)
    })

    it('takes a recovery code in its place, each once, in parallel too', async () => {
      const user = await people.withPassword()
      const { recoveryCodes } = await people.withApp(user)
      const [first = '', second = ''] = recoveryCodes
      assert.ok('token' in (await finish(await beginSecondStep(user), first.toLowerCase())))
      assert.deepEqual(await finish(await beginSecondStep(user), first), WRONG)
      const steps = await Promise.all([beginSecondStep(user), beginSecondStep(user), beginSecondStep(user)])
      const tried = await Promise.all(steps.map((step) => finish(step, second)))
      assert.equal(tried.filter((one) => 'token' in one).length, 1)
      const other = await people.withPassword()
      await people.withApp(other)
      assert.deepEqual(await finish(await beginSecondStep(other), recoveryCodes[2] as string), WRONG)
    })

    it('locks the account after as many wrong codes; the password does not undo that', async () => {
      const user = await people.withPassword()
      const { codeAt } = await people.withApp(user)
      people.pass(60_000)
      for (let tried = 0; tried < LOCK_AFTER; tried += 1)
        assert.deepEqual(await finish(await beginSecondStep(user), '000000'), WRONG, `${tried}`)
      assertLocked(await tryPassword(user.email, PASSWORD))
      people.pass(LOCK_MS)
      const step = await beginSecondStep(user)
      for (let tried = 0; tried < LOCK_AFTER; tried += 1)
        assert.deepEqual(await finish(step, '000000'), WRONG)
      assertLocked(await finish(step, codeAt()))
    })

    it('counts wrong codes of a step-up for the account too, and forgets them once one is right', async () => {
      const user = await people.withPassword()
      const { codeAt } = await people.withApp(user)
      const session = await people.signedIn(user)
      const type = (code: string) => stepUpByTyping(people.ctx, session, code, newOrigin())
      for (let round = 0; round < 2; round += 1) {
        people.pass(60_000)
        for (let tried = 1; tried < LOCK_AFTER; tried += 1) assert.deepEqual(await type('000000'), WRONG)
        assert.equal(await type(codeAt()), 'proved')
      }
      people.pass(60_000)
      for (let tried = 0; tried < LOCK_AFTER; tried += 1) assert.deepEqual(await type('000000'), WRONG)
      const locked = await type(codeAt())
      assertLocked(locked === 'proved' ? {} : locked)
    })

    it('forgets a step after ten minutes, and knows no other token for one', async () => {
      const user = await people.withPassword()
      const { codeAt } = await people.withApp(user)
      const step = await beginSecondStep(user)
      people.pass(SECOND_STEP_MS)
      assert.deepEqual(await finish(step, codeAt()), { problem: 'EXPIRED' })
      const { token } = await people.signedIn(user)
      for (const other of [token, '', 'A'.repeat(43)])
        assert.deepEqual(await finish(other, codeAt()), { problem: 'EXPIRED' })
    })

    it('reads no code that is too long, and stores no secret in the open', async () => {
      const user = await people.withPassword()
      await people.withApp(user)
      assert.deepEqual(await finish(await beginSecondStep(user), '1'.repeat(1_000_000)), WRONG)
      const { rows } = await world.db.query<{ sealed: Buffer; digests: number }>({
        text: 'select sealed_totp as sealed, cardinality(recovery_digests) as digests from users where user_id = $1',
        values: [user.userId],
      })
      assert.equal(rows[0]?.sealed.length, 12 + 16 + 20)
      assert.equal(rows[0]?.digests, 10)
    })
  })
})
