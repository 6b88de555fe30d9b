// Receipts that are to be sent by e-mail. The confirmation of a payin writes the row (write.ts). A mail is found by its time, and
// claimed one by one, because sending takes longer than claiming.

import { type Instant, isoInstant } from '../../core/instant.ts'
import type { PayinAddress } from '../../core/payins/payin.ts'
import type { Queryable } from '../db.ts'

// Those that have waited longest first.
export async function listDueMails(db: Queryable, now: Instant, limit: number): Promise<PayinAddress[]> {
  const result = await db.query<PayinAddress>({
    name: 'list-due-mails',
    text: `select organization_id as "organizationId", payin_id as "payinId"
             from receipt_mails
            where due_at <= $1
            order by due_at
            limit $2`,
    values: [isoInstant(now), limit],
  })
  return result.rows
}

// `attempts` counts this one too.
export type MailClaim = PayinAddress & { until: Instant; attempts: number }

// Undefined if somebody else has it. Until the lease ends, nobody else sends it.
export async function claimMail(
  db: Queryable,
  { organizationId, payinId }: PayinAddress,
  now: Instant,
  until: Instant,
): Promise<MailClaim | undefined> {
  const result = await db.query<{ attempts: number }>({
    name: 'claim-mail',
    text: `update receipt_mails
              set due_at = $4, attempts = attempts + 1
            where organization_id = $1 and payin_id = $2 and due_at <= $3
        returning attempts`,
    values: [organizationId, payinId, isoInstant(now), isoInstant(until)],
  })
  return result.rows[0] && { organizationId, payinId, until, ...result.rows[0] }
}

// Of a failed sending. Nothing is written if the lease was lost.
export async function putOffMail(db: Queryable, claim: MailClaim, dueAt: Instant): Promise<void> {
  await db.query({
    name: 'put-off-mail',
    text: `update receipt_mails set due_at = $4 where organization_id = $1 and payin_id = $2 and due_at = $3`,
    values: [claim.organizationId, claim.payinId, isoInstant(claim.until), isoInstant(dueAt)],
  })
}

// Sent or given up, whoever holds the lease now.
export async function finishMail(db: Queryable, { organizationId, payinId }: MailClaim): Promise<void> {
  await db.query({
    name: 'finish-mail',
    text: `delete from receipt_mails where organization_id = $1 and payin_id = $2`,
    values: [organizationId, payinId],
  })
}

export async function setPayerLanguage(
  db: Queryable,
  { organizationId, payinId }: PayinAddress,
  language: string,
): Promise<void> {
  await db.query({
    name: 'set-payer-language',
    text: `update payins set payer_language = $3 where organization_id = $1 and payin_id = $2`,
    values: [organizationId, payinId, language],
  })
}

export async function getPayerLanguage(
  db: Queryable,
  { organizationId, payinId }: PayinAddress,
): Promise<string | null> {
  const result = await db.query<{ payer_language: string | null }>({
    name: 'get-payer-language',
    text: `select payer_language from payins where organization_id = $1 and payin_id = $2`,
    values: [organizationId, payinId],
  })
  return result.rows[0]?.payer_language ?? null
}
