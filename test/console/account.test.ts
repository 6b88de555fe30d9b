// A person's own account without any script: how they are called, and where they are signed in.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startSession } from '../../src/flows/team/sessions.ts'
import { getUser } from '../../src/store/team/users.ts'
import { createWorld, type World } from '../world.ts'
import { personWith, signIn } from './person.ts'

describe('the account of a person', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  it('is called, speaks and takes shortcuts as it was saved', async () => {
    const person = await signIn(world, 'support')
    const saved = async (typed: Record<string, string>) => {
      const { status } = await person.post('/console/account/profile', typed)
      const user = await getUser(world.db, person.userId)
      return [status, user?.name, user?.language, user?.singleKeys]
    }
    const ana = { name: ' Ana Gómez ', language: 'en' }
    assert.deepEqual(await saved(ana), [303, 'Ana Gómez', 'en', false])
    assert.deepEqual(await saved({ ...ana, singleKeys: 'true' }), [303, 'Ana Gómez', 'en', true])
    assert.deepEqual(await saved({ ...ana, name: ' ', language: 'es' }), [422, 'Ana Gómez', 'en', true])
  })

  it('is signed out elsewhere by one button, and not here, nor is anybody else', async () => {
    const [person, other] = [await signIn(world, 'support'), await signIn(world, 'support')]
    const origin = { address: '127.0.0.1', browser: null }
    const { token } = await startSession(world.ctx, person.userId, 'password', origin)
    const elsewhere = personWith(world, person.userId, token, world.organization)
    const statuses = async () =>
      Promise.all([person, elsewhere, other].map(async (one) => (await one.get('')).status))
    assert.deepEqual(await statuses(), [200, 200, 200])
    assert.equal((await person.post('/console/account/sessions/end-others')).status, 303)
    assert.deepEqual(await statuses(), [200, 303, 200])
  })
})
