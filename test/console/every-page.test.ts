// Every page, in both languages and for every role: it answers, shows no value that is none, and is closed to whoever lacks its right.

import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { icon } from '../../src/console/icons.ts'
import { ROUTES } from '../../src/console/routes.ts'
import { SCOPES } from '../../src/core/organizations/scope.ts'
import { ROLE_SCOPES, ROLES, type Role } from '../../src/core/team/role.ts'
import { createWorld, type World } from '../world.ts'
import { type Person, signIn } from './person.ts'

const PAGES = ROUTES.filter((route) => route.method === 'GET' && !('isStream' in route)).map(
  ({ path }) => path,
)
const PATHS = PAGES.filter((path) => !path.includes(':'))

// Whose pages these are, and all that stand below them. Every other page is everybody's.
const ONLY_FOR: Readonly<Record<string, readonly Role[]>> = {
  '/webhooks': ['owner', 'administrator', 'support', 'developer'],
  '/settings/connections': ['owner', 'administrator', 'developer'],
  '/settings/keys': ['owner', 'administrator', 'developer'],
  '/settings/clients': ['owner', 'administrator', 'developer'],
  '/settings/team': ['owner', 'administrator'],
  '/settings/audit': ['owner', 'administrator', 'approver', 'accountant'],
  '/sandbox': ['owner', 'administrator', 'developer'],
}

function isClosedTo(role: Role, path: string): boolean {
  const [, whose] = Object.entries(ONLY_FOR).find(([top]) => `${path}/`.startsWith(`${top}/`)) ?? []
  return whose !== undefined && !whose.includes(role)
}

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
          assert.equal(status === 403, isClosedTo(role, path), `${role} ${path}: ${status}`)
          assert.ok(
            !/\bundefined\b|\[object |\bNaN\b/.test(text),
            `${role} ${path} shows a value that is none`,
          )
          if (status === 200) assert.match(text.slice(0, 60), language === 'es' ? /es-CO/ : /lang="en"/)
        }
      }
    })

  it('of one thing is closed to whoever may not see it, whether there is such a thing or not', async () => {
    const paths = PAGES.filter((path) => path.includes(':')).map((path) =>
      path.replace(':day', '2026-01-01').replaceAll(/:\w+/g, '01900000-0000-7000-8000-00000000ffff'),
    )
    assert.ok(paths.length > 20, `${paths.length} pages`)
    for (const role of ROLES) {
      const person = await signIn(world, role)
      for (const path of paths) {
        const { status } = await person.get(path)
        assert.equal(status === 403, isClosedTo(role, path), `${role} ${path}: ${status}`)
      }
    }
  })

  it('marks what is closed to the role, in the navigation and among the settings, and nothing else', async () => {
    for (const role of ROLES) {
      const { text } = await (await signIn(world, role)).get('/settings')
      const links = [
        ...text.matchAll(/<a [^>]*href="[^"]*\/console\/[0-9a-f-]{36}(\/[^"]*)"[^>]*>.*?<\/a>/gs),
      ]
      let closed = 0
      for (const [link, path = ''] of links) {
        if (isClosedTo(role, path)) closed += 1
        assert.equal(link.includes(icon('lock').html), isClosedTo(role, path), `${role} ${path}`)
      }
      assert.ok(links.length > 20, `${links.length} links`)
      assert.equal(closed > 0, role !== 'owner' && role !== 'administrator', role)
    }
  })

  it('offers whoever may only look no way to change, and no right to pass on that they do not hold', async () => {
    const [owner, developer] = [await signIn(world, 'owner'), await signIn(world, 'developer')]
    const way = '/settings/connections/new"'
    assert.ok((await owner.get('/settings/connections')).text.includes(way))
    const { text } = await developer.get('/settings/connections')
    assert.ok(!text.includes(way) && text.includes('aria-disabled="true"'))
    const closed = async (person: Person) =>
      [...(await person.get('/settings/keys/new')).text.matchAll(/value="(\w+:\w+)"[^>]* disabled/g)].map(
        ([, scope]) => scope,
      )
    assert.deepEqual(await closed(owner), [])
    const lacked = SCOPES.filter((scope) => !ROLE_SCOPES.developer.includes(scope))
    assert.deepEqual(await closed(developer), lacked)
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
