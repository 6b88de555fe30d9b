// Keeps the code in order: which room and which shelf may import which, no import cycles, no clock or randomness in core, the
// environment read in one place, SQL in the store only, and files that a reader finishes.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, it } from 'node:test'

const ROOT = join(import.meta.dirname, '..')

// A room may import itself and the rooms named here. Files at the top of src know every room.
const MAY_IMPORT: Record<string, readonly string[]> = {
  core: [],
  store: ['core'],
  embedded: [],
  rails: ['core'],
  flows: ['core', 'store', 'rails'],
  sandbox: ['core', 'rails'],
  webhooks: ['core'],
  checkout: ['core', 'flows', 'store'],
  workers: ['core', 'store', 'flows', 'webhooks'],
  api: ['core', 'flows', 'store'],
  docs: ['core', 'api'],
  operator: [
    'core',
    'store',
    'flows',
    'api',
    'workers',
    'embedded',
    'rails',
    'sandbox',
    'config.ts',
    'context.ts',
    'service.ts',
  ],
}
const KNOWS_EVERY_ROOM = ['main.ts', 'context.ts', 'service.ts']
// config.ts names the environments that flows know.
const TOP_LEVEL: Record<string, readonly string[]> = { 'config.ts': ['flows', 'core'] }

// The shelves of a room: the same nouns in every layer.
const NOUNS = [
  'payins',
  'payouts',
  'payment-links',
  'events',
  'webhooks',
  'ledger',
  'organizations',
  'directory',
  'connections',
  'people',
  'approvals',
  'refunds',
]
const OTHER_SHELVES: Record<string, readonly string[]> = {
  api: ['http', 'openapi'],
  checkout: ['pages', 'words'],
  docs: ['pages', 'print', 'samples'],
  rails: ['breb', 'pse'],
}
// A shelf may import itself, what stands beside the shelves, and the shelves named here.
const SHELF_MAY_IMPORT: Record<string, Record<string, readonly string[]>> = {
  store: {
    payins: ['ledger'],
    payouts: ['ledger'],
    webhooks: ['events'],
  },
  flows: {
    'payment-links': ['payins'],
    payouts: ['directory'],
    events: ['webhooks'],
    // What a network reports ends in a payin, a payout or suspense.
    connections: ['payins', 'payouts', 'directory', 'ledger'],
  },
}
// More than about this many files in one folder, and a reader has to search.
const MAX_FILES_IN_FOLDER = 30

type Source = { path: string; text: string; imports: string[] }

const sourcesIn = (pattern: string): Source[] =>
  globSync(pattern, { cwd: ROOT }).map((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8')
    const imports = [...text.matchAll(/(?:from|import)\s+'(\.[^']+)'/g)].map(([, target]) =>
      relative(ROOT, resolve(ROOT, dirname(path), target as string)),
    )
    return { path, text, imports }
  })

const sources = sourcesIn('src/**/*.ts')

function roomOf(path: string): string {
  const [, room = ''] = path.split('/')
  return room
}

// Undefined for a file that stands beside the shelves.
function shelfOf(path: string): string | undefined {
  const [, , shelf, file] = path.split('/')
  return file === undefined ? undefined : shelf
}

