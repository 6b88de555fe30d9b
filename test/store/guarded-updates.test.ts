// Every condition of an update or delete that is more than the key of the row: with a stale version, a lease that is another's
// or none, a wrong state or a time that has not come, the statement writes nothing, and says so. The same call writes where the
// condition holds. A condition in the store's source without a row here fails the test.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { useApproval, writeApproval } from '../../src/store/approvals/approvals.ts'
import { releaseHeldBatch, releaseHeldPayout, releaseHeldRefund } from '../../src/store/backups/hold-back.ts'
import { claimConnectionDay, finishConnectionDay } from '../../src/store/connections/connection-days.ts'
import { makeHintedDue, updateConnection } from '../../src/store/connections/connections.ts'
import { claimDueNotices, deferNotice } from '../../src/store/connections/notices.ts'
import { resolveRefusedAlarm } from '../../src/store/connections/refused-connections.ts'
import { type Db, openDb } from '../../src/store/db.ts'
import { sequenceEvents } from '../../src/store/events/events.ts'
import {
  deleteExpiredRecord,
  finishRecord,
  insertRecord,
  RECORD_LIFE_MS,
  UNFINISHED_STATUS,
} from '../../src/store/idempotency.ts'
import {
  type AlarmMailClaim,
  claimAlarmMail,
  forgetAlarmMails,
  forgetAlarmsToTell,
  putOffAlarmMail,
} from '../../src/store/ledger/alarm-mails.ts'
import { resolveAlarm } from '../../src/store/ledger/alarms.ts'
import { claimClosing } from '../../src/store/ledger/closing-marks.ts'
import { openComparison } from '../../src/store/ledger/comparison.ts'
import { resolveGone } from '../../src/store/ledger/findings.ts'
import { raiseLateAlarms } from '../../src/store/ledger/late-statements.ts'
import { releaseUnlisted } from '../../src/store/ledger/other-days.ts'
import {
  advanceRun,
  claimRun,
  deferRun,
  failRun,
  finishRun,
  requestRun,
  type StatementClaim,
} from '../../src/store/ledger/statement-runs.ts'
import { rollOAuthClient } from '../../src/store/organizations/credentials.ts'
import { claimAttempt, releaseAttempt } from '../../src/store/payins/attempts.ts'
import {
  claimDuePayins,
  makePayinDue,
  setPayinCustomer,
  setPayinPresence,
  withdrawPresence,
} from '../../src/store/payins/payins.ts'
import { claimMail, putOffMail } from '../../src/store/payins/receipt-mails.ts'
import { type PayinWrite, writePayins } from '../../src/store/payins/write.ts'
import { claimDueLinks, deferLink, endPaymentLink } from '../../src/store/payment-links/payment-links.ts'
import { claimDueBatches, keepBatchLease } from '../../src/store/payout-batches/batches.ts'
import { moveBatchRows, takeFailedRows, updateBatchRows } from '../../src/store/payout-batches/rows.ts'
import { claimDuePayouts } from '../../src/store/payouts/payouts.ts'
import { type PayoutWrite, writePayouts } from '../../src/store/payouts/write.ts'
import { claimDueRefunds, countClaimAttempt, wakeRefundsOf } from '../../src/store/refunds/refunds.ts'
import { holdOfPayin, updateRefund } from '../../src/store/refunds/write.ts'
import {
  claimInvitation,
  type InvitationClaim,
  putOffInvitation,
} from '../../src/store/team/invitation-mails.ts'
import { revokeInvitation, useInvitation } from '../../src/store/team/invitations.ts'
import { usePasskey } from '../../src/store/team/passkeys.ts'
import { endSession, endSessions, markSeen, proveSession } from '../../src/store/team/sessions.ts'
import { countAttempt } from '../../src/store/team/sign-in-failures.ts'
import { takeToken } from '../../src/store/team/sign-in-tokens.ts'
import { useRecoveryDigest, useTotpStep } from '../../src/store/team/sign-in-ways.ts'
import {
  claimDueDeliveries,
  recordAttempts,
  recoverDeliveries,
  releaseDeliveries,
  stopDeliveries,
} from '../../src/store/webhooks/deliveries.ts'
import {
  deleteEndpoint,
  disableEndpoint,
  giveBackSends,
  markFailing,
  markHealthy,
  moveSendsUntil,
  updateEndpoint,
} from '../../src/store/webhooks/endpoints.ts'
import {
  claimFirstAttempts,
  finishFirstAttempts,
  releaseFirstAttempts,
} from '../../src/store/webhooks/first-attempts.ts'
import {
  parkDeliveries,
  parkFirstAttempts,
  resumeDeliveries,
  resumeFirstAttempts,
} from '../../src/store/webhooks/parked.ts'
import { CUSTOMER, createDatabase } from '../world.ts'
import { batchOf, batchRowOf } from './batch-twins.ts'
import { comparedRows, compareUpTo, comparing, JUDGED } from './compared.ts'
import { comparable, type Digests, digestsOf, organizationTables, storeGuards, undone } from './rows.ts'
import {
  approvalEventOf,
  approvalOf,
  attemptOf,
  DAY,
  FIRST_SEQUENCE,
  IDS,
  insertTwin,
  invitationDigest,
  LATER,
  LEASE,
  LISTED_EARLIER,
  NEXT_DAY,
  PASSKEY,
  RECOVERY_DIGEST,
  refundOf,
  refundWriteOf,
  type Subjects,
  TOLD_URL,
  TWINS_CREATED_AT,
} from './twins.ts'
import { payinWriteOf, payoutWriteOf } from './writes.ts'

const ORGANIZATION_ID = '01900000-0000-7000-8000-000000000001'
const ANOTHER_LEASE = IDS.freshToo
const NEXT_LEASE = { token: IDS.fresh, until: LATER + 60_000 }
const PERSON = { ...CUSTOMER, idType: 'CO_CC' } as const
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

type Call = (db: Db, mine: Subjects) => Promise<unknown>

type Row = {
  // Writes as the rows are, after `given`.
  call: Call
  given?: string
  // What makes the condition fail: a change of the row, or another call.
  stale: Readonly<Record<string, { rows?: string; call?: Call }>>
  // What the call answers then. Undefined if it never answers.
  answers?: unknown
}

// Changes rows: `$1` is the organization.
const PAYIN = (id: string, set: string): string =>
  `update payins set ${set} where organization_id = $1 and payin_id = '${id}'`
const MAIL = (dueAt: number): string =>
  `update receipt_mails set due_at = ${timeOf(dueAt)} where organization_id = $1`
const ALARM_MAIL = (dueAt: number): string =>
  `update alarm_mails set due_at = ${timeOf(dueAt)} where organization_id = $1`
const LINK = (set: string): string => `update payment_links set ${set} where organization_id = $1`
const ENDPOINT = (set: string): string => `update webhook_endpoints set ${set} where organization_id = $1`
const BATCH = (set: string): string => `update first_attempt_batches set ${set} where organization_id = $1`
const DELIVERY = (set: string): string =>
  `update deliveries set ${set} where organization_id = $1 and event_id = '${IDS.event}'`

const CONNECTION = (set: string): string => `update connections set ${set} where organization_id = $1`
const SENT = (set: string): string =>
  `update payouts set ${set} where organization_id = $1 and payout_id = '${IDS.sent}'`
const hintPayout: Call = (db, { connection }) => makeHintedDue(db, connection, 'payout', IDS.sent, LATER)
const recordPresence: Call = (db, { organizationId }) =>
  setPayinPresence(
    db,
    { organizationId, payinId: IDS.unleased },
    { customer: { sealed: 'x' }, acceptedTerms: ['https://wompi.example'], device: { sealed: 'y' } },
    LATER,
  )

const BATCH_ROW = (set: string): string =>
  `update payout_batch_rows set ${set} where organization_id = $1 and row_id = '${IDS.refusedRow}'`
// A row whose payout was declined.
const DECLINED_ROW = `with declined as (
    update payouts set status = 'DECLINED' where organization_id = $1 and payout_id = '${IDS.payout}'
  ) ${BATCH_ROW(`state = 'SENT', payout_id = '${IDS.payout}'`)}`
