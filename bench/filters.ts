// What a filtered page of a list costs beside the first page of all, with every combination of filters, and how that grows
// with the rows: 100,000 of one organization in all lists together, then ten and a hundred times as many. The newest two thirds
// of the rows are of one kind and the others of another, so that filters match everything, nothing, or only what is far away.
// BENCH_SCALE=10 stops at ten times.

import { RAILS } from '../src/core/connections/rail.ts'
import { ACCOUNTS } from '../src/core/ledger/bookings.ts'
import { PAYIN_STATUSES } from '../src/core/payins/payin.ts'
import { PAYMENT_LINK_STATUSES } from '../src/core/payment-links/payment-link.ts'
import { PAYOUT_STATUSES } from '../src/core/payouts/payout.ts'
import type { Db, Queryable } from '../src/store/db.ts'
import type { RowList } from '../src/store/keyset-list.ts'
import { transferList } from '../src/store/ledger/transfers.ts'
import { payinList } from '../src/store/payins/lists.ts'
import { linkList } from '../src/store/payment-links/payment-links.ts'
import { payoutList } from '../src/store/payouts/payouts.ts'
import { atMost, type Measurement, type Row } from './report.ts'
import type { Testbed } from './testbed.ts'

type Filters = Record<string, string>
type Values = Readonly<Record<string, readonly string[]>>
type List = (db: Queryable, organizationId: string, filters: Filters) => RowList<unknown>
type Listed = { list: List; filters: Values; share: number; insert: string }

const SCALES = [1, 10, 100]
const ROWS = 100_000
const PAGE = 100
const TIMES = 9
// Pages that fill caches first.
const UNTIMED = 3
const NOBODY = '01900000-0000-7000-8000-00000000dead'

const kind = (newer: string, older: string): string =>
  `case when is_newer then '${newer}' else '${older}' end`

const LISTS: Readonly<Record<string, Listed>> = {
  payins: {
    list: payinList as List,
    filters: { status: PAYIN_STATUSES, rail: RAILS, reference: ['7', 'none'], paymentLinkId: [NOBODY] },
    share: 0.5,
    insert: `
      insert into payins (organization_id, payin_id, version, status, rail, amount_cents, confirmed_amount_cents, currency,
                          reference, key_type, key_string, bank, created_at, updated_at, expires_at, rail_stage)
      select $1, id, 2, ${kind('CONFIRMED', 'DECLINED')}, ${kind('BRE_B', 'PSE')}, 1, case when is_newer then 1 end, 'COP',
             n::text, case when is_newer then 'QR_CODE' end, case when is_newer then 'key' end,
             case when not is_newer then 'CO_NEQUI' end, now(), now(), now(), 'DONE'`,
  },
  'ledger transfers': {
    list: transferList as List,
    filters: { account: ACCOUNTS, subjectId: [NOBODY] },
    share: 0.3,
    insert: `
      insert into ledger_transfers (organization_id, transfer_id, booking, subject_id, debit_account, credit_account,
                                    amount_cents, currency, created_at)
      select $1, id, 'payin confirmed', id, ${kind('CLEARING_BRE_B', 'CLEARING_PSE')}, 'PENDING_SETTLEMENT', 1, 'COP', now()`,
  },
  payouts: {
    list: payoutList as List,
    filters: { status: PAYOUT_STATUSES, reference: ['payroll', 'none'] },
    share: 0.1,
    insert: `
      insert into payouts (organization_id, payout_id, version, status, stage, amount_cents, currency, reference, customer,
                           key_string, key_type, created_at, updated_at)
      select $1, id, 2, ${kind('CONFIRMED', 'DECLINED')}, 'DONE', 1, 'COP', ${kind('payroll', 'other')}, '{}', 'key',
             'ALPHANUMERIC', now(), now()`,
  },
  'payment links': {
    list: linkList as List,
    filters: { status: PAYMENT_LINK_STATUSES, reference: ['ticket', 'none'] },
    share: 0.1,
    insert: `
      insert into payment_links (organization_id, payment_link_id, token, version, status, amount_cents, currency, reference,
                                 callback_url, created_at, updated_at, expires_at)
      select $1, id, substring(sha256(n::text::bytea) for 16), 2, ${kind('COMPLETED', 'EXPIRED')}, 1, 'COP',
             ${kind('ticket', 'other')}, 'u', now(), now(), now()`,
  },
}

