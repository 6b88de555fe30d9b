// The lines of the networks' statements, as rows. Pages come by the thousand, so a page is one statement over arrays: that is
// several times cheaper than JSON, on both sides.

import type { Day } from '../../core/bogota-day.ts'
import type { Rail } from '../../core/connections/rail.ts'
import { type Instant, isoInstant } from '../../core/instant.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../core/organizations/organization.ts'
import type { Queryable } from '../db.ts'

export type NewLine = {
  organizationId: string
  matchKey: string
  subjectId: string | null
  networkId: string
  reference: string
  amountInCents: bigint
  occurredAt: Instant | null
  // Set only for a line that cannot be read.
  raw: string | null
}

// A line that this fetch has seen already is counted. One that an earlier fetch has seen begins again at one.
export async function insertLines(
  tx: Queryable,
  statement: { rail: Rail; day: Day; run: number },
  lines: readonly NewLine[],
): Promise<void> {
  if (lines.length === 0) return
  await tx.query({
    name: 'insert-statement-lines',
    text: `insert into statement_lines as l (organization_id, rail, day, line_key, network_id, amount_cents, run, times,
                                             movement, subject_id, reference, occurred_at, raw)
           select coalesce(o.organization_id, $11::uuid), $1, $2, n.line_key, n.network_id, n.amount_cents, $3, count(*),
                  min(case when n.raw = '' then split_part(n.line_key, ' ', 1) end), min(nullif(n.subject_id, ''))::uuid,
                  min(n.reference), min(nullif(n.occurred_at, ''))::timestamptz, min(nullif(n.raw, ''))
             from unnest($4::uuid[], $5::text[], $6::text[], $7::bigint[], $8::text[], $9::text[], $10::text[], $12::text[])
                  as n (organization_id, line_key, network_id, amount_cents, subject_id, reference, occurred_at, raw)
             left join organizations o on o.organization_id = n.organization_id
            group by coalesce(o.organization_id, $11::uuid), n.line_key, n.network_id, n.amount_cents
            order by 1, 4, 5, 6
               on conflict (organization_id, rail, day, line_key, network_id, amount_cents) do update
              set times = case when l.run = excluded.run then l.times + excluded.times else excluded.times end,
                  run = excluded.run, occurred_at = excluded.occurred_at`,
    values: [
      statement.rail,
      statement.day,
      statement.run,
      arrayText(lines, (line) => line.organizationId),
      arrayText(lines, (line) => line.matchKey),
      arrayText(lines, (line) => line.networkId),
      arrayText(lines, (line) => line.amountInCents.toString()),
      arrayText(lines, (line) => line.subjectId ?? ''),
      arrayText(lines, (line) => line.reference),
      arrayText(lines, (line) => (line.occurredAt === null ? '' : isoInstant(line.occurredAt))),
      UNATTRIBUTED_ORGANIZATION,
      arrayText(lines, (line) => line.raw ?? ''),
    ],
  })
}

const NEEDS_ESCAPE = /["\\]/

// An array as PostgreSQL writes it. The driver's own way looks at every character of every value.
function arrayText<Item>(items: readonly Item[], textOf: (item: Item) => string): string {
  const values = items.map((item) => {
    const text = textOf(item)
    return NEEDS_ESCAPE.test(text) ? text.replaceAll(/["\\]/g, '\\$&') : text
  })
  return `{"${values.join('","')}"}`
}
