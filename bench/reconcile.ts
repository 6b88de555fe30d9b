// A day with a million lines, from the first page of the network's statement to the last finding: how long it takes, and how much
// memory the process needs for it.

import { type Day, daysAfter, startOfDay } from '../src/core/bogota-day.ts'
import { lastClosedDay } from '../src/core/ledger/reconciliation.ts'
import { startChild } from './child.ts'
import type { Reconciled } from './reconciler.ts'
import { atMost, type Row } from './report.ts'
import { LINES, MISSING_EVERY, STEP_MS } from './statement-lines.ts'
import type { Testbed } from './testbed.ts'

const MERCHANTS = 10
const MAX_SECONDS = 60
const MAX_EXTRA_MEGABYTES = 200
const MEGABYTE = 1_048_576

export async function reconcile(testbed: Testbed): Promise<Row[]> {
  const organizationIds: string[] = []
  while (organizationIds.length < MERCHANTS)
    organizationIds.push((await testbed.newMerchant()).organizationId)
  const day = daysAfter(lastClosedDay(Date.now()), -1)
  testbed.reportProgress(`  writing ${LINES.toLocaleString('en')} payins and their bookings`)
  await writeBooks(testbed, organizationIds, startOfDay(day))
  await using network = startChild<'port', number>('statement-server.ts', {
    argument: { startMs: startOfDay(day), organizationIds },
  })
  const first = await run(testbed, await network.ask('port'), day)
  const again = await run(testbed, await network.ask('port'), day)
  return [
    rowOf('a day of 1,000,000 lines fetched and compared', first),
    rowOf('  the same day once more, every line known', again),
  ]
}

async function run(testbed: Testbed, port: number, day: Day): Promise<Reconciled> {
  const baseUrl = `http://127.0.0.1:${port}`
  const rail = (name: string) => ({
    [`${name}_BASE_URL`]: baseUrl,
    [`${name}_CLIENT_ID`]: 'bench',
    [`${name}_CLIENT_SECRET`]: 'bench',
    [`${name}_NOTIFICATION_KEY`]: 'bench',
  })
  const environment = {
    DATABASE_URL: testbed.databaseUrl,
    SECRETS_KEY: testbed.secretsKey.toString('hex'),
    ...rail('BREB'),
    ...rail('PSE'),
  }
  await using child = startChild<'run', Reconciled>('reconciler.ts', { argument: { environment, day } })
  await testbed.sampleBusyShare()
  const reconciled = await child.ask('run')
  assertWhole(reconciled.result)
  testbed.reportProgress(
    `  ${Math.round(LINES / reconciled.seconds).toLocaleString('en')} lines/s, ` +
      `${Math.round(reconciled.extraBytes / MEGABYTE)} MB more at the peak`,
  )
  return reconciled
}

function assertWhole(result: unknown): void {
  const missing = LINES / MISSING_EVERY
  const { matched, found } = result as { matched: number; found: Record<string, number> }
  if (matched !== LINES - missing || found.OURS_ONLY !== missing || found.NETWORK_ONLY !== 0)
    throw new Error(`the day was not reconciled as it should be: ${JSON.stringify(result)}`)
}

function rowOf(label: string, { seconds, extraBytes, cpuMicros }: Reconciled): Row {
  return {
    label,
    measured: {
      answered: LINES,
      requestsPerSecond: LINES / seconds,
      p50Ms: Number.NaN,
      p99Ms: Number.NaN,
      cpuMicrosPerRequest: cpuMicros / LINES,
    },
    bars: [
      atMost(seconds, MAX_SECONDS, 's'),
      atMost(extraBytes / MEGABYTE, MAX_EXTRA_MEGABYTES, 'MB more at the peak'),
    ],
  }
}

async function writeBooks({ db }: Testbed, organizationIds: string[], startMs: number): Promise<void> {
  const numbered = `
    select number, ($1::uuid[])[1 + number % $2] as organization_id, to_timestamp(at_ms / 1000.0) as at,
           lpad(to_hex(at_ms), 12, '0') as time, lpad(to_hex(number), 12, '0') as tail
      from (select number, $3::bigint + number * $4::bigint as at_ms
              from generate_series(0, $5::integer - 1) as number) n`
  const values = [organizationIds, organizationIds.length, startMs, STEP_MS, LINES]
  await db.query({
    text: `insert into payins (
                    organization_id, payin_id, version, status, settlement_status, rail, amount_cents,
                    confirmed_amount_cents, currency, reference, key_type, key_string, created_at, updated_at,
                    expires_at, result_at, rail_stage, payment_id)
           select organization_id, (time || '70008000' || tail)::uuid, 2, 'CONFIRMED', 'PENDING_SETTLEMENT', 'BRE_B', 5000000,
                  5000000, 'COP', 'reconciled-' || number, 'SINGLE_USE', '@RC' || number, at, at, at, at, 'DONE',
                  'PAY' || number
             from (${numbered}) p`,
    values,
  })
  await db.query({
    text: `insert into ledger_transfers (organization_id, transfer_id, booking, subject_id, debit_account, credit_account,
                                         amount_cents, currency, created_at)
           select organization_id, (time || '70009000' || tail)::uuid, 'payin confirmed', (time || '70008000' || tail)::uuid,
                  'CLEARING_BRE_B', 'PENDING_SETTLEMENT', 5000000, 'COP', at
             from (${numbered}) t`,
    values,
  })
  for (const table of ['payins', 'ledger_transfers']) await db.query({ text: `vacuum (analyze) ${table}` })
}