describe('the house', () => {
  it('has rooms that import only what they may', () => {
    const wrong = sources.flatMap(({ path, imports }) => {
      const room = roomOf(path)
      if (KNOWS_EVERY_ROOM.includes(room)) return []
      const allowed = MAY_IMPORT[room] ?? TOP_LEVEL[room]
      assert.ok(allowed, `${path} stands in a room that the table does not know`)
      return imports
        .filter((target) => roomOf(target) !== room && !allowed.includes(roomOf(target)))
        .map((target) => `${path} → ${target}`)
    })
    assert.deepEqual(wrong, [])
  })

  it('lets flows see only the types of a rail, and the simulated networks only its wire', () => {
    const values = sources
      .filter(({ path }) => roomOf(path) === 'flows')
      .filter(({ text }) => /^import (?!type\b)[^']*from '\.\.\/rails\//m.test(text))
      .map(({ path }) => path)
    assert.deepEqual(values, [])
    const wire = /^src\/rails\/(breb\/wire|pse\/wire|signature)\.ts$/
    const beyond = sources
      .filter(({ path }) => roomOf(path) === 'sandbox')
      .flatMap(({ path, imports }) =>
        imports
          .filter((target) => roomOf(target) === 'rails' && !wire.test(target))
          .map((target) => `${path} → ${target}`),
      )
    assert.deepEqual(beyond, [])
  })

  it('has shelves that are nouns of the trade, and few enough files on each', () => {
    const unknown = sources.filter(({ path }) => {
      const shelf = shelfOf(path)
      return shelf !== undefined && ![...NOUNS, ...(OTHER_SHELVES[roomOf(path)] ?? [])].includes(shelf)
    })
    assert.deepEqual(
      unknown.map(({ path }) => path),
      [],
    )
    const folders = Map.groupBy(sources, ({ path }) => dirname(path))
    const full = [...folders].filter(([, files]) => files.length > MAX_FILES_IN_FOLDER)
    assert.deepEqual(
      full.map(([folder]) => folder),
      [],
    )
  })

  it('lets a shelf of flows or store import another only where the table allows it', () => {
    const wrong = sources.flatMap(({ path, imports }) => {
      const table = SHELF_MAY_IMPORT[roomOf(path)]
      const shelf = shelfOf(path)
      if (table === undefined || shelf === undefined) return []
      return imports
        .filter((target) => roomOf(target) === roomOf(path))
        .filter((target) => ![shelf, undefined, ...(table[shelf] ?? [])].includes(shelfOf(target)))
        .map((target) => `${path} → ${target}`)
    })
    assert.deepEqual(wrong, [])
  })

  it('has no import cycle, in the server, the commands, the SDK or the bench', () => {
    const all = [...sources, ...sourcesIn('{cli,sdk}/src/**/*.ts'), ...sourcesIn('bench/**/*.ts')]
    const graph = new Map(all.map(({ path, imports }) => [path, imports]))
    const finished = new Set<string>()
    const cycles: string[] = []
    const visit = (path: string, trail: string[]): void => {
      if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
      if (finished.has(path) || trail.includes(path)) return
      for (const target of graph.get(path) ?? []) visit(target, [...trail, path])
      finished.add(path)
    }
    for (const path of graph.keys()) visit(path, [])
    assert.deepEqual(cycles, [])
  })

  it('keeps clock and chance out of core and flows', () => {
    const found = matches(
      /\b(Date\.now|new Date\(\)|Math\.random|performance\.now|randomBytes\(|randomUUID)/,
      ['core'],
    )
    assert.deepEqual(found, [])
    assert.deepEqual(matches(/\b(Date\.now|new Date\(\)|Math\.random|performance\.now)/, ['flows']), [])
  })

  it('reads the environment in config.ts only', () => {
    assert.deepEqual(
      matches(/process\.env/).filter(
        (place) => !place.startsWith('src/config.ts') && !place.startsWith('src/embedded/'),
      ),
      [],
    )
  })

  it('writes SQL in the store only', () => {
    const statement = /\b(select\s.+\sfrom\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s)/
    const found = matches(statement, ['core', 'flows', 'api', 'workers', 'operator'])
    assert.deepEqual(found, [])
  })

  it('has no file a reader does not finish', () => {
    const long = sources.filter(({ text }) => text.split('\n').length > 350).map(({ path }) => path)
    assert.deepEqual(long, [])
  })

  it('opens every file with a word on what it is for', () => {
    const silent = sources.filter(({ text }) => !text.startsWith('//')).map(({ path }) => path)
    assert.deepEqual(silent, [])
  })
})

function matches(pattern: RegExp, rooms?: readonly string[]): string[] {
  return sources
    .filter(({ path }) => rooms === undefined || rooms.includes(roomOf(path)))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          pattern.test(line.replace(/\/\/.*$/, '')) ? [`${path}:${index + 1}`] : [],
        ),
    )
}
