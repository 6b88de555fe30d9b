// Sign-ins that fail are written down where the account is known: for each organization of the person, with the way and the address,
// and not without end.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { LOCK_AFTER } from '../../../src/core/team/lock.ts'
import type { User } from '../../../src/core/team/user.ts'
import { finishSignIn, signInWithPassword } from '../../../src/flows/team/sign-in.ts'
import { entriesOf } from '../../api/audit/entries.ts'
import { createWorld, eventually, type World } from '../../world.ts'
import { newOrigin, PASSWORD, type People, peopleIn } from './people.ts'

describe('a sign-in that fails', () => {
  let world: World
  let people: People
  before(async () => {
    world = await createWorld()
    people = peopleIn(world)
  })
  after(() => world[Symbol.asyncDispose]())

  const member = async (user: User): Promise<User> => {
    await people.join(user, 'support')
    return user
  }
  const failed = async ({ userId }: User, organization = world.organization) =>
    (await entriesOf(world, organization)).filter(
      ({ objectId, act, outcome }) => objectId === userId && act === 'user.signin' && outcome === 'refused',
    )
  const written = (user: User, count: number) =>
    eventually(
      () => failed(user),
      ({ length }) => length >= count,
    )
  const wrong = (user: User, origin = newOrigin()) =>
    signInWithPassword(people.ctx, { email: user.email, password: 'not this one' }, origin)

  it('by password is told to each organization of the person, with the address', async () => {
    const user = await member(await people.withPassword())
    const second = (await world.newMerchant()).organization
    await people.join(user, 'owner', second)
    const origin = newOrigin()
    assert.deepEqual(await wrong(user, origin), { problem: 'WRONG' })
    const [entry] = await written(user, 1)
    assert.deepEqual(
      [entry?.refusal, entry?.actor.kind, entry?.actor.id, entry?.actor.sessionId, entry?.actor.address],
      ['UNAUTHORIZED', 'person', user.userId, null, origin.address],
    )
    assert.deepEqual(JSON.parse(entry?.changes ?? ''), { method: { before: null, after: 'password' } })
    assert.equal(
      (
        await eventually(
          () => failed(user, second),
          ({ length }) => length > 0,
        )
      ).length,
      1,
    )
    assert.doesNotMatch(JSON.stringify(await failed(user)), /not this one/)
  })

  it('by code and by passkey, too', async () => {
    const user = await member(await people.withPassword())
    await people.withApp(user)
    const begun = await signInWithPassword(people.ctx, { email: user.email, password: PASSWORD }, newOrigin())
    assert.ok('secondStep' in begun)
    const typed = { secondStep: begun.secondStep, code: '000000' }
    assert.deepEqual(await finishSignIn(people.ctx, typed, newOrigin()), { problem: 'WRONG' })
    const passkey = await people.withPasskey(user)
    await written(user, 1)
    assert.deepEqual(await passkey.signIn({ origin: 'https://elsewhere.example' }), { problem: 'WRONG' })
    const entries = await written(user, 2)
    assert.deepEqual(
      entries.map(({ changes }) => JSON.parse(changes).method.after),
      ['code', 'passkey'],
    )
  })

  it('and locks the account says so, and nothing is written while it is locked', async () => {
    const user = await member(await people.withPassword())
    for (let tries = 0; tries < LOCK_AFTER; tries += 1) {
      assert.deepEqual(await wrong(user), { problem: 'WRONG' })
      await written(user, tries + 1)
    }
    for (let tries = 0; tries < 3; tries += 1)
      assert.equal(((await wrong(user)) as { problem: string }).problem, 'LOCKED')
    const refusals = (await failed(user)).map(({ refusal }) => refusal)
    assert.deepEqual(refusals, [...Array(LOCK_AFTER - 1).fill('UNAUTHORIZED'), 'RATE_LIMITED'])
  })

  it('again and again, by a passkey that nothing locks, is written so many times', async () => {
    const user = await member(await people.newUser())
    const passkey = await people.withPasskey(user)
    for (let tries = 0; tries < 20; tries += 1) await passkey.signIn({ origin: 'https://elsewhere.example' })
    await written(user, 20)
    for (let tries = 0; tries < 5; tries += 1) await passkey.signIn({ origin: 'https://elsewhere.example' })
    // What comes after it in the same way has been written: those before it were not.
    const other = await member(await people.withPassword())
    await wrong(other)
    await written(other, 1)
    assert.equal((await failed(user)).length, 20)
  })

  it('waits for nobody: the answer comes although the entry cannot be written', async () => {
    const user = await member(await people.withPassword())
    await world.db.inTransaction(async (tx) => {
      await tx.query({ text: 'lock table audit_entries in access exclusive mode' })
      assert.deepEqual(await wrong(user), { problem: 'WRONG' })
    })
    await written(user, 1)
  })
})
