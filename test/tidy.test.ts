// Keeps the code in order: which room and which shelf may import which, no import cycles, no clock or randomness in core, the
// environment read in one place, SQL in the store only, and files that a reader finishes. The rules are in tidy.ts; here they
// are applied to the code, and to made-up code that breaks each of them.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import {
  clockInCore,
  crossedShelves,
  crossedWalls,
  environmentReads,
  fullFolders,
  importCycles,
  longFiles,
  railsBeyondReach,
  type Source,
  silentFiles,
  sourceOf,
  sourcesIn,
  sqlOutsideStore,
  unknownRooms,
  unknownShelves,
} from './tidy.ts'

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
  mail: ['core'],
  oidc: ['core'],
  tracing: ['core'],
  checkout: ['core', 'flows', 'store'],
  workers: ['core', 'store', 'flows', 'webhooks'],
  api: ['core', 'flows', 'store'],
  docs: ['core', 'api'],
  // Reads go straight to the store; every write is an operation of the API.
  console: ['core', 'flows', 'store', 'api'],
  operator: [
    'core',
    'store',
    'flows',
    'api',
    'workers',
    'embedded',
    'rails',
    'sandbox',
    'tracing',
    'config.ts',
    'context.ts',
    'service.ts',
    'worker-service.ts',
  ],
}
const KNOWS_EVERY_ROOM = [
  'main.ts',
  'context.ts',
  'batched-statements.ts',
  'service.ts',
  'worker-service.ts',
  'connected-rails.ts',
]
// config.ts names the environments that flows know, and checks the address that the store reads.
const TOP_LEVEL: Record<string, readonly string[]> = {
  'config.ts': ['flows', 'core', 'store'],
}

// The shelves of a room: the same nouns in every layer.
const NOUNS = [
  'payins',
  'payouts',
  'payout-batches',
  'beneficiaries',
  'payment-links',
  'payment-pages',
  'events',
  'webhooks',
  'ledger',
  'organizations',
  'credentials',
  'directory',
  'connections',
  'people',
  'team',
  'audit',
  'approvals',
  'refunds',
  'receipts',
  'search',
  'backups',
]
const OTHER_SHELVES: Record<string, readonly string[]> = {
  api: ['http', 'openapi', 'export'],
  checkout: ['pages', 'words'],
  console: [
    'words',
    'home',
    'lists',
    'objects',
    'live',
    'export',
    'sign-in',
    'account',
    'settings',
    'create',
    'sandbox',
  ],
  docs: ['pages', 'print', 'samples'],
  operator: ['processes', 'doctor'],
  store: ['doctor'],
  core: ['tracing'],
  rails: ['breb', 'pse', 'wompi', 'mono', 'placetopay'],
  sandbox: ['providers'],
}
// A shelf may import itself, what stands beside the shelves, and the shelves named here.
const SHELF_MAY_IMPORT: Record<string, Record<string, readonly string[]>> = {
  store: {
    // What is written about a payment raises its alarm in the same statement.
    connections: ['ledger'],
    // Texts of events are stored packed.
    payins: ['events', 'ledger'],
    payouts: ['ledger'],
    people: ['events'],
    // Whoever signs in is shown their organizations.
    team: ['organizations'],
    webhooks: ['events'],
  },
  flows: {
    // What staff write about money and alarms is sealed, candidates are found by their payer, and a movement says whose it was. What
    // goes back may wait for approval.
    ledger: ['people', 'approvals'],
    // A payment that confirms a payin may be in suspense.
    payins: ['ledger', 'people', 'receipts'],
    // What a link of a page ends with, its page counts.
    'payment-links': ['payins', 'people', 'payment-pages', 'receipts'],
    'payment-pages': ['payins', 'people'],
    // What people must approve first is submitted with it, and goes on when they have.
    payouts: ['directory', 'people', 'approvals'],
    refunds: ['approvals', 'directory', 'payouts', 'people'],
    // What follows an approval is its kind's. Whoever decides shows who they are.
    approvals: [
      'payouts',
      'payout-batches',
      'refunds',
      'connections',
      'credentials',
      'ledger',
      'team',
      'people',
    ],
    // Rows of a file become payouts.
    'payout-batches': ['payouts', 'directory', 'people', 'approvals'],
    beneficiaries: ['directory', 'people'],
    // Whom a payout went to is a part of its evidence.
    receipts: ['people'],
    // What is held back is shown by its key, masked.
    backups: ['people'],
    // Whoever looks for a person asks by their digests.
    search: ['people'],
    // Whoever is named in a payment is sealed.
    directory: ['people'],
    events: ['webhooks'],
    // A merchant's keys and clients are made as the operator's are, once people have approved them.
    credentials: ['organizations', 'approvals'],
    // What a key or client invited others to ends with it.
    organizations: ['team'],
    // What a network reports ends in a payin, a payout or suspense. A change of a connection may wait for approval.
    connections: ['payins', 'payouts', 'directory', 'ledger', 'approvals'],
  },
}
// More than about this many files in one folder, and a reader has to search.
const MAX_FILES_IN_FOLDER = 30
const MAX_LINES = 350

