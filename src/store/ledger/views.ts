// The books and what is unusual about them, as a person looks at them: of one payment, or of one organization.

import type { Instant } from '../../core/instant.ts'
import type { SuspenseReason } from '../../core/payins/settle.ts'
import type { Queryable } from '../db.ts'
import { LISTED_ALARM_COLUMNS, type ListedAlarm } from './alarms.ts'
import type { SuspenseState } from './suspense.ts'

export async function alarmsOfSubject(
  db: Queryable,
  organizationId: string,
  subjectId: string,
): Promise<ListedAlarm[]> {
  const result = await db.query<ListedAlarm>({
    text: `select ${LISTED_ALARM_COLUMNS} from alarms where organization_id = $1 and subject_id = $2 order by alarm_id limit 50`,
    values: [organizationId, subjectId],
  })
  return result.rows
}

export type ShownSuspense = {
  suspenseId: string
  amountInCents: bigint
  chargedBackInCents: bigint
  reason: SuspenseReason
  state: SuspenseState
  createdAt: Instant
  updatedAt: Instant
}

export async function suspenseOfPayin(
  db: Queryable,
  organizationId: string,
  payinId: string,
): Promise<ShownSuspense[]> {
  const result = await db.query<ShownSuspense>({
    text: `select suspense_id as "suspenseId", amount_cents as "amountInCents", charged_back_cents as "chargedBackInCents",
                  reason, state, created_at as "createdAt", updated_at as "updatedAt"
             from suspense_items
            where organization_id = $1 and payin_id = $2
            order by suspense_id`,
    values: [organizationId, payinId],
  })
  return result.rows
}

export type HeldMoney = { items: number; sumInCents: bigint }

// Money in suspense about which somebody has yet to decide, or that is on its way back.
export async function heldMoney(db: Queryable, organizationId: string): Promise<HeldMoney> {
  const result = await db.query<{ items: bigint; sum: string }>({
    text: `select count(*) as items, coalesce(sum(amount_cents - charged_back_cents), 0)::text as sum
             from suspense_items
            where organization_id = $1 and state in ('OPEN', 'RETURNING')`,
    values: [organizationId],
  })
  const { items = 0n, sum = '0' } = result.rows[0] ?? {}
  return { items: Number(items), sumInCents: BigInt(sum) }
}

// Up to so many: whoever has more does not need the number.
const ALARMS_COUNTED = 1_000

export async function countOpenAlarms(db: Queryable, organizationId: string): Promise<number> {
  const result = await db.query<{ open: bigint }>({
    text: `select count(*) as open
             from (select 1
                     from alarms
                    where organization_id = $1 and resolved_at is null
                    limit ${ALARMS_COUNTED}) as found`,
    values: [organizationId],
  })
  return Number(result.rows[0]?.open ?? 0n)
}
