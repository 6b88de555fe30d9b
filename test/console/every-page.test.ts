// Every page that has no id in its address, in both languages and for every role: it answers, and shows no value that is none.

import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
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

describe('every word', () => {
  // A time of the afternoon and many companies' names end with a full stop of their own.
  const ENDED = '4:10 p. m.'
  const NAMES = /\b(time|until|when|at|organization|company|who|name)\b/

  it('ends its sentence with one full stop, also after a time or a name that has one', async () => {
    let sentences = 0
    const look = (where: string, word: unknown): void => {
      const said = typeof word === 'function' ? saidOf(word as Word) : word
      if (typeof said === 'string') {
        if (said.includes(ENDED)) sentences += 1
        assert.ok(!said.includes(`${ENDED}.`), `${where}: ${said}`)
      } else if (typeof said === 'object' && said !== null)
        for (const [key, inner] of Object.entries(said)) look(`${where}.${key}`, inner)
    }
    for (const table of globSync('src/console/**/*words*.ts'))
      look(table, { ...(await import(resolve(table))) })
    assert.ok(sentences > 20, `${sentences} sentences`)
  })

  type Word = (...parts: string[]) => unknown

  // Those that count or choose want something else than a text; none of them ends with a name.
  function saidOf(word: Word): unknown {
    const parts = (/^\(([^)]*)\) =>/.exec(word.toString())?.[1] ?? '').split(',')
    try {
      return word(...parts.map((part) => (NAMES.test(part) ? ENDED : '1')))
    } catch {
      return null
    }
  }
})
