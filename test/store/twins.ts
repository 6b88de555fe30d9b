// Two organizations whose rows have the same ids, keys, references and lease tokens, in every table. A statement that forgets
// the organization in one of its conditions meets the other's row under the same id, and shows it.

import { createHash } from 'node:crypto'
import { type Approval, type ApprovalDecision, newApproval } from '../../src/core/approvals/approval.ts'
import { SERVICE } from '../../src/core/audit/actor.ts'
import type { AuditEntry } from '../../src/core/audit/entry.ts'
import { bogotaDay, daysAfter, startOfDay } from '../../src/core/bogota-day.ts'
import type { Connection, Route } from '../../src/core/connections/connection.ts'
import { type ConnectionMovement, movementTransfer } from '../../src/core/connections/movement.ts'
import type { NewEvent } from '../../src/core/events/event.ts'
import { createIdSource } from '../../src/core/ids.ts'
import { transfer } from '../../src/core/ledger/bookings.ts'
import { figuresOf, figuresText, NO_MONEY } from '../../src/core/ledger/daily-close.ts'
import { FINDING_KINDS, type FindingKind, type Tally } from '../../src/core/ledger/reconciliation.ts'
import { UNLIMITED_CREDENTIAL } from '../../src/core/organizations/limits.ts'
import { newOrganization, type Organization } from '../../src/core/organizations/organization.ts'
import { newPayin, type Payin } from '../../src/core/payins/payin.ts'
import { newPaymentLink, type PaymentLink } from '../../src/core/payment-links/payment-link.ts'
import { newPaymentPage, type PaymentPage } from '../../src/core/payment-pages/payment-page.ts'
import { newPayout, type Payout } from '../../src/core/payouts/payout.ts'
import { newRefund, type Refund } from '../../src/core/refunds/refund.ts'
import type { Invitation } from '../../src/core/team/invitation.ts'
import type { Passkey } from '../../src/core/team/passkey.ts'
import type { SavedView } from '../../src/core/team/saved-view.ts'
import type { Session, User } from '../../src/core/team/user.ts'
import { insertApproval } from '../../src/store/approvals/approvals.ts'
import { insertDecision } from '../../src/store/approvals/decisions.ts'
import { insertChainLines, takeUnchained } from '../../src/store/audit/chain.ts'
import { insertEntry } from '../../src/store/audit/entries.ts'
import { collectRequests, insertRequests, type LoggedRequest } from '../../src/store/audit/requests.ts'
import { insertConnection } from '../../src/store/connections/connections.ts'
import { insertExchanges, type StoredExchange } from '../../src/store/connections/exchanges.ts'
import { insertMovement } from '../../src/store/connections/movements.ts'
import { insertNotices, type StoredNotice } from '../../src/store/connections/notices.ts'
import type { Db } from '../../src/store/db.ts'
import { recordLookup, spendLookupBudget } from '../../src/store/directory/key-lookups.ts'
import { insertSequencedEvent, type StoredEvent } from '../../src/store/events/events.ts'
import { insertRedelivery } from '../../src/store/events/redeliveries.ts'
import { type IdempotencyRecord, insertRecord } from '../../src/store/idempotency.ts'
import { insertAlarmMail, setAlarmsDue } from '../../src/store/ledger/alarm-mails.ts'
import { insertAlarm } from '../../src/store/ledger/alarms.ts'
import { insertClosingMark } from '../../src/store/ledger/closing-marks.ts'
import { insertClose, type NewClose } from '../../src/store/ledger/daily-closes.ts'
import { type OrganizationTotals, writeReconciliations } from '../../src/store/ledger/reconciliations.ts'
import { insertLines, type NewLine } from '../../src/store/ledger/statement-lines.ts'
import type { SuspenseItem } from '../../src/store/ledger/suspense.ts'
import { lockAvailable, postTransfers } from '../../src/store/ledger/transfers.ts'
import {
  type ApiKey,
  insertApiKey,
  insertOAuthClient,
  type OAuthClient,
} from '../../src/store/organizations/credentials.ts'
import { insertOrganization } from '../../src/store/organizations/organizations.ts'
import { claimDuePayins, insertPayins } from '../../src/store/payins/payins.ts'
import { setPayerLanguage } from '../../src/store/payins/receipt-mails.ts'
import { insertLinks } from '../../src/store/payment-links/payment-links.ts'
import { insertPage } from '../../src/store/payment-pages/payment-pages.ts'
import { claimDuePayouts, insertPayouts } from '../../src/store/payouts/payouts.ts'
import { insertDataKey } from '../../src/store/people/data-keys.ts'
import { type Erasure, insertDigests, insertErasure } from '../../src/store/people/digests.ts'
import { moveMark } from '../../src/store/people/people.ts'
import { insertRefund } from '../../src/store/refunds/refunds.ts'
import type { RefundWrite } from '../../src/store/refunds/write.ts'
import { moveEventMark, moveSearchMark } from '../../src/store/search/objects.ts'
import { insertWords } from '../../src/store/search/words.ts'
import { insertInvitation } from '../../src/store/team/invitations.ts'
import { insertPasskey } from '../../src/store/team/passkeys.ts'
import { insertSavedView } from '../../src/store/team/saved-views.ts'
import { insertSession } from '../../src/store/team/sessions.ts'
import { enableTotp, insertExternalIdentity } from '../../src/store/team/sign-in-ways.ts'
import { insertMembership, insertUser } from '../../src/store/team/users.ts'
import {
  type AttemptRecord,
  claimDueDeliveries,
  recordAcknowledged,
  recordAttempts,
  redeliver,
} from '../../src/store/webhooks/deliveries.ts'
import { insertEndpoint, markChallenged, type WebhookEndpoint } from '../../src/store/webhooks/endpoints.ts'
import { CUSTOMER } from '../world.ts'
import { insertBatchTwins } from './batch-twins.ts'

