// Makes a change and records the response for its Idempotency-Key in one transaction. A response that holds a secret is
// sealed like any secret at rest: the table reveals nothing, and the merchant can still get it again.

import { isRefusal, type Refusal } from '../core/refusal.ts'
import { openSecret, SEAL_NONCE_BYTES, sealSecret } from '../core/seal.ts'
import { type Queryable, sqlState, UNIQUE_VIOLATION } from '../store/db.ts'
import { type IdempotencyRecord, insertRecord, type RecordAddress } from '../store/idempotency.ts'
import { AnsweredBefore, type Idempotency, idempotencyRecordOf, type Needs } from './context.ts'

export async function changeOnce<Subject>(
  ctx: Needs<'clock' | 'ids' | 'db' | 'settings'>,
  organizationId: string,
  idempotency: (Idempotency<Subject> & { secret?: boolean }) | null,
  change: (tx: Queryable) => Promise<Subject | Refusal>,
): Promise<Subject | Refusal> {
  try {
    return await ctx.db.inTransaction(async (tx) => {
      const outcome = await change(tx)
      if (idempotency !== null && !isRefusal(outcome))
        await recordAnswer(ctx, tx, organizationId, idempotency, outcome)
      return outcome
    })
  } catch (error) {
    if (idempotency !== null && sqlState(error) === UNIQUE_VIOLATION) throw new AnsweredBefore()
    throw error
  }
}

// For a flow whose effect has a transaction of its own.
export async function recordAnswer<Subject>(
  ctx: Needs<'clock' | 'ids' | 'settings'>,
  tx: Queryable,
  organizationId: string,
  idempotency: Idempotency<Subject> & { secret?: boolean },
  subject: Subject,
): Promise<void> {
  const record = idempotencyRecordOf(idempotency, subject)
  const stored = idempotency.secret === true ? sealed(ctx, organizationId, record) : record
  await insertRecord(tx, organizationId, stored, ctx.clock.now())
}

// No JSON begins with this.
const SEALED = 'sealed:'

function sealed(
  ctx: Needs<'ids' | 'settings'>,
  organizationId: string,
  record: IdempotencyRecord,
): IdempotencyRecord {
  const label = labelOf({ organizationId, key: record.key })
  const nonce = ctx.ids.randomBytes(SEAL_NONCE_BYTES)
  const body = sealSecret(ctx.settings.keys.rest, Buffer.from(record.body), label, nonce)
  return { ...record, body: SEALED + body.toString('base64') }
}

// The body of a recorded response, as it was first sent.
export function recordedBody(ctx: Needs<'settings'>, address: RecordAddress, body: string): string {
  if (!body.startsWith(SEALED)) return body
  const bytes = Buffer.from(body.slice(SEALED.length), 'base64')
  const opened = openSecret(ctx.settings.keys.rest, bytes, labelOf(address))
  if (opened === undefined) throw new Error('a kept answer does not open with SECRETS_KEY')
  return opened.toString()
}

function labelOf({ organizationId, key }: RecordAddress): string {
  return `answer ${organizationId} ${key}`
}
