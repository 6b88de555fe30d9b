// The manifest of a backup is read by whoever restores, perhaps years later and from a damaged disk: whatever is wrong with it is said.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { forgetfulProviders } from '../../../src/core/backups/held-back.ts'
import { inLoadOrder, parseManifest } from '../../../src/core/backups/manifest.ts'

const WHOLE = {
  format: 1,
  takenAt: '2026-11-17T12:00:00.000Z',
  postgresql: '18.4',
  schema: [{ version: 1, name: 'first', checksum: 'a'.repeat(64) }],
  tables: [{ table: 'payins', columns: ['payin_id'], rows: 2, bytes: 40, sha256: 'b'.repeat(64) }],
  partitions: { events: [{ from: null, to: '01900000-0000-7000-8000-000000000000' }] },
  organizations: [{ organizationId: '01900000-0000-7000-8000-000000000001', lastEvent: 3, auditHead: null }],
  secretsKeyId: '0123456789abcdef',
}

describe('a manifest', () => {
  it('is read if it is whole, also where nothing says which key seals', () => {
    assert.deepEqual(parseManifest(JSON.stringify(WHOLE)), WHOLE)
    assert.ok(!('problem' in parseManifest(JSON.stringify({ ...WHOLE, secretsKeyId: null }))))
    const half = { ...WHOLE, schema: [{ ...WHOLE.schema[0], stepsLeft: 1 }] }
    assert.ok(!('problem' in parseManifest(JSON.stringify(half))))
  })

  const [table] = WHOLE.tables
  const [migration] = WHOLE.schema
  const broken: Record<string, unknown> = {
    'no tables': { ...WHOLE, tables: undefined },
    'a table that is null': { ...WHOLE, tables: [null] },
    'a table without columns': { ...WHOLE, tables: [{ ...table, columns: undefined }] },
    'a column that is a statement': {
      ...WHOLE,
      tables: [{ ...table, columns: ['payin_id', 'x) from y; drop table payins'] }],
    },
    'a table that is a path': { ...WHOLE, tables: [{ ...table, table: '../../etc/passwd' }] },
    'rows that are no number': { ...WHOLE, tables: [{ ...table, rows: '2' }] },
    'a table without its digest': { ...WHOLE, tables: [{ ...table, sha256: null }] },
    'partitions that are null': { ...WHOLE, partitions: null },
    'partitions of a table that are null': { ...WHOLE, partitions: { events: null } },
    'a migration that is null': { ...WHOLE, schema: [null] },
    'a migration without its number': { ...WHOLE, schema: [{ ...migration, version: null }] },
    'a migration with less than no steps left': { ...WHOLE, schema: [{ ...migration, stepsLeft: -1 }] },
    'an organization that is null': { ...WHOLE, organizations: [null] },
    'an organization without its last event': {
      ...WHOLE,
      organizations: [{ ...WHOLE.organizations[0], lastEvent: 'many' }],
    },
    'a key that is a number': { ...WHOLE, secretsKeyId: 7 },
    'a migration without its name': { ...WHOLE, schema: [{ ...migration, name: null }] },
    'a migration without its checksum': { ...WHOLE, schema: [{ ...migration, checksum: 7 }] },
    'steps left that are no number': { ...WHOLE, schema: [{ ...migration, stepsLeft: '1' }] },
    'less than no rows': { ...WHOLE, tables: [{ ...table, rows: -1 }] },
    'half a row': { ...WHOLE, tables: [{ ...table, rows: 0.5 }] },
    'an organization that is no id': {
      ...WHOLE,
      organizations: [{ ...WHOLE.organizations[0], organizationId: 'x' }],
    },
    'the head of a log that is a number': {
      ...WHOLE,
      organizations: [{ ...WHOLE.organizations[0], auditHead: 7 }],
    },
    'a partition that ends nowhere': { ...WHOLE, partitions: { events: [{ from: null, to: null }] } },
    'a partition that begins at no id': {
      ...WHOLE,
      partitions: { events: [{ from: 'x', to: WHOLE.partitions.events[0]?.to }] },
    },
    'a key that is not said': { ...WHOLE, secretsKeyId: undefined },
    'no schema': { ...WHOLE, schema: undefined },
    'no organizations': { ...WHOLE, organizations: {} },
    'no partitions': { ...WHOLE, partitions: undefined },
    'no moment': { ...WHOLE, takenAt: null },
  }
  for (const [what, manifest] of Object.entries(broken))
    it(`is refused with ${what}`, () => {
      assert.deepEqual(parseManifest(JSON.stringify(manifest)), {
        problem: 'its manifest.json is not as it was written',
      })
    })

  it('of another format names it, and one that was cut off is said to be', () => {
    assert.deepEqual(parseManifest(JSON.stringify({ ...WHOLE, format: 2 })), {
      problem: 'it has format 2, and this version of Recaudo reads format 1',
    })
    assert.deepEqual(parseManifest('{'), { problem: 'its manifest.json is cut off or was changed' })
    const head = { ...WHOLE, organizations: [{ ...WHOLE.organizations[0], auditHead: '3:ab' }] }
    assert.ok(!('problem' in parseManifest(JSON.stringify(head))))
    const empty = { ...WHOLE, tables: [{ ...table, rows: 0 }], partitions: {}, organizations: [] }
    assert.ok(!('problem' in parseManifest(JSON.stringify(empty))))
  })

  it('is refused if it is no object at all', () => {
    for (const text of ['', '{', 'null', '7', '"a"', '[]']) assert.ok('problem' in parseManifest(text), text)
  })
})

describe('tables of a backup', () => {
  const tables = (refersTo: Readonly<Record<string, string[]>>) =>
    Object.entries(refersTo).map(([table, others]) => ({ table, refersTo: others }))

  it('are loaded after those that they refer to, and may refer to themselves', () => {
    const order = inLoadOrder(tables({ c: ['b', 'a'], b: ['a', 'b'], d: [], a: ['elsewhere'] }))
    assert.deepEqual(
      order.map(({ table }) => table),
      ['d', 'a', 'b', 'c'],
    )
    assert.throws(() => inLoadOrder(tables({ a: ['b'], b: ['a'], c: [] })), /in a circle: a, b$/)
  })
})

describe('providers that would pay an order once more', () => {
  const now = Date.UTC(2026, 10, 17)
  const HOUR_MS = 3_600_000

  it('are those that do not know it again until the workers have started', () => {
    const forgetful = (hours: number) => forgetfulProviders(now - hours * HOUR_MS, now)
    assert.deepEqual(forgetful(0), ['mono', 'placetopay'])
    assert.deepEqual(forgetfulProviders(now - 18 * HOUR_MS + 1, now), ['mono', 'placetopay'])
    assert.deepEqual(forgetful(18), ['wompi', 'mono', 'placetopay'])
    assert.deepEqual(forgetfulProviders(null, now), ['wompi', 'mono', 'placetopay'])
  })
})