const PAYOUT = (set: string): string => `update payouts set ${set} where organization_id = $1`
const APPROVAL = (set: string): string => `update approvals set ${set} where organization_id = $1`
const REFUND = (set: string): string => `update refunds set ${set} where organization_id = $1`
const INVITATION = (set: string): string => `update invitations set ${set} where organization_id = $1`
// An invitation that can no longer be accepted, for whichever reason.
const notOpen = {
  used_at: { 'it was accepted': { rows: INVITATION('used_at = now()') } },
  revoked_at: { 'it was revoked': { rows: INVITATION('revoked_at = now()') } },
  expires_at: { 'it is too old': { rows: INVITATION(`expires_at = ${timeOf(LATER)}`) } },
}
const acceptIt: Call = (db, { invitation }) => useInvitation(db, invitationDigest(invitation), LATER)
const revokeIt: Call = (db, { organizationId, invitation }) =>
  revokeInvitation(db, organizationId, invitation.invitationId, LATER)

// What people sign in with has no organization: `$1` is only named.
const PERSONS = (table: string, set: string): string =>
  `update ${table} set ${set} where $1::uuid is not null`
const TOKEN_DIGEST = Buffer.alloc(32, 16)
const SUBJECT = Buffer.alloc(32, 17)
const countIt =
  (now: number): Call =>
  (db) =>
    countAttempt(db, SUBJECT, now, { after: 10, windowMs: 1_000, lockMs: 1_000 })
// The subject was wrong a while ago, and is locked until then.
const LOCKED = (until: number): string =>
  `insert into sign_in_failures select '\\x${SUBJECT.toString('hex')}', ${timeOf(TWINS_CREATED_AT)}, 10, ${timeOf(until)}
    where $1::uuid is not null`
const withdraw: Call = (db, { payin }) =>
  withdrawPresence(
    db,
    { payin: { ...payin, payinId: IDS.unleased }, leaseToken: LEASE.token },
    'TERMS_CHANGED',
    LATER,
  )
const LEASED = PAYIN(IDS.unleased, `lease_token = '${LEASE.token}'`)

// Of the day whose statement is being fetched, and of nothing else: `$1` is the organization, which a day has none of.
const RUN = (set: string): string =>
  `update reconciliation_runs set ${set} where $1::uuid is not null and day = '${DAY}'`
const FINDINGS = (set: string): string =>
  `update reconciliation_findings set ${set} where organization_id = $1`

// A step that completes a link puts nothing in suspense: whatever stops it is a guard of its own.
const linkWrite = (mine: Subjects): PayinWrite => ({
  ...payinWriteOf({ ...mine, payin: mine.attempt }, true),
  suspense: null,
})
const writeLinked: Call = (db, mine) => writePayins(db, [linkWrite(mine)], 1)
const writePayout = (changes: Partial<PayoutWrite> = {}): Call => {
  return (db, mine) => writePayouts(db, [{ ...payoutWriteOf(mine), ...changes }])
}
const STALE_PAYIN = {
  'the payin has another version': { rows: PAYIN(IDS.attempt, 'version = 2') },
  'it was decided from a later version': {
    call: (db: Db, mine: Subjects) => writePayins(db, [{ ...linkWrite(mine), expectedVersion: 2 }], 1),
  },
}
const LOST_PAYIN = {
  'another holds the lease': { rows: PAYIN(IDS.attempt, `lease_token = '${ANOTHER_LEASE}'`) },
  'nobody holds the lease': { rows: PAYIN(IDS.attempt, 'lease_token = null') },
}
const LOST_BATCH = {
  'another holds the lease': { rows: BATCH(`lease_token = '${ANOTHER_LEASE}'`) },
  'nobody holds the lease': { rows: BATCH('lease_token = null') },
}
const LOST_RUN = {
  'another holds the lease': { rows: RUN(`lease_token = '${ANOTHER_LEASE}'`) },
  'nobody holds the lease': { rows: RUN('lease_token = null') },
}
const NO_STEP = [false]
const RESOLVED = { 'it is resolved': { rows: FINDINGS(`state = 'RESOLVED', resolved_at = now()`) } }

const CLAIM: StatementClaim = {
  rail: 'BRE_B',
  day: DAY,
  state: 'FETCHING',
  run: 1,
  comparedRun: 0,
  cursor: null,
  lines: 0n,
  attempts: 0,
  failure: null,
  dueAt: TWINS_CREATED_AT,
  finishedAt: null,
  leaseToken: LEASE.token,
  seenCursors: [],
}
const claimDay: Call = (db) => claimRun(db, ['BRE_B'], null, LATER, NEXT_LEASE)
// The finding is resolved in any case. What must not change is the alarm.
const resolveAlarmOnly: Call = async (db, { organizationId }) => {
  const states = `select finding_id, state from reconciliation_findings where organization_id = $1`
  const { rows } = await db.query<{ finding_id: string; state: string }>({
    text: states,
    values: [organizationId],
  })
  await resolveGone(db, JUDGED, LATER)
  for (const { finding_id, state } of rows)
    await db.query({
      text: `update reconciliation_findings set state = $3, resolved_at = null where organization_id = $1 and finding_id = $2`,
      values: [organizationId, finding_id, state],
    })
}
const raiseLate: Call = (db) =>
  raiseLateAlarms(db, ['BRE_B'], { compared: DAY, comparedAgain: DAY, begunUntil: 0 }, LATER)
// The day of a booking that another day lists no longer. What the booking says is gone in any case, so it is put back.
const LISTED_EARLY = `with run as (${RUN(`state = 'DONE', due_at = null`)})
  update bookings_of_other_days set own_day = '${DAY}' where organization_id = $1`
const releaseAll: Call = async (db, { organizationId }) => {
  const listed = 'select transfer_id, line_key from bookings_of_other_days where organization_id = $1'
  const { rows } = await db.query<{ transfer_id: string; line_key: string }>({
    text: listed,
    values: [organizationId],
  })
  await openComparison(db)
  await releaseUnlisted(db, { ...JUDGED, day: LISTED_EARLIER }, LATER)
  for (const { transfer_id, line_key } of rows)
    await db.query({
      text: `insert into bookings_of_other_days (organization_id, transfer_id, rail, line_key, own_day, listed_on)
             values ($1, $2, 'BRE_B', $3, '${DAY}', '${LISTED_EARLIER}')`,
      values: [organizationId, transfer_id, line_key],
    })
}
const claimOpenAttempt: Call = (db, { organizationId }) =>
  claimAttempt(db, { organizationId, payinId: IDS.attempt }, LATER, NEXT_LEASE)
const expired = (now: number): Call => {
  return (db, { organizationId }) => deleteExpiredRecord(db, { organizationId, key: 'key-1' }, now)
}
// A refusal is what the transaction must roll back on, so the call answers with its code.
const replaceRecord = (now: number): Call => {
  return (db, { organizationId, record }) =>
    insertRecord(db, organizationId, { ...record, body: 'another' }, now).catch((error) => error.code)
}

