// The comparisons as a merchant sees them: one for each day of each network, with what it counted and what it found.

import type { Day } from '../../core/bogota-day.ts'
import type { Rail } from '../../core/connections/rail.ts'
import type { Movement } from '../../core/connections/statement.ts'
import { type Instant, isoInstant } from '../../core/instant.ts'
import {
  FINDING_KINDS,
  type FindingKind,
  type Reconciliation,
  type Tally,
} from '../../core/ledger/reconciliation.ts'
import type { Queryable } from '../db.ts'
import { type IdBounds, listOf } from '../keyset-list.ts'
import { type Comparison, MATCHED_TOTALS } from './comparison.ts'

export type OrganizationTotals = {
  organizationId: string
  matchedIn: Tally
  matchedOut: Tally
  found: Readonly<Record<FindingKind, Tally>>
}

const COUNTS = FINDING_KINDS.map((kind) => kind.toLowerCase())
const MATCHED_COLUMNS = ['matched_in', 'matched_in_cents', 'matched_out', 'matched_out_cents']
const COUNT_COLUMNS = [...MATCHED_COLUMNS, ...COUNTS.flatMap((name) => [name, `${name}_cents`])]

// What the comparison in this transaction counted. A movement that is listed twice, or on two days, matches once.
export async function readTotals(tx: Queryable): Promise<OrganizationTotals[]> {
  const counted = COUNTS.flatMap((name) => [name, `${name}_cents`]).map(
    (name) => `coalesce(f.${name}, 0) as ${name}`,
  )
  const matched = MATCHED_COLUMNS.map(
    (name) => `(coalesce(t.${name}, 0) + coalesce(d.${name}, 0))::bigint as ${name}`,
  )
  const tallied = FINDING_KINDS.map((kind) => {
    const name = kind.toLowerCase()
    return `count(*) filter (where kind = '${kind}') as ${name},
            coalesce(sum(coalesce(network_cents, our_cents)) filter (where kind = '${kind}'), 0)::bigint as ${name}_cents`
  })
  const result = await tx.query<TotalsRow>({
    text: `select organization_id, ${[...matched, ...counted].join(', ')}
             from compared_totals t
             full join (select organization_id,
                               ${MATCHED_TOTALS('low_cents = high_cents and low_cents = our_cents and not elsewhere and not repeated')}
                          from disagreements
                         group by organization_id) d using (organization_id)
             full join (select organization_id, ${tallied.join(', ')}
                          from found
                         group by organization_id) f using (organization_id)`,
  })
  return result.rows.map((row) => ({
    organizationId: row.organization_id,
    matchedIn: tallyOf(row, 'matched_in'),
    matchedOut: tallyOf(row, 'matched_out'),
    found: Object.fromEntries(
      FINDING_KINDS.map((kind) => [kind, tallyOf(row, kind.toLowerCase())]),
    ) as Reconciliation['found'],
  }))
}

