// What a flow may ask of the world: the store, the time, ids and chance. Everything that can differ between production,
// staging and a test comes through here.

import type { Instant } from '../core/instant.ts'
import type { Payin } from '../core/payin.ts'
import type { Keys } from '../core/seal.ts'
import type { Batch } from '../store/batch.ts'
import type { Db } from '../store/db.ts'
import type { IdempotencyRecord, RecordAddress } from '../store/idempotency.ts'
import type { NewPayin, PayinAddress } from '../store/payins.ts'

export type Environment = 'staging' | 'production'

export type Context = {
  readonly environment: Environment
  readonly now: () => Instant
  readonly nextId: () => string
  readonly randomBytes: (count: number) => Buffer
  readonly db: Db
  readonly keys: Keys
  readonly publicUrl: string
  readonly checkoutUrl: string
  readonly pseCapInCents: bigint
  // Statements that concurrent requests share.
  readonly together: {
    readonly insertPayin: Batch<NewPayin, { inserted: boolean }>
    readonly getPayin: Batch<PayinAddress, Payin | undefined>
    readonly getRecord: Batch<RecordAddress, IdempotencyRecord | undefined>
  }
}

export type Answer = { status: number; body: string }

// Asks a flow to keep its answer under the merchant's Idempotency-Key, in the transaction of the effect.
export type Remember<Subject> = {
  readonly key: string
  readonly fingerprint: Buffer
  readonly answer: (subject: Subject) => Answer
}

export function recordOf<Subject>(remember: Remember<Subject>, subject: Subject): IdempotencyRecord {
  return { key: remember.key, fingerprint: remember.fingerprint, ...remember.answer(subject) }
}

// Another request with the same key got its answer in first; our own effect was undone. The caller replays that answer.
export class AnsweredBefore extends Error {
  override name = 'AnsweredBefore'
}
