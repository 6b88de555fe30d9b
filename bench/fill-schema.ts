// Fills a database of an earlier schema as years of service would: payins, a tenth as many payouts, their bookings, and the digests of
// people. A tenth of the merchants collect over a provider of their own. There are no triggers, and indexes are built when all rows
// are there.

import type { Db } from '../src/store/db.ts'
import { withoutIndexes } from './fill-waiting.ts'

export const ORGANIZATIONS = 100
const AT_ONCE = 1_000_000

const OWNER = `(lpad((row % ${ORGANIZATIONS} + 1)::text, 8, '0') || '-0000-7000-8000-000000000000')::uuid`
// In the order of time, as ids are.
const ID = `(lpad(to_hex(1700000000000 + row), 12, '0') || '70008000' || lpad(to_hex(row), 12, '0'))::uuid`
// As long as a sealed customer.
const CUSTOMER = `json_build_object('sealed', repeat(md5(row::text), 8))`

type Filled = { table: string; share: number; insert: string }

// One booking of each of the payins, or of that share of them.
function transfers(share: number, booking: string, part: string, debit: string, credit: string): Filled {
  return {
    table: 'ledger_transfers',
    share,
    insert: `
      insert into ledger_transfers (organization_id, transfer_id, booking, subject_id, debit_account, credit_account, amount_cents,
                                    currency, created_at)
      select ${OWNER}, ('${part}' || substr(${ID}::text, 2))::uuid, '${booking}', ${ID}, '${debit}', '${credit}', 5000000, 'COP', now()`,
  }
}

const TABLES: readonly Filled[] = [
  {
    table: 'payins',
    share: 1,
    insert: `
      insert into payins (organization_id, payin_id, version, status, settlement_status, rail, amount_cents,
                          confirmed_amount_cents, currency, reference, customer, key_string, key_type, created_at, updated_at,
                          expires_at, result_at, rail_stage, merchant_name, connection_id)
      select ${OWNER}, ${ID}, 4, 'CONFIRMED', 'SETTLED', 'BRE_B', 5000000, 5000000, 'COP', 'order-' || row, ${CUSTOMER},
             '@K' || row, 'SINGLE_USE', now(), now(), now(), now(), 'DONE', 'Café',
             case when row % 10 = 0 then ${OWNER} end`,
  },
  {
    table: 'payouts',
    share: 0.1,
    insert: `
      insert into payouts (organization_id, payout_id, version, status, stage, amount_cents, currency, reference, customer,
                           key_string, key_type, created_at, updated_at, result_at)
      select ${OWNER}, ${ID}, 3, 'CONFIRMED', 'DONE', 5000000, 'COP', 'pay-' || row, ${CUSTOMER}, '@K' || row, 'ALPHANUMERIC',
             now(), now(), now()`,
  },
  transfers(1, 'payin confirmed', '1', 'CLEARING_BRE_B', 'PENDING_SETTLEMENT'),
  transfers(1, 'payin settled', '2', 'PENDING_SETTLEMENT', 'AVAILABLE'),
  transfers(0.1, 'payout reserved', '3', 'AVAILABLE', 'RESERVED'),
  transfers(0.1, 'payout confirmed', '4', 'RESERVED', 'CLEARING_BRE_B'),
  {
    table: 'people_digests',
    share: 1,
    insert: `
      insert into people_digests (organization_id, digest, object_id, resource)
      select ${OWNER}, decode(md5((row / 4)::text), 'hex'), ${ID}, 'payin'`,
  },
]

export async function fillSchema(db: Db, rows: number, report: (progress: string) => void): Promise<void> {
  await db.query({
    text: `insert into organizations (organization_id, name, rails, on_amount_mismatch, require_key_lookup,
                                      payin_expiry_minutes, created_at, updated_at)
           select ${OWNER}, 'Café', '{BRE_B}', 'decline', false, 60, now(), now()
             from generate_series(1, ${ORGANIZATIONS}) row`,
  })
  for (const { table, share, insert } of TABLES) {
    const count = Math.ceil(rows * share)
    report(`  writing ${count.toLocaleString('en')} ${table}`)
    await db.inTransaction(
      async (tx) => {
        // Foreign keys are checked by triggers, which replicas do not run.
        await tx.query({ text: 'set local session_replication_role = replica' })
        await tx.query({ text: `set local maintenance_work_mem = '512MB'` })
        await withoutIndexes(tx, table, async () => {
          for (let first = 1; first <= count; first += AT_ONCE)
            await tx.query({
              text: `${insert} from generate_series($1::bigint, $2::bigint) row`,
              values: [first, Math.min(count, first + AT_ONCE - 1)],
            })
        })
      },
      { timeoutMs: 0 },
    )
    await db.query({ text: `vacuum analyze ${table}` })
  }
  await db.query({
    text: `insert into ledger_balances (organization_id, account, slot, debit_cents, credit_cents)
           select organization_id, account, 0, sum(debit), sum(credit)
             from (select organization_id, debit_account as account, amount_cents as debit, 0 as credit from ledger_transfers
                    union all
                   select organization_id, credit_account, 0, amount_cents from ledger_transfers) booked
            group by organization_id, account`,
  })
  await db.query({ text: 'checkpoint' })
}