const sources = sourcesIn(ROOT, 'src/**/*.ts')
const WALLS = { mayImport: { ...MAY_IMPORT, ...TOP_LEVEL }, knowEveryRoom: KNOWS_EVERY_ROOM }

describe('the house', () => {
  it('is looked at in full', () => {
    assert.ok(sources.length > 200)
    for (const room of Object.keys(MAY_IMPORT))
      assert.ok(
        sources.some(({ path }) => path.startsWith(`src/${room}/`)),
        `${room} has files`,
      )
    assert.ok(sources.filter(({ imports }) => imports.length > 0).length > 150, 'imports are found')
  })

  it('has rooms that import only what they may', () => {
    assert.deepEqual(unknownRooms(sources, WALLS), [])
    assert.deepEqual(crossedWalls(sources, WALLS), [])
  })

  it('lets flows see only the types of a rail, and the simulated networks only its wire', () => {
    assert.deepEqual(railsBeyondReach(sources), [])
  })

  it('has shelves that are nouns of the trade, and few enough files on each', () => {
    assert.deepEqual(unknownShelves(sources, NOUNS, OTHER_SHELVES), [])
    assert.deepEqual(fullFolders(sources, MAX_FILES_IN_FOLDER), [])
  })

  it('lets a shelf of flows or store import another only where the table allows it', () => {
    assert.deepEqual(crossedShelves(sources, SHELF_MAY_IMPORT), [])
  })

  it('has no import cycle, in the server, the commands, the SDK, the bench, the fuzz or the soak', () => {
    const others = [
      ...sourcesIn(ROOT, '{cli,sdk}/src/**/*.ts'),
      ...sourcesIn(ROOT, '{bench,fuzz,soak,supply}/**/*.ts'),
    ]
    assert.ok(others.length > 10)
    assert.deepEqual(importCycles([...sources, ...others]), [])
  })

  it('keeps clock and chance out of core and flows', () => {
    assert.deepEqual(clockInCore(sources), [])
  })

  it('reads the environment in config.ts only', () => {
    assert.deepEqual(environmentReads(sources), [])
  })

  it('writes SQL in the store only', () => {
    assert.deepEqual(sqlOutsideStore(sources), [])
  })

  it('has no file a reader does not finish', () => {
    assert.deepEqual(longFiles(sources, MAX_LINES), [])
  })

  it('opens every file with a word on what it is for', () => {
    assert.deepEqual(silentFiles(sources), [])
  })
})

