// A day is compared in two forms: one for one PostgreSQL, one for many machines. Both leave the same, step by step, of two merchants
// whose payments have the same ids and otherwise little in common: some are booked and some listed, on this day, on others or on none,
// with this amount or that, over a network of ours or a connection. What they leave is judged in test/flows/ledger.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { daysAfter, endOfDay, startOfDay } from '../../../src/core/bogota-day.ts'
import { HOUR_MS, isoInstant } from '../../../src/core/instant.ts'
import { newOrganization } from '../../../src/core/organizations/organization.ts'
import { type Db, openDb } from '../../../src/store/db.ts'
import * as comparison from '../../../src/store/ledger/comparison.ts'
import * as findings from '../../../src/store/ledger/findings.ts'
import * as otherDays from '../../../src/store/ledger/other-days.ts'
import { spreadComparison } from '../../../src/store/ledger/spread-comparison.ts'
import { insertOrganization } from '../../../src/store/organizations/organizations.ts'
import { citusUrl } from '../../citus.ts'
import { createDatabase } from '../../world.ts'
import { undone } from '../rows.ts'

const DAY = '2026-11-15'
const JUDGED = { rail: 'BRE_B', day: DAY, run: 1, from: startOfDay(DAY), to: endOfDay(DAY) } as const
const NOW = endOfDay(DAY) + 12 * HOUR_MS
const NOON = startOfDay(DAY) + 12 * HOUR_MS
const MERCHANTS = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002']
const PAYMENTS = 400

const ONE_MACHINE = { ...comparison, ...otherDays, ...findings }
type Form = Pick<typeof ONE_MACHINE, keyof typeof spreadComparison>

// Each with what may show that it did something else.
const STEPS: readonly (readonly [
  step: (form: Form, tx: Db) => Promise<unknown>,
  shows: readonly (keyof typeof SHOWN)[],
])[] = [
  [(_, tx) => comparison.openComparison(tx), []],
  [(_, tx) => comparison.collectLines(tx, JUDGED, [isoInstant(JUDGED.from), isoInstant(JUDGED.to)]), []],
  [(_, tx) => otherDays.releaseUnlisted(tx, JUDGED, NOW), []],
  [(form, tx) => form.giveToNetworkOnly(tx, 'BRE_B'), ['bookings_of_other_days']],
  [(_, tx) => comparison.collectBookings(tx, JUDGED), []],
  [(_, tx) => comparison.matchLinesWithBookings(tx), []],
  [(form, tx) => form.describeLines(tx, JUDGED), ['disagreements']],
  [(form, tx) => form.collectOtherDays(tx, JUDGED), ['keyed_bookings', 'keyed_lines']],
  [(_, tx) => otherDays.takeBookingsOfOtherDays(tx, JUDGED), []],
  [(_, tx) => otherDays.markRepeated(tx, JUDGED), []],
  [(_, tx) => otherDays.takeLinesOfOtherDays(tx, JUDGED), []],
  [(form, tx) => form.compareWithPayouts(tx), ['disagreements']],
  [(_, tx) => findings.classifyDisagreements(tx, JUDGED), []],
  [(form, tx) => form.markNewFindings(tx, JUDGED), ['found']],
  [(_, tx) => findings.writeFindings(tx, JUDGED, NOW), []],
  [(form, tx) => form.resolveListedOnOtherDay(tx, 'BRE_B', NOW), ['reconciliation_findings', 'alarms']],
  [(form, tx) => form.resolveSinceBooked(tx, 'BRE_B', NOW), ['reconciliation_findings', 'alarms']],
]

// Without ids that are made by chance.
const SHOWN = {
  bookings_of_other_days: 't::text',
  disagreements: 't::text',
  keyed_bookings: 't::text',
  keyed_lines: 't::text',
  found: 't::text',
  reconciliation_findings: `(to_jsonb(t) - 'finding_id')::text`,
  alarms: 't::text',
} as const