const ROWS: Readonly<Record<string, Row>> = {
  'WRITE_PAYIN_STEPS: p.version = i.expected_version': {
    call: writeLinked,
    stale: STALE_PAYIN,
    answers: NO_STEP,
  },
  'WRITE_PAYIN_STEPS: p.lease_token = i.lease_token)': {
    call: writeLinked,
    stale: LOST_PAYIN,
    answers: NO_STEP,
  },
  'WRITE_PAYIN_STEPS: l.version = i.link_expected_version': {
    call: writeLinked,
    stale: {
      'the link has another version': { rows: LINK('version = 2') },
      'the link has ended': { rows: LINK(`version = 2, status = 'EXPIRED'`) },
    },
    answers: NO_STEP,
  },
  'WRITE_PAYOUT_STEPS: p.version = i.expected_version': {
    call: writePayout(),
    stale: {
      'the payout has another version': { rows: 'update payouts set version = 2 where organization_id = $1' },
      'it was decided from a later version': { call: writePayout({ expectedVersion: 2 }) },
    },
    answers: NO_STEP,
  },
  'WRITE_PAYOUT_STEPS: p.lease_token = i.lease_token)': {
    call: writePayout(),
    stale: {
      'another holds the lease': {
        rows: `update payouts set lease_token = '${ANOTHER_LEASE}' where organization_id = $1`,
      },
      'nobody holds the lease': { rows: 'update payouts set lease_token = null where organization_id = $1' },
    },
    answers: NO_STEP,
  },
  'endPaymentLink: version = $3': {
    call: (db, { link, event }) =>
      endPaymentLink(db, { ...link, status: 'EXPIRED', version: 2 }, 1, {
        ...event,
        eventId: IDS.fresh,
        type: 'paymentlink.expired',
      }),
    stale: { 'the link has another version': { rows: LINK('version = 2') } },
    answers: false,
  },
  'deferLink: version = $4': {
    call: (db, { link }) => deferLink(db, link, LATER),
    stale: { 'the link has another version': { rows: LINK('version = 2') } },
  },
  "makePayinDue: status in ('PENDING', 'PROCESSING')": {
    call: (db, { organizationId }) => makePayinDue(db, { organizationId, payinId: IDS.unleased }, LATER),
    stale: {
      'it is declined': { rows: PAYIN(IDS.unleased, `status = 'DECLINED'`) },
      'it is canceled': { rows: PAYIN(IDS.unleased, `status = 'CANCELED'`) },
      'it is confirmed': { rows: PAYIN(IDS.unleased, `status = 'CONFIRMED', confirmed_amount_cents = 1`) },
    },
  },
  'makePayinDue: lease_token is null': {
    call: (db, { organizationId }) => makePayinDue(db, { organizationId, payinId: IDS.unleased }, LATER),
    stale: { 'a worker holds it': { rows: PAYIN(IDS.unleased, `lease_token = '${ANOTHER_LEASE}'`) } },
  },
  'setPayinCustomer: customer is null': {
    call: (db, { organizationId }) =>
      setPayinCustomer(db, { organizationId, payinId: IDS.unleased }, PERSON, LATER),
    stale: { 'the payer is known': { rows: PAYIN(IDS.unleased, `customer = '{}'`) } },
  },
  "setPayinCustomer: rail_stage = 'TO_OPEN'": {
    call: (db, { organizationId }) =>
      setPayinCustomer(db, { organizationId, payinId: IDS.unleased }, PERSON, LATER),
    stale: {
      'its provider has it': { rows: PAYIN(IDS.unleased, `rail_stage = 'OPENING'`) },
      'its network has it': { rows: PAYIN(IDS.unleased, `rail_stage = 'OPEN'`) },
    },
  },
  "setPayinCustomer: status = 'PENDING'": {
    call: (db, { organizationId }) =>
      setPayinCustomer(db, { organizationId, payinId: IDS.unleased }, PERSON, LATER),
    stale: {
      'its bank session exists': { rows: PAYIN(IDS.unleased, `status = 'PROCESSING'`) },
      'it is declined': { rows: PAYIN(IDS.unleased, `status = 'DECLINED'`) },
      'it is canceled': { rows: PAYIN(IDS.unleased, `status = 'CANCELED'`) },
    },
  },
  'setPayinPresence: accepted_terms is null': {
    call: recordPresence,
    stale: {
      'somebody was there': { rows: PAYIN(IDS.unleased, `accepted_terms = '{https://wompi.example}'`) },
      'somebody was there, and there were no terms': { rows: PAYIN(IDS.unleased, `accepted_terms = '{}'`) },
    },
    answers: false,
  },
  "setPayinPresence: rail_stage = 'TO_OPEN'": {
    call: recordPresence,
    stale: {
      'its provider has it': { rows: PAYIN(IDS.unleased, `rail_stage = 'OPENING'`) },
      'its network has it': { rows: PAYIN(IDS.unleased, `rail_stage = 'OPEN'`) },
    },
    answers: false,
  },
  "setPayinPresence: status = 'PENDING'": {
    call: recordPresence,
    stale: {
      'its bank session exists': { rows: PAYIN(IDS.unleased, `status = 'PROCESSING'`) },
      'it is declined': { rows: PAYIN(IDS.unleased, `status = 'DECLINED'`) },
      'it is canceled': { rows: PAYIN(IDS.unleased, `status = 'CANCELED'`) },
    },
    answers: false,
  },
  'withdrawPresence: lease_token = $3': {
    given: LEASED,
    call: withdraw,
    stale: {
      'another holds the lease': { rows: PAYIN(IDS.unleased, `lease_token = '${ANOTHER_LEASE}'`) },
      'nobody holds the lease': { rows: PAYIN(IDS.unleased, 'lease_token = null') },
    },
    answers: false,
  },
  "withdrawPresence: rail_stage = 'TO_OPEN'": {
    given: LEASED,
    call: withdraw,
    stale: { 'its provider has it': { rows: PAYIN(IDS.unleased, `rail_stage = 'OPENING'`) } },
    answers: false,
  },
  "withdrawPresence: status = 'PENDING'": {
    given: LEASED,
    call: withdraw,
    stale: { 'it is canceled': { rows: PAYIN(IDS.unleased, `status = 'CANCELED'`) } },
    answers: false,
  },
  'claimAttempt: (lease_token is null': {
    given: PAYIN(IDS.attempt, `lease_token = null, due_at = ${timeOf(LATER + 1)}`),
    call: claimOpenAttempt,
    stale: {
      'a worker holds it': { rows: PAYIN(IDS.attempt, `lease_token = '${ANOTHER_LEASE}'`) },
      'it has ended': { rows: PAYIN(IDS.attempt, `status = 'DECLINED'`) },
    },
  },
  'claimAttempt: due_at <= $3)': {
    given: PAYIN(IDS.attempt, `due_at = ${timeOf(LATER)}`),
    call: claimOpenAttempt,
    stale: { 'a worker’s lease still runs': { rows: PAYIN(IDS.attempt, `due_at = ${timeOf(LATER + 1)}`) } },
  },
  'releaseAttempt: lease_token = $3': {
    call: (db, { attempt }) =>
      releaseAttempt(db, {
        payin: attempt,
        leaseToken: LEASE.token,
        earlier: { dueAt: LATER, leaseToken: null },
      }),
    stale: LOST_PAYIN,
  },
  'claimMail: due_at <= $3': {
    call: (db, { organizationId }) =>
      claimMail(db, { organizationId, payinId: IDS.payin }, TWINS_CREATED_AT, LATER),
    stale: { 'it is not due, or another sends it': { rows: MAIL(TWINS_CREATED_AT + 1) } },
  },
  'putOffMail: due_at = $3': {
    given: MAIL(LATER),
    call: (db, { organizationId }) =>
      putOffMail(db, { organizationId, payinId: IDS.payin, until: LATER, attempts: 1 }, LATER + 1),
    stale: { 'another has it': { rows: MAIL(LATER + 2) } },
  },
  'requestRun: r.lease_until is null': {
    given: RUN('lease_token = null, lease_until = null'),
    call: (db) => requestRun(db, 'BRE_B', DAY, LATER),
    stale: {
      'a worker has the day': {
        rows: RUN(`lease_token = '${ANOTHER_LEASE}', lease_until = ${timeOf(LATER + 1)}`),
      },
    },
  },
  'requestRun: r.lease_until <= $3': {
    given: RUN(`lease_until = ${timeOf(LATER)}`),
    call: (db) => requestRun(db, 'BRE_B', DAY, LATER),
    stale: { 'the lease still runs': { rows: RUN(`lease_until = ${timeOf(LATER + 1)}`) } },
  },
  'claimRun: due_at <= $3': {
    given: RUN(`due_at = ${timeOf(LATER)}`),
    call: claimDay,
    stale: {
      'it is not due yet': { rows: RUN(`due_at = ${timeOf(LATER + 1)}`) },
      'it is done': { rows: RUN(`due_at = null, state = 'DONE'`) },
    },
  },
  'claimRun: (lease_until is null': {
    given: RUN('lease_token = null, lease_until = null'),
    call: claimDay,
    stale: {
      'a worker has the day': {
        rows: RUN(`lease_token = '${ANOTHER_LEASE}', lease_until = ${timeOf(LATER + 1)}`),
      },
    },
  },
  'claimRun: lease_until <= $3)': {
    given: RUN(`lease_until = ${timeOf(LATER)}`),
    call: claimDay,
    stale: { 'the lease still runs': { rows: RUN(`lease_until = ${timeOf(LATER + 1)}`) } },
  },
  'advanceRun: lease_token = $3': {
    call: (db) =>
      advanceRun(db, CLAIM, { nextCursor: 'next', cursorDigest: 'x', lines: 1, leaseUntil: LATER }),
    stale: LOST_RUN,
    answers: false,
  },
  'deferRun: lease_token = $3': {
    call: (db) => deferRun(db, CLAIM, { state: 'LATE', failure: 'not complete', dueAt: LATER }),
    stale: LOST_RUN,
  },
  'failRun: lease_token = $3': {
    call: (db) => failRun(db, CLAIM, { failure: 'it failed', anewAfter: 3, dueAt: LATER }),
    stale: LOST_RUN,
  },
  'finishRun: lease_token = $3': {
    call: (db) => finishRun(db, CLAIM, LATER, null),
    stale: LOST_RUN,
    answers: false,
  },
  'raiseLateAlarms: late_alarm_id is null': {
    given: RUN(`failure = 'no answer'`),
    call: raiseLate,
    stale: {
      'it has its alarm': { rows: RUN(`late_alarm_id = '${IDS.fresh}'`) },
      'it did not fail': { rows: RUN('failure = null') },
    },
  },
  "raiseLateAlarms: state in ('FETCHING', 'COMPARING')": {
    given: RUN(`failure = null, started_at = '1970-01-01'`),
    call: raiseLate,
    stale: {
      'it waits': { rows: RUN(`state = 'WAITING'`) },
      'it was begun a moment ago': { rows: RUN(`started_at = now()`) },
    },
  },
  "resolveGone: f.state = 'OPEN'": {
    call: (db) => resolveGone(db, JUDGED, LATER),
    stale: RESOLVED,
  },
  "releaseUnlisted: state = 'DONE'": {
    given: LISTED_EARLY,
    call: releaseAll,
    stale: { 'it is being fetched': { rows: RUN(`state = 'FETCHING'`) } },
  },
  'releaseUnlisted: due_at > $3)': {
    given: `${LISTED_EARLY.replace('due_at = null', `due_at = ${timeOf(LATER + 1)}`)}`,
    call: releaseAll,
    stale: { 'it is due already': { rows: RUN(`due_at = ${timeOf(LATER)}`) } },
  },
  'releaseUnlisted: (due_at is null': {
    given: LISTED_EARLY,
    call: releaseAll,
    stale: { 'it was due before': { rows: RUN(`due_at = ${timeOf(LATER - 1)}`) } },
  },
  "resolveListedOnOtherDay: x.state = 'OPEN'": {
    given: `insert into bookings_of_other_days (organization_id, transfer_id, rail, line_key, own_day, listed_on)
            select organization_id, transfer_id, 'BRE_B', 'debit ' || subject_id, '${DAY}', '${NEXT_DAY}'
              from ledger_transfers
             where organization_id = $1 and subject_id = '${IDS.paidOut}' and booking = 'payout confirmed'`,
    call: (db) => comparing.resolveListedOnOtherDay(db, 'BRE_B', LATER),
    stale: RESOLVED,
  },
  "resolveSinceBooked: x.state = 'OPEN'": {
    call: (db) => comparing.resolveSinceBooked(db, 'BRE_B', LATER),
    stale: RESOLVED,
  },
  "deferNotice: state = 'WAITING'": {
    call: (db, { notice }) => deferNotice(db, notice, LATER),
    stale: {
      'it was applied': {
        rows: `update rail_notices set state = 'DONE', due_at = null where organization_id = $1`,
      },
      'it was given up': {
        rows: `update rail_notices set state = 'ORPHAN', due_at = null where organization_id = $1`,
      },
    },
  },
  'claimDueNotices: due_at <= $2': claimed('rail_notices', (db, { organizationId }, now) =>
    claimDueNotices(db, organizationId, now, NEXT_LEASE.until, 10),
  ),
  "releaseHeldBatch: due_at = 'infinity'": released('payout_batches', (db, { organizationId }) =>
    releaseHeldBatch(db, { kind: 'batch', organizationId, id: IDS.batch }, LATER),
  ),
  "releaseHeldRefund: due_at = 'infinity'": released('refunds', (db, mine) =>
    releaseHeldRefund(db, { kind: 'refund', ...mine, id: refundOf(mine, 1).refundId }, LATER),
  ),
  "releaseHeldPayout: due_at = 'infinity'": released('payouts', (db, { organizationId }) =>
    releaseHeldPayout(db, { kind: 'payout', organizationId, id: IDS.payout }, LATER),
  ),
  'claimDueBatches: due_at <= $2': claimed('payout_batches', (db, { organizationId }, now) =>
    claimDueBatches(db, organizationId, now, NEXT_LEASE, 10),
  ),
  'keepBatchLease: lease_token = $3': {
    call: (db, mine) =>
      keepBatchLease(db, { batch: batchOf(mine, IDS, 1, LATER), leaseToken: LEASE.token }, LATER + 1),
    stale: {
      'another has the lease': {
        rows: `update payout_batches set lease_token = '${NEXT_LEASE.token}' where organization_id = $1`,
      },
    },
    answers: false,
  },
  'updateBatchRows: b.version = r.version': {
    call: (db, mine) => updateBatchRows(db, [{ ...batchRowOf(mine, IDS, 1), keyCheck: 'FOUND' }]),
    stale: {
      'its person was erased meanwhile': {
        rows: `update payout_batch_rows set version = version + 1 where organization_id = $1`,
      },
    },
    answers: 0,
  },
  'moveBatchRows: state = $3': {
    call: (db, { organizationId }) => moveBatchRows(db, organizationId, IDS.batch, 'DRAFT', 'QUEUED', 'all'),
    stale: {
      'it is a payout': {
        rows: `update payout_batch_rows set state = 'SENT' where organization_id = $1 and state = 'DRAFT'`,
      },
    },
    answers: 0,
  },
  "takeFailedRows: (b.state = 'REFUSED'": {
    call: (db, { organizationId }) => takeFailedRows(db, organizationId, IDS.batch, IDS.fresh),
    stale: { 'it is left out': { rows: BATCH_ROW(`state = 'LEFT_OUT'`) } },
    answers: [],
  },
  "takeFailedRows: (b.state = 'SENT'": {
    given: DECLINED_ROW,
    call: (db, { organizationId }) => takeFailedRows(db, organizationId, IDS.batch, IDS.fresh),
    stale: { 'it is to be sent': { rows: BATCH_ROW(`state = 'QUEUED'`) } },
    answers: [],
  },
  "takeFailedRows: p.stage <> 'STOPPED')))": {
    given: DECLINED_ROW,
    call: (db, { organizationId }) => takeFailedRows(db, organizationId, IDS.batch, IDS.fresh),
    stale: { 'the network has paid it after all': { rows: PAYOUT(`stage = 'STOPPED'`) } },
    answers: [],
  },
  "takeFailedRows: p.status in ('DECLINED', 'CANCELED')": {
    given: DECLINED_ROW,
    call: (db, { organizationId }) => takeFailedRows(db, organizationId, IDS.batch, IDS.fresh),
    stale: { 'it is being paid': { rows: PAYOUT(`status = 'PROCESSING'`) } },
    answers: [],
  },
  'claimDuePayins: due_at <= $2': claimed('payins', (db, { organizationId }, now) =>
    claimDuePayins(db, organizationId, now, NEXT_LEASE, 10),
  ),
  'claimDuePayouts: due_at <= $2': claimed('payouts', (db, { organizationId }, now) =>
    claimDuePayouts(db, organizationId, now, NEXT_LEASE, 10),
  ),
  "claimDuePayouts: stage <> 'AWAITING_APPROVAL'": {
    given: PAYOUT('lease_token = null'),
    call: (db, { organizationId }) => claimDuePayouts(db, organizationId, LATER, NEXT_LEASE, 10),
    stale: { 'people must approve it first': { rows: PAYOUT(`stage = 'AWAITING_APPROVAL'`) } },
    answers: [],
  },
  'updateRefund: version = $3': {
    call: (db, mine) => updateRefund(db, refundWriteOf(mine)),
    stale: { 'somebody has moved it': { rows: REFUND('version = 2') } },
    answers: false,
  },
  'updateRefund: lease_token = $4)': {
    given: REFUND(`lease_token = '${LEASE.token}'`),
    call: (db, mine) => updateRefund(db, { ...refundWriteOf(mine), leaseToken: LEASE.token }),
    stale: { 'nobody holds the lease': { rows: REFUND('lease_token = null') } },
    answers: false,
  },
  'claimDueRefunds: due_at <= $2': claimed('refunds', (db, { organizationId }, now) =>
    claimDueRefunds(db, organizationId, now, NEXT_LEASE, 10),
  ),
  "wakeRefundsOf: status = 'PROCESSING'": {
    call: (db, { payin }) => wakeRefundsOf(db, payin, LATER),
    stale: { 'it has ended': { rows: REFUND(`status = 'CANCELED'`) } },
  },
  'wakeRefundsOf: lease_token is null': {
    call: (db, { payin }) => wakeRefundsOf(db, payin, LATER),
    stale: { 'a worker has it': { rows: REFUND(`lease_token = '${LEASE.token}'`) } },
  },
  "countClaimAttempt: stage = 'AWAITING_CLAIM'": {
    call: (db, mine) => countClaimAttempt(db, refundOf(mine, 1), 12),
    stale: { 'somebody has claimed it': { rows: REFUND(`stage = 'READY'`) } },
    answers: false,
  },
  "holdOfPayin: (status = 'CONFIRMED'": {
    given: `update payins set status = 'CONFIRMED', confirmed_amount_cents = 10, payment_id = payin_id::text
             where organization_id = $1 and payin_id = '${IDS.payin}'`,
    call: (db, { payin }) => holdOfPayin(db, payin, { heldInCents: 10n, refundedInCents: 0n }, LATER),
    stale: {
      'another refund holds a part': {
        rows: `update payins set refund_cents = 1 where organization_id = $1 and payin_id = '${IDS.payin}'`,
      },
      'the network took a part back': {
        rows: `update payins set charged_back_cents = 1 where organization_id = $1 and payin_id = '${IDS.payin}'`,
      },
    },
    answers: false,
  },
  "writeApproval: status = 'WAITING'": {
    call: (db, mine) =>
      writeApproval(db, { ...approvalOf(mine, 1), version: 2, status: 'APPROVED' }, approvalEventOf(mine)),
    stale: { 'it has lapsed': { rows: APPROVAL(`status = 'LAPSED'`) } },
    answers: false,
  },
  'writeApproval: version = $3 - 1': {
    call: (db, mine) =>
      writeApproval(db, { ...approvalOf(mine, 1), version: 2, status: 'APPROVED' }, approvalEventOf(mine)),
    stale: { 'somebody has approved meanwhile': { rows: APPROVAL('version = 2') } },
    answers: false,
  },
  "useApproval: status = 'APPROVED'": {
    call: (db, mine) => useApproval(db, approvalOf(mine, 1), LATER),
    given: APPROVAL(`status = 'APPROVED'`),
    stale: { 'it was refused': { rows: APPROVAL(`status = 'REFUSED'`) } },
    answers: false,
  },
  'useApproval: used_at is null': {
    call: (db, mine) => useApproval(db, approvalOf(mine, 1), LATER),
    given: APPROVAL(`status = 'APPROVED'`),
    stale: { 'it was used': { rows: APPROVAL('used_at = now()') } },
    answers: false,
  },
  'claimDueLinks: due_at <= $2': claimed('payment_links', (db, { organizationId }, now) =>
    claimDueLinks(db, organizationId, now, NEXT_LEASE.until, 10),
  ),
  'claimDueDeliveries: due_at <= $3': claimed('deliveries', (db, { endpoint }, now) =>
    claimDueDeliveries(db, endpoint, now, NEXT_LEASE, 10),
  ),
  "CLAIM_FIRST_ATTEMPTS: ${isClaimableSql('p', '$3')}": {
    call: (db, { endpoint }) => claimFirstAttempts(db, endpoint, LATER, NEXT_LEASE, 10),
    stale: {
      'a worker’s lease still runs': { rows: BATCH(`lease_until = ${timeOf(LATER + 1)}`) },
      'it is not due': { rows: BATCH(`due_at = ${timeOf(LATER + 1)}, lease_until = null`) },
    },
    answers: { batches: [], deliveries: [], size: 0, isFull: false },
  },
  'parkDeliveries: due_at <= $3': {
    given: DELIVERY(`due_at = ${timeOf(LATER)}`),
    call: (db, { endpoint }) => parkDeliveries(db, endpoint, LATER, 10),
    stale: {
      'it is not due yet': {
        rows: `update deliveries set due_at = ${timeOf(LATER + 1)} where organization_id = $1`,
      },
    },
    answers: 0,
  },
  "parkFirstAttempts: ${isClaimableSql('p', '$3')}": {
    call: (db, { endpoint }) => parkFirstAttempts(db, endpoint, LATER, 10),
    stale: {
      'a worker’s lease still runs': { rows: BATCH(`lease_until = ${timeOf(LATER + 1)}`) },
      'it is not due': { rows: BATCH(`due_at = ${timeOf(LATER + 1)}, lease_until = null`) },
    },
    answers: 0,
  },
  "resumeDeliveries: due_at = 'infinity'": {
    given: DELIVERY(`due_at = 'infinity'`),
    call: (db, { endpoint }) => resumeDeliveries(db, endpoint, LATER, 10),
    stale: { 'it is not parked': { rows: DELIVERY(`due_at = ${timeOf(LATER + 1)}`) } },
    answers: 0,
  },
  "resumeFirstAttempts: due_at = 'infinity'": {
    given: BATCH(`due_at = 'infinity'`),
    call: (db, { endpoint }) => resumeFirstAttempts(db, endpoint, LATER, 10),
    stale: { 'it is not parked': { rows: BATCH(`due_at = ${timeOf(LATER + 1)}`) } },
    answers: 0,
  },
  'RECORD_ATTEMPTS: d.lease_token = i.lease_token': recorded({
    'another holds the lease': { rows: DELIVERY(`lease_token = '${ANOTHER_LEASE}'`) },
    'nobody holds the lease': { rows: DELIVERY('lease_token = null') },
  }),
  'RECORD_ATTEMPTS: lease_token is null': recorded({
    // What a worker with a lease reports makes no delivery that is not there.
    'the delivery is gone': { rows: `delete from deliveries where organization_id = $1` },
  }),
  "RECORD_ATTEMPTS: state <> 'DELIVERED'": {
    call: deliveryOnly((db, { organizationId }) =>
      recordAttempts(db, [attemptOf({ organizationId, eventId: IDS.waiting, attemptId: IDS.fresh })]),
    ),
    stale: {
      'it was acknowledged': {
        call: deliveryOnly((db, { organizationId }) =>
          recordAttempts(db, [
            attemptOf({ organizationId, eventId: IDS.waiting, attemptId: IDS.fresh, state: 'DELIVERED' }),
          ]),
        ),
      },
    },
  },
  'releaseDeliveries: lease_token = $4': {
    call: (db, { endpoint }) => releaseDeliveries(db, endpoint, [IDS.event], LEASE.token, LATER),
    stale: {
      'another holds the lease': { rows: DELIVERY(`lease_token = '${ANOTHER_LEASE}'`) },
      'nobody holds the lease': { rows: DELIVERY('lease_token = null') },
    },
  },
  "recoverDeliveries: d.state = 'FAILED'": {
    call: (db, { endpoint }) =>
      recoverDeliveries(db, endpoint, ['payin.confirmed'], TWINS_CREATED_AT - 1, FIRST_ID, 10, LATER),
    stale: {
      'it waits for its next attempt': {
        rows: `update deliveries set state = 'PENDING' where organization_id = $1`,
      },
      'it was delivered': { rows: `update deliveries set state = 'DELIVERED' where organization_id = $1` },
    },
    answers: { scheduled: 0, lastEventId: IDS.waiting },
  },
  'recoverDeliveries: sequence is not null': {
    call: (db, { endpoint }) =>
      recoverDeliveries(db, endpoint, ['payin.confirmed'], TWINS_CREATED_AT - 1, FIRST_ID, 10, LATER),
    stale: {
      'only an event without a number is left': {
        rows: `update deliveries set state = 'PENDING' where organization_id = $1`,
      },
    },
    answers: { scheduled: 0, lastEventId: IDS.waiting },
  },
  'recoverDeliveries: s.created_at >= $4': {
    call: (db, { endpoint }) =>
      recoverDeliveries(db, endpoint, ['payin.confirmed'], TWINS_CREATED_AT, FIRST_ID, 10, LATER),
    stale: {
      'it is older than asked for': {
        call: (db, { endpoint }) =>
          recoverDeliveries(db, endpoint, ['payin.confirmed'], TWINS_CREATED_AT + 1, FIRST_ID, 10, LATER),
      },
    },
    answers: { scheduled: 0, lastEventId: IDS.waiting },
  },
  'stopDeliveries: due_at is not null': {
    call: (db, { endpoint }) => stopDeliveries(db, endpoint, 10),
    stale: {
      'all are ended': {
        rows: `update deliveries set state = 'DELIVERED', due_at = null, lease_token = null where organization_id = $1`,
      },
    },
    answers: 0,
  },
  'finishFirstAttempts: lease_token = $4': {
    call: (db, { endpoint }) => finishFirstAttempts(db, endpoint, [FIRST_SEQUENCE], LEASE.token),
    stale: LOST_BATCH,
  },
  'releaseFirstAttempts: lease_token = $4': {
    call: releaseWith([IDS.waiting]),
    stale: {
      ...LOST_BATCH,
      'all was sent, and another holds the lease': {
        rows: BATCH(`lease_token = '${ANOTHER_LEASE}'`),
        call: releaseWith([IDS.fresh]),
      },
    },
  },
  'deleteEndpoint: deleted_at is null': {
    call: (db, { organizationId }) => deleteEndpoint(db, organizationId, IDS.endpoint, LATER),
    stale: { 'it was deleted': { rows: ENDPOINT('deleted_at = now()') } },
  },
  "disableEndpoint: state = 'ENABLED'": {
    call: (db, { organizationId }) => disableEndpoint(db, organizationId, IDS.endpoint, 'FAILING', LATER),
    stale: { 'it is disabled': { rows: ENDPOINT(`state = 'DISABLED', disabled_reason = 'BY_MERCHANT'`) } },
    answers: false,
  },
  'markFailing: failing_since is null': {
    call: (db, { organizationId }) => markFailing(db, organizationId, IDS.endpoint, LATER),
    stale: { 'it has failed for a while': { rows: ENDPOINT(`failing_since = ${timeOf(TWINS_CREATED_AT)}`) } },
  },
  'moveSendsUntil: sends_until is not distinct from $3': {
    call: (db, { organizationId }) =>
      moveSendsUntil(db, { organizationId, endpointId: IDS.endpoint }, null, LATER),
    stale: { 'another has counted': { rows: ENDPOINT(`sends_until = ${timeOf(TWINS_CREATED_AT)}`) } },
    answers: false,
  },
  'giveBackSends: sends_until > $4': {
    given: ENDPOINT(`sends_until = ${timeOf(LATER + 1)}`),
    call: (db, { organizationId }) =>
      giveBackSends(db, { organizationId, endpointId: IDS.endpoint }, 250, LATER),
    stale: { 'what was counted has passed': { rows: ENDPOINT(`sends_until = ${timeOf(LATER)}`) } },
  },
  'claimClosing: due_at <= $2': {
    call: (db, { organizationId }) => claimClosing(db, organizationId, LATER, LATER + 1),
    stale: {
      'it is not due, or another has it': {
        rows: `update closing_marks set due_at = ${timeOf(LATER + 1)} where organization_id = $1`,
      },
    },
  },
  'claimAlarmMail: due_at <= $3': {
    call: (db, { organizationId }) =>
      claimAlarmMail(db, { organizationId, mailId: IDS.alarmMail }, TWINS_CREATED_AT, LATER),
    stale: { 'it is not due, or another sends it': { rows: ALARM_MAIL(TWINS_CREATED_AT + 1) } },
  },
  'putOffAlarmMail: due_at = $3': {
    given: ALARM_MAIL(LATER),
    call: (db, { organizationId }) => {
      const claim = { organizationId, mailId: IDS.alarmMail, until: LATER } as AlarmMailClaim
      return putOffAlarmMail(db, claim, LATER + 1)
    },
    stale: { 'another has it': { rows: ALARM_MAIL(LATER + 2) } },
  },
  'forgetAlarmsToTell: created_at < $1': {
    call: (db) => forgetAlarmsToTell(db, LATER),
    stale: {
      'it is new': { rows: `update alarms set created_at = ${timeOf(LATER)} where organization_id = $1` },
    },
    answers: 0,
  },
  'forgetAlarmMails: created_at < $1': {
    call: (db) => forgetAlarmMails(db, LATER),
    stale: {
      'it is new': {
        rows: `update alarm_mails set created_at = ${timeOf(LATER)} where organization_id = $1`,
      },
    },
    answers: 0,
  },
  'resolveAlarm: resolved_at is null': {
    call: (db) => resolveAlarm(db, IDS.alarm, LATER),
    stale: { 'it is resolved': { rows: 'update alarms set resolved_at = now() where organization_id = $1' } },
  },
  'resolveRefusedAlarm: resolved_at is null': {
    call: (db, { organizationId }) =>
      resolveRefusedAlarm(db, { organizationId, connectionId: IDS.connection }, TOLD_URL, LATER),
    stale: { 'it is resolved': { rows: 'update alarms set resolved_at = now() where organization_id = $1' } },
  },
  'RESOLVE_ALARMS: a.resolved_at is null': {
    call: resolveAlarmOnly,
    stale: { 'it is resolved': { rows: 'update alarms set resolved_at = now() where organization_id = $1' } },
  },
  "RESOLVE_ALARMS: f.state = 'OPEN'": {
    // Another finding has the same alarm, and is resolved too.
    given: `update reconciliation_findings set alarm_id = '${IDS.alarm}', run = 9, state = 'RESOLVED'
             where organization_id = $1 and finding_id = '${IDS.networkOnly}'`,
    call: resolveAlarmOnly,
    stale: {
      'a finding that shares it is open': {
        rows: `update reconciliation_findings set state = 'OPEN'
                where organization_id = $1 and finding_id = '${IDS.networkOnly}'`,
      },
    },
  },
  'deleteExpiredRecord: created_at <= $3': {
    given: `update idempotency_records set created_at = ${timeOf(TWINS_CREATED_AT)} where organization_id = $1`,
    call: expired(TWINS_CREATED_AT + RECORD_LIFE_MS),
    stale: { 'it has a millisecond to live': { call: expired(TWINS_CREATED_AT + RECORD_LIFE_MS - 1) } },
    answers: false,
  },
  'finishRecord: status = ${UNFINISHED_STATUS}': {
    given: `update idempotency_records set status = ${UNFINISHED_STATUS} where organization_id = $1`,
    call: (db, { organizationId, record }) =>
      finishRecord(db, organizationId, { ...record, body: 'finished' }),
    stale: {
      'it is finished, and may have been sent': {
        rows: 'update idempotency_records set status = 201 where organization_id = $1',
      },
    },
  },
  'updateConnection: version = $3 - 1': {
    call: (db, { connection }) => updateConnection(db, { ...connection, version: 2, name: 'Other' }),
    stale: {
      'it has another version': { rows: CONNECTION('version = 2') },
    },
  },
  'claimConnectionDay: reconcile_after = $3': {
    call: (db, { connection }) =>
      claimConnectionDay(db, { ...connection, reconciledDay: null, reconcileAfter: 0 }, LATER),
    stale: { 'another took it': { rows: CONNECTION(`reconcile_after = ${timeOf(LATER)}`) } },
    answers: false,
  },
  'finishConnectionDay: reconcile_after = $3': {
    given: CONNECTION(`reconcile_after = ${timeOf(LATER)}`),
    call: (db, { connection }) => finishConnectionDay(db, connection, LATER, DAY, LATER),
    stale: { 'another took it meanwhile': { rows: CONNECTION(`reconcile_after = ${timeOf(LATER + 1)}`) } },
  },
  'makeHintedDue: lease_token is null': {
    call: (db, { connection }) => makeHintedDue(db, connection, 'payin', IDS.unleased, LATER),
    stale: {
      'a worker has the payin': { rows: PAYIN(IDS.unleased, `lease_token = '${ANOTHER_LEASE}'`) },
      'it is another connection’s': { rows: PAYIN(IDS.unleased, `connection_id = '${IDS.fresh}'`) },
      'it has no connection': { rows: PAYIN(IDS.unleased, 'connection_id = null') },
      'a worker has the payout': {
        rows: SENT(`lease_token = '${ANOTHER_LEASE}'`),
        call: hintPayout,
      },
    },
    answers: false,
  },
  "makeHintedDue: stage in ('SENT', 'STOPPED', 'DONE')": {
    call: hintPayout,
    stale: {
      'it was not handed over': { rows: SENT(`stage = 'RESERVED'`) },
      'it is being handed over': { rows: SENT(`stage = 'SENDING'`) },
      'it is another connection’s': { rows: SENT(`connection_id = '${IDS.fresh}'`) },
      'it has no connection': { rows: SENT('connection_id = null') },
    },
    answers: false,
  },
  'insertRecord: r.created_at <= $7': {
    given: `update idempotency_records set created_at = ${timeOf(TWINS_CREATED_AT)} where organization_id = $1`,
    call: replaceRecord(TWINS_CREATED_AT + RECORD_LIFE_MS),
    stale: {
      'the first has a millisecond to live': { call: replaceRecord(TWINS_CREATED_AT + RECORD_LIFE_MS - 1) },
    },
    answers: '23505',
  },
  'sequencing: sequence is null': {
    call: (db, { organizationId }) => sequenceEvents(db, [organizationId], 10, LATER),
    stale: {
      'all have their numbers': {
        rows: `update events set sequence = 100 where organization_id = $1 and sequence is null`,
      },
    },
    answers: 0,
  },
  'rollOAuthClient: revoked_at is null': {
    call: (db, { client }) =>
      rollOAuthClient(db, client.clientId, client.secretDigest, Buffer.alloc(32, 18), LATER),
    stale: {
      'it was revoked': { rows: 'update oauth_clients set revoked_at = now() where organization_id = $1' },
    },
    answers: false,
  },
  'claimInvitation: i.mail_due_at <= $2': {
    given: INVITATION(`mail_due_at = ${timeOf(LATER)}`),
    call: (db, { invitation }) => claimInvitation(db, invitation.invitationId, LATER, NEXT_LEASE.until),
    stale: {
      'another sends it': { rows: INVITATION(`mail_due_at = ${timeOf(LATER + 1)}`) },
      'it was sent': { rows: INVITATION('mail_due_at = null, sealed_token = null') },
    },
  },
  'putOffInvitation: mail_due_at = $2': {
    given: INVITATION(`mail_due_at = ${timeOf(LATER)}`),
    call: (db, { invitation }) =>
      putOffInvitation(db, { ...invitation, until: LATER } as unknown as InvitationClaim, LATER + 1),
    stale: {
      'another sends it': { rows: INVITATION(`mail_due_at = ${timeOf(LATER + 2)}`) },
      'it was sent': { rows: INVITATION('mail_due_at = null, sealed_token = null') },
    },
  },
  'useInvitation: used_at is null': { call: acceptIt, stale: notOpen.used_at, answers: false },
  'useInvitation: revoked_at is null': { call: acceptIt, stale: notOpen.revoked_at, answers: false },
  'useInvitation: expires_at > $2': { call: acceptIt, stale: notOpen.expires_at, answers: false },
  'revokeInvitation: revoked_at is null': { call: revokeIt, stale: notOpen.revoked_at, answers: false },
  'revokeInvitation: expires_at > $3': { call: revokeIt, stale: notOpen.expires_at, answers: false },
  'usePasskey: (sign_count < $2': {
    call: (db) => usePasskey(db, PASSKEY.credentialId, 7, LATER),
    stale: {
      'it has counted as far': { rows: PERSONS('passkeys', 'sign_count = 7') },
      'it has counted farther': { rows: PERSONS('passkeys', 'sign_count = 8') },
    },
    answers: false,
  },
  'usePasskey: sign_count = 0': {
    call: (db) => usePasskey(db, PASSKEY.credentialId, 0, LATER),
    stale: { 'it has begun to count': { rows: PERSONS('passkeys', 'sign_count = 1') } },
    answers: false,
  },
  'markSeen: seen_at < $2': {
    call: (db) => markSeen(db, IDS.session, LATER),
    stale: { 'it was seen since': { rows: PERSONS('sessions', `seen_at = ${timeOf(LATER)}`) } },
  },
  'endSession: ended_at is null': {
    call: (db) => endSession(db, IDS.user, IDS.session, LATER),
    stale: { 'it has ended': { rows: PERSONS('sessions', 'ended_at = now()') } },
    answers: false,
  },
  'endSessions: ended_at is null': {
    call: (db) => endSessions(db, IDS.user, null, LATER),
    stale: {
      'all have ended': { rows: PERSONS('sessions', 'ended_at = now()') },
      'there is only this one': { call: (db) => endSessions(db, IDS.user, IDS.session, LATER) },
    },
    answers: 0,
  },
  'endSessions: expires_at > $3': {
    call: (db) => endSessions(db, IDS.user, null, LATER),
    stale: { 'all are over': { rows: PERSONS('sessions', `expires_at = ${timeOf(LATER)}`) } },
    answers: 0,
  },
  'proveSession: proved_at < $2': {
    call: (db) => proveSession(db, IDS.session, LATER),
    stale: { 'it was proved since': { rows: PERSONS('sessions', `proved_at = ${timeOf(LATER)}`) } },
  },
  'countAttempt: f.locked_until is null': {
    given: LOCKED(LATER + 1),
    call: async (db) => {
      await db.query({ text: 'update sign_in_failures set locked_until = null' })
      return countIt(LATER)(db, {} as Subjects)
    },
    stale: { 'it is locked': { call: countIt(LATER) } },
    answers: false,
  },
  'countAttempt: f.locked_until <= $2': {
    given: LOCKED(LATER),
    call: countIt(LATER),
    stale: { 'it is locked for a millisecond more': { call: countIt(LATER - 1) } },
    answers: false,
  },
  'takeToken: expires_at > $3': {
    given: `insert into sign_in_tokens select '\\x${TOKEN_DIGEST.toString('hex')}', 'second-step', null, null, ${timeOf(LATER)}
             where $1::uuid is not null`,
    call: (db) => takeToken(db, TOKEN_DIGEST, 'second-step', LATER - 1),
    stale: {
      'it has expired': { call: (db) => takeToken(db, TOKEN_DIGEST, 'second-step', LATER) },
      'it is for something else': { call: (db) => takeToken(db, TOKEN_DIGEST, 'sign-in-link', LATER - 1) },
    },
  },
  'useTotpStep: totp_last_step < $2': {
    call: (db) => useTotpStep(db, IDS.user, 7),
    stale: {
      'it is used up': { rows: PERSONS('users', 'totp_last_step = 7') },
      'a later one was used': { rows: PERSONS('users', 'totp_last_step = 8') },
    },
    answers: false,
  },
  'useRecoveryDigest: recovery_digests @> array[$2::bytea]': {
    call: (db) => useRecoveryDigest(db, IDS.user, RECOVERY_DIGEST),
    stale: {
      'it is used up': { rows: PERSONS('users', `recovery_digests = '{}'`) },
      'it is none of theirs': { call: (db) => useRecoveryDigest(db, IDS.user, Buffer.alloc(32)) },
    },
    answers: false,
  },
  "sequencing: w.state = 'ENABLED'": batched({ 'it is disabled': { rows: ENDPOINT(`state = 'DISABLED'`) } }),
  'sequencing: w.deleted_at is null': batched({ 'it is deleted': { rows: ENDPOINT('deleted_at = now()') } }),
}

