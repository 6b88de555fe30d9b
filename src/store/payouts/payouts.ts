// Payouts as rows: inserted in batches like payins, listed, and claimed when due.

import type { ApprovalRule } from '../../core/approvals/rule.ts'
import { bogotaDay } from '../../core/bogota-day.ts'
import type { Provider } from '../../core/connections/provider.ts'
import type { KeyType } from '../../core/directory/breb-key.ts'
import type { Instant } from '../../core/instant.ts'
import { isoInstant } from '../../core/instant.ts'
import {
  PAYOUT_STATUSES,
  type Payout,
  type PayoutErrorCode,
  type PayoutStage,
  type PayoutStatus,
} from '../../core/payouts/payout.ts'
import type { Customer } from '../../core/people/customer.ts'
import { isSealed, type Sealed } from '../../core/people/sealed.ts'
import type { Queryable } from '../db.ts'
import {
  type IdempotencyRecord,
  insertRecordsOf,
  keyIsFree,
  RECORD_COLUMNS,
  recordColumns,
} from '../idempotency.ts'
import { type IdBounds, type ListCase, listOf } from '../keyset-list.ts'
import { type InsertedPayment, IS_CONNECTED, lockedConnections } from '../locked-connections.ts'
import { IS_BY_PRESENT_RULES, presentRules, storedRules } from '../present-rules.ts'
import {
  anchoredOrganization,
  fromAnchored,
  inScope,
  isAnchored,
  scopedStatement,
} from '../scoped-statement.ts'

// `credentialId` is the key's or the client's that asked for it. `rules` are those by which it was decided who must approve it.
export type NewPayout = {
  payout: Payout
  record: IdempotencyRecord | null
  credentialId: string
  rules?: readonly ApprovalRule[]
}
export type PayoutAddress = { organizationId: string; payoutId: string }

// `inserted` is false if the idempotency key was already used, its connection is gone, or the approval rules are others by now. Nothing
// of that payout was then written.
export async function insertPayouts(db: Queryable, batch: NewPayout[]): Promise<InsertedPayment[]> {
  // All may be beyond their limits. A statement about nobody's rows is refused where rows are on several machines.
  if (batch.length === 0) return []
  const result = await db.query<RefusedRow>(
    await insertPayoutsStatement(
      db,
      batch.map(({ payout }) => payout.organizationId),
      [JSON.stringify(batch.map(insertRow))],
    ),
  )
  const refused = new Map(result.rows.map((row) => [row.payout_id, row]))
  return batch.map(({ payout: { payoutId } }) => ({
    inserted: !refused.has(payoutId),
    ...(refused.get(payoutId)?.is_connected === false && { isConnectionGone: true }),
    ...(refused.get(payoutId)?.is_by_present_rules === false && { areRulesReplaced: true }),
  }))
}

type RefusedRow = { payout_id: string; is_connected: boolean; is_by_present_rules: boolean }

