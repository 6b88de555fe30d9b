// Lists with filters that no index has: every match is found once, however far apart matches lie, and no statement looks at more
// rows than its bound.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { newOrganization } from '../../src/core/organizations/organization.ts'
import { boundedList } from '../../src/store/bounded-list.ts'
import { type Db, openDb } from '../../src/store/db.ts'
import type { IdBounds, PageStart } from '../../src/store/keyset-list.ts'
import { insertOrganization } from '../../src/store/organizations/organizations.ts'
import { createDatabase } from '../world.ts'

const ROWS = 95
const MAX_ROWS = 20
const ORGANIZATION = randomUUID()

type Filters = IdBounds & { status?: string; min?: bigint; text?: string }
type Row = { id: string; amount: bigint }

// The last of the newest rows that a page may look at.
const READ_TO = `00000000-0000-7000-8000-${(ROWS - MAX_ROWS + 1).toString(16).padStart(12, '0')}`

// Amounts from 1 to 95, of which the last is the newest. Every third was paid.
const DEFINITION: Parameters<typeof boundedList<Filters, Row, Row>>[0] = {
  table: 'payment_links',
  idColumn: 'payment_link_id',
  columns: 'payment_link_id as id, amount_cents as amount',
  cases: ({ status }) => [{ key: status === undefined ? [] : [['status', status]] }],
  rest: ({ min, text }) => [
    ['amount_cents', '>=', min],
    ['reference', 'contains', text],
  ],
  read: ({ id, amount }) => ({ id, amount }),
  groupedBy: 'status',
  summed: 'amount_cents',
}

const list = boundedList<Filters, Row, Row>(DEFINITION, MAX_ROWS)

describe('a list with filters that no index has', () => {
  let database: { url: string; drop: () => Promise<void> }
  let db: Db
  before(async () => {
    database = await createDatabase()
    db = openDb({ url: database.url, poolSize: 2 })
    await insertOrganization(db, newOrganization(ORGANIZATION, 'Café La Palma', Date.now()))
    await db.query({
      text: `insert into payment_links (organization_id, payment_link_id, token, version, status, amount_cents, currency, reference,
                                        callback_url, created_at, updated_at, expires_at)
             select $1, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, decode(md5(n::text), 'hex'), 1,
                    case n % 3 when 0 then 'COMPLETED' else 'PENDING' end, n, 'COP', 'Pedido ' || n, 'https://x.example', now(),
                    now(), now()
               from generate_series(1, ${ROWS}) as n`,
      values: [ORGANIZATION],
    })
  })
  after(async () => {
    await db.close()
    await database.drop()
  })

  // Goes on from where each page ended.
  async function readAll(filters: Filters, direction: PageStart['direction'], limit = 4): Promise<number[]> {
    const found: number[] = []
    for (let from: string | null = null; ; ) {
      const page = await list(db, ORGANIZATION, filters).page({ direction, from }, limit)
      found.push(...page.rows.map(({ amount }) => Number(amount)))
      const next: string | null = page.rows.length === limit ? (page.rows.at(-1)?.id ?? null) : page.readTo
      if (next === null) return found
      from = next
    }
  }
  const numbers = (holds: (n: number) => boolean): number[] =>
    Array.from({ length: ROWS }, (_, index) => ROWS - index).filter(holds)

  it('finds every match once, newest or oldest first', async () => {
    const asked: [Filters, (n: number) => boolean][] = [
      [{}, () => true],
      [{ min: 60n }, (n) => n >= 60],
      [{ text: 'PEDIDO 9' }, (n) => `${n}`.startsWith('9')],
      [{ text: '7' }, (n) => `${n}`.includes('7')],
      [{ status: 'COMPLETED', min: 90n }, (n) => n % 3 === 0 && n >= 90],
      [{ status: 'COMPLETED', text: 'pedido 3' }, (n) => n % 3 === 0 && `${n}`.startsWith('3')],
      [{ text: 'nothing' }, () => false],
    ]
    for (const [filters, holds] of asked) {
      const name = JSON.stringify(filters, (_, value) => (typeof value === 'bigint' ? Number(value) : value))
      assert.deepEqual(await readAll(filters, 'older'), numbers(holds), name)
      assert.deepEqual(await readAll(filters, 'newer'), numbers(holds).toReversed(), name)
    }
  })

  it('stops after so many rows, and says where', async () => {
    const page = await list(db, ORGANIZATION, { text: 'Pedido 1' }).page(
      { direction: 'older', from: null },
      4,
    )
    assert.deepEqual(page.rows, [])
    assert.equal(page.readTo, READ_TO)
    const all = await list(db, ORGANIZATION, {
      text: 'nothing',
      fromId: '00000000-0000-7000-8000-000000000055',
    }).page({ direction: 'older', from: null }, 4)
    assert.deepEqual(all, { rows: [], readTo: null })
  })

  it('stops after as many rows where it looks at several ends of an index', async () => {
    const ofBoth = boundedList<Filters, Row, Row>(
      {
        ...DEFINITION,
        cases: () => ['PENDING', 'COMPLETED'].map((status) => ({ key: [['status', status]] })),
      },
      MAX_ROWS,
    )
    const page = await ofBoth(db, ORGANIZATION, { text: 'nothing' }).page(
      { direction: 'older', from: null },
      4,
    )
    assert.deepEqual(page, { rows: [], readTo: READ_TO })
  })

  it('has totals by group, of the newest rows, and says where there are more', async () => {
    const totals = await list(db, ORGANIZATION, { min: 90n }).totals()
    assert.equal(totals.isPartial, true)
    assert.deepEqual(
      new Map(totals.groups.map(({ group, count, sum }) => [group, [count, sum]])),
      new Map([
        ['COMPLETED', [2, 183n]],
        ['PENDING', [4, 372n]],
      ]),
    )
    const few = { fromId: '00000000-0000-7000-8000-000000000055' }
    assert.equal((await list(db, ORGANIZATION, few).totals()).isPartial, false)
  })
})