// Conditions whose failing cannot be shown by one call, and where it is shown.
const ELSEWHERE: Readonly<Record<string, string>> = {
  'sequencing: last_sequence = (select last_sequence from seen)':
    'two sequencers at once: workers/sequencer.test.ts',
  'resolveLateAlarm: a.resolved_at is null':
    'alarms that are nobody’s, which keep their time: flows/ledger/reconcile-fetch.test.ts',
  "markNewFindings: f.state = 'OPEN')": 'marks what is found anew in a table of its transaction, below',
  "markNewFindings: f.state = 'OPEN'": 'the same on a distributed PostgreSQL, by TEST_CITUS_URL',
  "resolveListedOnOtherDay: f.state = 'OPEN'": 'spares a write on a distributed PostgreSQL: all were open',
  "resolveSinceBooked: f.state = 'OPEN'": 'spares a write on a distributed PostgreSQL: all were open',
  'noteStep: version = $1': 'names the migration, of which there is one row: store/online-migrations.test.ts',
  'forgetAlarmsToTell: mail_due_at is not null': 'spares a write; the row would be the same',
  "holdBackBatches: status = 'PROCESSING'":
    'what a restore holds back: operator/backups/about-to-be-paid.test.ts',
  "holdBackBatches: r.state = 'QUEUED')":
    'what a restore holds back: operator/backups/about-to-be-paid.test.ts',
  "holdBackRefunds: stage in ('READY', 'AWAITING_FUNDS')":
    'what a restore holds back: operator/backups/about-to-be-paid.test.ts',
  "WRITE_PAYOUT_STEPS: r.due_at is distinct from 'infinity'": 'the payout is written all the same, below',
  "holdBackBatches: due_at is distinct from 'infinity'":
    'keeps since when it is held back: operator/backups/about-to-be-paid.test.ts',
  "holdBackRefunds: due_at is distinct from 'infinity'":
    'keeps since when it is held back: operator/backups/about-to-be-paid.test.ts',
  "holdBackPayouts: due_at is distinct from 'infinity'":
    'keeps since when it is held back: operator/backups/held-payouts.test.ts',
  "holdBackPayouts: status = 'PROCESSING'": 'spares a look: a payout in these stages is open',
  "holdBackPayouts: stage in ('CREATED', 'RESERVED')":
    'what a restore holds back: operator/backups/held-payouts.test.ts',
  'markHealthy: failing_since is not null': 'spares a write; the row would be the same',
  'releaseFirstAttempts: event_ids && $5::uuid[]': 'tells what is put back from what is finished, below',
  'releaseFirstAttempts: not event_ids && $5::uuid[]': 'tells what is put back from what is finished, below',
}