// One of these values, as chance says: another for each merchant, payment and `name`, and the same each time.
const oneOf = (name: string, ...values: readonly (string | number)[]): string => {
  const chance = `('x' || left(md5(concat_ws(' ', o.id, k, j, '${name}')), 7))::bit(28)::integer`
  return `(array[${values.join(', ')}])[1 + ${chance} % ${values.length}]`
}
const DAYS = [0, 0, 0, 1, -1, 31, 32, -31, -40].map((days) => `date '${daysAfter(DAY, days)}'`)
const RAIL = (name: string): string => oneOf(`rail of ${name}`, `'BRE_B'`, `'BRE_B'`, `'BRE_B'`, `'PSE'`)
const CENTS = (name: string): string => oneOf(`cents of ${name}`, 100, 100, 100, 200)
const STATUS = oneOf('status', `'CONFIRMED'`, `'CONFIRMED'`, `'CONFIRMED'`, `'CANCELED'`)
const CONNECTION = (name: string): string =>
  oneOf(`connection of ${name}`, 'null', 'null', 'null', `'${MERCHANTS[0]}'::uuid`)
const SUBJECT = `md5('subject ' || k)::uuid`
const OTHER_SUBJECT = `md5('subject ' || k + 4)::uuid`
// Of every four payments one is of a payin, one in suspense, one a payout and one a refund.
const KIND = (...[payin, suspense, payout, refund]: [string, string, string, string]): string =>
  `case k % 4 when 0 then ${payin} when 1 then ${suspense} when 2 then ${payout} else ${refund} end`
const BACK = oneOf('back', `'credit'`, `'credit'`, `'chargeback'`)
const MOVEMENT = KIND(BACK, BACK, `'debit'`, `'return'`)
// One network's id of a payment may look like another's name of a payout.
const PAYMENT_ID = KIND(`'payment-' || k`, `'payment-' || k`, `${SUBJECT}::text`, `${SUBJECT}::text`)
const KEY = `${MOVEMENT} || ' ' || ${PAYMENT_ID}`
const BOOKING = KIND(
  `(array['payin confirmed', 'payin charged back before settlement', 'payin charged back after settlement', 'payin settled'])[j]`,
  `(array['money in suspense', 'suspense charged back', 'suspense released', 'suspense attached'])[j]`,
  `(array['payout confirmed', 'refund paid', 'payout paid after rejection', 'payout reserved'])[j]`,
  `(array['refund given back', 'suspense returned', 'refund reserved', 'refund released'])[j]`,
)
const ACCOUNT = oneOf('account', `'CLEARING_BRE_B'`, `'CLEARING_BRE_B'`, `'CLEARING_BRE_B'`, `'CLEARING_PSE'`)
const BOOKED_ON = oneOf('booked', ...DAYS)
// Noon of that day, and some time after it.
const BOOKED_AT = `${NOON}::bigint + (${BOOKED_ON} - date '${DAY}') * 86400000::bigint + k * 10 + j`
const TRANSFER_ID = `(lpad(to_hex(${BOOKED_AT}), 12, '0') || '70008' || left(md5(concat(k, j)), 15))::uuid`
const LISTED_ON = `(array[${DAYS.slice(2).join(', ')}])[j]`

const rows = (
  times: number,
  share: string,
  columns: Readonly<Record<string, string>>,
  table: string,
): string =>
  `insert into ${table} (organization_id, ${Object.keys(columns).join(', ')})
   select o.id, ${Object.values(columns).join(', ')}
     from unnest($1::uuid[]) as o (id), generate_series(1, ${PAYMENTS}) k, generate_series(1, ${times}) j
    where ${share} on conflict do nothing`
const HALF = (name: string): string => oneOf(name, 'true', 'false')