// A day that was compared before keeps its id.
export async function writeReconciliations(
  tx: Queryable,
  { rail, day }: Comparison,
  totals: readonly (OrganizationTotals & { reconciliationId: string })[],
  now: Instant,
): Promise<void> {
  const rows = totals.map(({ organizationId, reconciliationId, matchedIn, matchedOut, found }) => ({
    organization_id: organizationId,
    reconciliation_id: reconciliationId,
    ...columnsOf('matched_in', matchedIn),
    ...columnsOf('matched_out', matchedOut),
    ...Object.assign({}, ...FINDING_KINDS.map((kind) => columnsOf(kind.toLowerCase(), found[kind]))),
  }))
  await tx.query({
    text: `insert into reconciliations as r (organization_id, reconciliation_id, rail, day, run, finished_at,
                                             ${COUNT_COLUMNS.join(', ')})
           select organization_id, reconciliation_id, $1, $2, 1, $3, ${COUNT_COLUMNS.join(', ')}
             from json_to_recordset($4) as t (organization_id uuid, reconciliation_id uuid,
                                              ${COUNT_COLUMNS.map((name) => `${name} bigint`).join(', ')})
               on conflict (organization_id, rail, day) do update
              set run = r.run + 1, finished_at = excluded.finished_at,
                  ${COUNT_COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    values: [rail, day, isoInstant(now), JSON.stringify(rows)],
  })
}

function columnsOf(name: string, { count, amountInCents }: Tally): Record<string, string> {
  return { [name]: String(count), [`${name}_cents`]: amountInCents.toString() }
}

type TotalsRow = { organization_id: string } & Record<string, string | bigint>

function tallyOf(row: Record<string, unknown>, name: string): Tally {
  return { count: Number(row[name]), amountInCents: BigInt(row[`${name}_cents`] as bigint) }
}

export type ReconciliationFilters = IdBounds & { rail?: Rail; day?: Day; reconciliationId?: string }

export const reconciliationList = listOf<ReconciliationFilters, Record<string, unknown>, Reconciliation>({
  table: 'reconciliations',
  idColumn: 'reconciliation_id',
  columns: `organization_id, reconciliation_id, rail, day::text as day, run, finished_at, ${COUNT_COLUMNS.join(', ')},
            (select count(*)
               from reconciliation_findings f
              where f.organization_id = reconciliations.organization_id and f.rail = reconciliations.rail
                and f.day = reconciliations.day and f.state = 'OPEN') as open_findings`,
  cases: ({ rail, day, reconciliationId }) => [
    {
      also: [
        ['rail', rail],
        ['day', day],
        ['reconciliation_id', reconciliationId],
      ],
    },
  ],
  read: (row) => ({
    organizationId: row.organization_id as string,
    reconciliationId: row.reconciliation_id as string,
    rail: row.rail as Rail,
    day: row.day as Day,
    run: row.run as number,
    matchedIn: tallyOf(row, 'matched_in'),
    matchedOut: tallyOf(row, 'matched_out'),
    found: Object.fromEntries(
      FINDING_KINDS.map((kind) => [kind, tallyOf(row, kind.toLowerCase())]),
    ) as Reconciliation['found'],
    openFindings: Number(row.open_findings),
    finishedAt: row.finished_at as Instant,
  }),
})

export async function getReconciliation(
  db: Queryable,
  organizationId: string,
  reconciliationId: string,
): Promise<Reconciliation | undefined> {
  const list = reconciliationList(db, organizationId, { reconciliationId })
  return (await list.seek({ direction: 'older', from: null }, 1))[0]
}

export type Finding = {
  findingId: string
  kind: FindingKind
  movement: Movement | null
  reference: string | null
  networkId: string | null
  networkAmountInCents: bigint | null
  ourAmountInCents: bigint | null
  times: number
  subjectId: string | null
  state: 'OPEN' | 'RESOLVED'
  createdAt: Instant
  resolvedAt: Instant | null
}

export type FindingFilters = IdBounds & {
  rail: Rail
  day: Day
  kind?: FindingKind
  state?: 'OPEN' | 'RESOLVED'
}

const FINDING_COLUMNS = `finding_id as "findingId", kind, movement, reference, network_id as "networkId",
  network_cents as "networkAmountInCents", our_cents as "ourAmountInCents", times, subject_id as "subjectId", state,
  created_at as "createdAt", resolved_at as "resolvedAt"`

export const findingList = listOf<FindingFilters, Finding, Finding>({
  table: 'reconciliation_findings',
  idColumn: 'finding_id',
  columns: FINDING_COLUMNS,
  cases: ({ rail, day, kind, state }) => [
    {
      also: [
        ['rail', rail],
        ['day', day],
        ['kind', kind],
        ['state', state],
      ],
    },
  ],
  read: (row) => row,
})

export type OpenFinding = Finding & { organizationId: string; rail: Rail }

// Of all organizations, for the operator.
export async function listOpenFindings(
  db: Queryable,
  { day, rails, limit }: { day: Day; rails: readonly Rail[]; limit: number },
): Promise<OpenFinding[]> {
  const result = await db.query<OpenFinding>({
    text: `select f.organization_id as "organizationId", f.rail, ${FINDING_COLUMNS}
             from (select organization_id from organizations) o
             join reconciliation_findings f on f.organization_id = o.organization_id
            where f.day = $1 and f.rail = any($2) and f.state = 'OPEN'
            order by f.organization_id, f.rail, f.finding_id
            limit $3`,
    values: [day, rails, limit],
  })
  return result.rows
}