// When the rows were made, and a time at which all of them are due and every lease is over.
export const TWINS_CREATED_AT = Date.parse('2026-11-15T12:00:00.000Z')
export const LATER = TWINS_CREATED_AT + 2 * 3_600_000

const nextId = createIdSource((count) => new Uint8Array(count).fill(7))
const next = (): string => nextId(TWINS_CREATED_AT)

// The ids that both have.
export const USED_CREDENTIAL = 'client-that-paid-out'
export const IDS = {
  payin: next(),
  attempt: next(),
  approval: next(),
  refund: next(),
  unleased: next(),
  confirmed: next(),
  payout: next(),
  paidOut: next(),
  link: next(),
  page: next(),
  pageLink: next(),
  endpoint: next(),
  event: next(),
  delivered: next(),
  acknowledged: next(),
  requested: next(),
  failed: next(),
  waiting: next(),
  unsequenced: next(),
  exchange: next(),
  alarm: next(),
  suspense: next(),
  transfer: next(),
  confirmation: next(),
  disbursement: next(),
  chargeback: next(),
  lease: next(),
  attemptId: next(),
  reconciliation: next(),
  oursOnly: next(),
  networkOnly: next(),
  doubled: next(),
  connection: next(),
  sent: next(),
  // A person who belongs to both.
  user: next(),
  session: next(),
  // Invitations are found without an organization, so each has an id of its own.
  invitations: [next(), next()],
  entry: next(),
  unchained: next(),
  request: next(),
  savedView: next(),
  movement: next(),
  deposited: next(),
  toldAlarm: next(),
  alarmMail: next(),
  batch: next(),
  batchRow: next(),
  refusedRow: next(),
  beneficiary: next(),
  // Of rows that a call inserts.
  fresh: next(),
  freshToo: next(),
}
export const KEY_STRING = '@ANAGOMEZ'
export const REFERENCE = 'order-1'
export const LEASE = { token: IDS.lease, until: TWINS_CREATED_AT + 60_000 }
export const FIRST_SEQUENCE = 3

// The day of which both have a statement, and the next, whose statement was compared before.
export const DAY = bogotaDay(TWINS_CREATED_AT)
export const NEXT_DAY = daysAfter(DAY, 1)
export const LISTED_EARLIER = daysAfter(DAY, -90)
export const STATEMENT = { rail: 'BRE_B', day: DAY, run: 1 } as const
// The line of the confirmed payin, and of the payout that was paid.
export const PAID_KEY = 'credit payment-4'
export const PAID_OUT_KEY = `debit ${IDS.paidOut}`

export const PROVIDER_ID = 'transaction-1'
const ROUTE: Route = {
  connectionId: IDS.connection,
  provider: 'wompi',
  uses: ['PSE_IN', 'BRE_B_OUT'],
  minimumInCents: 1n,
  maximumInCents: null,
  namesKeys: false,
}

const PERSON = { ...CUSTOMER, idType: 'CO_CC' } as const
const TOKEN = Buffer.alloc(16, 9)
export const PAGE_TOKEN = Buffer.alloc(16, 10)

export type Subjects = {
  organization: Organization
  organizationId: string
  payin: Payin
  attempt: Payin
  unleased: Payin
  payout: Payout
  link: PaymentLink
  page: PaymentPage
  // Nobody has begun to pay on it.
  pageLink: PaymentLink
  endpoint: WebhookEndpoint
  event: StoredEvent
  notice: StoredNotice
  record: IdempotencyRecord
  exchange: StoredExchange
  suspense: SuspenseItem
  apiKey: ApiKey
  client: OAuthClient
  connection: Connection
  // A deposit.
  movement: ConnectionMovement
  // Made over the connection, as the payin is that nobody has leased.
  sent: Payout
  invitation: Invitation
}

