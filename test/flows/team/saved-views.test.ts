// Filters that somebody keeps under a name: whole, under a name that can be read, so many of each list, and nobody else's.

import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { SavedView } from '../../../src/core/team/saved-view.ts'
import { MAX_VIEWS_PER_LIST } from '../../../src/core/team/saved-view.ts'
import { forgetView, saveView } from '../../../src/flows/team/saved-views.ts'
import { listSavedViews } from '../../../src/store/team/saved-views.ts'
import { createWorld, type World } from '../../world.ts'
import { type People, peopleIn } from './people.ts'

let world: World
let people: People
before(async () => {
  world = await createWorld()
  people = peopleIn(world)
})
after(() => world[Symbol.asyncDispose]())

const viewsOf = (userId: string, list: SavedView['list'] = 'payins') =>
  listSavedViews(world.db, world.organization.organizationId, userId, list)
const save = (userId: string, changes: Partial<Pick<SavedView, 'list' | 'name' | 'query'>> = {}) =>
  saveView(people.ctx, {
    organizationId: world.organization.organizationId,
    userId,
    list: 'payins',
    name: 'Open',
    query: 'status=PROCESSING',
    ...changes,
  })

it('a view has a name of forty characters at most, without the spaces around it', async () => {
  const { userId } = await people.newMember('support')
  await save(userId, { name: `   ${'ñ'.repeat(50)}` })
  assert.deepEqual(
    (await viewsOf(userId)).map(({ name, query }) => [name, query]),
    [['ñ'.repeat(40), 'status=PROCESSING']],
  )
  for (const name of ['', '   ', 'a\u0000b']) assert.equal(await save(userId, { name }), 'unnamed')
})

it('a view is kept whole, or not at all', async () => {
  const { userId } = await people.newMember('support')
  assert.equal(await save(userId, { query: 'x'.repeat(1_001) }), 'long')
  assert.deepEqual(await viewsOf(userId), [])
  await save(userId, { query: 'x'.repeat(1_000) })
  assert.equal((await viewsOf(userId))[0]?.query.length, 1_000)
})

it('a person has twelve views of a list, and none of another’s counts or can be forgotten', async () => {
  const [ana, beto] = [await people.newMember('support'), await people.newMember('support')]
  for (let at = 0; at < MAX_VIEWS_PER_LIST; at += 1) assert.notEqual(await save(ana.userId), 'full')
  assert.equal(await save(ana.userId), 'full')
  assert.notEqual(await save(ana.userId, { list: 'payouts' }), 'full')
  assert.notEqual(await save(beto.userId), 'full')
  const { organizationId } = world.organization
  const [first] = await viewsOf(ana.userId)
  assert.ok(first)
  await forgetView(people.ctx, organizationId, beto.userId, first.viewId)
  assert.equal((await viewsOf(ana.userId)).length, MAX_VIEWS_PER_LIST)
  await forgetView(people.ctx, organizationId, ana.userId, first.viewId)
  assert.notEqual(await save(ana.userId), 'full')
})