const insertPayoutsStatement = scopedStatement(
  'insert-payouts',
  1,
  (scope) => `
  with incoming as (
    select *
      from json_to_recordset($1) as r (
             organization_id uuid, payout_id uuid, amount_cents bigint, reference text, customer json, key_string text,
             key_string_sent text, key_type text, note json, created_at timestamptz, day date, credential_id text,
             connection_id uuid, provider text, refund_id uuid, fee_cents bigint, fee_tax_cents bigint,
             rules jsonb, ${RECORD_COLUMNS})
  ), ${lockedConnections(scope)}, ${presentRules(scope)}, inserted as (
    insert into payouts (organization_id, payout_id, version, status, stage, amount_cents, currency, reference, customer,
                         key_string, key_string_sent, key_type, note, created_at, updated_at, due_at, credential_id,
                         connection_id, provider, refund_id, fee_cents, fee_tax_cents)
    select ${anchoredOrganization(scope, 'i')}, payout_id, 1, 'PROCESSING', 'CREATED', amount_cents, 'COP', reference, customer,
           key_string, key_string_sent, key_type, note, created_at, created_at, created_at, credential_id,
           connection_id, provider, refund_id, coalesce(fee_cents, 0), coalesce(fee_tax_cents, 0)
      from ${fromAnchored(scope, 'incoming i')}
     where ${isAnchored(scope)} and ${keyIsFree(scope)} and ${IS_CONNECTED} and ${IS_BY_PRESENT_RULES}
        on conflict do nothing
 returning organization_id, payout_id
  ), counted as (
    -- Of the credential, and of the organization as a whole. In one order, so that two batches do not wait for each other.
    insert into payout_usage as u (organization_id, day, credential_id, payouts, sum_cents)
    select ${anchoredOrganization(scope, 'i')}, i.day, c.credential_id, count(*)::integer, sum(i.amount_cents)::bigint
      from ${fromAnchored(
        scope,
        `inserted join incoming i using (organization_id, payout_id)
           cross join lateral (values (''), (i.credential_id)) c (credential_id)`,
      )}
     where ${isAnchored(scope)}
     group by 1, 2, 3
     order by 1, 2, 3
        on conflict (organization_id, day, credential_id) do update
       set payouts = u.payouts + excluded.payouts, sum_cents = u.sum_cents + excluded.sum_cents
  ), ${insertRecordsOf('payout_id', scope)}
  -- Returns the refused rows, because there are usually none. One that is there already was written by a commit whose answer was lost,
  -- whatever the rules are by now.
  select payout_id, ${IS_CONNECTED} as is_connected,
         ${IS_BY_PRESENT_RULES}
           or exists (select from payouts p
                       where p.organization_id = i.organization_id and p.payout_id = i.payout_id ${inScope(scope, 'p')})
           as is_by_present_rules
    from incoming i
   where payout_id not in (select payout_id from inserted)`,
)

function insertRow({ payout, record, credentialId, rules }: NewPayout): Record<string, unknown> {
  return {
    organization_id: payout.organizationId,
    payout_id: payout.payoutId,
    amount_cents: Number(payout.amountInCents),
    reference: payout.reference,
    ...receiverColumns(payout.receiver),
    key_type: payout.keyType,
    note: payout.note ?? undefined,
    created_at: isoInstant(payout.createdAt),
    day: bogotaDay(payout.createdAt),
    credential_id: credentialId,
    connection_id: payout.connection?.connectionId,
    provider: payout.connection?.provider,
    refund_id: payout.refundId ?? undefined,
    rules: rules && storedRules(rules),
    ...(payout.feeInCents > 0n && {
      fee_cents: Number(payout.feeInCents),
      fee_tax_cents: Number(payout.feeTaxInCents),
    }),
    ...recordColumns(record),
  }
}

// A sealed receiver holds the key too.
function receiverColumns(receiver: Payout['receiver']): Record<string, unknown> {
  if (isSealed(receiver)) return { customer: receiver, key_string: '' }
  const { customer, keyString, keyStringSent } = receiver
  const sent = keyStringSent === keyString ? undefined : keyStringSent
  return { customer, key_string: keyString, key_string_sent: sent }
}

export const PAYOUT_COLUMNS = `organization_id, payout_id, version, status, stage, amount_cents, currency, reference, customer, key_string,
  key_string_sent, key_type, error_code, network_code, trace_id, created_at, updated_at, result_at, attempts, note,
  connection_id, provider, provider_id, returned_at, deposit_cents, refund_id, missing_cents,
  fee_cents, fee_tax_cents`

export async function getPayouts(db: Queryable, addresses: PayoutAddress[]): Promise<(Payout | undefined)[]> {
  const organizationIds = addresses.map((address) => address.organizationId)
  const result = await db.query<PayoutRow>(
    await getPayoutsStatement(db, organizationIds, [
      organizationIds,
      addresses.map((address) => address.payoutId),
    ]),
  )
  const found = new Map(result.rows.map((row) => [row.organization_id + row.payout_id, toPayout(row)]))
  return addresses.map((address) => found.get(address.organizationId + address.payoutId))
}

const getPayoutsStatement = scopedStatement(
  'get-payouts',
  2,
  (scope) => `
  select ${PAYOUT_COLUMNS}
    from payouts
   where (organization_id, payout_id) in (select * from unnest($1::uuid[], $2::uuid[])) ${inScope(scope, 'payouts')}`,
)