type Claim = (db: Db, mine: Subjects, now: number) => Promise<unknown>

// What is held back is let go, and nothing else is woken.
function released(table: string, call: Row['call']): Row {
  const due = (at: string): string => `update ${table} set due_at = ${at} where organization_id = $1`
  return {
    given: due(`'infinity'`),
    call,
    stale: {
      'it is due': { rows: due(timeOf(LATER)) },
      'nothing is due of it': { rows: due('null') },
    },
    answers: false,
  }
}

// A claim takes what is due at that very moment, and nothing that is due a millisecond later.
function claimed(table: string, claim: Claim): Row {
  return {
    given: `update ${table} set due_at = ${timeOf(LATER)} where organization_id = $1 and due_at is not null`,
    call: (db, mine) => claim(db, mine, LATER),
    stale: { 'it is not due yet': { call: (db, mine) => claim(db, mine, LATER - 1) } },
    answers: [],
  }
}

// The attempt is written in any case. What must not change is the delivery.
function deliveryOnly(call: Call): Call {
  return async (db, mine) => {
    await call(db, mine)
    const attempts = `delete from delivery_attempts where organization_id = $1 and attempt_id = $2`
    await db.query({ text: attempts, values: [mine.organizationId, IDS.fresh] })
  }
}

function recorded(stale: Row['stale']): Row {
  const leased = { eventId: IDS.event, leaseToken: LEASE.token, attemptId: IDS.fresh, number: 2 }
  return {
    call: deliveryOnly((db, { organizationId }) =>
      recordAttempts(db, [attemptOf({ organizationId, ...leased, dueAt: LATER })]),
    ),
    stale,
  }
}

