// Every page that has no id in its address, in both languages and for every role: it answers, and shows no value that is none.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ROUTES } from '../../src/console/routes.ts'
import { ROLES } from '../../src/core/team/role.ts'
import { createWorld, type World } from '../world.ts'
import { signIn } from './person.ts'

const PATHS = ROUTES.filter(
  (route) => route.method === 'GET' && !route.path.includes(':') && !('isStream' in route),
).map(({ path }) => path)

describe('every page', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  it('is looked at', () => {
    for (const path of [
      '/links/new',
      '/pages/new',
      '/payins/new',
      '/payouts/new',
      '/settings/team',
      '/sandbox',
    ])
      assert.ok(PATHS.includes(path), path)
  })

  for (const language of ['es', 'en'] as const)
    it(`answers every role, in ${language}`, async () => {
      for (const role of ROLES) {
        const person = await signIn(world, role, { language })
        for (const path of PATHS) {
          const { status, text } = await person.get(path)
          assert.ok([200, 303, 403].includes(status), `${role} ${path}: ${status}`)
          assert.ok(
            !/\bundefined\b|\[object |\bNaN\b/.test(text),
            `${role} ${path} shows a value that is none`,
          )
          if (status === 200) assert.match(text.slice(0, 60), language === 'es' ? /es-CO/ : /lang="en"/)
        }
      }
    })
})