const PAYMENTS_OF_ALL_KINDS = [
  rows(
    1,
    'true',
    {
      payin_id: SUBJECT,
      version: '1',
      status: STATUS,
      rail: RAIL('payin'),
      amount_cents: '100',
      confirmed_amount_cents: `case ${STATUS} when 'CONFIRMED' then 100 end`,
      currency: `'COP'`,
      reference: `'order-' || k`,
      payment_id: PAYMENT_ID,
      connection_id: CONNECTION('payin'),
      key_string: `case ${RAIL('payin')} when 'BRE_B' then '@ANA' end`,
      bank: `case ${RAIL('payin')} when 'PSE' then 'CO_BANCOLOMBIA' end`,
      ...{ created_at: 'now()', updated_at: 'now()', expires_at: 'now()' },
    },
    'payins',
  ),
  rows(
    1,
    'k % 4 in (1, 3)',
    {
      suspense_id: SUBJECT,
      payin_id: oneOf('of payin', 'null', OTHER_SUBJECT),
      rail: RAIL('suspense'),
      payment_id: PAYMENT_ID,
      amount_cents: '100',
      reason: `'LATE'`,
      state: oneOf('state', `'COUNTED'`, `'OPEN'`),
      ...{ created_at: 'now()', updated_at: 'now()' },
    },
    'suspense_items',
  ),
  rows(
    1,
    'k % 4 = 2',
    {
      payout_id: SUBJECT,
      version: '1',
      ...{ status: `'CONFIRMED'`, stage: `'DONE'`, currency: `'COP'`, reference: `'order-' || k` },
      ...{ customer: `'{}'`, key_string: `'@ANA'`, key_type: `'ALPHANUMERIC'` },
      amount_cents: CENTS('payout'),
      connection_id: CONNECTION('payout'),
      ...{ created_at: 'now()', updated_at: 'now()' },
    },
    'payouts',
  ),
  rows(
    1,
    `k % 4 = 3 and ${HALF('refund')}`,
    {
      refund_id: SUBJECT,
      payin_id: OTHER_SUBJECT,
      version: '1',
      ...{ status: `'CONFIRMED'`, stage: `'DONE'`, way: `'RAIL'`, currency: `'COP'`, reason: `'x'` },
      ...{ amount_cents: '100', rail: `'BRE_B'`, credential_id: `'x'` },
      ...{ created_at: 'now()', updated_at: 'now()' },
    },
    'refunds',
  ),
  rows(
    4,
    oneOf('is booked', 'true', 'true', 'false'),
    {
      transfer_id: TRANSFER_ID,
      booking: BOOKING,
      subject_id: SUBJECT,
      debit_account: `case when ${HALF('side')} then ${ACCOUNT} else 'AVAILABLE' end`,
      credit_account: `case when ${HALF('side')} then 'AVAILABLE' else ${ACCOUNT} end`,
      amount_cents: CENTS('booked'),
      currency: `'COP'`,
      created_at: 'now()',
    },
    'ledger_transfers',
  ),
  rows(
    4,
    oneOf('is remembered', 'true', 'false', 'false', 'false'),
    {
      transfer_id: TRANSFER_ID,
      rail: RAIL('remembered'),
      line_key: KEY,
      own_day: BOOKED_ON,
      listed_on: `${BOOKED_ON} + ${oneOf('remembered', 1, 1, -1, 41)}`,
    },
    'bookings_of_other_days',
  ),
  rows(
    7,
    HALF('is listed'),
    {
      rail: RAIL('line'),
      day: LISTED_ON,
      line_key: KEY,
      network_id: oneOf('network', `'a'`, `'b'`),
      amount_cents: CENTS('line'),
      run: oneOf('run', 0, 1, 1, 1, 2),
      times: oneOf('times', 1, 1, 2),
      movement: MOVEMENT,
      subject_id: oneOf('line', 'null', SUBJECT),
      reference: `'line ' || j`,
      occurred_at: `to_timestamp(${NOON / 1000} + k)`,
    },
    'statement_lines',
  ),
  rows(
    3,
    HALF('is found'),
    {
      finding_id: `md5(concat(k, ' ', j))::uuid`,
      rail: RAIL('finding'),
      day: oneOf('day of finding', ...DAYS.slice(0, 5)),
      kind: oneOf('kind', `'OURS_ONLY'`, `'NETWORK_ONLY'`, `'NETWORK_ONLY'`, `'AMOUNT_DIFFERS'`),
      line_key: KEY,
      movement: MOVEMENT,
      network_cents: CENTS('finding'),
      times: '1',
      state: oneOf('finding', `'OPEN'`, `'OPEN'`, `'OPEN'`, `'RESOLVED'`),
      run: '1',
      alarm_id: `md5('alarm ' || k / 8)::uuid`,
      created_at: 'now()',
    },
    'reconciliation_findings',
  ),
  rows(
    1,
    'true',
    {
      alarm_id: `md5('alarm ' || k / 8)::uuid`,
      kind: `'reconciliation'`,
      subject_id: SUBJECT,
      detail: `'x'`,
      created_at: 'now()',
      resolved_at: oneOf('ended', 'null', 'null', 'now()'),
    },
    'alarms',
  ),
]
// A statement was fetched as often as its lines say; the fetch that was compared is not always the first.
const RUNS = `insert into reconciliation_runs (rail, day, state, run, compared_run, lines, attempts)
              select rail, day, 'DONE', 2, case when rail = 'PSE' then 2 else extract(day from day)::integer % 3 end, 1, 1
                from unnest(array['BRE_B', 'PSE']) rail, unnest(array[${DAYS.slice(2).join(', ')}]) day`