export async function lockPayout(tx: Queryable, address: PayoutAddress): Promise<Payout | undefined> {
  const result = await tx.query<PayoutRow>({
    name: 'lock-payout',
    text: `select ${PAYOUT_COLUMNS} from payouts where organization_id = $1 and payout_id = $2 for update`,
    values: [address.organizationId, address.payoutId],
  })
  return result.rows[0] && toPayout(result.rows[0])
}

export type PayoutFilters = IdBounds & {
  status?: PayoutStatus
  reference?: string
}

export const payoutList = listOf<PayoutFilters, PayoutRow, Payout>({
  table: 'payouts',
  idColumn: 'payout_id',
  columns: PAYOUT_COLUMNS,
  cases: ({ status, reference }): ListCase[] => {
    if (reference === undefined) return [{ key: status === undefined ? [] : [['status', status]] }]
    return (status === undefined ? PAYOUT_STATUSES : [status]).map((oneStatus) => ({
      key: [
        ['reference', reference],
        ['status', oneStatus],
      ],
    }))
  },
  read: toPayout,
})

export type PayoutClaim = { payout: Payout; attempts: number; leaseToken: string }

// Skips payouts that another worker is claiming, and whatever people must approve first. Returns the oldest first: ids contain the creation time.
export async function claimDuePayouts(
  tx: Queryable,
  organizationId: string,
  now: Instant,
  lease: { token: string; until: Instant },
  limit: number,
): Promise<PayoutClaim[]> {
  const result = await tx.query<PayoutRow>({
    name: 'claim-due-payouts',
    text: `update payouts
              set due_at = $3, lease_token = $4
            where organization_id = $1
              and payout_id = any(array(select payout_id
                                          from payouts
                                         where organization_id = $1 and due_at <= $2 and stage <> 'AWAITING_APPROVAL'
                                         order by due_at
                                         limit $5
                                           for update skip locked))
        returning ${PAYOUT_COLUMNS}`,
    values: [organizationId, isoInstant(now), isoInstant(lease.until), lease.token, limit],
  })
  return result.rows
    .map((row) => ({ payout: toPayout(row), attempts: row.attempts, leaseToken: lease.token }))
    .sort((a, b) => (a.payout.payoutId < b.payout.payoutId ? -1 : 1))
}

export type PayoutRow = {
  organization_id: string
  payout_id: string
  version: number
  status: PayoutStatus
  stage: PayoutStage
  amount_cents: bigint
  currency: 'COP'
  reference: string
  customer: Customer | Sealed
  key_string: string
  key_string_sent: string | null
  key_type: KeyType
  error_code: PayoutErrorCode | null
  network_code: string | null
  trace_id: string | null
  created_at: Instant
  updated_at: Instant
  result_at: Instant | null
  attempts: number
  note: Sealed | null
  connection_id: string | null
  provider: Provider | null
  provider_id: string | null
  returned_at: Instant | null
  deposit_cents: bigint
  fee_cents: bigint
  fee_tax_cents: bigint
  refund_id: string | null
  missing_cents: bigint | null
}

function receiverOfRow({
  customer,
  key_string: keyString,
  key_string_sent: sent,
}: PayoutRow): Payout['receiver'] {
  return isSealed(customer) ? customer : { customer, keyString, keyStringSent: sent ?? keyString }
}

export function toPayout(row: PayoutRow): Payout {
  return {
    organizationId: row.organization_id,
    payoutId: row.payout_id,
    version: row.version,
    connection:
      row.connection_id === null
        ? null
        : { connectionId: row.connection_id, provider: row.provider as Provider },
    providerId: row.provider_id,
    status: row.status,
    stage: row.stage,
    amountInCents: row.amount_cents,
    currency: row.currency,
    reference: row.reference,
    receiver: receiverOfRow(row),
    note: row.note,
    keyType: row.key_type,
    errorCode: row.error_code,
    networkCode: row.network_code,
    traceId: row.trace_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    resultAt: row.result_at,
    returnedAt: row.returned_at,
    depositInCents: row.deposit_cents,
    feeInCents: row.fee_cents,
    feeTaxInCents: row.fee_tax_cents,
    refundId: row.refund_id,
    missingInCents: row.missing_cents,
  }
}
