// What migration 0060 makes of the books of many merchants at once, as the version before could have left them. Each history is written as
// rows, and the migration runs once, over all of them.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { createIdSource } from '../../../src/core/ids.ts'
import { type Db, openDb } from '../../../src/store/db.ts'
import { distribute } from '../../../src/store/distribute.ts'
import { migrate, readMigrations } from '../../../src/store/migrate.ts'
import { citusUrl, createEmptyCitusDatabase, dropCitusDatabase } from '../../citus.ts'
import { createDatabase } from '../../world.ts'

const START = Date.parse('2026-10-01T12:00:00Z')
const CONNECTION = '0000c077-0000-7000-8000-000000000000'

type Accounts = { AVAILABLE?: number; DEPOSITED?: number; RESERVED?: number }
type Payment = { connected?: boolean; status?: string; stage?: string; deposits?: number }
type Merchant = {
  payin: (payment?: Payment) => Promise<string>
  // Of 10 each.
  payout: (payment?: Payment) => Promise<string>
  row: (table: string, columns: Record<string, unknown>) => Promise<void>
  book: (booking: string, subjectId: string, debit: string, credit: string, cents: number) => Promise<void>
  id: () => string
}

// What each merchant has afterwards in its accounts, and what its payouts have of deposits, the oldest first.
type History = { of: (merchant: Merchant) => Promise<unknown>; has: Accounts; deposits?: number[] }

const opening = ({ book, id }: Merchant, cents: number) =>
  book('opening balance', id(), 'CLEARING_BRE_B', 'AVAILABLE', cents)
async function collected(merchant: Merchant, cents: number, connected = true): Promise<string> {
  const id = await merchant.payin({ connected })
  await merchant.book('payin confirmed', id, 'CLEARING_BRE_B', 'PENDING_SETTLEMENT', cents)
  await merchant.book('payin settled', id, 'PENDING_SETTLEMENT', 'AVAILABLE', cents)
  return id
}
async function paidOut(merchant: Merchant, connected: boolean): Promise<void> {
  const id = await merchant.payout({ connected, status: 'CONFIRMED', stage: 'DONE' })
  await merchant.book('payout reserved', id, 'AVAILABLE', 'RESERVED', 10)
  await merchant.book('payout confirmed', id, 'RESERVED', 'CLEARING_BRE_B', 10)
}
async function open(merchant: Merchant, stage: string, deposits = 0): Promise<void> {
  const id = await merchant.payout({ connected: true, stage, deposits })
  if (deposits < 10) await merchant.book('payout reserved', id, 'AVAILABLE', 'RESERVED', 10 - deposits)
  if (deposits > 0)
    await merchant.book('payout reserved from deposits', id, 'DEPOSITED', 'RESERVED', deposits)
}
async function suspense(merchant: Merchant, connected: boolean): Promise<string> {
  const payin_id = await merchant.payin({ connected })
  const suspense_id = merchant.id()
  const item = { rail: 'BRE_B', payment_id: suspense_id, amount_cents: 20, reason: 'LATE', state: 'ATTACHED' }
  await merchant.row('suspense_items', { suspense_id, payin_id, ...item })
  await merchant.book('money in suspense', suspense_id, 'CLEARING_BRE_B', 'SUSPENSE', 20)
  await merchant.book('suspense attached', suspense_id, 'SUSPENSE', 'AVAILABLE', 20)
  return suspense_id
}