// A booking is remembered with the rail and the key of a line that could have it.
const forgetWhatNoLineCanHave = (db: Db): Promise<void> =>
  db.inTransaction(async (tx) => {
    await comparison.openComparison(tx)
    await tx.query({
      text: `insert into disagreements (organization_id, line_key, movement)
             select distinct organization_id, line_key, split_part(line_key, ' ', 1) from bookings_of_other_days`,
    })
    await otherDays.collectOtherDays(tx, JUDGED)
    await tx.query({
      text: `delete from bookings_of_other_days b
              where case rail when 'PSE'
                    then not exists (select from ledger_transfers t
                                      where t.organization_id = b.organization_id and t.transfer_id = b.transfer_id
                                        and 'CLEARING_PSE' in (t.debit_account, t.credit_account))
                    else not exists (select from keyed_bookings k
                                      where k.organization_id = b.organization_id and k.transfer_id = b.transfer_id
                                        and k.line_key = b.line_key) end`,
    })
  })

const onOneMachine = { skip: citusUrl() !== undefined && 'the database is spread' }

describe('a day that is compared in the form for many machines', onOneMachine, () => {
  let db: Db
  let drop: () => Promise<void>
  before(async () => {
    const database = await createDatabase()
    drop = database.drop
    db = openDb({ url: database.url, poolSize: 1, statementTimeoutMs: 20_000 })
    for (const id of MERCHANTS) await insertOrganization(db, newOrganization(id, 'Café', NOON))
    for (const text of PAYMENTS_OF_ALL_KINDS) await db.query({ text, values: [MERCHANTS] })
    await db.query({ text: RUNS })
    await db.query({ text: 'analyze' })
    await forgetWhatNoLineCanHave(db)
  })
  after(async () => {
    await db.close()
    await drop()
  })

  const leftBy = (form: Form): Promise<string[][]> =>
    undone(db, async (tx) => {
      const left: string[][] = []
      for (const [step, shows] of STEPS) {
        await step(form, tx)
        for (const table of shows) {
          const text = `select ${SHOWN[table]} as row from ${table} t order by 1`
          left.push((await tx.query<{ row: string }>({ text })).rows.map(({ row }) => row))
        }
      }
      return left
    })

  it('leaves after each step what the form for one leaves', async () => {
    const alone = await leftBy(ONE_MACHINE)
    const spread = await leftBy(spreadComparison)
    for (const [index, table] of STEPS.flatMap(([, shows]) => shows).entries())
      assert.deepEqual(spread[index], alone[index], `${table} (${index})`)
    for (const rows of alone)
      for (const id of MERCHANTS) assert.ok(rows.filter((row) => row.includes(id)).length >= 40)
  })
})
