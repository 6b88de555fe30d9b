// What a flow may ask of the world: the store, the networks, the time, ids and chance. Everything that can differ between
// production, staging and a test comes through here.

import type { Instant } from '../core/instant.ts'
import type { Payin } from '../core/payins/payin.ts'
import type { Payout } from '../core/payouts/payout.ts'
import type { Keys } from '../core/seal.ts'
import type { Rails } from '../rails/rail.ts'
import type { Simulator } from '../rails/simulator.ts'
import type { Batch } from '../store/batched-statement.ts'
import type { NewNotice, StoredNotice } from '../store/connections/notices.ts'
import type { Db } from '../store/db.ts'
import type { IdempotencyRecord, RecordAddress } from '../store/idempotency.ts'
import type { NewPayin, PayinAddress } from '../store/payins/payins.ts'
import type { PayinWrite } from '../store/payins/write.ts'
import type { NewPaymentLink } from '../store/payment-links/payment-links.ts'
import type { NewPayout, PayoutAddress } from '../store/payouts/payouts.ts'
import type { PayoutWrite } from '../store/payouts/write.ts'
import type { AttemptRecord } from '../store/webhooks/deliveries.ts'

export type Environment = 'staging' | 'production'

// Work that workers look for. A hint makes them look at once; without it they find it by themselves a little later.
export type WorkKind = 'links' | 'payins' | 'payouts' | 'notices' | 'events' | 'deliveries' | 'streams'

// It has until then, and others leave the notice alone.
export type NoticeTaker = { readonly until: Instant; readonly take: (notice: StoredNotice) => void }

export type HintListener = (kind: WorkKind, organizationId?: string) => void

// Where a test may have the process killed: around every call to a network and every commit of a step of money,
// and around every delivery of an event.
export const CRASH_POINTS = [
  'creation-before-commit',
  'creation-after-commit',
  'payin-before-rail',
  'payin-after-rail',
  'payin-before-commit',
  'payin-after-commit',
  'reservation-before-commit',
  'reservation-after-commit',
  'payout-before-rail',
  'payout-after-rail',
  'payout-before-commit',
  'payout-after-commit',
  'receipt-before-commit',
  'receipt-after-commit',
  'notice-before-commit',
  'notice-after-commit',
  'delivery-before-send',
  'delivery-after-send',
  'delivery-after-commit',
] as const
export type CrashPoint = (typeof CRASH_POINTS)[number]

export type Context = {
  readonly environment: Environment
  readonly now: () => Instant
  // The world's time, which nobody moves: what we sign for others is dated by it.
  readonly wallClock: () => Instant
  readonly nextId: () => string
  readonly randomBytes: (count: number) => Buffer
  // A number from 0 up to 1, for jitter.
  readonly chance: () => number
  readonly db: Db
  readonly rails: Rails
  readonly keys: Keys
  readonly publicUrl: string
  readonly checkoutUrl: string
  readonly pseCapInCents: bigint
  readonly settlementDelayMs: number
  // Staging's controls over the simulated networks; null where the networks are real.
  readonly simulator: Simulator | null
  // Staging's clock was moved: from now on `now` is this far ahead.
  readonly followClock: (offsetMs: number) => void
  readonly countAttempt: (endpointId: string, result: string) => void
  // Does nothing but where a test asks for a crash there.
  readonly passing: (point: CrashPoint) => void
  // A worker of this process that takes a notice as soon as it is stored, where there is one with room for it.
  readonly noticeTaker: () => NoticeTaker | undefined
  // Whose work it is, where that spares others a look.
  readonly hint: (kind: WorkKind, organizationId?: string) => void
  // Hears the hints given in this process, and those of others where it listens for them.
  readonly onHint: (listener: HintListener) => void
  readonly webhooks: {
    // What is wrong with an address that events are to be sent to, as the end of a sentence.
    readonly urlProblem: (text: string) => string | undefined
    readonly newSecret: () => string
  }
  // Statements that concurrent requests share.
  readonly together: {
    readonly insertPayin: Batch<NewPayin, { inserted: boolean }>
    readonly getPayin: Batch<PayinAddress, Payin | undefined>
    readonly writePayin: Batch<PayinWrite, boolean>
    readonly insertLink: Batch<NewPaymentLink, { inserted: boolean }>
    readonly insertPayout: Batch<NewPayout, { inserted: boolean }>
    readonly getPayout: Batch<PayoutAddress, Payout | undefined>
    readonly writePayout: Batch<PayoutWrite, boolean>
    readonly insertNotice: Batch<NewNotice, boolean>
    readonly recordAcknowledged: Batch<AttemptRecord, void>
    readonly recordAttempt: Batch<AttemptRecord, void>
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