export async function filters(testbed: Testbed): Promise<Row[]> {
  const { organizationId } = await testbed.newMerchant()
  const rows: Row[] = []
  let filled = 0
  for (const scale of SCALES.filter((one) => one <= Number(process.env.BENCH_SCALE ?? 100))) {
    const total = ROWS * scale
    testbed.reportProgress(`  ${total.toLocaleString('en')} rows`)
    await fill(testbed.db, organizationId, { filled, total })
    filled = total
    await testbed.sampleBusyShare()
    for (const [name, { list, filters: values, share }] of Object.entries(LISTS)) {
      const time = (asked: Filters) => timePage(testbed.db, list, organizationId, asked)
      const first = await time({})
      let worst = { asked: {} as Filters, measured: first }
      for (const asked of combinationsOf(values)) {
        const measured = await time(asked)
        if (measured.p50Ms > worst.measured.p50Ms) worst = { asked, measured }
      }
      const asked = new URLSearchParams(worst.asked).toString()
      rows.push({
        label: `${name}, ${(total * share).toLocaleString('en')} rows: the first page`,
        measured: first,
        bars: [],
      })
      rows.push({
        label: `  the dearest of all filters${asked === '' ? '' : `, ${asked}`}`,
        measured: worst.measured,
        bars: [atMost(worst.measured.p50Ms / first.p50Ms, 3, '× the first page')],
      })
    }
  }
  return rows
}

async function fill(
  db: Db,
  organizationId: string,
  { filled, total }: { filled: number; total: number },
): Promise<void> {
  for (const { insert, share } of Object.values(LISTS)) {
    // What is added is newer than what is there.
    const [from, to] = [Math.round(filled * share), Math.round(total * share)]
    await db.inTransaction(
      async (tx) => {
        await tx.query({ text: 'set local session_replication_role = replica' })
        await tx.query({
          text: `${insert}
                   from (select n, n > $2::bigint / 3 as is_newer,
                                ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id
                           from generate_series($3::bigint, $2::bigint) as n) as numbers`,
          values: [organizationId, to, from + 1],
        })
      },
      { timeoutMs: 0 },
    )
  }
  await db.query({ text: 'vacuum (analyze) payins, ledger_transfers, payouts, payment_links' })
}

function combinationsOf(values: Values): Filters[] {
  return Object.entries(values)
    .reduce<Filters[]>(
      (before, [name, some]) =>
        before.flatMap((one) => [one, ...some.map((value) => ({ ...one, [name]: value }))]),
      [{}],
    )
    .filter((one) => Object.keys(one).length > 0)
}

// One page as the API asks for it, with one row more to see whether there is another page.
async function timePage(db: Db, list: List, organizationId: string, asked: Filters): Promise<Measurement> {
  const times: number[] = []
  for (let time = -UNTIMED; time < TIMES; time += 1) {
    const startedMs = performance.now()
    await list(db, organizationId, asked).seek({ direction: 'older', from: null }, PAGE + 1)
    if (time >= 0) times.push(performance.now() - startedMs)
  }
  times.sort((a, b) => a - b)
  const p50Ms = times[TIMES >> 1] as number
  return {
    answered: TIMES,
    requestsPerSecond: 1_000 / p50Ms,
    p50Ms,
    p99Ms: times.at(-1) as number,
    cpuMicrosPerRequest: Number.NaN,
  }
}
