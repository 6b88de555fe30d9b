// What a flow needs from outside: the store, the networks, the time, ids and randomness. Everything that can differ
// between production, staging and a test comes from here.

import type { Actor } from '../core/audit/actor.ts'
import type { Use } from '../core/connections/provider.ts'
import type { Rail } from '../core/connections/rail.ts'
import type { Instant } from '../core/instant.ts'
import type { Organization } from '../core/organizations/organization.ts'
import type { Payin, PayinAddress } from '../core/payins/payin.ts'
import type { RenderedPayinCache } from '../core/payins/rendered-payins.ts'
import type { Payout } from '../core/payouts/payout.ts'
import type { RetentionDays } from '../core/retention.ts'
import type { SealingKeys } from '../core/seal.ts'
import type { CompanySignIn } from '../core/team/company-sign-in.ts'
import type { Tracer } from '../core/tracing/trace.ts'
import type { AttemptResult } from '../core/webhooks/delivery.ts'
import type { ProviderRails, Rails } from '../rails/rail.ts'
import type { Simulator } from '../rails/simulator.ts'
import type { BatchedStatement } from '../store/batched-statement.ts'
import type { ConnectionAddress } from '../store/connections/connections.ts'
import type { NewNotice, StoredNotice } from '../store/connections/notices.ts'
import type { Db } from '../store/db.ts'
import type { IdempotencyRecord, RecordAddress } from '../store/idempotency.ts'
import type { PaymentAddress, SuspenseItem } from '../store/ledger/suspense.ts'
import type { InsertedPayment } from '../store/locked-connections.ts'
import type { NewPayin } from '../store/payins/payins.ts'
import type { PayinWrite } from '../store/payins/write.ts'
import type { NewPaymentLink } from '../store/payment-links/payment-links.ts'
import type { NewPayout, PayoutAddress } from '../store/payouts/payouts.ts'
import type { PayoutWrite } from '../store/payouts/write.ts'
import type { AttemptRecord } from '../store/webhooks/deliveries.ts'
import type { LimitedInsert, LimitedPayout } from './payouts/insert-limited.ts'
import type { VaultOf } from './people/vault.ts'
import type { Statements } from './receipts/statements.ts'

export type Environment = 'staging' | 'production'

// Work that workers poll for. A signal makes them poll at once; without it they find the work a little later.
export const WORKER_KINDS = [
  'links',
  'payins',
  'payouts',
  'refunds',
  'batches',
  'notices',
  'events',
  'deliveries',
  'audit',
  'retention',
] as const
// What else processes tell each other: event streams have something to send, an organization has changed its settings,
// staging's clock was moved, another SECRETS_KEY seals, and something that the console shows has changed without being work for
// anybody.
export type WorkKind = (typeof WORKER_KINDS)[number] | 'streams' | 'settings' | 'clock' | 'secrets' | 'shown'

// The worker has the notice until then, and others leave it alone.
export type NoticeWorker = { readonly until: Instant; readonly take: (notice: StoredNotice) => void }

export type WorkListener = (kind: WorkKind, organizationId?: string) => void

// Where a test may kill the process: around every call to a network, every commit of a money step, and every delivery
// of an event.
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
  'refund-before-rail',
  'refund-after-rail',
  'approval-before-commit',
  'approval-after-commit',
  'receipt-before-commit',
  'receipt-after-commit',
  'notice-before-commit',
  'notice-after-commit',
  'statement-after-page',
  'delivery-before-send',
  'delivery-after-send',
  'delivery-after-commit',
] as const
export type CrashPoint = (typeof CRASH_POINTS)[number]

// Time as this process sees it. In staging a developer may move it.
export type Clock = {
  readonly now: () => Instant
  // Real time, which nobody moves. What we sign for others is dated by it.
  readonly wallClock: () => Instant
  // Staging's clock was moved: from now on `now` is this far ahead.
  readonly setOffset: (offsetMs: number) => void
}

export type Ids = {
  readonly next: () => string
  readonly randomBytes: (count: number) => Buffer
  // From 0 up to 1, for jitter.
  readonly random: () => number
}

// Statements that concurrent requests share: those that arrive at the same time are sent as one.
export type Batched = {
  readonly insertPayin: BatchedStatement<NewPayin, InsertedPayment>
  readonly getPayin: BatchedStatement<PayinAddress, Payin | undefined>
  readonly writePayin: BatchedStatement<PayinWrite, boolean>
  readonly suspenseOfPayment: BatchedStatement<PaymentAddress, SuspenseItem[]>
  readonly insertLink: BatchedStatement<NewPaymentLink, { inserted: boolean }>
  readonly insertPayout: BatchedStatement<NewPayout, InsertedPayment>
  readonly insertLimitedPayout: BatchedStatement<LimitedPayout, LimitedInsert>
  readonly insertAwaitingPayout: BatchedStatement<AwaitingPayout, AwaitingInsert>
  readonly getPayout: BatchedStatement<PayoutAddress, Payout | undefined>
  readonly writePayout: BatchedStatement<PayoutWrite, boolean>
  readonly insertNotice: BatchedStatement<NewNotice, boolean>
  readonly recordAcknowledged: BatchedStatement<AttemptRecord, void>
  readonly recordAttempt: BatchedStatement<AttemptRecord, void>
  readonly getRecord: BatchedStatement<RecordAddress, IdempotencyRecord | undefined>
}