const HISTORIES: Record<string, History> = {
  'collected over the installation’s network alone': {
    of: (merchant) => collected(merchant, 50, false),
    has: { AVAILABLE: 50 },
  },
  'was paid by the installation, which is owed that': {
    of: async (merchant) => {
      await collected(merchant, 20)
      for (let times = 0; times < 2; times += 1) await paidOut(merchant, false)
      await paidOut(merchant, false)
    },
    has: { AVAILABLE: -30, DEPOSITED: 20 },
  },
  'has a payout under way that is paid with it': {
    of: async (merchant) => {
      await collected(merchant, 50)
      await open(merchant, 'SENT')
    },
    has: { DEPOSITED: 40, RESERVED: 10 },
    deposits: [10],
  },
  'attached suspense of its provider': {
    of: (merchant) => suspense(merchant, true),
    has: { DEPOSITED: 20 },
  },
  'attached suspense of the installation’s network': {
    of: (merchant) => suspense(merchant, false),
    has: { AVAILABLE: 20 },
  },
  'had attached suspense of its provider charged back': {
    of: async (merchant) => {
      await opening(merchant, 5)
      const id = await suspense(merchant, true)
      await paidOut(merchant, true)
      await merchant.book('suspense charged back after attaching', id, 'AVAILABLE', 'CLEARING_BRE_B', 20)
    },
    has: { AVAILABLE: 5, DEPOSITED: -10 },
  },
  'has taken all of it out of its provider': {
    of: async (merchant) => {
      await opening(merchant, 30)
      await collected(merchant, 50)
      const movement_id = merchant.id()
      await merchant.row('connection_movements', {
        movement_id,
        connection_id: CONNECTION,
        kind: 'WITHDRAWAL',
        amount_cents: 50,
        deposit_cents: 0,
        reference: 'bank',
        recorded_by: 'key',
      })
      await merchant.book('collected money withdrawn', movement_id, 'AVAILABLE', 'CLEARING_BRE_B', 50)
    },
    has: { AVAILABLE: 30 },
  },
  'has given a part of it back over its rail': {
    of: async (merchant) => {
      const payin_id = await collected(merchant, 50)
      const refund_id = merchant.id()
      const refund = { status: 'CONFIRMED', stage: 'DONE', way: 'RAIL', amount_cents: 15, currency: 'COP' }
      await merchant.row('refunds', {
        refund_id,
        payin_id,
        version: 1,
        ...refund,
        reason: 'NOT_RECEIVED',
        rail: 'BRE_B',
        credential_id: 'key',
      })
      await merchant.book('refund reserved', refund_id, 'AVAILABLE', 'RESERVED', 15)
      await merchant.book('refund given back', refund_id, 'RESERVED', 'CLEARING_BRE_B', 15)
    },
    has: { DEPOSITED: 35 },
  },
  'has paid more over its provider than it collected, with money that is recorded nowhere': {
    of: async (merchant) => {
      await opening(merchant, 30)
      await paidOut(merchant, true)
      await paidOut(merchant, true)
    },
    has: { AVAILABLE: 10 },
  },
  'has paid more over its provider than it collected, and had that charged back too': {
    of: async (merchant) => {
      await opening(merchant, 40)
      const id = await collected(merchant, 20)
      for (let times = 0; times < 3; times += 1) await paidOut(merchant, true)
      await merchant.book('payin charged back after settlement', id, 'AVAILABLE', 'CLEARING_BRE_B', 20)
    },
    has: { AVAILABLE: 30, DEPOSITED: -20 },
  },
  // Two alike: what is left for one is nothing to the other.
  ...Object.fromEntries(
    ['has too little for two open payouts, and pays the older first', 'has the same, beside another'].map(
      (name): [string, History] => [
        name,
        {
          of: async (merchant) => {
            await opening(merchant, 5)
            await collected(merchant, 15)
            await open(merchant, 'AWAITING_APPROVAL')
            await open(merchant, 'SENDING')
          },
          has: { RESERVED: 20 },
          deposits: [10, 5],
        },
      ],
    ),
  ),
  'has an open payout that deposits pay in part': {
    of: async (merchant) => {
      await merchant.book('connection deposit', merchant.id(), 'CLEARING_BRE_B', 'DEPOSITED', 4)
      await collected(merchant, 30)
      await open(merchant, 'RESERVED', 4)
    },
    has: { DEPOSITED: 24, RESERVED: 10 },
    deposits: [10],
  },
  'has a payout for which nothing is set aside yet': {
    of: async (merchant) => {
      await collected(merchant, 30)
      await merchant.payout({ connected: true, stage: 'CREATED' })
    },
    has: { DEPOSITED: 30 },
    deposits: [0],
  },
  'has many bookings, the last of them by a clock that is ahead': {
    of: async (merchant) => {
      await collected(merchant, 50)
      for (let times = 0; times < 1_001; times += 1) await opening(merchant, 1)
    },
    has: { AVAILABLE: 1_001, DEPOSITED: 50 },
  },
}

async function emptyDatabase(): Promise<Awaited<ReturnType<typeof createDatabase>>> {
  if (citusUrl() === undefined) return createDatabase(null)
  const name = `test_${randomUUID().replaceAll('-', '')}`
  return { url: await createEmptyCitusDatabase(name), drop: () => dropCitusDatabase(name) }
}

// What a payment refers to is not written.
async function dropForeignKeys(db: Db): Promise<void> {
  const { rows } = await db.query<{ statement: string }>({
    text: `select format('alter table %I drop constraint %I', relname, conname) as statement
             from pg_constraint k
             join pg_class c on c.oid = k.conrelid
            where contype = 'f' and connamespace = current_schema()::regnamespace and conparentid = 0`,
  })
  for (const { statement } of rows) await db.query({ text: statement })
}