describe('a rule of the house', () => {
  // Each rule, code that breaks it, and what the rule says about that code.
  const broken: [string, (given: Source[]) => string[], Record<string, string>, string[]][] = [
    [
      'names a room that the table does not know',
      (given) => unknownRooms(given, WALLS),
      { 'src/attic/box.ts': '', 'src/loose.ts': '', 'src/core/money.ts': '' },
      ['src/attic/box.ts', 'src/loose.ts'],
    ],
    [
      'names an import through a wall, of types too',
      (given) => crossedWalls(given, WALLS),
      {
        'src/core/a.ts': `import { db } from '../store/db.ts'\nimport './b.ts'`,
        'src/store/c.ts': `import type { Flow } from '../flows/d.ts'`,
        'src/api/e.ts': `export { f } from '../workers/f.ts'\nimport { g } from '../core/g.ts'`,
      },
      [
        'src/core/a.ts → src/store/db.ts',
        'src/store/c.ts → src/flows/d.ts',
        'src/api/e.ts → src/workers/f.ts',
      ],
    ],
    [
      'names a flow that sees more than types of a rail, and a simulation that sees more than its wire',
      railsBeyondReach,
      {
        'src/flows/payins/a.ts': `import { unknown } from '../../rails/rail.ts'`,
        'src/flows/b.ts': `import {\n  type Rail,\n  unknown,\n} from '../rails/rail.ts'`,
        'src/flows/c.ts': `import type { Rail } from '../rails/rail.ts'`,
        'src/sandbox/d.ts': `import { submit } from '../rails/pse/payins.ts'\nimport '../rails/pse/wire.ts'`,
      },
      ['src/flows/payins/a.ts', 'src/flows/b.ts', 'src/sandbox/d.ts → src/rails/pse/payins.ts'],
    ],
    [
      'names a shelf that is no noun of the trade',
      (given) => unknownShelves(given, NOUNS, OTHER_SHELVES),
      {
        'src/core/utils/a.ts': '',
        'src/core/http/b.ts': '',
        'src/core/payins/c.ts': '',
        'src/api/http/d.ts': '',
      },
      ['src/core/utils/a.ts', 'src/core/http/b.ts'],
    ],
    [
      'names a folder with too many files',
      (given) => fullFolders(given, 2),
      { 'src/core/a.ts': '', 'src/core/b.ts': '', 'src/core/c.ts': '', 'src/store/d.ts': '' },
      ['src/core'],
    ],
    [
      'names an import from another shelf that the table does not allow',
      (given) => crossedShelves(given, SHELF_MAY_IMPORT),
      {
        'src/store/ledger/a.ts': `import { b } from '../payins/b.ts'\nimport { c } from '../db.ts'`,
        'src/store/payins/b.ts': `import { a } from '../ledger/a.ts'`,
      },
      ['src/store/ledger/a.ts → src/store/payins/b.ts'],
    ],
    [
      'names an import cycle',
      importCycles,
      {
        'src/a.ts': `import './b.ts'`,
        'src/b.ts': `import './c.ts'`,
        'src/c.ts': `import './b.ts'\nimport './d.ts'`,
        'src/d.ts': '',
      },
      ['src/b.ts → src/c.ts → src/b.ts'],
    ],
    [
      'names a clock or chance in core and flows, but not in a comment',
      clockInCore,
      {
        'src/core/a.ts': `const now = Date.now()\n// Date.now()\nconst id = randomUUID()`,
        'src/flows/b.ts': 'const at = new Date()\nconst bytes = ctx.ids.randomBytes(12)',
        'src/flows/c.ts': 'Math.random()',
        'src/workers/d.ts': 'Date.now()',
      },
      ['src/core/a.ts:1', 'src/core/a.ts:3', 'src/flows/b.ts:1', 'src/flows/c.ts:1'],
    ],
    [
      'names a reading of the environment',
      environmentReads,
      {
        'src/config.ts': 'process.env',
        'src/api/a.ts': '\nprocess.env.PORT',
        'src/embedded/b.ts': 'process.env',
      },
      ['src/api/a.ts:2'],
    ],
    [
      'names SQL outside the store',
      sqlOutsideStore,
      {
        'src/flows/a.ts': '`select a from b`',
        'src/api/b.ts': '`delete from payins`',
        'src/workers/c.ts': '`update payins set a = 1`',
        'src/operator/d.ts': '`insert into payins`',
        'src/store/e.ts': '`select a from b`',
      },
      ['src/flows/a.ts:1', 'src/api/b.ts:1', 'src/workers/c.ts:1', 'src/operator/d.ts:1'],
    ],
    [
      'names a file that is too long',
      (given) => longFiles(given, MAX_LINES),
      { 'src/core/a.ts': '\n'.repeat(MAX_LINES), 'src/core/b.ts': '\n'.repeat(MAX_LINES - 1) },
      ['src/core/a.ts'],
    ],
    [
      'names a file that does not say what it is for',
      silentFiles,
      { 'src/core/a.ts': 'export {}', 'src/core/b.ts': '// What it is for.\nexport {}' },
      ['src/core/a.ts'],
    ],
  ]
  for (const [what, rule, files, expected] of broken) {
    it(what, () => {
      const given = Object.entries(files).map(([path, text]) => sourceOf(ROOT, path, text))
      assert.deepEqual(rule(given), expected)
      assert.deepEqual(rule([]), [])
    })
  }
})