// One that people must approve first. `idempotency` makes its record when it is written: only then is it known what is answered.
export type AwaitingPayout = Omit<LimitedPayout, 'record'> & {
  readonly organization: Organization
  readonly idempotency: Idempotency<Payout> | null
  readonly ctx: Needs<'actor' | 'clock' | 'ids'>
}

// `shown` is what the merchant is answered. The outcome never is: one that has no funds is told by its event.
export type AwaitingInsert = LimitedInsert & { readonly shown: Payout }

// One of the requests by which a webhook endpoint is verified.
export type EndpointProbe = {
  readonly url: string
  readonly id: string
  readonly timestampSeconds: number
  readonly body: string
  readonly secrets: readonly Buffer[]
}

// `simulator` controls the simulated networks in staging; null if the networks are real.
export type Networks = Rails & {
  // What a connection offers. Undefined: it is gone, or its credentials cannot be read.
  readonly connected: (address: ConnectionAddress) => Promise<ProviderRails | undefined>
  readonly isConnectionAway: (address: ConnectionAddress, use: Use) => boolean
  readonly simulator: Simulator | null
  // The company's own accounts, by which people may sign in. Null: none are set up.
  readonly companySignIn: CompanySignIn | null
  // Sends all at once, and returns their results in the same order.
  readonly probeEndpoint: (probes: readonly EndpointProbe[]) => Promise<AttemptResult[]>
}

// How the parts of a process, and the processes of an installation, learn of work.
export type Signals = {
  // Work was committed. Naming the organization spares others a poll, and is how open consoles know that it is theirs.
  readonly workAdded: (kind: WorkKind, organizationId?: string) => void
  // Called for work added in this process, and in others if this process listens for them.
  readonly onWork: (listener: WorkListener) => void
  // A worker of this process that takes a notice as soon as it is stored; undefined if none has capacity.
  readonly noticeWorker: () => NoticeWorker | undefined
  // Does nothing, unless a test wants the process killed at this point.
  readonly crashPoint: (point: CrashPoint) => void
}

export type Settings = {
  readonly environment: Environment
  readonly publicUrl: string
  readonly checkoutUrl: string
  readonly pseMaximumInCents: bigint
  readonly settlementDelayMs: number
  // The rails that the installation has networks of its own for.
  readonly installationRails: readonly Rail[]
  // How long a new payin waits for a key that its provider names.
  readonly keyWaitMs: number
  // Hosts that connections may call besides their provider's own. Null: any.
  readonly connectionHosts: readonly string[] | null
  readonly retention: RetentionDays
  // Whether payers get their receipts by e-mail.
  readonly mailsReceipts: boolean
  // Whether anything can be sent by e-mail.
  readonly sendsMail: boolean
  // Staging: whether every organization may move the clock of all.
  readonly sharedClock: boolean
  readonly keys: SealingKeys
  readonly webhooks: {
    // What is wrong with a webhook URL, worded as the end of a sentence.
    readonly urlProblem: (text: string) => string | undefined
    readonly newSecret: () => string
    readonly secretBytes: (secret: string) => Buffer
    readonly newSigningKey: () => { readonly seed: Buffer; readonly publicKey: Buffer }
    // Whether a receiver must show that it holds the endpoint's secret before events are sent to it.
    readonly requiresVerification: boolean
  }
}

export type Context = {
  // Who acts. What they change is recorded with them.
  readonly actor: Actor
  readonly clock: Clock
  readonly ids: Ids
  readonly db: Db
  readonly batched: Batched
  readonly networks: Networks
  readonly signals: Signals
  readonly settings: Settings
  // Seals and opens the people of an organization. Without waiting when its keys are in memory, which is the common case.
  readonly vault: VaultOf
  // What lists show of payments that no longer change, as text.
  readonly renderedPayins: RenderedPayinCache
  // Signs what we state about payments, and knows the keys that ever did.
  readonly statements: Statements
  // Null: nothing is traced.
  readonly tracer: Tracer | null
}

// The groups that a function uses: `ctx: Needs<'clock' | 'db'>`.
export type Needs<Group extends keyof Context> = Pick<Context, Group>

export type Answer = { status: number; body: string }

// Asks a flow to record the response for the merchant's Idempotency-Key, in the transaction of the effect.
export type Idempotency<Subject> = {
  readonly key: string
  readonly fingerprint: Buffer
  readonly answer: (subject: Subject) => Answer
}

export function idempotencyRecordOf<Subject>(
  idempotency: Idempotency<Subject>,
  subject: Subject,
): IdempotencyRecord {
  return { key: idempotency.key, fingerprint: idempotency.fingerprint, ...idempotency.answer(subject) }
}

// Another request with the same key was answered first, and our effect was undone. The caller replays that response.
export class AnsweredBefore extends Error {
  override name = 'AnsweredBefore'
}