function releaseWith(unsent: string[]): Call {
  return (db, { endpoint }) =>
    releaseFirstAttempts(db, endpoint, [FIRST_SEQUENCE], LEASE.token, unsent, LATER)
}

// The event gets its number in any case. What must not come to be is the batch.
function batched(stale: Row['stale']): Row {
  return {
    call: async (db, { organizationId }) => {
      await sequenceEvents(db, [organizationId], 10, LATER)
      for (const text of [
        `update events set sequence = null where organization_id = $1 and event_id = '${IDS.unsequenced}'`,
        `update event_counters set last_sequence = last_sequence - 1 where organization_id = $1`,
      ])
        await db.query({ text, values: [organizationId] })
    },
    stale,
  }
}

function timeOf(instant: number): string {
  return `to_timestamp(${instant / 1_000})`
}

describe('a guarded statement', () => {
  let db: Db
  let drop: () => Promise<void>
  let tables: string[]
  let mine: Subjects

  before(async () => {
    const database = await createDatabase()
    drop = database.drop
    db = openDb({ url: database.url, poolSize: 1 })
    tables = await organizationTables(db)
    mine = await insertTwin(db, 1, ORGANIZATION_ID)
  })
  after(async () => {
    await db.close()
    await drop()
  })

  // Days of networks and people have no organization, and are compared beside the tables that have one.
  const OTHERS = [
    'reconciliation_runs',
    'users',
    'passkeys',
    'sessions',
    'sign_in_tokens',
    'sign_in_failures',
  ]
  const digests = async (tx: Db): Promise<Digests> => {
    const [own] = (await digestsOf(tx, tables, [ORGANIZATION_ID])) as [Digests]
    const others: Digests = {}
    for (const table of OTHERS) {
      const { rows } = await tx.query<{ row: string }>({
        text: `select r::text as row from ${table} r order by 1`,
      })
      others[table] = rows.map(({ row }) => row).join('|')
    }
    return { ...own, ...others }
  }

  const attempted = (rows: readonly (string | undefined)[], call: Call) =>
    undone(db, async (tx) => {
      for (const text of rows.filter((one) => one !== undefined))
        await tx.query({ text, values: [ORGANIZATION_ID] })
      const before = await digests(tx)
      const answer = comparable(await call(tx, mine))
      const after = await digests(tx)
      return { answer, before, after }
    })

  it('has a row in the table for each of its conditions', () => {
    const found = new Set(storeGuards().map(({ name, predicate }) => `${name}: ${predicate}`))
    assert.deepEqual([...found].sort(), [...Object.keys(ROWS), ...Object.keys(ELSEWHERE)].sort())
  })

  for (const [guard, row] of Object.entries(ROWS)) {
    it(`${guard}: it writes`, async () => {
      const { before, after } = await attempted([row.given], row.call)
      assert.notDeepEqual(after, before)
    })
    for (const [when, { rows, call = row.call }] of Object.entries(row.stale)) {
      it(`${guard}: it writes nothing when ${when}`, async () => {
        const { answer, before, after } = await attempted([row.given, rows], call)
        assert.deepEqual(after, before)
        assert.equal(answer, comparable(row.answers))
      })
    }
  }

  it('a finding is new again if what an earlier comparison found was resolved', async () => {
    const newOnes = (rows: string[]) =>
      undone(db, async (tx) => {
        for (const text of rows) await tx.query({ text, values: [ORGANIZATION_ID] })
        await compareUpTo(tx, 'classifyDisagreements', ['takeLinesOfOtherDays'])
        const found = await comparedRows(tx, mine, 'found')
        return found.filter(
          (row) => /OURS_ONLY/.test(row) && row.includes(IDS.paidOut) && row.endsWith(',t)'),
        ).length
      })
    assert.equal(await newOnes([]), 0)
    assert.equal(await newOnes([FINDINGS(`state = 'RESOLVED', resolved_at = now()`)]), 1)
  })

  it('a payout wakes the refund that it pays, unless the refund is held back', async () => {
    const dueAfter = (dueAt: string) =>
      undone(db, async (tx) => {
        await tx.query({ text: REFUND(`due_at = ${dueAt}`), values: [ORGANIZATION_ID] })
        const write = payoutWriteOf(mine)
        const { refundId } = refundOf(mine, 1)
        await writePayouts(tx, [{ ...write, payout: { ...write.payout, stage: 'DONE', refundId } }])
        const text = 'select due_at::text as due from refunds where organization_id = $1 and refund_id = $2'
        return (await tx.query<{ due: string }>({ text, values: [ORGANIZATION_ID, refundId] })).rows[0]?.due
      })
    assert.equal(await dueAfter(`'infinity'`), 'infinity')
    assert.match((await dueAfter('null')) ?? 'never', /^\d{4}-/)
  })

  it('releases of a batch only what was not sent, and finishes the rest', async () => {
    const left = (unsent: string[]) =>
      undone(db, async (tx) => {
        await releaseWith(unsent)(tx, mine)
        const found = await tx.query<{ event_ids: string[] }>({
          text: 'select event_ids from first_attempt_batches where organization_id = $1 and lease_until is null',
          values: [ORGANIZATION_ID],
        })
        const all = await tx.query({ text: 'select from first_attempt_batches' })
        return { free: found.rows.map((one) => one.event_ids), all: all.rowCount }
      })
    assert.deepEqual(await left([IDS.waiting]), { free: [[IDS.waiting]], all: 1 })
    assert.deepEqual(await left([IDS.fresh]), { free: [], all: 0 })
  })

  it('of a known payer or a healthy endpoint leaves the row as it is', async () => {
    const healthy = await attempted([], (tx) => markHealthy(tx, ORGANIZATION_ID, IDS.endpoint))
    assert.deepEqual(healthy.after, healthy.before)
    const failing = await attempted([ENDPOINT('failing_since = now()')], (tx) =>
      markHealthy(tx, ORGANIZATION_ID, IDS.endpoint),
    )
    assert.notDeepEqual(failing.after, failing.before)
    const update: Call = (tx, { endpoint }) => updateEndpoint(tx, { ...endpoint, url: 'https://x.example' })
    assert.notDeepEqual((await attempted([], update)).after, healthy.before)
  })
})