describe('migration 0060, of a merchant that', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let db: Db
  const organizations = new Map<string, string>()
  before(async () => {
    database = await emptyDatabase()
    db = openDb({ url: database.url, poolSize: 1, statementTimeoutMs: 0 })
    const all = readMigrations()
    await migrate(
      db,
      all.filter(({ version }) => version < 60),
    )
    if (citusUrl() !== undefined) await distribute(db)
    let now = START
    const newId = createIdSource((count) => crypto.getRandomValues(Buffer.alloc(count)))
    await dropForeignKeys(db)
    for (const [name, { of }] of Object.entries(HISTORIES)) {
      const organizationId = newId(START)
      organizations.set(name, organizationId)
      const isAhead = name.endsWith('ahead')
      const insert = async (table: string, columns: Record<string, unknown>): Promise<void> => {
        const row: Record<string, unknown> = { organization_id: organizationId, ...columns }
        const names = Object.keys(row)
        await db.query({
          text: `insert into ${table} (${names.join()}) values (${names.map((_, index) => `$${index + 1}`).join()})`,
          values: Object.values(row),
        })
      }
      // A second later each.
      const id = () => {
        now += 1_000
        return newId(isAhead ? now + 365 * 24 * 3_600_000 : now)
      }
      const timeOf = (one: string) =>
        new Date(Number.parseInt(one.replace('-', '').slice(0, 12), 16)).toISOString()
      const row: Merchant['row'] = (table, columns) => {
        const at = new Date(now).toISOString()
        const times =
          table === 'connection_movements' ? { created_at: at } : { created_at: at, updated_at: at }
        return insert(table, { ...columns, ...times })
      }
      const payment = { version: 1, amount_cents: 10, currency: 'COP', reference: '', customer: '{}' }
      const connection = (connected = false) =>
        connected ? { connection_id: CONNECTION, provider: 'mono' } : {}
      await row('organizations', {
        name,
        rails: '{BRE_B}',
        on_amount_mismatch: 'decline',
        require_key_lookup: false,
        payin_expiry_minutes: 60,
      })
      await of({
        id,
        row,
        payin: async ({ connected } = {}) => {
          const payin_id = id()
          const own = {
            payin_id,
            reference: payin_id,
            status: 'CONFIRMED',
            confirmed_amount_cents: 10,
            settlement_status: 'SETTLED',
            rail: 'BRE_B',
            key_string: '@K',
            key_type: 'SINGLE_USE',
            rail_stage: 'DONE',
            merchant_name: name,
          }
          await row('payins', { ...payment, ...own, expires_at: timeOf(payin_id), ...connection(connected) })
          return payin_id
        },
        payout: async ({ connected, status = 'PROCESSING', stage = 'SENT', deposits = 0 } = {}) => {
          const payout_id = id()
          const own = {
            payout_id,
            reference: payout_id,
            status,
            stage,
            key_string: '@K',
            key_type: 'ALPHANUMERIC',
          }
          await row('payouts', { ...payment, ...own, deposit_cents: deposits, ...connection(connected) })
          return payout_id
        },
        book: async (booking, subjectId, debit, credit, cents) => {
          const transfer_id = id()
          await insert('ledger_transfers', {
            transfer_id,
            booking,
            subject_id: subjectId,
            debit_account: debit,
            credit_account: credit,
            amount_cents: cents,
            currency: 'COP',
            created_at: timeOf(transfer_id),
          })
        },
      })
    }
    await db.query({
      text: `insert into ledger_balances (organization_id, account, slot, debit_cents, credit_cents)
             select organization_id, account, 0, sum(debit), sum(credit)
               from (select organization_id, debit_account as account, amount_cents as debit, 0 as credit from ledger_transfers
                      union all
                     select organization_id, credit_account, 0, amount_cents from ledger_transfers) t
              group by organization_id, account`,
    })
    await migrate(db, all)
  })
  after(async () => {
    await db.close()
    await database.drop()
  })

  for (const [name, { has, deposits = [] }] of Object.entries(HISTORIES))
    it(name, async () => {
      const values = [organizations.get(name)]
      const sums = `select account, sum(credit - debit)::float8 as held
                      from (select debit_account as account, amount_cents as debit, 0 as credit from ledger_transfers where organization_id = $1
                             union all
                            select credit_account, 0, amount_cents from ledger_transfers where organization_id = $1) t
                     where account in ('AVAILABLE', 'DEPOSITED', 'RESERVED') group by account having sum(credit - debit) <> 0`
      const balances = `select account, sum(credit_cents - debit_cents)::float8 as held
                          from ledger_balances
                         where organization_id = $1 and account in ('AVAILABLE', 'DEPOSITED', 'RESERVED')
                         group by account having sum(credit_cents - debit_cents) <> 0`
      for (const text of [sums, balances]) {
        const { rows } = await db.query<{ account: string; held: number }>({ text, values })
        assert.deepEqual(Object.fromEntries(rows.map(({ account, held }) => [account, held])), has)
      }
      const ofDeposits = await db.query<{ cents: number }>({
        text: `select deposit_cents::float8 as cents from payouts where organization_id = $1 and status = 'PROCESSING' order by payout_id`,
        values,
      })
      assert.deepEqual(
        ofDeposits.rows.map(({ cents }) => cents),
        deposits,
      )
      const { rows } = await db.query<{ moved: boolean | null; isApart: boolean; isConnected: boolean }>({
        text: `select (select bool_and(created_at > (select max(created_at) from ledger_transfers
                                                      where organization_id = $1 and part <> '0060')
                                       and created_at = o.connections_apart_since)
                         from ledger_transfers where organization_id = $1 and part = '0060') as moved,
                      connections_apart_since >= (select max(created_at) from ledger_transfers
                                                   where organization_id = $1) as "isApart",
                      exists (select from payins where organization_id = $1 and connection_id is not null)
                      or exists (select from payouts where organization_id = $1 and connection_id is not null) as "isConnected"
                 from organizations o where organization_id = $1`,
        values,
      })
      // What is moved is the newest, and from then on the books are of the new kind.
      const [one] = rows
      assert.notEqual(one?.moved, false)
      assert.equal(one?.isApart ?? false, one?.isConnected)
    })
})
