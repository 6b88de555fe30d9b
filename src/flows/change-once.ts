// Makes a change in one transaction together with the answer kept for its Idempotency-Key. An answer that holds a secret is
// sealed like any secret at rest: whoever reads the table learns nothing, and the merchant still gets it again.

import { isRefusal, type Refusal } from '../core/refusal.ts'
import { openSecret, SEAL_NONCE_BYTES, sealSecret } from '../core/seal.ts'
import { type Queryable, sqlState, UNIQUE_VIOLATION } from '../store/db.ts'
import { type IdempotencyRecord, insertRecord, type RecordAddress } from '../store/idempotency.ts'
import { AnsweredBefore, type Idempotency, idempotencyRecordOf, type Needs } from './context.ts'

export async function changeOnce<Subject>(
  ctx: Needs<'clock' | 'ids' | 'db' | 'settings'>,
  organizationId: string,
  remember: (Idempotency<Subject> & { secret?: boolean }) | null,
  change: (tx: Queryable) => Promise<Subject | Refusal>,
): Promise<Subject | Refusal> {
  try {
    return await ctx.db.inTransaction(async (tx) => {
      const outcome = await change(tx)
      if (remember !== null && !isRefusal(outcome)) {
        const record = idempotencyRecordOf(remember, outcome)
        const kept = remember.secret === true ? sealed(ctx, organizationId, record) : record
        await insertRecord(tx, organizationId, kept, ctx.clock.now())
      }
      return outcome
    })
  } catch (error) {
    if (remember !== null && sqlState(error) === UNIQUE_VIOLATION) throw new AnsweredBefore()
    throw error
  }
}

// No JSON begins so.
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

// The body of a kept answer, as it was given.
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