// `mark` makes what the rows say differ between the two, so that one's answer is never taken for the other's.
export function subjectsOf(organizationId: string, mark: number): Subjects {
  const organization = {
    ...newOrganization(organizationId, `Comercio ${mark}`, TWINS_CREATED_AT),
    // More than there is.
    minimumBalanceInCents: BigInt(10 ** 15 + mark),
  }
  const amountInCents = BigInt(1_000 + mark)
  const request = { amountInCents, reference: REFERENCE, customer: PERSON, callbackUrl: null }
  const breb = { rail: 'BRE_B', keyType: 'SINGLE_USE' } as const
  const pse = { rail: 'PSE', bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' } as const
  const link = newPaymentLink(organizationId, IDS.link, TOKEN, {
    ...request,
    callbackUrl: 'https://shop.example/return',
    note: { description: `Note ${mark}`, metadata: null },
    rail: null,
    bank: null,
  })
  const inLink = { paymentLinkId: IDS.link, linkExpiresAt: link.expiresAt }
  return {
    organization,
    organizationId,
    payin: newPayin(organization, IDS.payin, { ...request, way: breb }),
    attempt: newPayin(organization, IDS.attempt, { ...request, way: breb }, inLink),
    unleased: newPayin(
      organization,
      IDS.unleased,
      { ...request, reference: 'order-2', customer: null, way: pse },
      null,
      ROUTE,
    ),
    payout: newPayout(organizationId, IDS.payout, {
      ...request,
      keyString: KEY_STRING,
      keyType: 'ALPHANUMERIC',
    }),
    sent: newPayout(
      organizationId,
      IDS.sent,
      {
        ...request,
        reference: 'order-6',
        keyString: KEY_STRING,
        keyType: 'ALPHANUMERIC',
        refundId: IDS.refund,
      },
      ROUTE,
    ),
    link,
    page: pageOf(organizationId, mark),
    pageLink: newPaymentLink(organizationId, IDS.pageLink, Buffer.alloc(16, 11), {
      ...request,
      callbackUrl: 'https://shop.example/return',
      rail: null,
      bank: null,
      paymentPageId: IDS.page,
      pieces: mark,
    }),
    connection: connectionOf(organizationId, mark),
    invitation: invitationOf(organizationId, mark),
    movement: movementOf(organizationId, mark),
    endpoint: endpointOf(organizationId, mark),
    event: eventOf(organizationId, IDS.event, mark),
    notice: {
      organizationId,
      rail: 'BRE_B',
      noticeId: 'notice-1',
      subjectKind: 'payin',
      subjectId: IDS.payin,
      update: { kind: 'payin.paid', amountInCents, paymentId: 'payment-2' },
      networkCode: `code-${mark}`,
      occurredAt: TWINS_CREATED_AT,
      receivedAt: TWINS_CREATED_AT,
    },
    record: { key: 'key-1', fingerprint: Buffer.alloc(32, 1), status: 201, body: `{"mark":${mark}}` },
    exchange: {
      organizationId,
      exchangeId: IDS.exchange,
      rail: 'BRE_B',
      operation: 'submit',
      reference: 'rail-reference',
      at: TWINS_CREATED_AT,
      tookMs: mark,
      status: 200,
      request: '{}',
      response: '{}',
      failure: null,
    },
    suspense: {
      organizationId,
      suspenseId: IDS.suspense,
      payinId: IDS.payin,
      rail: 'BRE_B',
      paymentId: 'payment-1',
      amountInCents,
      chargedBackInCents: 0n,
      reason: 'LATE',
      state: 'RETURNED',
      attachedTo: null,
      note: null,
      createdAt: TWINS_CREATED_AT,
      updatedAt: TWINS_CREATED_AT,
    },
    ...credentialsOf(organizationId, mark),
  }
}

export const USER: User = {
  userId: IDS.user,
  email: 'eva@example.com',
  name: 'Eva Ruiz',
  language: 'es',
  singleKeys: true,
  createdAt: TWINS_CREATED_AT,
  updatedAt: TWINS_CREATED_AT,
}
export const SESSION: Session = {
  sessionId: IDS.session,
  userId: IDS.user,
  method: 'passkey',
  createdAt: TWINS_CREATED_AT,
  seenAt: TWINS_CREATED_AT,
  expiresAt: LATER + 1,
  provedAt: TWINS_CREATED_AT,
  address: '203.0.113.7',
  browser: null,
  endedAt: null,
}
export const PASSKEY: Passkey = {
  credentialId: Buffer.alloc(32, 12),
  userId: IDS.user,
  publicKey: Buffer.alloc(44, 13),
  algorithm: -8,
  signCount: 0,
  name: 'phone',
  createdAt: TWINS_CREATED_AT,
  lastUsedAt: null,
}
export const RECOVERY_DIGEST = Buffer.alloc(32, 14)
export const SESSION_DIGEST = Buffer.alloc(32, 15)
export const invitationDigest = ({ role }: Invitation): Buffer => createHash('sha256').update(role).digest()

// The marks are in the roles.
function invitationOf(organizationId: string, mark: number): Invitation {
  return {
    invitationId: IDS.invitations[mark - 1] as string,
    organizationId,
    email: 'leo@example.com',
    name: null,
    role: mark === 1 ? 'support' : 'accountant',
    invitedBy: 'Eva Ruiz',
    inviterId: IDS.user,
    language: 'es',
    createdAt: TWINS_CREATED_AT,
    expiresAt: LATER + 1,
    usedAt: null,
    revokedAt: null,
  }
}

function connectionOf(organizationId: string, mark: number): Connection {
  return {
    organizationId,
    connectionId: IDS.connection,
    version: 1,
    name: `Connection ${mark}`,
    provider: 'wompi',
    environment: 'test',
    uses: ['PSE_IN', 'BRE_B_OUT'],
    priority: mark,
    minimumInCents: null,
    maximumInCents: null,
    enabled: true,
    credentials: Buffer.from([mark]),
    previousCredentials: null,
    previousUntil: null,
    createdAt: TWINS_CREATED_AT,
    updatedAt: TWINS_CREATED_AT,
  }
}

function movementOf(organizationId: string, mark: number): ConnectionMovement {
  return {
    organizationId,
    movementId: IDS.movement,
    connectionId: IDS.connection,
    kind: 'DEPOSIT',
    amountInCents: BigInt(mark),
    reference: `deposit ${mark}`,
    recordedBy: `credential ${mark}`,
    createdAt: TWINS_CREATED_AT,
  }
}

function endpointOf(organizationId: string, mark: number): WebhookEndpoint {
  return {
    organizationId,
    endpointId: IDS.endpoint,
    url: `https://shop-${mark}.example/events`,
    events: null,
    description: null,
    state: 'ENABLED',
    disabledReason: null,
    sealedSecret: Buffer.from([mark]),
    sealedPrevious: null,
    previousUntil: null,
    failingSince: null,
    verifiedAt: null,
    maxPerSecond: null,
    sendsUntil: null,
    publicKey: null,
    sealedSigningKey: null,
    sealedPreviousKey: null,
    createdAt: TWINS_CREATED_AT,
    updatedAt: TWINS_CREATED_AT,
  }
}

function eventOf(organizationId: string, eventId: string, mark: number): StoredEvent {
  const [type, resource] = ['payin.confirmed', 'payin'] as const
  const data = `{"mark":${mark}}`
  const about = { type, resource, objectId: IDS.payin, version: 2, data, createdAt: TWINS_CREATED_AT }
  return { organizationId, eventId, sequence: 1, ...about }
}

// The directories of credentials are searched without an organization, so these have ids of their own.
function credentialsOf(organizationId: string, mark: number): { apiKey: ApiKey; client: OAuthClient } {
  const digest = createHash('sha256').update(`key ${organizationId}`).digest()
  const common = { organizationId, name: `credential ${mark}`, scopes: null, createdAt: TWINS_CREATED_AT }
  const unused = { revokedAt: null, lastUsedAt: null, ...UNLIMITED_CREDENTIAL }
  return {
    apiKey: {
      ...common,
      ...unused,
      apiKeyId: digest.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5'),
      digest,
      displayPrefix: 'rk_stg_',
      expiresAt: null,
    },
    client: {
      ...common,
      ...unused,
      clientId: `client-${mark}`,
      secretDigest: digest,
      previousDigest: null,
      previousUntil: null,
    },
  }
}

function pageOf(organizationId: string, mark: number): PaymentPage {
  return newPaymentPage(organizationId, IDS.page, PAGE_TOKEN, {
    name: `Page ${mark}`,
    description: null,
    items: null,
    image: null,
    metadata: null,
    amountInCents: BigInt(mark),
    minAmountInCents: null,
    maxAmountInCents: null,
    reference: REFERENCE,
    callbackUrl: null,
    rail: null,
    validUntil: null,
    maxPayments: null,
    maxPieces: null,
  })
}

// Rows in every table that has an organization.
export function closeOf(organizationId: string, day: string, mark: number): NewClose {
  const movements = mark
  const sum = { booking: 'payin confirmed', debit: 'CLEARING_PSE', credit: 'PENDING_SETTLEMENT' } as const
  const figures = figuresOf(NO_MONEY, [{ ...sum, movements, amountInCents: BigInt(mark) }])
  return {
    organizationId,
    day,
    movements,
    figuresText: figuresText(figures, ''),
    digest: Buffer.alloc(32, mark),
    previousDigest: null,
    closedAt: TWINS_CREATED_AT,
  }
}

export async function insertTwin(db: Db, mark: number, organizationId: string): Promise<Subjects> {
  const subjects = subjectsOf(organizationId, mark)
  const { payin, attempt, payout, link, endpoint, notice, record, exchange } = subjects
  const { page, pageLink } = subjects
  await insertOrganization(db, subjects.organization)
  await insertClosingMark(db, {
    organizationId,
    openFrom: startOfDay(DAY) + mark,
    nextDay: DAY,
    dueAt: TWINS_CREATED_AT + mark,
  })
  await insertClose(db, closeOf(organizationId, daysAfter(DAY, -1), mark))
  await insertApiKey(db, subjects.apiKey)
  await insertOAuthClient(db, subjects.client)
  await insertPage(db, page)
  await insertLinks(
    db,
    [link, pageLink].map((one) => ({ link: one, record: null })),
  )
  await insertPayins(
    db,
    [payin, attempt].map((one) => ({ payin: one, record: null })),
  )
  await claimDuePayins(db, organizationId, TWINS_CREATED_AT, LEASE, 10)
  await insertPayouts(db, [{ payout, record: null, credentialId: USED_CREDENTIAL }])
  await claimDuePayouts(db, organizationId, TWINS_CREATED_AT, LEASE, 10)
  await insertConnected(db, subjects)
  await insertNotices(db, [notice])
  await insertRecord(db, organizationId, record, TWINS_CREATED_AT + mark)
  // Older than what the second has: a statement that takes the oldest of all takes this.
  if (mark === 1) await insertRecord(db, organizationId, { ...record, key: 'key-0' }, TWINS_CREATED_AT - mark)
  await insertExchanges(db, [exchange])
  await insertAlarm(db, organizationId, IDS.payin, alarmOf(mark), TWINS_CREATED_AT + mark)
  await insertAlarmMails(db, organizationId, mark)
  await recordLookup(db, organizationId, KEY_STRING, TWINS_CREATED_AT + mark)
  await spendLookupBudget(db, organizationId, mark, { capacity: 1_000, perSecond: 1 }, TWINS_CREATED_AT)
  await insertMoney(db, subjects)
  await lockAvailable(db, organizationId)
  await insertBooked(db, subjects)
  await insertChargeback(db, subjects, BigInt(mark))
  await insertPayoutNotice(db, subjects, mark)
  await insertStatements(db, subjects, mark)
  await insertWebhooks(db, subjects, endpoint, mark)
  await insertReceiptMail(db, subjects, mark)
  await insertPeople(db, organizationId, mark)
  await insertTeam(db, subjects)
  await insertSavedView(db, savedViewOf(subjects, mark), 10)
  await insertTwinApproval(db, subjects, mark)
  await insertRefund(db, refundOf(subjects, mark), TWINS_CREATED_AT)
  await insertBatchTwins(db, subjects, IDS, mark, TWINS_CREATED_AT)
  await insertAudit(db, organizationId, mark)
  return subjects
}

// The person is the same in both: they sign in before they choose.
async function insertTeam(db: Db, { organizationId, invitation }: Subjects): Promise<void> {
  if (await insertUser(db, USER)) {
    await insertSession(db, SESSION_DIGEST, SESSION)
    await insertPasskey(db, PASSKEY)
    await enableTotp(db, IDS.user, [RECOVERY_DIGEST], TWINS_CREATED_AT)
    const identity = { issuer: 'https://id.example', subject: 'eva', userId: IDS.user }
    await insertExternalIdentity(db, { ...identity, at: TWINS_CREATED_AT })
  }
  const membership = { organizationId, userId: IDS.user, at: TWINS_CREATED_AT }
  await insertMembership(db, { ...membership, role: 'owner' })
  await insertInvitation(db, invitationDigest(invitation), invitation, Buffer.from(organizationId))
}

export function approvalOf({ organizationId }: Pick<Subjects, 'organizationId'>, mark: number): Approval {
  const maker = { kind: 'key', id: `key ${mark}`, name: null } as const
  const subject = { organizationId, kind: 'payout', subjectId: IDS.payout } as const
  return newApproval(
    IDS.approval,
    2,
    { ...subject, amountInCents: BigInt(mark), maker, document: { mark } },
    TWINS_CREATED_AT,
  )
}

export function approvalEventOf({ organizationId }: Pick<Subjects, 'organizationId'>): NewEvent {
  const object = { resource: 'approval', objectId: IDS.approval, version: 1 } as const
  return {
    organizationId,
    eventId: IDS.fresh,
    type: 'approval.waiting',
    ...object,
    data: '{}',
    createdAt: TWINS_CREATED_AT,
  }
}

export function decisionOf(mine: Pick<Subjects, 'organizationId'>, mark: number): ApprovalDecision {
  const { organizationId, approvalId, digest } = approvalOf(mine, mark)
  const decided = { decision: 'APPROVED', proof: 'TOTP', reason: null, signed: null } as const
  const person = { userId: IDS.user, userName: `Eva ${mark}`, role: 'owner' }
  return { organizationId, approvalId, ...person, ...decided, digest, decidedAt: TWINS_CREATED_AT }
}

export function refundOf({ payin }: Pick<Subjects, 'payin'>, mark: number): Refund {
  const request = { amountInCents: BigInt(mark), reason: 'OTHER', way: 'CLAIM', isAsked: false } as const
  return newRefund(payin, IDS.refund, { ...request, credentialId: `key ${mark}` })
}

export function refundWriteOf(mine: Pick<Subjects, 'payin'>): RefundWrite {
  const refund = { ...refundOf(mine, 3), version: 2, stage: 'READY' } as const
  return { refund, expectedVersion: 1, leaseToken: null, keepLease: false, dueAt: LATER, attempts: 0 }
}

// Its event would be one more without a number.
async function insertTwinApproval(db: Db, mine: Subjects, mark: number): Promise<void> {
  await insertApproval(db, approvalOf(mine, mark), approvalEventOf(mine))
  await insertDecision(db, decisionOf(mine, mark))
  await db.query({
    text: 'delete from events where organization_id = $1 and event_id = $2',
    values: [mine.organizationId, IDS.fresh],
  })
}

export function savedViewOf({ organizationId }: Pick<Subjects, 'organizationId'>, mark: number): SavedView {
  const address = { organizationId, userId: IDS.user, viewId: IDS.savedView }
  return {
    ...address,
    list: 'payins',
    name: `View ${mark}`,
    query: 'status=CONFIRMED',
    createdAt: TWINS_CREATED_AT,
  }
}

// The provider has a payin and a payout, and calls both by the same id.
async function insertConnected(
  db: Db,
  { organizationId, connection, movement, unleased, sent }: Subjects,
): Promise<void> {
  await insertConnection(db, connection)
  await insertMovement(db, movement)
  await postTransfers(db, [movementTransfer(movement, connection, IDS.deposited)], 1)
  await insertPayins(db, [{ payin: unleased, record: null }])
  await insertPayouts(db, [{ payout: sent, record: null, credentialId: USED_CREDENTIAL }])
  await db.query({
    text: `update payins set provider_id = $3 where organization_id = $1 and payin_id = $2`,
    values: [organizationId, IDS.unleased, PROVIDER_ID],
  })
  await db.query({
    text: `update payouts set provider_id = $3, stage = 'SENT' where organization_id = $1 and payout_id = $2`,
    values: [organizationId, IDS.sent, PROVIDER_ID],
  })
}

export const DIGEST = Buffer.alloc(16, 5)
export const WORD = 'irreference'
export const OTHER_WORD = 'ia5'
export const WRAPPED = { version: 1, wrapped: Buffer.alloc(60, 6) }

async function insertPeople(db: Db, organizationId: string, mark: number): Promise<void> {
  await insertDataKey(db, organizationId, { ...WRAPPED, wrapped: Buffer.alloc(60, mark) }, TWINS_CREATED_AT)
  await insertDigests(db, organizationId, 'payin', [{ digest: DIGEST, objectId: IDS.payin }])
  if (mark === 2)
    await insertDigests(db, organizationId, 'payin', [{ digest: DIGEST, objectId: IDS.attempt }])
  await moveMark(db, organizationId, 'payin', mark === 1 ? IDS.payin : IDS.attempt)
  await insertErasure(db, erasureOf(organizationId, mark))
  await insertWords(db, organizationId, [
    { word: WORD, objectId: IDS.payin },
    { word: OTHER_WORD, objectId: IDS.payin },
  ])
  if (mark === 2)
    await insertWords(
      db,
      organizationId,
      [WORD, OTHER_WORD].map((word) => ({ word, objectId: IDS.attempt })),
    )
  // Both are behind.
  await moveSearchMark(db, organizationId, 'payin', `00000000-0000-7000-8000-00000000000${mark}`)
  await moveEventMark(db, organizationId, 0n)
}

// One entry is in the chain, and one waits for its line.
async function insertAudit(db: Db, organizationId: string, mark: number): Promise<void> {
  await insertEntry(db, entryOf(organizationId, mark))
  const taken = await takeUnchained(db, organizationId, 10)
  await insertChainLines(db, organizationId, [
    { sequence: 1, entryId: taken[0] as string, digest: Buffer.alloc(32, mark) },
  ])
  const entry = entryOf(organizationId, mark)
  await insertEntry(db, {
    ...{ ...entry, entryId: IDS.unchained, act: 'apikey.create', objectKind: 'apikey' },
    ...{ objectId: `key of ${mark}`, actor: { ...entry.actor, kind: 'person', id: 'maker' } },
  })
  await insertRequests(db, collectRequests([requestOf(organizationId, mark)]))
}

export function entryOf(organizationId: string, mark: number): AuditEntry {
  return {
    organizationId,
    entryId: IDS.entry,
    at: TWINS_CREATED_AT,
    actor: { ...SERVICE, kind: 'operator', id: 'actor', name: `operator ${mark}` },
    act: 'payin.cancel',
    objectKind: 'payin',
    objectId: IDS.payin,
    changes: `{"mark":${mark}}`,
    outcome: 'done',
    refusal: null,
  }
}

export function requestOf(organizationId: string, mark: number): LoggedRequest {
  return {
    organizationId,
    logId: IDS.request,
    method: 'POST',
    path: '/payins',
    status: 201,
    durationMs: mark,
    credentialKind: 'key',
    credentialId: 'credential',
    requestId: `request ${mark}`,
    objectId: IDS.payin,
    refusal: null,
  }
}

export function erasureOf(organizationId: string, mark: number): Erasure {
  const counts = { payins: mark, payouts: mark, paymentLinks: mark, events: mark, answers: mark }
  const erasedBy = `operator ${mark}`
  const erasedAt = TWINS_CREATED_AT
  return { organizationId, erasureId: IDS.alarm, erasedBy, foundBy: 'document', ...counts, erasedAt }
}

function alarmOf(mark: number) {
  return { alarmId: IDS.alarm, kind: 'orphan-notice', detail: `mark ${mark}` } as const
}

async function insertMoney(db: Db, { organizationId, payin, suspense }: Subjects): Promise<void> {
  const { amountInCents } = payin
  await postTransfers(
    db,
    [
      {
        organizationId,
        transferId: IDS.transfer,
        booking: 'opening balance',
        subjectId: IDS.payin,
        debit: 'CLEARING_BRE_B',
        credit: 'AVAILABLE',
        amountInCents,
        createdAt: TWINS_CREATED_AT,
      },
    ],
    1,
  )
  const { suspenseId, payinId, rail, paymentId, reason, state } = suspense
  await db.query({
    text: `insert into suspense_items (organization_id, suspense_id, payin_id, rail, payment_id, amount_cents, reason, state,
                                       created_at, updated_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, now(), now())`,
    values: [organizationId, suspenseId, payinId, rail, paymentId, amountInCents, reason, state],
  })
}

// A confirmed payin and payout, as the proof of the books wants them.
async function insertBooked(db: Db, { organizationId, payin, payout }: Subjects): Promise<void> {
  const { amountInCents } = payin
  const at = { organizationId, amountInCents, createdAt: TWINS_CREATED_AT }
  const confirmed = { ...payin, payinId: IDS.confirmed, reference: 'order-5' }
  await insertPayins(db, [{ payin: confirmed, record: null }])
  await insertPayouts(db, [
    { payout: { ...payout, payoutId: IDS.paidOut }, record: null, credentialId: USED_CREDENTIAL },
  ])
  await db.query({
    text: `update payins set status = 'CONFIRMED', confirmed_amount_cents = amount_cents, due_at = null,
                             payment_id = 'payment-4'
            where organization_id = $1 and payin_id = $2`,
    values: [organizationId, IDS.confirmed],
  })
  await db.query({
    text: `update payouts set status = 'CONFIRMED', stage = 'DONE', due_at = null where organization_id = $1 and payout_id = $2`,
    values: [organizationId, IDS.paidOut],
  })
  const confirmation = { ...at, transferId: IDS.confirmation, subjectId: IDS.confirmed }
  const disbursement = { ...at, transferId: IDS.disbursement, subjectId: IDS.paidOut }
  await postTransfers(
    db,
    [transfer('payin confirmed', 'BRE_B', confirmation), transfer('payout confirmed', 'BRE_B', disbursement)],
    1,
  )
}

// The network told of the payout, and that was applied.
async function insertPayoutNotice(db: Db, { organizationId, notice }: Subjects, mark: number): Promise<void> {
  const update = { kind: 'payout.completed', traceId: `trace-${mark}` } as const
  const told = {
    ...notice,
    noticeId: 'payout-1',
    subjectKind: 'payout',
    subjectId: IDS.payout,
    update,
  } as const
  await insertNotices(db, [told])
  await db.query({
    text: `update rail_notices set state = 'DONE', due_at = null where organization_id = $1 and notice_id = 'payout-1'`,
    values: [organizationId],
  })
}

// Of the confirmed payin some cents were charged back, and the notice of them is applied.
async function insertChargeback(
  db: Db,
  { organizationId, notice }: Subjects,
  amountInCents: bigint,
): Promise<void> {
  const update = { kind: 'payin.chargeback', paymentId: 'payment-4', amountInCents } as const
  await insertNotices(db, [{ ...notice, noticeId: 'chargeback-1', update }])
  for (const text of [
    `update rail_notices set state = 'DONE', due_at = null where organization_id = $1 and notice_id = 'chargeback-1'`,
    `update payins set charged_back_cents = ${amountInCents} where organization_id = $1 and payin_id = '${IDS.confirmed}'`,
  ])
    await db.query({ text, values: [organizationId] })
  const at = { organizationId, amountInCents, createdAt: TWINS_CREATED_AT }
  const entry = { ...at, transferId: IDS.chargeback, subjectId: IDS.confirmed, part: `${amountInCents}` }
  await postTransfers(db, [transfer('payin charged back before settlement', 'BRE_B', entry)], 1)
}

export function lineOf(organizationId: string, mark: number, changes: Partial<NewLine>): NewLine {
  return {
    organizationId,
    matchKey: PAID_KEY,
    subjectId: IDS.confirmed,
    networkId: 'payment-4',
    reference: `reference ${mark}`,
    amountInCents: BigInt(1_000 + mark),
    occurredAt: TWINS_CREATED_AT,
    raw: null,
    ...changes,
  }
}

// The network has the payin that was confirmed; a payment twice that we do not know; a payout with another amount; money that is
// in suspense; a line that cannot be read; and, on the next day, the payout that was paid. The payout with another amount has
// another id too. Two findings of an earlier comparison are open, and one of the next day.
async function insertStatements(db: Db, { organizationId, payin }: Subjects, mark: number): Promise<void> {
  const { amountInCents } = payin
  const line = (changes: Partial<NewLine>): NewLine => lineOf(organizationId, mark, changes)
  const unknown = line({
    matchKey: 'credit payment-9',
    subjectId: IDS.payin,
    networkId: 'payment-9',
    amountInCents: amountInCents + 5n,
  })
  await insertLines(db, STATEMENT, [
    line({}),
    unknown,
    unknown,
    line({
      matchKey: `debit ${IDS.payout}`,
      subjectId: IDS.payout,
      networkId: 'trace-1',
      amountInCents: amountInCents + 7n,
    }),
    line({ matchKey: 'credit payment-1', subjectId: null, networkId: 'payment-1' }),
    line({ matchKey: 'unreadable x', subjectId: null, networkId: '', amountInCents: 0n, raw: `x ${mark}` }),
  ])
  const paidOut = line({ matchKey: PAID_OUT_KEY, subjectId: IDS.paidOut, networkId: 'trace-2' })
  await insertLines(db, { ...STATEMENT, day: NEXT_DAY }, [paidOut])
  await db.query({
    text: `insert into reconciliation_runs (rail, day, state, run, compared_run, lines, attempts, due_at, lease_token, lease_until)
           values ('BRE_B', $1, 'FETCHING', 1, 0, 0, 0, to_timestamp($3), $4, to_timestamp($5)),
                  ('BRE_B', $2, 'DONE', 1, 1, 1, 0, null, null, null)
               on conflict do nothing`,
    values: [DAY, NEXT_DAY, TWINS_CREATED_AT / 1_000, LEASE.token, LEASE.until / 1_000],
  })
  await insertBookingOfOtherDay(db, organizationId, mark)
  await writeReconciliations(
    db,
    { ...STATEMENT, from: TWINS_CREATED_AT, to: LATER },
    [totalsOf(organizationId, mark)],
    TWINS_CREATED_AT,
  )
  await db.query({
    text: `update payouts set trace_id = $3 where organization_id = $1 and payout_id = $2`,
    values: [organizationId, IDS.payout, `trace of ${mark}`],
  })
  await db.query({
    text: `insert into reconciliation_findings (organization_id, finding_id, rail, day, kind, line_key, movement, network_id,
                                                network_cents, our_cents, times, subject_id, state, run, alarm_id, created_at)
           values ($1, $2, 'BRE_B', $4, 'OURS_ONLY', $5, 'debit', null, null, $6, 0, $7, 'OPEN', 0, $8, now()),
                  ($1, $3, 'BRE_B', $4, 'NETWORK_ONLY', $9, 'credit', 'payment-4', $6, null, 1, $10, 'OPEN', 0, null, now()),
                  ($1, $11, 'BRE_B', $12, 'DOUBLED', $9, 'credit', 'payment-4', $6, $6, 2, $10, 'OPEN', 1, null, now())`,
    values: [
      organizationId,
      IDS.oursOnly,
      IDS.networkOnly,
      DAY,
      PAID_OUT_KEY,
      amountInCents,
      IDS.paidOut,
      IDS.alarm,
      PAID_KEY,
      IDS.confirmed,
      IDS.doubled,
      NEXT_DAY,
    ],
  })
}

// A booking that another day listed, long ago.
async function insertBookingOfOtherDay(db: Db, organizationId: string, mark: number): Promise<void> {
  await db.query({
    text: `insert into bookings_of_other_days (organization_id, transfer_id, rail, line_key, own_day, listed_on)
           values ($1, $2, 'BRE_B', $3, $4, $5)`,
    values: [
      organizationId,
      IDS.doubled,
      `credit earlier ${mark}`,
      daysAfter(LISTED_EARLIER, -1),
      LISTED_EARLIER,
    ],
  })
}

export function totalsOf(
  organizationId: string,
  count: number,
): OrganizationTotals & { reconciliationId: string } {
  const tally = { count, amountInCents: BigInt(count) }
  const found = Object.fromEntries(FINDING_KINDS.map((kind) => [kind, tally])) as Record<FindingKind, Tally>
  return { organizationId, reconciliationId: IDS.reconciliation, matchedIn: tally, matchedOut: tally, found }
}

// The address that it is about.
export const TOLD_URL = 'https://mono.example'

// An alarm that was told, and a mail about the one that waits.
async function insertAlarmMails(db: Db, organizationId: string, mark: number): Promise<void> {
  const told = {
    alarmId: IDS.toldAlarm,
    kind: 'connection-refused',
    detail: `mono at ${TOLD_URL}: ${mark}`,
  } as const
  await insertAlarm(db, organizationId, IDS.connection, told, TWINS_CREATED_AT + mark)
  await setAlarmsDue(db, organizationId, [IDS.toldAlarm], null)
  const mail = { mailId: IDS.alarmMail, email: `caja-${mark}@cafe.example`, alarmIds: [IDS.alarm] }
  await insertAlarmMail(db, organizationId, mail, TWINS_CREATED_AT)
}

async function insertReceiptMail(db: Db, { organizationId }: Subjects, mark: number): Promise<void> {
  await setPayerLanguage(db, { organizationId, payinId: IDS.payin }, `language ${mark}`)
  await db.query({
    text: `insert into receipt_mails (organization_id, payin_id, due_at) values ($1, $2, to_timestamp($3))`,
    values: [organizationId, IDS.payin, TWINS_CREATED_AT / 1_000],
  })
}

// One event was delivered, one is asked for again, one was tried and is to be tried again, one has failed, one waits in a batch, and one has no number yet.
async function insertWebhooks(
  db: Db,
  { organizationId, event }: Subjects,
  endpoint: WebhookEndpoint,
  mark: number,
): Promise<void> {
  await insertEndpoint(db, endpoint)
  await markChallenged(db, organizationId, IDS.endpoint, TWINS_CREATED_AT)
  for (const eventId of [IDS.event, IDS.failed, IDS.waiting, IDS.delivered, IDS.acknowledged, IDS.requested])
    await db.inTransaction((tx) => insertSequencedEvent(tx, { ...event, eventId }))
  await db.query({
    text: `insert into events (organization_id, event_id, type, resource, object_id, version, data, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, now())`,
    values: [organizationId, IDS.unsequenced, event.type, event.resource, event.objectId, 3, event.data],
  })
  await recordAttempts(db, [
    attemptOf({ organizationId, eventId: IDS.event, number: mark }),
    attemptOf({ organizationId, eventId: IDS.failed, number: mark, state: 'FAILED', dueAt: null }),
  ])
  for (const eventId of [IDS.delivered, IDS.acknowledged])
    await recordAcknowledged(db, [attemptOf({ organizationId, eventId, result: ACKNOWLEDGED })])
  await redeliver(db, organizationId, IDS.requested, [IDS.endpoint], 6, TWINS_CREATED_AT)
  await claimDueDeliveries(db, endpoint, TWINS_CREATED_AT, LEASE, 10)
  await db.query({
    text: `insert into first_attempt_batches (organization_id, endpoint_id, first_sequence, event_ids, due_at, lease_token, lease_until)
           values ($1, $2, $3, $4, to_timestamp($5), $6, to_timestamp($7))`,
    values: [
      organizationId,
      IDS.endpoint,
      FIRST_SEQUENCE,
      // The second was delivered before its worker died.
      [IDS.waiting, IDS.delivered],
      TWINS_CREATED_AT / 1_000,
      LEASE.token,
      LEASE.until / 1_000,
    ],
  })
  await db.inTransaction((tx) =>
    insertRedelivery(tx, { organizationId, eventId: IDS.event }, TWINS_CREATED_AT),
  )
}

const FAILED = {
  status: 500,
  latencyMs: 5,
  response: 'ok',
  failure: 'STATUS',
  retryAfterSeconds: null,
  delivered: false,
  gone: false,
}
const ACKNOWLEDGED = { ...FAILED, status: 200, failure: null, delivered: true }

export function attemptOf(
  changes: Partial<AttemptRecord> & Pick<AttemptRecord, 'organizationId' | 'eventId'>,
): AttemptRecord {
  return {
    endpointId: IDS.endpoint,
    sequence: 1,
    attemptId: IDS.attemptId,
    leaseToken: null,
    number: 1,
    at: TWINS_CREATED_AT,
    result: FAILED,
    state: 'PENDING',
    dueAt: TWINS_CREATED_AT,
    ...changes,
  }
}
