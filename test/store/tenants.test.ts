// No statement of the store reads or writes across organizations. Two organizations have rows with the same ids in every table.
// Each function is called for one of them, with the other's rows there and in a database without them, and with each table that
// the function reads emptied of the caller's rows: the answer and the effect must be the same, and the other's rows untouched.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { APPROVAL_LIFETIME_MS } from '../../src/core/approvals/approval.ts'
import { bogotaDay, daysAfter } from '../../src/core/bogota-day.ts'
import { firstIdAt } from '../../src/core/ids.ts'
import { DAY_MS } from '../../src/core/instant.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../src/core/organizations/organization.ts'
import { WORDED } from '../../src/core/search/fact.ts'
import {
  approvalList,
  approvedAt,
  countWaitingFor,
  getApproval,
  getOpenApproval,
  getWaitingApproval,
  insertApproval,
  listLapsedApprovals,
  lockApproval,
  lockWaitingApproval,
  useApproval,
  writeApproval,
} from '../../src/store/approvals/approvals.ts'
import { insertDecision, listDecisions, listDecisionsOf } from '../../src/store/approvals/decisions.ts'
import {
  entriesAfter,
  insertChainLines,
  lastLine,
  linesAfter,
  takeUnchained,
  unchainedEntries,
} from '../../src/store/audit/chain.ts'
import { credentialHolders } from '../../src/store/audit/credential-holders.ts'
import { auditList, insertEntry } from '../../src/store/audit/entries.ts'
import { filteredAudit } from '../../src/store/audit/filtered.ts'
import {
  collectRequests,
  insertRequests,
  requestList,
  requestsOfObject,
} from '../../src/store/audit/requests.ts'
import {
  readHoldState,
  releaseHeldBatch,
  releaseHeldPayout,
  releaseHeldRefund,
} from '../../src/store/backups/hold-back.ts'
import {
  beneficiaryList,
  deleteBeneficiary,
  findBeneficiaries,
  getBeneficiary,
  lockBeneficiary,
  writeBeneficiary,
} from '../../src/store/beneficiaries/beneficiaries.ts'
import type { BoundedList } from '../../src/store/bounded-list.ts'
import {
  bookedAmount,
  bookedPayins,
  bookedPayouts,
  claimConnectionDay,
  connectionsToReconcile,
  finishConnectionDay,
} from '../../src/store/connections/connection-days.ts'
import {
  deleteConnection,
  findHinted,
  getConnection,
  holdConnection,
  insertConnection,
  isConnectionInUse,
  listConnections,
  lockConnection,
  makeHintedDue,
  updateConnection,
} from '../../src/store/connections/connections.ts'
import { insertExchanges, listExchanges } from '../../src/store/connections/exchanges.ts'
import { insertMovement, movementList } from '../../src/store/connections/movements.ts'
import {
  chargebacksReportedBefore,
  claimDueNotices,
  contradictsStored,
  deferNotice,
  finishNotice,
  insertNotices,
} from '../../src/store/connections/notices.ts'
import { insertRefusedAlarm, resolveRefusedAlarm } from '../../src/store/connections/refused-connections.ts'
import { noticesOfSubject } from '../../src/store/connections/subject-notices.ts'
import { type Db, openDb, sqlState } from '../../src/store/db.ts'
import {
  lastLookup,
  namesLookedUpSince,
  recordLookup,
  reserveLookupBudget,
  spendLookupBudget,
} from '../../src/store/directory/key-lookups.ts'
import { newestDue, oldestDue, placeBefore, queuesWithWork, WORK_QUEUES } from '../../src/store/due-work.ts'
import {
  endOfLog,
  getEvent,
  getEvents,
  insertSequencedEvent,
  listEvents,
  lockCounter,
  newestUnsequenced,
  oldestUnsequenced,
  sequenceEvents,
  sequencing,
} from '../../src/store/events/events.ts'
import { filteredEvents } from '../../src/store/events/filtered.ts'
import { insertRedelivery, listRedeliveries } from '../../src/store/events/redeliveries.ts'
import {
  deleteExpiredRecord,
  finishRecord,
  getRecords,
  insertRecord,
  RECORD_LIFE_MS,
  UNFINISHED_STATUS,
} from '../../src/store/idempotency.ts'
import type { RowList } from '../../src/store/keyset-list.ts'
import { FIRST_ID, LAST_ID } from '../../src/store/keyset-list.ts'
import {
  type AlarmMailClaim,
  claimAlarmMail,
  countAlarmsTold,
  finishAlarmMail,
  insertAlarmMail,
  listAlarmsToTell,
  listDueAlarmMails,
  listOpenAlarmsOf,
  listOrganizationsToTell,
  putOffAlarmMail,
  setAlarmsDue,
} from '../../src/store/ledger/alarm-mails.ts'
import {
  alarmList,
  insertAbuseAlarm,
  insertAlarm,
  listOpenAlarms,
  lockAlarm,
  updateAlarm,
} from '../../src/store/ledger/alarms.ts'
import { balancesBefore, lastBalances } from '../../src/store/ledger/balance-at.ts'
import {
  claimClosing,
  getClosingMark,
  insertClosingMark,
  openDaysFrom,
  organizationsToClose,
  passDay,
} from '../../src/store/ledger/closing-marks.ts'
import { openComparison } from '../../src/store/ledger/comparison.ts'
import { closesBetween, insertClose, lastCloseUntil } from '../../src/store/ledger/daily-closes.ts'
import { digestsOfTransfers, idAfterTransfers, sumsOfBookings } from '../../src/store/ledger/day-sums.ts'
import { filteredTransfers } from '../../src/store/ledger/filtered.ts'
import {
  insertNoticesOfNetworkOnly,
  insertNoticesOfTraces,
  raiseAlarms,
  resolveGone,
  writeFindings,
} from '../../src/store/ledger/findings.ts'
import {
  changedMinimums,
  insertMinimumAlarm,
  markBelowMinimum,
} from '../../src/store/ledger/minimum-balances.ts'
import { networkDaysOf, subjectsOfMovements } from '../../src/store/ledger/movement-subjects.ts'
import { leaveToDayBefore, releaseUnlisted, rememberTaken } from '../../src/store/ledger/other-days.ts'
import {
  findingList,
  getReconciliation,
  readTotals,
  reconciliationList,
  writeReconciliations,
} from '../../src/store/ledger/reconciliations.ts'
import { insertLines } from '../../src/store/ledger/statement-lines.ts'
import { insertRuns } from '../../src/store/ledger/statement-runs.ts'
import {
  chargeBackSuspenseItem,
  getSuspenseItem,
  insertSuspenseItem,
  isAtProvider,
  isMoneyInSuspense,
  listSuspense,
  lockSuspenseItem,
  lockSuspenseOfPayment,
  moveSuspenseItem,
  setSuspenseNote,
  suspenseList,
  suspenseOfPayments,
  suspenseToWatch,
} from '../../src/store/ledger/suspense.ts'
import { payinsOfPersonNear, payinsWithWordNear } from '../../src/store/ledger/suspense-candidates.ts'
import {
  chargebacksOf,
  lockAvailable,
  postTransfers,
  readBalances,
  transferList,
} from '../../src/store/ledger/transfers.ts'
import { verifyLedger } from '../../src/store/ledger/verify.ts'
import { alarmsOfSubject, countOpenAlarms, heldMoney, suspenseOfPayin } from '../../src/store/ledger/views.ts'
import {
  insertApiKey,
  insertOAuthClient,
  listApiKeys,
  listOAuthClients,
  lockApiKey,
  lockOAuthClient,
} from '../../src/store/organizations/credentials.ts'
import { updateOrganizationLimits } from '../../src/store/organizations/limits.ts'
import {
  getOrganization,
  listMerchants,
  listOrganizations,
  lockOrganization,
  updateApprovalRules,
  updateCharges,
  updateOrganization,
  updateRoutes,
} from '../../src/store/organizations/organizations.ts'
import {
  countWorkingApiKeys,
  countWorkingClients,
  getOwnApiKey,
  getOwnClient,
  listOwnApiKeys,
  listOwnClients,
  lockOwnApiKey,
  lockOwnClient,
  updateApiKey,
  updateOAuthClient,
} from '../../src/store/organizations/own-credentials.ts'
import { linkPageMarks, payinPageMarks } from '../../src/store/page-marks.ts'
import {
  attemptToShow,
  claimAttempt,
  lockAttemptIfFree,
  openAttempt,
  releaseAttempt,
  unendedAttempt,
} from '../../src/store/payins/attempts.ts'
import { payinEndings, payinFigures } from '../../src/store/payins/figures.ts'
import { filteredPayins } from '../../src/store/payins/filtered.ts'
import { insertPlainPayins } from '../../src/store/payins/insert-plain.ts'
import { payinIdAndVersionList, payinList } from '../../src/store/payins/lists.ts'
import { nextPayinWork } from '../../src/store/payins/next-work.ts'
import {
  claimDuePayins,
  getPayinByReference,
  getPayins,
  insertPayins,
  lockPayin,
  makePayinDue,
  setPayinCustomer,
  setPayinPresence,
  withdrawPresence,
} from '../../src/store/payins/payins.ts'
import {
  claimMail,
  finishMail,
  getPayerLanguage,
  listDueMails,
  putOffMail,
  setPayerLanguage,
} from '../../src/store/payins/receipt-mails.ts'
import { type PayinWrite, writePayins } from '../../src/store/payins/write.ts'
import { filteredLinks } from '../../src/store/payment-links/filtered.ts'
import {
  claimDueLinks,
  deferLink,
  endPaymentLink,
  getLink,
  getLinkByToken,
  getLinks,
  insertLinks,
  isLinkDue,
  linkList,
  lockIdleLink,
  lockLink,
  pageLinkList,
} from '../../src/store/payment-links/payment-links.ts'
import { filteredPages } from '../../src/store/payment-pages/filtered.ts'
import {
  getPage,
  getPageByToken,
  insertPage,
  lockPage,
  pageList,
  updatePage,
} from '../../src/store/payment-pages/payment-pages.ts'
import {
  batchList,
  claimDueBatches,
  findBatchOfFile,
  getBatch,
  insertBatch,
  keepBatchLease,
  lockBatch,
  updateBatch,
} from '../../src/store/payout-batches/batches.ts'
import { lockRetriedPaidAfterDecline } from '../../src/store/payout-batches/retried.ts'
import {
  batchRowList,
  findQueuedRows,
  getBatchRow,
  insertBatchRows,
  keyCheckOfPayout,
  listBatchRows,
  listLargestRows,
  markDuplicateRows,
  moveBatchRows,
  readBatchTotals,
  takeFailedRows,
  updateBatchRows,
} from '../../src/store/payout-batches/rows.ts'
import {
  listPayoutNotices,
  readCredentialName,
  readPayoutCredential,
} from '../../src/store/payouts/evidence.ts'
import { filteredPayouts } from '../../src/store/payouts/filtered.ts'
import { countStoppedPayouts, nextPayoutWork } from '../../src/store/payouts/next-work.ts'
import { lockPayoutsOfRefund, payoutPaidAfterDecline } from '../../src/store/payouts/of-refund.ts'
import {
  claimDuePayouts,
  getPayouts,
  insertPayouts,
  lockPayout,
  payoutList,
} from '../../src/store/payouts/payouts.ts'
import { listRecentPayouts } from '../../src/store/payouts/recent.ts'
import { lockPayoutUsage, readPayoutUsage } from '../../src/store/payouts/usage.ts'
import { type PayoutWrite, writePayouts } from '../../src/store/payouts/write.ts'
import {
  blankResponses,
  eventsOfObject,
  listKeptAnswers,
  replaceEventData,
  replaceKeptAnswer,
} from '../../src/store/people/copies.ts'
import { insertDataKey, listDataKeys } from '../../src/store/people/data-keys.ts'
import {
  deleteDigests,
  findByDigest,
  insertDigests,
  insertErasure,
  listErasures,
} from '../../src/store/people/digests.ts'
import {
  getPeople,
  linksOfPayins,
  listPeople,
  moveMark,
  organizationsBehindMark,
  PERSON_RESOURCES,
  readMark,
  replaceLinkNote,
  replacePerson,
} from '../../src/store/people/people.ts'
import { filteredRefunds } from '../../src/store/refunds/filtered.ts'
import {
  claimDueRefunds,
  countClaimAttempt,
  getRefund,
  givenBackOf,
  insertRefund,
  lockRefund,
  refundList,
  refundsOfPayin,
  wakeRefundsOf,
} from '../../src/store/refunds/refunds.ts'
import { holdOfPayin, insertRefundEvent, updateRefund } from '../../src/store/refunds/write.ts'
import {
  attemptsOnLinks,
  behindEvents,
  behindPeople,
  moveEventMark,
  moveSearchMark,
  newestUnworded,
  objectsWithReference,
  searchedBetween,
  searchedRows,
  toldAfter,
} from '../../src/store/search/objects.ts'
import {
  countWords,
  deleteWords,
  insertWords,
  objectsWithAllWords,
  objectsWithBeginning,
  objectsWithDigest,
  objectsWithWord,
} from '../../src/store/search/words.ts'
import { objectMarks, setMarks } from '../../src/store/shown-marks.ts'
import {
  claimInvitation,
  finishInvitation,
  type InvitationClaim,
  listDueInvitations,
  putOffInvitation,
} from '../../src/store/team/invitation-mails.ts'
import {
  countInvitationsSince,
  findInvitation,
  getInvitation,
  insertInvitation,
  listOpenInvitations,
  listUnexpiredInvitations,
  lockInvitation,
  revokeInvitation,
  useInvitation,
} from '../../src/store/team/invitations.ts'
import { idsMadeBy } from '../../src/store/team/made-by.ts'
import {
  countOwners,
  deleteMembership,
  getMember,
  listMembers,
  rolesOf,
  updateRole,
} from '../../src/store/team/members.ts'
import { deleteSavedView, insertSavedView, listSavedViews } from '../../src/store/team/saved-views.ts'
import { insertMembership } from '../../src/store/team/users.ts'
import {
  claimDueDeliveries,
  recordAcknowledged,
  recordAttempts,
  recoverDeliveries,
  redeliver,
  releaseDeliveries,
  stopDeliveries,
} from '../../src/store/webhooks/deliveries.ts'
import { deliveriesOfEvent, listBacklog, readBacklog } from '../../src/store/webhooks/delivery-views.ts'
import {
  attemptsOfEndpoint,
  healthOfEndpoints,
  waitingAtEndpoint,
} from '../../src/store/webhooks/endpoint-views.ts'
import {
  deleteEndpoint,
  disableEndpoint,
  getEndpoint,
  giveBackSends,
  hasChallenges,
  insertEndpoint,
  listEndpoints,
  lockEndpoint,
  markChallenged,
  markFailing,
  markHealthy,
  moveSendsUntil,
  updateEndpoint,
} from '../../src/store/webhooks/endpoints.ts'
import {
  claimFirstAttempts,
  deleteFirstAttempts,
  finishFirstAttempts,
  releaseFirstAttempts,
} from '../../src/store/webhooks/first-attempts.ts'
import {
  endpointsToResume,
  markParked,
  parkDeliveries,
  parkFirstAttempts,
  resumeDeliveries,
  resumeFirstAttempts,
} from '../../src/store/webhooks/parked.ts'
import { citusUrl } from '../citus.ts'
import { byDepth } from '../depth.ts'
import { CUSTOMER, createDatabase } from '../world.ts'
import {
  batchEventOf,
  batchOf,
  batchRowOf,
  beneficiaryOf,
  DOCUMENT_DIGEST,
  FILE_DIGEST,
  KEY_DIGEST,
} from './batch-twins.ts'
import {
  bookSuspense,
  type ComparisonStep,
  comparedRows,
  compareUpTo,
  comparing,
  JUDGED,
  judgedAlone,
  listPaidOnNextDay,
  withKnownIds,
} from './compared.ts'
import {
  comparable,
  type Digests,
  deleteRows,
  digestOfEach,
  digestsOf,
  lockableRows,
  organizationTables,
  storeFunctions,
  undone,
} from './rows.ts'
import {
  approvalEventOf,
  approvalOf,
  attemptOf,
  closeOf,
  DAY,
  DIGEST,
  decisionOf,
  entryOf,
  erasureOf,
  FIRST_SEQUENCE,
  IDS,
  insertTwin,
  invitationDigest,
  KEY_STRING,
  LATER,
  LEASE,
  LISTED_EARLIER,
  lineOf,
  NEXT_DAY,
  OTHER_WORD,
  PAGE_TOKEN,
  PROVIDER_ID,
  REFERENCE,
  refundOf,
  refundWriteOf,
  requestOf,
  STATEMENT,
  type Subjects,
  savedViewOf,
  TOLD_URL,
  TWINS_CREATED_AT,
  totalsOf,
  USED_CREDENTIAL,
  WORD,
  WRAPPED,
} from './twins.ts'
import { payinWriteOf, payoutWriteOf } from './writes.ts'

// A slow machine is not a hanging database.
const PATIENT_MS = 20_000
const NEXT_LEASE = { token: IDS.fresh, until: LATER + 60_000 }

type Call = (db: Db, mine: Subjects) => Promise<unknown>

// What a call for one organization does: it finds something of the caller's, or changes something. What is `given` is done first for
// both: a statement that forgets the organization then meets the other's row in the same state. What the caller `lacks` is taken
// away from it alone, so that only the other's row could be met.
type Row = ({ finds: Call } | { changes: Call }) & { given?: Call; lacks?: Call }

const changeOwn =
  (text: string): Call =>
  (db, { organizationId }) =>
    db.query({
      text: `${text}${text.includes(' where ') ? ' and' : ' where'} organization_id = $1`,
      values: [organizationId],
    })

const without =
  (...tables: string[]): Call =>
  (db, { organizationId }) =>
    deleteRows(db, tables, organizationId)

// What is found has its own answer where there is nothing.
const whatever = async (found: Promise<unknown>): Promise<unknown> => ({ found: await found })

const APPROVED = changeOwn(
  `update approvals
      set status = 'APPROVED', decided_at = ((created_at at time zone 'UTC') + amount_cents * interval '1 second') at time zone 'UTC'`,
)

const ofRefund = ({ organizationId, sent }: Subjects) =>
  ({ organizationId, refundId: IDS.refund, reference: sent.reference }) as const

const ROW_NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8, 9]

// Its rows are tried again, and were paid after all.
async function asPaidRetry(db: Db, { organizationId }: Subjects): Promise<void> {
  await db.query({
    text: `update payout_batch_rows set state = 'SENT', payout_id = $3, retried_in = $4
            where organization_id = $1 and batch_id = $2 and row_number = (
                    select min(row_number) from payout_batch_rows where organization_id = $1 and batch_id = $2)`,
    values: [organizationId, IDS.batch, IDS.payout, IDS.fresh],
  })
  await db.query({
    text: `update payouts set status = 'DECLINED', stage = 'STOPPED' where organization_id = $1 and payout_id = $2`,
    values: [organizationId, IDS.payout],
  })
}

const ROW_IS_PAYOUT = changeOwn(
  `update payout_batch_rows set payout_id = '${IDS.payout}', state = 'SENT' where row_id = '${IDS.batchRow}'`,
)

// The alarm that the writes of writes.ts raise.
const raiseAgain = (db: Db, { organizationId }: Subjects, subjectId: string) =>
  insertAlarm(
    db,
    organizationId,
    subjectId,
    { alarmId: IDS.freshToo, kind: 'payin-contradiction', detail: 'fresh' },
    LATER,
  )

// Since a restore.
const heldBack = (table: string): Call => changeOwn(`update ${table} set due_at = 'infinity'`)

function payinLists(list: typeof payinList | typeof payinIdAndVersionList): Row[] {
  const narrow = {
    status: 'PROCESSING',
    rail: 'BRE_B',
    reference: REFERENCE,
    paymentLinkId: IDS.link,
    fromId: FIRST_ID,
    beforeId: IDS.fresh,
  } as const
  return [{}, narrow].map((filters) => ({
    finds: (db, { organizationId }) => wholeList(list(db, organizationId, filters)),
  }))
}

async function wholeList(list: RowList<unknown>): Promise<unknown> {
  return {
    newest: await list.seek({ direction: 'older', from: null }, 10),
    older: await list.seek({ direction: 'older', from: IDS.fresh }, 10),
    newer: await list.seek({ direction: 'newer', from: FIRST_ID }, 10),
    exists: [await list.exists('older', IDS.fresh), await list.exists('newer', FIRST_ID)],
  }
}

// A list with filters: both ways of reading a page, and its totals.
async function wholeView(list: BoundedList<unknown>): Promise<unknown> {
  return {
    newest: await list.page({ direction: 'older', from: null }, 10),
    oldest: await list.page({ direction: 'newer', from: FIRST_ID }, 10),
    totals: await list.totals(),
  }
}

const EVERY_ID = { fromId: FIRST_ID, beforeId: LAST_ID }

// Of an answer about all organizations, the part about one.
function partOf(mine: Subjects, rows: readonly (string | { organizationId: string })[]): unknown[] {
  return rows.filter((row) =>
    typeof row === 'string'
      ? row.startsWith(mine.organizationId)
      : row.organizationId === mine.organizationId,
  )
}

// What a step of the comparison leaves for one organization.
const compared =
  (
    last: ComparisonStep,
    without: readonly ComparisonStep[],
    table: Parameters<typeof comparedRows>[2],
  ): Call =>
  async (db, mine) => {
    await bookSuspense(db, mine)
    await compareUpTo(db, last, without)
    return comparedRows(db, mine, table)
  }

const listedOnTwoDays =
  (last: ComparisonStep, table: Parameters<typeof comparedRows>[2]): Call =>
  async (db, mine) => {
    await listPaidOnNextDay(db, mine)
    await compareUpTo(db, last)
    return comparedRows(db, mine, table)
  }

function usageOf({ organizationId, payout }: Subjects) {
  return { organizationId, day: bogotaDay(payout.createdAt), credentialId: USED_CREDENTIAL }
}

// The payments of the connection, as they are when the money has moved.
const PAID_PAYINS = changeOwn(
  `update payins set status = 'CONFIRMED', confirmed_amount_cents = amount_cents, payment_id = 'wompi:1', result_at = created_at where connection_id is not null`,
)
const PAID_PAYOUTS = changeOwn(
  `update payouts set status = 'CONFIRMED', stage = 'DONE', trace_id = 'wompi:2', result_at = created_at where connection_id is not null`,
)
const nothingDue = (table: string): Call => changeOwn(`update ${table} set due_at = null`)
const SUSPENSE_OPEN = changeOwn(`update suspense_items set state = 'OPEN'`)

// As its worker has it.
const claimOf = ({ invitation }: Subjects): InvitationClaim => ({
  ...invitation,
  organizationName: '',
  sealedToken: Buffer.alloc(0),
  attempts: 1,
  until: TWINS_CREATED_AT,
})

const NEWEST = { direction: 'older', from: null } as const

const nearTo = (at: string) => ({ at, fromId: FIRST_ID, beforeId: LAST_ID, limit: 10 })

const CALLS: Readonly<Record<string, Row | Row[]>> = {
  insertMembership: {
    changes: async (db, { organizationId }) => {
      await deleteMembership(db, organizationId, IDS.user)
      return insertMembership(db, { organizationId, userId: IDS.user, role: 'support', at: LATER })
    },
  },
  listMembers: { finds: (db, { organizationId }) => listMembers(db, organizationId) },
  getMember: { finds: (db, { organizationId }) => getMember(db, organizationId, IDS.user) },
  rolesOf: { finds: async (db, { organizationId }) => [...(await rolesOf(db, organizationId, [IDS.user]))] },
  updateRole: {
    changes: (db, { organizationId }) => updateRole(db, organizationId, IDS.user, 'support', LATER),
  },
  deleteMembership: { changes: (db, { organizationId }) => deleteMembership(db, organizationId, IDS.user) },
  countOwners: { finds: (db, { organizationId }) => countOwners(db, organizationId) },
  insertInvitation: {
    changes: (db, { invitation }) =>
      insertInvitation(db, Buffer.alloc(32), { ...invitation, invitationId: IDS.fresh }, null),
  },
  idsMadeBy: {
    finds: async (db, { organizationId }) => [...(await idsMadeBy(db, organizationId, 'maker'))],
  },
  listUnexpiredInvitations: {
    finds: (db, { organizationId }) => listUnexpiredInvitations(db, organizationId, LATER),
  },
  listOpenInvitations: { finds: (db, { organizationId }) => listOpenInvitations(db, organizationId, LATER) },
  countInvitationsSince: {
    finds: (db, { organizationId }) => countInvitationsSince(db, organizationId, TWINS_CREATED_AT - 1),
  },
  getInvitation: {
    finds: (db, { organizationId, invitation }) => getInvitation(db, organizationId, invitation.invitationId),
  },
  findInvitation: { finds: (db, { invitation }) => findInvitation(db, invitationDigest(invitation)) },
  lockInvitation: { finds: (db, { invitation }) => lockInvitation(db, invitationDigest(invitation)) },
  useInvitation: { changes: (db, { invitation }) => useInvitation(db, invitationDigest(invitation), LATER) },
  revokeInvitation: {
    changes: (db, { organizationId, invitation }) =>
      revokeInvitation(db, organizationId, invitation.invitationId, LATER),
  },
  listDueInvitations: {
    finds: async (db, { invitation }) =>
      (await listDueInvitations(db, LATER, 10)).filter((id) => id === invitation.invitationId),
  },
  claimInvitation: {
    changes: async (db, { invitation, organization }) => {
      const claim = await claimInvitation(db, invitation.invitationId, LATER, NEXT_LEASE.until)
      assert.equal(claim?.organizationName, organization.name, 'the mail names the one that invites')
    },
  },
  putOffInvitation: { changes: (db, mine) => putOffInvitation(db, claimOf(mine), LATER) },
  finishInvitation: { changes: (db, mine) => finishInvitation(db, claimOf(mine)) },
  connectionsToReconcile: {
    finds: async (db, mine) => partOf(mine, await connectionsToReconcile(db, ['wompi'], DAY, LATER, 10)),
  },
  claimConnectionDay: {
    changes: (db, { connection }) =>
      claimConnectionDay(db, { ...connection, reconciledDay: null, reconcileAfter: 0 }, LATER),
  },
  finishConnectionDay: {
    changes: (db, { connection }) => finishConnectionDay(db, connection, 0, DAY, LATER),
  },
  bookedPayins: {
    given: PAID_PAYINS,
    finds: (db, { connection }) => bookedPayins(db, connection, JUDGED.from, JUDGED.to),
  },
  bookedPayouts: {
    given: PAID_PAYOUTS,
    finds: (db, { connection }) => bookedPayouts(db, connection, JUDGED.from, JUDGED.to),
  },
  bookedAmount: [
    { finds: (db, { organizationId }) => bookedAmount(db, organizationId, 'BRE_B', 'payment-4') },
    // In suspense.
    { finds: (db, { organizationId }) => bookedAmount(db, organizationId, 'BRE_B', 'payment-1') },
  ],
  insertConnection: {
    changes: (db, { connection }) =>
      db.inTransaction((tx) => insertConnection(tx, { ...connection, connectionId: IDS.fresh })),
  },
  updateConnection: {
    changes: (db, { connection }) => updateConnection(db, { ...connection, version: 2, name: 'Other' }),
  },
  insertMovement: {
    changes: (db, { movement }) => insertMovement(db, { ...movement, movementId: IDS.fresh }),
  },
  movementList: {
    finds: (db, { organizationId, movement: { connectionId, kind } }) =>
      wholeList(movementList(db, organizationId, { connectionId, kind })),
  },
  deleteConnection: { changes: (db, { connection }) => deleteConnection(db, connection) },
  listConnections: { finds: (db, { organizationId }) => listConnections(db, organizationId) },
  getConnection: { finds: (db, { connection }) => getConnection(db, connection) },
  holdConnection: { finds: (db, { connection }) => holdConnection(db, connection) },
  lockConnection: { finds: (db, { connection }) => lockConnection(db, connection) },
  isConnectionInUse: [
    nothingDue('payouts'),
    nothingDue('payins'),
    async (db: Db, mine: Subjects) => {
      await nothingDue('payins')(db, mine)
      await changeOwn(`update payouts set due_at = null, stage = 'AWAITING_APPROVAL'`)(db, mine)
    },
  ].map((given) => ({
    given,
    finds: async (db, { connection }) => (await isConnectionInUse(db, connection)) || undefined,
  })),
  makeHintedDue: [
    { changes: (db, { connection }) => makeHintedDue(db, connection, 'payin', IDS.unleased, LATER) },
    { changes: (db, { connection }) => makeHintedDue(db, connection, 'payout', IDS.sent, LATER) },
  ],
  findHinted: (['payin', 'payout'] as const).flatMap((kind): Row[] => [
    {
      finds: (db, { connection }) =>
        findHinted(db, connection, kind, { id: kind === 'payin' ? IDS.unleased : IDS.sent }),
    },
    { finds: (db, { connection }) => findHinted(db, connection, kind, { providerId: PROVIDER_ID }) },
  ]),
  insertExchanges: {
    changes: (db, { exchange }) => insertExchanges(db, [{ ...exchange, exchangeId: IDS.fresh }]),
  },
  listExchanges: { finds: (db, { organizationId }) => listExchanges(db, organizationId, 'rail-reference') },
  insertNotices: {
    changes: (db, { notice }) => {
      const alarm = { alarmId: IDS.fresh, kind: 'payin-contradiction', detail: 'fresh' } as const
      return insertNotices(db, [
        { ...notice, alarm: { ...alarm, detail: 'of a notice that is there' } },
        { ...notice, noticeId: 'notice-2', alarm },
      ])
    },
  },
  claimDueNotices: {
    changes: (db, { organizationId }) => claimDueNotices(db, organizationId, LATER, NEXT_LEASE.until, 10),
  },
  deferNotice: { changes: (db, { notice }) => deferNotice(db, notice, LATER) },
  chargebacksReportedBefore: {
    finds: (db, { notice, organizationId }) =>
      chargebacksReportedBefore(db, { ...notice, noticeId: 'fresh' }, 'payment-4', organizationId),
  },
  finishNotice: { changes: (db, { notice }) => finishNotice(db, notice) },
  reserveLookupBudget: {
    changes: (db, { organizationId }) =>
      reserveLookupBudget(db, organizationId, 20, { capacity: 1_000, perSecond: 1 }, TWINS_CREATED_AT),
  },
  spendLookupBudget: {
    changes: (db, { organizationId }) =>
      spendLookupBudget(db, organizationId, 20, { capacity: 1_000, perSecond: 1 }, TWINS_CREATED_AT),
  },
  recordLookup: { changes: (db, { organizationId }) => recordLookup(db, organizationId, KEY_STRING, LATER) },
  lastLookup: { finds: (db, { organizationId }) => lastLookup(db, organizationId, KEY_STRING) },
  namesLookedUpSince: {
    finds: (db, { organizationId }) => namesLookedUpSince(db, organizationId, [KEY_STRING], 0),
  },
  oldestDue: {
    finds: async (db, mine) => {
      const found: unknown[] = []
      for (const queue of WORK_QUEUES) {
        const { owners } = await oldestDue(db, queue, LATER, placeBefore(0), 100)
        found.push([queue, partOf(mine, owners)])
      }
      return found
    },
  },
  newestDue: {
    finds: async (db, mine) => {
      const found: unknown[] = []
      for (const queue of WORK_QUEUES)
        found.push([queue, partOf(mine, await newestDue(db, queue, LATER, 100))])
      return found
    },
  },
  oldestUnsequenced: {
    finds: async (db, mine) => partOf(mine, (await oldestUnsequenced(db, FIRST_ID, 100)).owners),
  },
  newestUnsequenced: { finds: async (db, mine) => partOf(mine, await newestUnsequenced(db, 100)) },
  sequenceEvents: { changes: (db, { organizationId }) => sequenceEvents(db, [organizationId], 10, LATER) },
  sequencing: {
    changes: async (db, { organizationId }) =>
      (await db.sendTransaction([sequencing(organizationId, 10, LATER, 0, citusUrl() !== undefined)])).map(
        ({ rows }) => rows,
      ),
  },
  lockCounter: {
    // For the first event of an organization it makes the counter that it locks.
    changes: async (db, { organizationId }) => {
      await deleteRows(db, ['event_counters'], organizationId)
      await lockCounter(db, organizationId)
    },
  },
  insertSequencedEvent: {
    changes: (db, { event }) => insertSequencedEvent(db, { ...event, eventId: IDS.fresh }),
  },
  listEvents: [
    { finds: (db, { organizationId }) => listEvents(db, organizationId, 0, {}, 10) },
    {
      finds: (db, { organizationId }) =>
        listEvents(db, organizationId, 0, { type: 'payin.confirmed', objectId: IDS.payin }, 10),
    },
  ],
  getEvent: { finds: (db, { organizationId }) => getEvent(db, organizationId, IDS.event) },
  getEvents: { finds: (db, { organizationId }) => getEvents(db, organizationId, [IDS.event]) },
  endOfLog: { finds: (db, { organizationId }) => endOfLog(db, organizationId) },
  insertRedelivery: {
    changes: (db, { organizationId }) => insertRedelivery(db, { organizationId, eventId: IDS.event }, LATER),
  },
  listRedeliveries: { finds: (db, { organizationId }) => listRedeliveries(db, organizationId, 0, 10) },
  getRecords: {
    finds: (db, { organizationId }) => getRecords(db, [{ organizationId, key: 'key-1' }], LATER),
  },
  insertRecord: {
    changes: (db, { organizationId, record }) =>
      insertRecord(db, organizationId, { ...record, key: 'key-2' }, LATER),
  },
  finishRecord: {
    given: changeOwn(`update idempotency_records set status = ${UNFINISHED_STATUS}`),
    changes: (db, { organizationId, record }) =>
      finishRecord(db, organizationId, { ...record, body: 'finished' }),
  },
  deleteExpiredRecord: {
    changes: (db, { organizationId }) =>
      deleteExpiredRecord(db, { organizationId, key: 'key-1' }, LATER + RECORD_LIFE_MS),
  },
  insertAbuseAlarm: {
    changes: (db, { organizationId }) => {
      const alarm = { alarmId: IDS.fresh, kind: 'many-refusals', detail: 'fresh' } as const
      return insertAbuseAlarm(db, organizationId, IDS.payin, alarm, LATER)
    },
  },
  insertRefusedAlarm: {
    changes: (db, { organizationId }) => {
      const address = { organizationId, connectionId: IDS.connection }
      return insertRefusedAlarm(db, address, { alarmId: IDS.fresh, detail: 'refused' }, LATER)
    },
  },
  resolveRefusedAlarm: {
    changes: (db, { organizationId }) =>
      resolveRefusedAlarm(db, { organizationId, connectionId: IDS.connection }, TOLD_URL, LATER),
  },
  insertAlarm: [
    {
      changes: (db, { organizationId }) =>
        insertAlarm(
          db,
          organizationId,
          IDS.payin,
          { alarmId: IDS.fresh, kind: 'orphan-notice', detail: '' },
          LATER,
        ),
    },
    {
      given: (db, mine) => raiseAgain(db, mine, IDS.payin),
      lacks: without('alarms'),
      changes: (db, mine) => raiseAgain(db, mine, IDS.payin),
    },
  ],
  alarmList: [
    { finds: (db, { organizationId }) => wholeList(alarmList(db, organizationId, {})) },
    {
      finds: (db, { organizationId }) =>
        wholeList(alarmList(db, organizationId, { isOpen: true, kind: 'orphan-notice' })),
    },
  ],
  listOrganizationsToTell: [
    {
      finds: async (db, { organizationId }) =>
        (await listOrganizationsToTell(db, LATER, 10)).filter((id) => id === organizationId),
    },
    // Only the other has an address for them.
    {
      given: changeOwn(`update organizations set alarm_webhook_url = 'https://avisos.example'`),
      lacks: changeOwn('update organizations set alarm_webhook_url = null'),
      finds: async (db, { organizationId }) =>
        whatever(listOrganizationsToTell(db, LATER, 10, false).then((ids) => ids.includes(organizationId))),
    },
  ],
  listAlarmsToTell: { finds: (db, { organizationId }) => listAlarmsToTell(db, organizationId, 10) },
  countAlarmsTold: {
    finds: async (db, { organizationId }) =>
      (await countAlarmsTold(db, organizationId, TWINS_CREATED_AT - 1)) || undefined,
  },
  lockAlarm: { finds: (db, { organizationId }) => lockAlarm(db, { organizationId, alarmId: IDS.alarm }) },
  updateAlarm: {
    changes: (db, { organizationId }) => {
      const by = { kind: 'key', id: IDS.fresh, name: 'caja' } as const
      const alarm = { alarmId: IDS.alarm, takenBy: by, takenAt: LATER, resolvedBy: by, resolvedAt: LATER }
      return updateAlarm(db, organizationId, { ...alarm, resolution: 'done' })
    },
  },
  setAlarmsDue: { changes: (db, { organizationId }) => setAlarmsDue(db, organizationId, [IDS.alarm], null) },
  insertAlarmMail: {
    changes: (db, { organizationId }) => {
      const mail = { mailId: IDS.fresh, email: 'ana@cafe.example', alarmIds: [IDS.alarm] }
      return insertAlarmMail(db, organizationId, mail, LATER)
    },
  },
  listDueAlarmMails: {
    finds: async (db, mine) => partOf(mine, await listDueAlarmMails(db, LATER, 10)),
  },
  claimAlarmMail: {
    changes: (db, { organizationId }) =>
      claimAlarmMail(db, { organizationId, mailId: IDS.alarmMail }, TWINS_CREATED_AT, LATER),
  },
  listOpenAlarmsOf: {
    finds: (db, { organizationId }) => listOpenAlarmsOf(db, { organizationId, alarmIds: [IDS.alarm] }),
  },
  putOffAlarmMail: {
    changes: (db, { organizationId }) => {
      const claim = { organizationId, mailId: IDS.alarmMail, until: TWINS_CREATED_AT } as AlarmMailClaim
      return putOffAlarmMail(db, claim, LATER)
    },
  },
  finishAlarmMail: {
    changes: (db, { organizationId }) => finishAlarmMail(db, { organizationId, mailId: IDS.alarmMail }),
  },
  listOpenAlarms: { finds: async (db, mine) => partOf(mine, await listOpenAlarms(db)) },
  listSuspense: { finds: async (db, mine) => partOf(mine, await listSuspense(db, true)) },
  suspenseToWatch: { finds: async (db, mine) => partOf(mine, await suspenseToWatch(db, LATER)) },
  insertSuspenseItem: [
    {
      changes: (db, { suspense }) =>
        insertSuspenseItem(db, { ...suspense, suspenseId: IDS.fresh, paymentId: 'payment-2' }),
    },
    // Not while its payment is in suspense.
    { finds: (db, { suspense }) => insertSuspenseItem(db, { ...suspense, suspenseId: IDS.fresh }) },
  ],
  suspenseOfPayments: { finds: (db, { suspense }) => suspenseOfPayments(db, [suspense]) },
  suspenseList: [
    { finds: (db, { organizationId }) => wholeList(suspenseList(db, organizationId, {})) },
    {
      finds: (db, { organizationId }) =>
        wholeList(
          suspenseList(db, organizationId, { state: 'RETURNED', reason: 'LATE', payinId: IDS.payin }),
        ),
    },
  ],
  getSuspenseItem: { finds: (db, { suspense }) => getSuspenseItem(db, suspense) },
  isAtProvider: {
    finds: async (db, { suspense }) =>
      (await isAtProvider(db, { ...suspense, payinId: IDS.unleased })) || undefined,
  },
  lockSuspenseItem: { finds: (db, { suspense }) => lockSuspenseItem(db, suspense) },
  setSuspenseNote: { changes: (db, { suspense }) => setSuspenseNote(db, suspense, 'noted', LATER) },
  // Those before the money, and those after it.
  payinsWithWordNear: [LAST_ID, FIRST_ID].map((at) => ({
    finds: (db: Db, { organizationId }: Subjects) =>
      payinsWithWordNear(db, organizationId, [WORD], nearTo(at)),
  })),
  payinsOfPersonNear: [LAST_ID, FIRST_ID].map((at) => ({
    finds: (db: Db, { organizationId }: Subjects) =>
      payinsOfPersonNear(db, organizationId, DIGEST, nearTo(at)),
  })),
  lockSuspenseOfPayment: { finds: (db, { suspense }) => lockSuspenseOfPayment(db, suspense) },
  chargeBackSuspenseItem: { changes: (db, { suspense }) => chargeBackSuspenseItem(db, suspense, 1n, LATER) },
  moveSuspenseItem: { changes: (db, { suspense }) => moveSuspenseItem(db, suspense, 'OPEN', null, LATER) },
  postTransfers: [
    { changes: (db, mine) => postTransfers(db, payinWriteOf(mine).transfers, 1) },
    // The other's days are closed already.
    {
      given: changeOwn(`update closing_marks set open_from = 'infinity', first_open_id = '${LAST_ID}'`),
      lacks: changeOwn(`update closing_marks set open_from = '-infinity', first_open_id = '${FIRST_ID}'`),
      changes: (db, mine) => postTransfers(db, payinWriteOf(mine).transfers, 1),
    },
  ],
  verifyLedger: {
    // Nothing to find in books that hold. Emptying a table makes findings, each about its own organization.
    finds: async (db, mine) => ['findings', ...partOf(mine, await verifyLedger(db))],
  },
  lockAvailable: [
    // It makes the row that it locks, and locks no other's.
    {
      lacks: without('ledger_balances'),
      changes: (db, { organizationId }) => lockAvailable(db, organizationId),
    },
    { finds: (db, { organizationId }) => whatever(lockAvailable(db, organizationId)) },
  ],
  getClosingMark: { finds: (db, { organizationId }) => getClosingMark(db, organizationId) },
  insertClosingMark: {
    changes: async (db, { organizationId }) => {
      await db.query({
        text: 'delete from closing_marks where organization_id = $1',
        values: [organizationId],
      })
      await insertClosingMark(db, { organizationId, openFrom: 0, nextDay: DAY, dueAt: LATER })
    },
  },
  organizationsToClose: {
    finds: async (db, { organizationId }) =>
      (await organizationsToClose(db, LATER, 10)).filter((id) => id === organizationId),
  },
  claimClosing: { changes: (db, { organizationId }) => claimClosing(db, organizationId, LATER, LATER + 1) },
  openDaysFrom: { changes: (db, { organizationId }) => openDaysFrom(db, organizationId, LATER, LATER) },
  passDay: { changes: (db, { organizationId }) => passDay(db, organizationId, DAY, '2027-01-01', LATER) },
  insertClose: { changes: (db, { organizationId }) => insertClose(db, closeOf(organizationId, DAY, 3)) },
  lastCloseUntil: { finds: (db, { organizationId }) => lastCloseUntil(db, organizationId, DAY) },
  closesBetween: { finds: (db, { organizationId }) => closesBetween(db, organizationId, '2020-01-01', DAY) },
  sumsOfBookings: { finds: (db, { organizationId }) => sumsOfBookings(db, organizationId, ALL_IDS) },
  digestsOfTransfers: { finds: (db, { organizationId }) => digestsOfTransfers(db, organizationId, ALL_IDS) },
  idAfterTransfers: {
    finds: async (db, { organizationId }) => [await idAfterTransfers(db, organizationId, ALL_IDS, 0)],
  },
  balancesBefore: {
    finds: (db, { organizationId }) => balancesBefore(db, organizationId, firstIdAt(LATER + DAY_MS)),
  },
  lastBalances: { finds: (db, { organizationId }) => lastBalances(db, organizationId, DAY) },
  subjectsOfMovements: {
    finds: async (db, { organizationId }) => {
      const ids = [IDS.payin, IDS.payout, IDS.suspense, IDS.refund, IDS.batch]
      return [...(await subjectsOfMovements(db, organizationId, ids)).values()]
    },
  },
  networkDaysOf: {
    finds: async (db, { organizationId }) => {
      const { rows } = await db.query<{ transfer_id: string }>({
        text: 'select transfer_id from bookings_of_other_days order by 1',
      })
      return [
        ...(
          await networkDaysOf(
            db,
            organizationId,
            rows.map((row) => row.transfer_id),
          )
        ).entries(),
      ]
    },
  },
  changedMinimums: { finds: async (db, mine) => partOf(mine, await changedMinimums(db, 10)) },
  markBelowMinimum: {
    given: changeOwn('update organizations set minimum_balance_cents = 7'),
    changes: (db, { organizationId }) =>
      markBelowMinimum(
        db,
        {
          organizationId,
          minimumInCents: 7n,
          availableInCents: 0n,
          belowSince: null,
        },
        LATER,
      ),
  },
  insertMinimumAlarm: {
    changes: (db, { organizationId }) =>
      insertMinimumAlarm(db, { organizationId, alarmId: IDS.fresh, detail: 'less' }, LATER),
  },
  readBalances: { finds: (db, { organizationId }) => readBalances(db, organizationId) },
  transferList: [
    { finds: (db, { organizationId }) => wholeList(transferList(db, organizationId, {})) },
    {
      finds: (db, { organizationId }) =>
        wholeList(transferList(db, organizationId, { subjectId: IDS.payin, account: 'AVAILABLE' })),
    },
  ],
  chargebacksOf: { finds: (db, { organizationId }) => chargebacksOf(db, organizationId, IDS.confirmed) },
  insertLines: {
    changes: (db, { organizationId }) =>
      insertLines(db, STATEMENT, [
        lineOf(organizationId, 1, {}),
        lineOf(organizationId, 2, {}),
        lineOf(organizationId, 1, { matchKey: 'credit fresh' }),
      ]),
  },
  collectLines: { finds: compared('collectLines', [], 'compared_lines') },
  collectBookings: { finds: compared('collectBookings', [], 'compared_bookings') },
  matchLinesWithBookings: [
    { finds: compared('matchLinesWithBookings', [], 'disagreements') },
    { finds: compared('matchLinesWithBookings', [], 'compared_totals') },
  ],
  describeLines: { finds: compared('describeLines', [], 'disagreements') },
  collectOtherDays: [
    { finds: compared('collectOtherDays', [], 'keyed_bookings') },
    { finds: compared('collectOtherDays', [], 'keyed_lines') },
  ],
  takeBookingsOfOtherDays: [
    { finds: listedOnTwoDays('takeBookingsOfOtherDays', 'disagreements') },
    {
      finds: async (db, mine) => {
        await listPaidOnNextDay(db, mine)
        await db.query({
          text: 'delete from statement_lines where organization_id = $1 and day = $2',
          values: [mine.organizationId, NEXT_DAY],
        })
        await compareUpTo(db, 'takeBookingsOfOtherDays')
        return comparedRows(db, mine, 'taken_bookings')
      },
    },
  ],
  markRepeated: { finds: listedOnTwoDays('markRepeated', 'disagreements') },
  takeLinesOfOtherDays: [
    { finds: compared('takeLinesOfOtherDays', [], 'disagreements') },
    { finds: compared('takeLinesOfOtherDays', [], 'taken_bookings') },
  ],
  leaveToDayBefore: {
    finds: async (db, mine) => {
      await insertRuns(db, 'BRE_B', [{ day: daysAfter(DAY, -1), dueAt: LATER }])
      await compareUpTo(db, 'markRepeated')
      await leaveToDayBefore(db, JUDGED, LATER)
      return comparedRows(db, mine, 'disagreements')
    },
  },
  compareWithPayouts: { finds: compared('compareWithPayouts', [], 'disagreements') },
  classifyDisagreements: [
    { finds: compared('classifyDisagreements', [], 'found') },
    { finds: compared('classifyDisagreements', ['takeLinesOfOtherDays'], 'found') },
  ],
  readTotals: {
    finds: async (db, mine) => {
      await compareUpTo(db, 'classifyDisagreements')
      return partOf(mine, await readTotals(db))
    },
  },
  writeFindings: {
    changes: async (db, mine) => {
      await judgedAlone(db, mine)
      await writeFindings(db, JUDGED, LATER)
      await withKnownIds(db, mine)
    },
  },
  raiseAlarms: {
    changes: async (db, mine) => {
      await judgedAlone(db, mine)
      // Of findings that are there in both: each alarm belongs to one of its own.
      await db.query({ text: 'update found set is_new = true' })
      await raiseAlarms(db, JUDGED, LATER)
      await withKnownIds(db, mine)
    },
  },
  insertNoticesOfNetworkOnly: {
    changes: async (db, mine) => {
      await judgedAlone(db, mine)
      return insertNoticesOfNetworkOnly(db, JUDGED, LATER)
    },
  },
  insertNoticesOfTraces: {
    // Of all organizations: only the caller's payout waits for its trace.
    changes: async (db, mine) => {
      await changeOwn(
        `update payouts set trace_id = null, status = 'CONFIRMED' where payout_id = '${IDS.payout}'`,
      )(db, mine)
      await compareUpTo(db, 'collectLines')
      return insertNoticesOfTraces(db, JUDGED, LATER)
    },
  },
  writeReconciliations: {
    changes: (db, { organizationId }) =>
      writeReconciliations(db, JUDGED, [totalsOf(organizationId, 7)], LATER),
  },
  reconciliationList: [
    { finds: (db, { organizationId }) => wholeList(reconciliationList(db, organizationId, {})) },
    {
      finds: (db, { organizationId }) =>
        wholeList(reconciliationList(db, organizationId, { rail: 'BRE_B', day: DAY })),
    },
  ],
  getReconciliation: {
    finds: (db, { organizationId }) => getReconciliation(db, organizationId, IDS.reconciliation),
  },
  findingList: [
    {
      finds: (db, { organizationId }) =>
        wholeList(findingList(db, organizationId, { rail: 'BRE_B', day: DAY })),
    },
    {
      finds: (db, { organizationId }) =>
        wholeList(
          findingList(db, organizationId, { rail: 'BRE_B', day: DAY, kind: 'OURS_ONLY', state: 'OPEN' }),
        ),
    },
  ],
  insertApiKey: {
    changes: (db, { apiKey }) =>
      insertApiKey(db, { ...apiKey, apiKeyId: IDS.fresh, digest: Buffer.alloc(32) }),
  },
  listApiKeys: { finds: (db, { organizationId }) => listApiKeys(db, organizationId) },
  insertOAuthClient: { changes: (db, { client }) => insertOAuthClient(db, { ...client, clientId: 'fresh' }) },
  listOAuthClients: { finds: (db, { organizationId }) => listOAuthClients(db, organizationId) },
  listOwnApiKeys: { finds: (db, { organizationId }) => listOwnApiKeys(db, organizationId, LATER) },
  countWorkingApiKeys: { finds: (db, { organizationId }) => countWorkingApiKeys(db, organizationId, LATER) },
  getOwnApiKey: {
    finds: (db, { organizationId, apiKey }) => getOwnApiKey(db, organizationId, apiKey.apiKeyId),
  },
  lockOwnApiKey: {
    finds: (db, { organizationId, apiKey }) => lockOwnApiKey(db, organizationId, apiKey.apiKeyId),
  },
  updateApiKey: { changes: (db, { apiKey }) => updateApiKey(db, { ...apiKey, name: 'Otra' }) },
  listOwnClients: { finds: (db, { organizationId }) => listOwnClients(db, organizationId) },
  countWorkingClients: { finds: (db, { organizationId }) => countWorkingClients(db, organizationId) },
  getOwnClient: {
    finds: (db, { organizationId, client }) => getOwnClient(db, organizationId, client.clientId),
  },
  lockOwnClient: {
    finds: (db, { organizationId, client }) => lockOwnClient(db, organizationId, client.clientId),
  },
  updateOAuthClient: { changes: (db, { client }) => updateOAuthClient(db, { ...client, name: 'Otro' }) },
  updateOrganizationLimits: {
    changes: (db, { organizationId }) =>
      updateOrganizationLimits(db, organizationId, { payoutsPerDay: 7, quietHours: '22-06' }),
  },
  updateOrganization: {
    changes: (db, { organization }) => updateOrganization(db, { ...organization, name: 'Otro' }),
  },
  updateCharges: {
    changes: (db, { organizationId }) =>
      updateCharges(db, organizationId, {
        fees: {},
        payoutFees: {},
        withholdings: [{ rail: 'PSE', from: DAY, basisPoints: 1 }],
      }),
  },
  updateRoutes: {
    changes: (db, { organizationId, connection: { connectionId, provider, uses } }) =>
      updateRoutes(db, organizationId, [
        { connectionId, provider, uses, minimumInCents: 1n, maximumInCents: null, namesKeys: false },
      ]),
  },
  lockOrganization: { finds: (db, { organizationId }) => lockOrganization(db, organizationId) },
  getOrganization: { finds: (db, { organizationId }) => getOrganization(db, organizationId) },
  listOrganizations: { finds: async (db, mine) => partOf(mine, await listOrganizations(db)) },
  listMerchants: { finds: async (db, mine) => partOf(mine, await listMerchants(db)) },
  insertPayins: {
    changes: (db, { payin, record }) =>
      insertPayins(db, [
        {
          payin: { ...payin, payinId: IDS.fresh, reference: 'order-3' },
          record: { ...record, key: 'key-2' },
        },
        // Taken: the reference of one, the idempotency key of the other.
        { payin: { ...payin, payinId: IDS.freshToo }, record: null },
        { payin: { ...payin, payinId: IDS.lease, reference: 'order-4' }, record },
      ]),
  },
  insertPlainPayins: {
    changes: (db, { payin }) =>
      insertPlainPayins(db, [
        {
          payin: { ...payin, payinId: IDS.fresh, reference: 'order-3', paymentLinkId: null, note: null },
          record: null,
        },
      ]),
  },
  getPayins: {
    finds: (db, { organizationId }) => getPayins(db, [{ organizationId, payinId: IDS.payin }]),
  },
  payinPageMarks: {
    finds: (db, { organizationId }) => payinPageMarks(db, [{ organizationId, payinId: IDS.payin }]),
  },
  linkPageMarks: {
    finds: (db, { organizationId, link }) => linkPageMarks(db, [{ organizationId, token: link.token }]),
  },
  objectMarks: [
    { finds: (db, { organizationId }) => objectMarks(db, 'payins', [{ organizationId, id: IDS.payin }]) },
    { finds: (db, { organizationId }) => objectMarks(db, 'refunds', [{ organizationId, id: IDS.refund }]) },
    { finds: (db, { organizationId }) => objectMarks(db, 'payouts', [{ organizationId, id: IDS.payout }]) },
    {
      finds: (db, { organizationId, link }) =>
        objectMarks(db, 'links', [{ organizationId, id: link.paymentLinkId }]),
    },
    { finds: (db, { organizationId }) => objectMarks(db, 'events', [{ organizationId, id: IDS.event }]) },
  ],
  setMarks: [
    { finds: (db, { organizationId }) => setMarks(db, 'alarms', [organizationId]) },
    {
      given: SUSPENSE_OPEN,
      finds: (db, { organizationId }) => setMarks(db, 'suspense', [organizationId]),
    },
    { finds: (db, { organizationId }) => setMarks(db, 'days', [organizationId]) },
  ],
  getPayinByReference: {
    finds: (db, { organizationId }) => getPayinByReference(db, organizationId, REFERENCE),
  },
  lockPayin: { finds: (db, { organizationId }) => lockPayin(db, { organizationId, payinId: IDS.payin }) },
  makePayinDue: {
    changes: (db, { organizationId }) => makePayinDue(db, { organizationId, payinId: IDS.unleased }, LATER),
  },
  listDueMails: {
    finds: async (db, { organizationId }) =>
      (await listDueMails(db, LATER, 100)).filter((one) => one.organizationId === organizationId),
  },
  isMoneyInSuspense: {
    finds: async (db, { organizationId }) =>
      Promise.all(
        [IDS.payin, IDS.attempt, IDS.unleased].map((payinId) =>
          isMoneyInSuspense(db, { organizationId, payinId, paymentLinkId: IDS.link }),
        ),
      ),
  },
  claimMail: {
    changes: (db, { organizationId }) =>
      claimMail(db, { organizationId, payinId: IDS.payin }, TWINS_CREATED_AT, LATER),
  },
  putOffMail: {
    changes: (db, { organizationId }) =>
      putOffMail(db, { organizationId, payinId: IDS.payin, until: TWINS_CREATED_AT, attempts: 1 }, LATER),
  },
  finishMail: {
    changes: (db, { organizationId }) =>
      finishMail(db, { organizationId, payinId: IDS.payin, until: LATER, attempts: 1 }),
  },
  setPayerLanguage: {
    changes: (db, { organizationId }) => setPayerLanguage(db, { organizationId, payinId: IDS.payin }, 'en'),
  },
  getPayerLanguage: {
    finds: (db, { organizationId }) => getPayerLanguage(db, { organizationId, payinId: IDS.payin }),
  },
  setPayinCustomer: {
    changes: (db, { organizationId }) =>
      setPayinCustomer(
        db,
        { organizationId, payinId: IDS.unleased },
        { ...CUSTOMER, idType: 'CO_CC' },
        LATER,
      ),
  },
  setPayinPresence: {
    changes: (db, { organizationId }) =>
      setPayinPresence(
        db,
        { organizationId, payinId: IDS.unleased },
        { customer: { sealed: 'x' }, acceptedTerms: ['https://wompi.example'], device: { sealed: 'y' } },
        LATER,
      ),
  },
  withdrawPresence: {
    given: changeOwn(`update payins set lease_token = '${LEASE.token}' where payin_id = '${IDS.unleased}'`),
    changes: (db, { payin }) => {
      const claim = { payin: { ...payin, payinId: IDS.unleased }, leaseToken: LEASE.token }
      return withdrawPresence(db, claim, 'TERMS_CHANGED', LATER)
    },
  },
  payinList: payinLists(payinList),
  payinIdAndVersionList: payinLists(payinIdAndVersionList),
  openAttempt: { finds: (db, { organizationId }) => openAttempt(db, organizationId, IDS.link) },
  unendedAttempt: { finds: (db, { organizationId }) => unendedAttempt(db, organizationId, IDS.link) },
  lockAttemptIfFree: {
    finds: (db, { organizationId }) => lockAttemptIfFree(db, { organizationId, payinId: IDS.attempt }),
  },
  claimAttempt: {
    changes: (db, { organizationId }) =>
      claimAttempt(db, { organizationId, payinId: IDS.attempt }, LATER, NEXT_LEASE),
  },
  releaseAttempt: {
    changes: (db, { attempt }) =>
      releaseAttempt(db, {
        payin: attempt,
        leaseToken: LEASE.token,
        earlier: { dueAt: LATER, leaseToken: null },
      }),
  },
  attemptToShow: { finds: (db, { organizationId }) => attemptToShow(db, organizationId, IDS.link) },
  claimDuePayins: {
    changes: (db, { organizationId }) => claimDuePayins(db, organizationId, LATER, NEXT_LEASE, 10),
  },
  writePayins: [
    { changes: (db, mine) => writePayins(db, [payinWriteOf(mine)], 1) },
    { changes: (db, mine) => writePayins(db, [payinWriteOf({ ...mine, payin: mine.attempt }, true)], 1) },
    {
      given: (db, mine) => raiseAgain(db, mine, IDS.payin),
      lacks: without('alarms'),
      changes: (db, mine) => writePayins(db, [payinWriteOf(mine)], 1),
    },
  ],
  insertLinks: {
    changes: (db, { link, record }) =>
      insertLinks(db, [
        {
          link: { ...link, paymentLinkId: IDS.fresh, token: Buffer.alloc(16, 1) },
          record: { ...record, key: 'key-2' },
        },
        { link: { ...link, paymentLinkId: IDS.freshToo, token: Buffer.alloc(16, 2) }, record },
      ]),
  },
  getLink: { finds: (db, { organizationId }) => getLink(db, organizationId, IDS.link) },
  getLinkByToken: { finds: (db, { organizationId, link }) => getLinkByToken(db, organizationId, link.token) },
  lockLink: { finds: (db, { organizationId }) => lockLink(db, organizationId, IDS.link) },
  endPaymentLink: {
    changes: (db, { link, event }) =>
      endPaymentLink(db, { ...link, status: 'EXPIRED', version: 2 }, 1, {
        ...event,
        eventId: IDS.fresh,
        type: 'paymentlink.expired',
      }),
  },
  deferLink: { changes: (db, { link }) => deferLink(db, link, LATER) },
  claimDueLinks: {
    changes: (db, { organizationId }) => claimDueLinks(db, organizationId, LATER, NEXT_LEASE.until, 10),
  },
  linkList: [
    { finds: (db, { organizationId }) => wholeList(linkList(db, organizationId, {})) },
    {
      finds: (db, { organizationId }) =>
        wholeList(linkList(db, organizationId, { status: 'PENDING', reference: REFERENCE })),
    },
  ],
  insertPayouts: {
    changes: (db, { payout, record }) =>
      insertPayouts(db, [
        {
          payout: { ...payout, payoutId: IDS.fresh },
          record: { ...record, key: 'key-2' },
          credentialId: USED_CREDENTIAL,
        },
        { payout: { ...payout, payoutId: IDS.freshToo }, record, credentialId: USED_CREDENTIAL },
      ]),
  },
  lockPayoutUsage: {
    finds: (db, mine) => lockPayoutUsage(db, [usageOf(mine)]),
  },
  readCredentialName: [
    { finds: (db, { organizationId, apiKey }) => readCredentialName(db, organizationId, apiKey.apiKeyId) },
    { finds: (db, { organizationId, client }) => readCredentialName(db, organizationId, client.clientId) },
  ],
  listPayoutNotices: {
    finds: (db, { organizationId }) => listPayoutNotices(db, { organizationId, payoutId: IDS.payout }),
  },
  readPayoutCredential: {
    finds: (db, { organizationId }) => readPayoutCredential(db, { organizationId, payoutId: IDS.payout }),
  },
  readPayoutUsage: { finds: (db, mine) => readPayoutUsage(db, usageOf(mine)) },
  getPayouts: {
    finds: (db, { organizationId }) => getPayouts(db, [{ organizationId, payoutId: IDS.payout }]),
  },
  lockPayout: { finds: (db, { organizationId }) => lockPayout(db, { organizationId, payoutId: IDS.payout }) },
  payoutPaidAfterDecline: {
    given: changeOwn(
      `update payouts set status = 'DECLINED', stage = 'STOPPED' where payout_id = '${IDS.sent}'`,
    ),
    finds: (db, mine) => payoutPaidAfterDecline(db, ofRefund(mine)),
  },
  lockPayoutsOfRefund: { finds: (db, mine) => lockPayoutsOfRefund(db, ofRefund(mine)) },
  noticesOfSubject: {
    finds: (db, { organizationId }) => noticesOfSubject(db, organizationId, IDS.payin),
  },
  filteredEvents: [
    { finds: (db, { organizationId }) => wholeView(filteredEvents(db, organizationId, {})) },
    {
      finds: (db, { organizationId }) =>
        wholeView(filteredEvents(db, organizationId, { type: 'payin.confirmed', objectId: IDS.payin })),
    },
  ],
  filteredTransfers: [
    { finds: (db, { organizationId }) => wholeView(filteredTransfers(db, organizationId, {})) },
    {
      finds: (db, { organizationId }) =>
        wholeView(filteredTransfers(db, organizationId, { account: 'AVAILABLE', minInCents: 1n })),
    },
  ],
  alarmsOfSubject: { finds: (db, { organizationId }) => alarmsOfSubject(db, organizationId, IDS.payin) },
  suspenseOfPayin: { finds: (db, { organizationId }) => suspenseOfPayin(db, organizationId, IDS.payin) },
  heldMoney: {
    given: SUSPENSE_OPEN,
    finds: async (db, { organizationId }) => {
      const held = await heldMoney(db, organizationId)
      return held.items === 0 ? undefined : held
    },
  },
  countOpenAlarms: {
    finds: async (db, { organizationId }) => (await countOpenAlarms(db, organizationId)) || undefined,
  },
  payinFigures: { finds: (db, { organizationId }) => payinFigures(db, organizationId, EVERY_ID, 100) },
  payinEndings: { finds: (db, { organizationId }) => payinEndings(db, organizationId, EVERY_ID, 100) },
  filteredPayins: [
    { finds: (db, { organizationId }) => wholeView(filteredPayins(db, organizationId, {})) },
    {
      finds: (db, { organizationId }) =>
        wholeView(filteredPayins(db, organizationId, { rail: 'BRE_B', text: 'order', minInCents: 1n })),
    },
    {
      finds: (db, { organizationId }) =>
        wholeView(filteredPayins(db, organizationId, { paymentLinkId: IDS.link, text: 'order' })),
    },
  ],
  nextPayinWork: { finds: (db, { payin }) => nextPayinWork(db, payin) },
  filteredLinks: [
    { finds: (db, { organizationId }) => wholeView(filteredLinks(db, organizationId, {})) },
    {
      finds: (db, { organizationId }) =>
        wholeView(filteredLinks(db, organizationId, { paymentPageId: IDS.page, text: 'order' })),
    },
  ],
  filteredPages: [
    { finds: (db, { organizationId }) => wholeView(filteredPages(db, organizationId, {})) },
    { finds: (db, { organizationId }) => wholeView(filteredPages(db, organizationId, { text: 'page' })) },
  ],
  filteredPayouts: [
    { finds: (db, { organizationId }) => wholeView(filteredPayouts(db, organizationId, {})) },
    { finds: (db, { organizationId }) => wholeView(filteredPayouts(db, organizationId, { text: 'order' })) },
  ],
  nextPayoutWork: { finds: (db, { payout }) => nextPayoutWork(db, payout) },
  countStoppedPayouts: {
    given: changeOwn(`update payouts set status = 'PROCESSING', stage = 'STOPPED'`),
    finds: async (db, { organizationId }) => (await countStoppedPayouts(db, organizationId)) || undefined,
  },
  insertRefund: {
    changes: (db, mine) => insertRefund(db, { ...refundOf(mine, 3), refundId: IDS.fresh }, LATER),
  },
  getRefund: { finds: (db, mine) => getRefund(db, refundOf(mine, 3)) },
  lockRefund: { finds: (db, mine) => lockRefund(db, refundOf(mine, 3)) },
  refundList: [
    { finds: (db, { organizationId }) => wholeList(refundList(db, organizationId, {})) },
    {
      finds: (db, { organizationId }) =>
        wholeList(refundList(db, organizationId, { payinId: IDS.payin, status: 'PROCESSING' })),
    },
    { finds: (db, { organizationId }) => wholeList(refundList(db, organizationId, { reason: 'OTHER' })) },
  ],
  filteredRefunds: {
    finds: (db, { organizationId }) => wholeView(filteredRefunds(db, organizationId, {})),
  },
  refundsOfPayin: { finds: (db, { payin }) => refundsOfPayin(db, payin) },
  givenBackOf: {
    given: changeOwn(`update refunds set status = 'CONFIRMED', stage = 'DONE'`),
    finds: (db, { payin }) => givenBackOf(db, payin),
  },
  claimDueRefunds: {
    changes: (db, { organizationId }) => claimDueRefunds(db, organizationId, LATER, LEASE, 10),
  },
  wakeRefundsOf: { changes: (db, { payin }) => wakeRefundsOf(db, payin, LATER) },
  countClaimAttempt: { changes: (db, mine) => countClaimAttempt(db, refundOf(mine, 3), 12) },
  updateRefund: {
    changes: (db, mine) => updateRefund(db, refundWriteOf(mine)),
  },
  holdOfPayin: {
    changes: (db, { payin }) => holdOfPayin(db, payin, { heldInCents: 0n, refundedInCents: 0n }, LATER),
  },
  insertRefundEvent: {
    changes: (db, mine) =>
      insertRefundEvent(db, { ...approvalEventOf(mine), type: 'refund.created', resource: 'refund' }),
  },
  insertApproval: {
    changes: (db, mine) =>
      insertApproval(
        db,
        { ...approvalOf(mine, 3), approvalId: IDS.fresh, subjectId: IDS.fresh },
        { ...approvalEventOf(mine), objectId: IDS.fresh },
      ),
  },
  writeApproval: {
    changes: (db, mine) =>
      writeApproval(db, { ...approvalOf(mine, 3), version: 2, status: 'LAPSED' }, approvalEventOf(mine)),
  },
  getApproval: { finds: (db, mine) => getApproval(db, approvalOf(mine, 3)) },
  lockApproval: { finds: (db, mine) => lockApproval(db, approvalOf(mine, 3)) },
  getOpenApproval: { finds: (db, mine) => getOpenApproval(db, approvalOf(mine, 3), TWINS_CREATED_AT) },
  useApproval: {
    given: APPROVED,
    changes: (db, mine) => useApproval(db, approvalOf(mine, 3), LATER),
  },
  approvedAt: {
    given: APPROVED,
    finds: (db, mine) => approvedAt(db, approvalOf(mine, 3)),
  },
  getWaitingApproval: { finds: (db, mine) => getWaitingApproval(db, approvalOf(mine, 3)) },
  lockWaitingApproval: { finds: (db, mine) => lockWaitingApproval(db, approvalOf(mine, 3)) },
  listLapsedApprovals: {
    finds: async (db, mine) =>
      partOf(mine, await listLapsedApprovals(db, TWINS_CREATED_AT + APPROVAL_LIFETIME_MS, 10)),
  },
  countWaitingFor: [
    {
      finds: async (db, { organizationId }) =>
        (await countWaitingFor(db, organizationId, IDS.fresh)) || undefined,
    },
    // Of the person who decided on the other's.
    {
      lacks: without('approval_decisions'),
      finds: async (db, { organizationId }) =>
        (await countWaitingFor(db, organizationId, IDS.user)) || undefined,
    },
  ],
  approvalList: [
    { finds: (db, { organizationId }) => wholeList(approvalList(db, organizationId, {})) },
    { finds: (db, { organizationId }) => wholeList(approvalList(db, organizationId, { kind: 'payout' })) },
    {
      finds: (db, { organizationId }) =>
        wholeList(approvalList(db, organizationId, { subjectId: IDS.payout, status: 'WAITING' })),
    },
  ],
  insertDecision: {
    changes: (db, mine) => insertDecision(db, { ...decisionOf(mine, 3), userId: IDS.fresh }),
  },
  listDecisions: { finds: (db, mine) => listDecisions(db, approvalOf(mine, 3)) },
  listDecisionsOf: {
    finds: (db, { organizationId }) => listDecisionsOf(db, organizationId, [IDS.approval]),
  },
  updateApprovalRules: {
    changes: (db, { organizationId }) =>
      updateApprovalRules(db, organizationId, [{ kind: 'refund', tiers: [] }], LATER),
  },
  listSavedViews: {
    finds: (db, { organizationId }) => listSavedViews(db, organizationId, IDS.user, 'payins'),
  },
  insertSavedView: [
    { changes: (db, mine) => insertSavedView(db, { ...savedViewOf(mine, 3), viewId: IDS.fresh }, 2) },
    // As many as one may have.
    { finds: async (db, mine) => !(await insertSavedView(db, savedViewOf(mine, 3), 1)) || undefined },
  ],
  deleteSavedView: {
    changes: (db, { organizationId }) => deleteSavedView(db, organizationId, IDS.user, IDS.savedView),
  },
  insertBatch: {
    changes: (db, mine) =>
      insertBatch(db, { ...batchOf(mine, IDS, 3, TWINS_CREATED_AT), batchId: IDS.fresh }, LATER),
  },
  getBatch: { finds: (db, { organizationId }) => getBatch(db, organizationId, IDS.batch) },
  lockBatch: { finds: (db, { organizationId }) => lockBatch(db, organizationId, IDS.batch) },
  updateBatch: {
    changes: (db, mine) =>
      updateBatch(
        db,
        { ...batchOf(mine, IDS, 3, TWINS_CREATED_AT), version: 2, status: 'DRAFT' },
        LATER,
        batchEventOf(mine, IDS, LATER),
      ),
  },
  releaseHeldBatch: {
    given: heldBack('payout_batches'),
    changes: (db, mine) => releaseHeldBatch(db, { kind: 'batch', ...mine, id: IDS.batch }, LATER),
  },
  releaseHeldRefund: {
    given: heldBack('refunds'),
    changes: (db, mine) =>
      releaseHeldRefund(db, { kind: 'refund', ...mine, id: refundOf(mine, 3).refundId }, LATER),
  },
  releaseHeldPayout: {
    given: heldBack('payouts'),
    changes: (db, mine) => releaseHeldPayout(db, { kind: 'payout', ...mine, id: IDS.payout }, LATER),
  },
  readHoldState: [
    { finds: (db, mine) => readHoldState(db, { kind: 'batch', ...mine, id: IDS.batch }) },
    { finds: (db, mine) => readHoldState(db, { kind: 'refund', ...mine, id: refundOf(mine, 3).refundId }) },
    { finds: (db, mine) => readHoldState(db, { kind: 'payout', ...mine, id: IDS.payout }) },
  ],
  claimDueBatches: {
    changes: (db, { organizationId }) => claimDueBatches(db, organizationId, LATER, NEXT_LEASE, 10),
  },
  keepBatchLease: {
    changes: (db, mine) => {
      const claim = { batch: batchOf(mine, IDS, 3, TWINS_CREATED_AT), leaseToken: LEASE.token }
      return keepBatchLease(db, claim, LATER + 1)
    },
  },
  findBatchOfFile: {
    finds: (db, { organizationId }) => findBatchOfFile(db, organizationId, FILE_DIGEST, FIRST_ID),
  },
  batchList: [
    { finds: (db, { organizationId }) => wholeList(batchList(db, organizationId, {})) },
    { finds: (db, { organizationId }) => wholeList(batchList(db, organizationId, { status: 'CHECKING' })) },
  ],
  insertBatchRows: {
    changes: (db, mine) =>
      insertBatchRows(db, [{ ...batchRowOf(mine, IDS, 3), rowId: IDS.fresh, rowNumber: 9 }]),
  },
  updateBatchRows: {
    changes: (db, mine) => updateBatchRows(db, [{ ...batchRowOf(mine, IDS, 3), keyCheck: 'FOUND' }]),
  },
  markDuplicateRows: {
    given: (db, { organizationId }) =>
      moveBatchRows(db, organizationId, IDS.batch, 'REFUSED', 'DRAFT', 'all'),
    changes: (db, { organizationId }) => markDuplicateRows(db, organizationId, IDS.batch),
  },
  listLargestRows: {
    finds: (db, { organizationId }) => listLargestRows(db, organizationId, IDS.batch, 10),
  },
  listBatchRows: [
    {
      finds: (db, { organizationId }) =>
        listBatchRows(db, organizationId, IDS.batch, { state: 'DRAFT', keyCheck: 'PENDING' }, 10),
    },
  ],
  findQueuedRows: {
    given: (db, { organizationId }) => moveBatchRows(db, organizationId, IDS.batch, 'DRAFT', 'QUEUED', 'all'),
    finds: (db, { organizationId }) => {
      const paying = [1n, 2n].map((amountInCents) => ({ keyDigest: KEY_DIGEST, amountInCents }))
      return findQueuedRows(db, organizationId, IDS.fresh, paying)
    },
  },
  keyCheckOfPayout: {
    given: ROW_IS_PAYOUT,
    finds: (db, { payout }) => keyCheckOfPayout(db, payout),
  },
  getBatchRow: { finds: (db, { organizationId }) => getBatchRow(db, organizationId, IDS.batch, 3) },
  moveBatchRows: [
    {
      changes: (db, { organizationId }) =>
        moveBatchRows(db, organizationId, IDS.batch, 'DRAFT', 'LEFT_OUT', 'errors'),
    },
    {
      changes: (db, { organizationId }) =>
        moveBatchRows(db, organizationId, IDS.batch, 'DRAFT', 'LEFT_OUT', [3]),
    },
  ],
  lockRetriedPaidAfterDecline: {
    given: asPaidRetry,
    finds: async (db, { organizationId }) => {
      const retry = { organizationId, batchId: IDS.fresh, retryOf: IDS.batch }
      return [...(await lockRetriedPaidAfterDecline(db, retry, ROW_NUMBERS)).keys()]
    },
  },
  takeFailedRows: [
    { changes: (db, { organizationId }) => takeFailedRows(db, organizationId, IDS.batch, IDS.fresh) },
    {
      given: async (db, mine) => {
        await ROW_IS_PAYOUT(db, mine)
        await changeOwn(`update payouts set status = 'DECLINED', stage = 'DONE'`)(db, mine)
      },
      lacks: without('payouts'),
      finds: (db, { organizationId }) => whatever(takeFailedRows(db, organizationId, IDS.batch, IDS.fresh)),
    },
  ],
  readBatchTotals: [undefined, ROW_IS_PAYOUT].map((given) => ({
    ...(given && { given }),
    finds: async (db, { organizationId }) => {
      const read = await readBatchTotals(db, organizationId, [IDS.batch])
      return read.size === 0 ? undefined : [...read]
    },
  })),
  batchRowList: {
    finds: (db, { organizationId }) =>
      wholeList(batchRowList(db, organizationId, { batchId: IDS.batch, hasErrors: true })),
  },
  listRecentPayouts: {
    given: changeOwn('update payouts set amount_cents = 9'),
    finds: (db, { organizationId }) => listRecentPayouts(db, organizationId, FIRST_ID, [9n], 10),
  },
  lockBeneficiary: {
    finds: (db, { organizationId }) => lockBeneficiary(db, organizationId, DOCUMENT_DIGEST),
  },
  writeBeneficiary: {
    changes: (db, mine) => writeBeneficiary(db, beneficiaryOf(mine, IDS, 3, TWINS_CREATED_AT)),
  },
  getBeneficiary: { finds: (db, { organizationId }) => getBeneficiary(db, organizationId, IDS.beneficiary) },
  findBeneficiaries: {
    finds: (db, { organizationId }) => findBeneficiaries(db, organizationId, [DOCUMENT_DIGEST]),
  },
  deleteBeneficiary: {
    changes: (db, { organizationId }) => deleteBeneficiary(db, organizationId, IDS.beneficiary),
  },
  beneficiaryList: { finds: (db, { organizationId }) => wholeList(beneficiaryList(db, organizationId, {})) },
  healthOfEndpoints: { finds: (db, { organizationId }) => healthOfEndpoints(db, organizationId, FIRST_ID) },
  waitingAtEndpoint: {
    finds: async (db, { endpoint }) => (await waitingAtEndpoint(db, endpoint)) || undefined,
  },
  attemptsOfEndpoint: [
    { finds: (db, { endpoint }) => attemptsOfEndpoint(db, endpoint, 'all', null, 10) },
    {
      finds: (db, { endpoint }) =>
        attemptsOfEndpoint(db, endpoint, 'failed', { eventId: IDS.fresh, attemptId: IDS.fresh }, 10),
    },
  ],
  payoutList: [
    { finds: (db, { organizationId }) => wholeList(payoutList(db, organizationId, {})) },
    {
      finds: (db, { organizationId }) =>
        wholeList(payoutList(db, organizationId, { status: 'PROCESSING', reference: REFERENCE })),
    },
  ],
  claimDuePayouts: {
    changes: (db, { organizationId }) => claimDuePayouts(db, organizationId, LATER, NEXT_LEASE, 10),
  },
  writePayouts: [
    { changes: (db, mine) => writePayouts(db, [payoutWriteOf(mine)]) },
    {
      given: (db, mine) => raiseAgain(db, mine, IDS.payout),
      lacks: without('alarms'),
      changes: (db, mine) => writePayouts(db, [payoutWriteOf(mine)]),
    },
    // It ends, and the refund that it pays follows it.
    {
      changes: (db, mine) => {
        const write = payoutWriteOf(mine)
        const payout = { ...write.payout, stage: 'DONE', refundId: IDS.refund } as const
        return writePayouts(db, [{ ...write, payout }])
      },
    },
  ],
  claimDueDeliveries: {
    changes: (db, { endpoint }) => claimDueDeliveries(db, endpoint, LATER, NEXT_LEASE, 10),
  },
  recordAcknowledged: {
    changes: (db, { organizationId }) =>
      recordAcknowledged(db, [attemptOf({ organizationId, eventId: IDS.waiting })]),
  },
  recordAttempts: [
    {
      changes: (db, { organizationId }) =>
        recordAttempts(db, [
          attemptOf({ organizationId, eventId: IDS.event, leaseToken: LEASE.token, attemptId: IDS.fresh }),
        ]),
    },
    {
      changes: (db, { organizationId }) =>
        recordAttempts(db, [attemptOf({ organizationId, eventId: IDS.waiting, attemptId: IDS.fresh })]),
    },
  ],
  releaseDeliveries: {
    changes: (db, { endpoint }) => releaseDeliveries(db, endpoint, [IDS.event], LEASE.token, LATER),
  },
  redeliver: [
    {
      changes: (db, { organizationId }) => redeliver(db, organizationId, IDS.event, [IDS.endpoint], 1, LATER),
    },
    // Not while it waits for its first attempt.
    {
      finds: async (db, { organizationId }) => {
        await redeliver(db, organizationId, IDS.waiting, [IDS.endpoint], FIRST_SEQUENCE, LATER)
        return 'nothing to find'
      },
    },
  ],
  recoverDeliveries: {
    changes: (db, { endpoint }) =>
      recoverDeliveries(db, endpoint, ['payin.confirmed'], TWINS_CREATED_AT - 1, FIRST_ID, 10, LATER),
  },
  stopDeliveries: { changes: (db, { endpoint }) => stopDeliveries(db, endpoint, 10) },
  deliveriesOfEvent: [
    { finds: (db, { organizationId }) => deliveriesOfEvent(db, organizationId, IDS.event) },
    { finds: (db, { organizationId }) => deliveriesOfEvent(db, organizationId, IDS.waiting) },
    { finds: (db, { organizationId }) => deliveriesOfEvent(db, organizationId, IDS.acknowledged) },
    { finds: (db, { organizationId }) => deliveriesOfEvent(db, organizationId, IDS.requested) },
  ],
  listBacklog: { finds: async (db, mine) => partOf(mine, await listBacklog(db, LATER)) },
  insertEndpoint: {
    changes: (db, { endpoint }) => insertEndpoint(db, { ...endpoint, endpointId: IDS.fresh }),
  },
  listEndpoints: { finds: (db, { organizationId }) => listEndpoints(db, organizationId) },
  getEndpoint: { finds: (db, { organizationId }) => getEndpoint(db, organizationId, IDS.endpoint) },
  lockEndpoint: { finds: (db, { organizationId }) => lockEndpoint(db, organizationId, IDS.endpoint) },
  updateEndpoint: {
    changes: (db, { endpoint }) => updateEndpoint(db, { ...endpoint, url: 'https://x.example' }),
  },
  deleteEndpoint: {
    changes: (db, { organizationId }) => deleteEndpoint(db, organizationId, IDS.endpoint, LATER),
  },
  markFailing: { changes: (db, { organizationId }) => markFailing(db, organizationId, IDS.endpoint, LATER) },
  markHealthy: {
    given: (db, { endpoint }) => updateEndpoint(db, { ...endpoint, failingSince: TWINS_CREATED_AT }),
    changes: (db, { organizationId }) => markHealthy(db, organizationId, IDS.endpoint),
  },
  moveSendsUntil: { changes: (db, { endpoint }) => moveSendsUntil(db, endpoint, null, LATER) },
  giveBackSends: {
    given: (db, { endpoint }) => moveSendsUntil(db, endpoint, null, LATER),
    changes: (db, { endpoint }) => giveBackSends(db, endpoint, 250, TWINS_CREATED_AT),
  },
  hasChallenges: {
    finds: async (db, { organizationId }) =>
      (await hasChallenges(db, organizationId, TWINS_CREATED_AT - 1)) || undefined,
  },
  markChallenged: {
    changes: (db, { organizationId }) => markChallenged(db, organizationId, IDS.endpoint, LATER),
  },
  disableEndpoint: {
    changes: (db, { organizationId }) => disableEndpoint(db, organizationId, IDS.endpoint, 'GONE', LATER),
  },
  claimFirstAttempts: [
    { changes: (db, { endpoint }) => claimFirstAttempts(db, endpoint, LATER, NEXT_LEASE, 10) },
    // Divides the batch.
    { changes: (db, { endpoint }) => claimFirstAttempts(db, endpoint, LATER, NEXT_LEASE, 1) },
  ],
  finishFirstAttempts: {
    changes: (db, { endpoint }) => finishFirstAttempts(db, endpoint, [FIRST_SEQUENCE], LEASE.token),
  },
  releaseFirstAttempts: [
    {
      changes: (db, { endpoint }) =>
        releaseFirstAttempts(db, endpoint, [FIRST_SEQUENCE], LEASE.token, [IDS.waiting], LATER),
    },
    {
      changes: (db, { endpoint }) =>
        releaseFirstAttempts(db, endpoint, [FIRST_SEQUENCE], LEASE.token, [IDS.fresh], LATER),
    },
  ],
  deleteFirstAttempts: { changes: (db, { endpoint }) => deleteFirstAttempts(db, endpoint, 10, LATER) },
  parkDeliveries: { changes: (db, { endpoint }) => parkDeliveries(db, endpoint, LATER, 10) },
  parkFirstAttempts: { changes: (db, { endpoint }) => parkFirstAttempts(db, endpoint, LATER, 10) },
  resumeDeliveries: {
    given: (db, { endpoint }) => parkDeliveries(db, endpoint, LATER, 10),
    changes: (db, { endpoint }) => resumeDeliveries(db, endpoint, LATER + 1, 10),
  },
  resumeFirstAttempts: {
    given: (db, { endpoint }) => parkFirstAttempts(db, endpoint, LATER, 10),
    changes: (db, { endpoint }) => resumeFirstAttempts(db, endpoint, LATER + 1, 10),
  },
  markParked: { changes: (db, { endpoint }) => markParked(db, endpoint, true) },
  endpointsToResume: {
    given: (db, { endpoint }) => markParked(db, endpoint, true),
    finds: async (db, mine) => partOf(mine, await endpointsToResume(db, 10)),
  },
  listDataKeys: { finds: (db, { organizationId }) => listDataKeys(db, organizationId) },
  insertDataKey: {
    changes: (db, { organizationId }) =>
      insertDataKey(db, organizationId, { ...WRAPPED, version: 2 }, TWINS_CREATED_AT),
  },
  organizationsBehindMark: {
    finds: async (db, mine) => {
      const found: unknown[] = []
      for (const resource of PERSON_RESOURCES)
        found.push([resource, partOf(mine, await organizationsBehindMark(db, resource, IDS.fresh, 100, []))])
      return found
    },
  },
  listPeople: {
    finds: async (db, { organizationId }) => {
      const found: unknown[] = []
      for (const resource of PERSON_RESOURCES)
        found.push(await listPeople(db, resource, organizationId, FIRST_ID, IDS.fresh, 100))
      return found
    },
  },
  getPeople: {
    finds: async (db, { organizationId }) => [
      await getPeople(db, 'payin', organizationId, [IDS.payin, IDS.attempt]),
      await getPeople(db, 'payout', organizationId, [IDS.payout]),
      await getPeople(db, 'paymentlink', organizationId, [IDS.link]),
    ],
  },
  replacePerson: {
    changes: async (db, { organizationId }) => {
      const done: unknown[] = []
      for (const [resource, id] of [
        ['payin', IDS.payin],
        ['payout', IDS.payout],
        ['paymentlink', IDS.link],
      ] as const)
        for (const person of await getPeople(db, resource, organizationId, [id]))
          done.push(await replacePerson(db, resource, organizationId, person, { sealed: 'x' }))
      return done
    },
  },
  lockIdleLink: [
    { finds: (db, { organizationId }) => lockIdleLink(db, organizationId, IDS.page, IDS.fresh) },
    // The other's is being paid.
    {
      given: (db, mine) =>
        changeOwn(
          `update payins set payment_link_id = '${mine.pageLink.paymentLinkId}', status = 'PROCESSING' where payin_id = '${IDS.attempt}'`,
        )(db, mine),
      lacks: without('payins'),
      finds: (db, { organizationId }) => lockIdleLink(db, organizationId, IDS.page, IDS.fresh),
    },
  ],
  pageLinkList: {
    finds: (db, { organizationId }) =>
      wholeList(pageLinkList(db, organizationId, { paymentPageId: IDS.page })),
  },
  isLinkDue: { finds: (db, { pageLink }) => isLinkDue(db, pageLink) },
  insertPage: {
    changes: (db, { page }) =>
      insertPage(db, { ...page, paymentPageId: IDS.fresh, token: Buffer.alloc(16, 12) }),
  },
  getPage: { finds: (db, { organizationId }) => getPage(db, organizationId, IDS.page) },
  getPageByToken: { finds: (db, { organizationId }) => getPageByToken(db, organizationId, PAGE_TOKEN) },
  lockPage: { finds: (db, { organizationId }) => lockPage(db, organizationId, IDS.page) },
  updatePage: {
    changes: (db, { page, event }) =>
      updatePage(db, { ...page, name: 'Other' }, [
        {
          ...event,
          eventId: IDS.fresh,
          type: 'paymentpage.closed',
          resource: 'paymentpage',
          objectId: IDS.page,
          data: '{}',
        },
      ]),
  },
  pageList: {
    finds: async (db, { organizationId }) => [
      await wholeList(pageList(db, organizationId, {})),
      await wholeList(pageList(db, organizationId, { status: 'OPEN', reference: REFERENCE })),
    ],
  },
  replaceLinkNote: {
    changes: (db, { organizationId }) => replaceLinkNote(db, organizationId, IDS.link, { sealed: 'x' }),
  },
  linksOfPayins: { finds: (db, { organizationId }) => linksOfPayins(db, organizationId, [IDS.attempt]) },
  readMark: { finds: (db, { organizationId }) => readMark(db, organizationId, 'payin') },
  moveMark: { changes: (db, { organizationId }) => moveMark(db, organizationId, 'payin', IDS.fresh) },
  insertDigests: {
    changes: (db, { organizationId }) =>
      insertDigests(db, organizationId, 'payin', [{ digest: DIGEST, objectId: IDS.fresh }]),
  },
  findByDigest: { finds: (db, { organizationId }) => findByDigest(db, organizationId, DIGEST) },
  deleteDigests: {
    changes: (db, { organizationId }) =>
      deleteDigests(db, organizationId, [{ digest: DIGEST, objectId: IDS.payin }]),
  },
  insertWords: {
    changes: (db, { organizationId }) =>
      insertWords(db, organizationId, [{ word: WORD, objectId: IDS.fresh }]),
  },
  deleteWords: {
    changes: (db, { organizationId }) =>
      deleteWords(db, organizationId, [{ word: WORD, objectId: IDS.payin }]),
  },
  objectsWithWord: {
    finds: (db, { organizationId }) => objectsWithWord(db, organizationId, [WORD, OTHER_WORD], 10),
  },
  objectsWithBeginning: {
    finds: (db, { organizationId }) => objectsWithBeginning(db, organizationId, [WORD.slice(0, 4)], 10),
  },
  countWords: { finds: (db, { organizationId }) => countWords(db, organizationId, [WORD], 10) },
  objectsWithAllWords: [
    {
      finds: (db, { organizationId }) => objectsWithAllWords(db, organizationId, [WORD, OTHER_WORD], 10, 10),
    },
    {
      lacks: changeOwn(`delete from search_words where word = '${OTHER_WORD}'`),
      finds: (db, { organizationId }) =>
        whatever(objectsWithAllWords(db, organizationId, [WORD, OTHER_WORD], 10, 10)),
    },
  ],
  objectsWithDigest: {
    finds: (db, { organizationId }) => objectsWithDigest(db, organizationId, [DIGEST], ['payin'], 10),
  },
  searchedBetween: {
    finds: async (db, { organizationId }) => {
      const found: unknown[] = []
      for (const resource of WORDED)
        found.push(await searchedBetween(db, resource, organizationId, FIRST_ID, IDS.fresh, 100))
      return found
    },
  },
  newestUnworded: {
    finds: async (db, { organizationId }) => {
      const found: unknown[] = []
      for (const resource of WORDED) found.push(await newestUnworded(db, resource, organizationId, 100))
      return found
    },
  },
  searchedRows: {
    finds: async (db, { organizationId }) => [
      await searchedRows(db, 'payin', organizationId, [IDS.payin]),
      await searchedRows(db, 'payout', organizationId, [IDS.payout]),
      await searchedRows(db, 'paymentlink', organizationId, [IDS.link]),
    ],
  },
  attemptsOnLinks: { finds: (db, { organizationId }) => attemptsOnLinks(db, organizationId, [IDS.link]) },
  objectsWithReference: {
    finds: async (db, { organizationId }) => {
      const found: unknown[] = []
      for (const resource of WORDED)
        found.push(await objectsWithReference(db, resource, organizationId, REFERENCE, 10))
      return found
    },
  },
  getLinks: { finds: (db, { organizationId }) => getLinks(db, organizationId, [IDS.link]) },
  behindPeople: { finds: async (db, mine) => partOf(mine, await behindPeople(db, 'payin', 100)) },
  moveSearchMark: {
    changes: (db, { organizationId }) => moveSearchMark(db, organizationId, 'payin', IDS.fresh),
  },
  behindEvents: { finds: async (db, mine) => partOf(mine, await behindEvents(db, 100)) },
  toldAfter: { finds: (db, { organizationId }) => toldAfter(db, organizationId, 0n, 100) },
  moveEventMark: { changes: (db, { organizationId }) => moveEventMark(db, organizationId, 7n) },
  insertErasure: {
    changes: (db, { organizationId }) =>
      insertErasure(db, { ...erasureOf(organizationId, 1), erasureId: IDS.fresh }),
  },
  insertEntry: {
    changes: (db, { organizationId }) =>
      insertEntry(db, { ...entryOf(organizationId, 1), entryId: IDS.fresh }),
  },
  credentialHolders: {
    finds: (db, { organizationId }) =>
      Promise.all([1, 2].map((mark) => credentialHolders(db, organizationId, `key of ${mark}`))),
  },
  auditList: [
    { finds: (db, { organizationId }) => wholeList(auditList(db, organizationId, {})) },
    {
      finds: (db, { organizationId }) =>
        wholeList(
          auditList(db, organizationId, {
            actorId: 'actor',
            act: 'payin.cancel',
            objectId: IDS.payin,
            outcome: 'done',
          }),
        ),
    },
    {
      finds: (db, { organizationId }) =>
        wholeList(auditList(db, organizationId, { actorId: 'actor', act: 'payin.cancel' })),
    },
  ],
  filteredAudit: [
    { finds: (db, { organizationId }) => filteredAudit(db, organizationId, {}).page(NEWEST, 10) },
    {
      finds: (db, { organizationId }) =>
        filteredAudit(db, organizationId, { actorKind: 'key', outcome: 'done' }).page(NEWEST, 10),
    },
    { finds: (db, { organizationId }) => filteredAudit(db, organizationId, {}).totals() },
  ],
  takeUnchained: [
    { changes: (db, { organizationId }) => takeUnchained(db, organizationId, 10) },
    // Another's older entry takes no place.
    {
      given: (db, { organizationId }) =>
        insertEntry(db, { ...entryOf(organizationId, 1), entryId: FIRST_ID }),
      lacks: changeOwn(`delete from audit_unchained where entry_id = '${FIRST_ID}'`),
      changes: (db, { organizationId }) => takeUnchained(db, organizationId, 1),
    },
  ],
  unchainedEntries: {
    finds: (db, { organizationId }) => unchainedEntries(db, organizationId, [IDS.entry, IDS.unchained]),
  },
  lastLine: { finds: (db, { organizationId }) => lastLine(db, organizationId) },
  insertChainLines: {
    changes: (db, { organizationId }) =>
      insertChainLines(db, organizationId, [
        { sequence: 2, entryId: IDS.unchained, digest: Buffer.alloc(32, 9) },
      ]),
  },
  linesAfter: { finds: (db, { organizationId }) => linesAfter(db, organizationId, 0, 10) },
  entriesAfter: {
    finds: (db, { organizationId }) =>
      entriesAfter(db, organizationId, '00000000-0000-0000-0000-000000000000', 10),
  },
  insertRequests: {
    changes: (db, { organizationId }) =>
      insertRequests(db, collectRequests([{ ...requestOf(organizationId, 1), logId: IDS.fresh }])),
  },
  requestList: [
    { finds: (db, { organizationId }) => wholeList(requestList(db, organizationId, {})) },
    {
      finds: (db, { organizationId }) =>
        wholeList(
          requestList(db, organizationId, {
            objectId: IDS.payin,
            credentialId: 'credential',
            status: 201,
            method: 'POST',
          }),
        ),
    },
    {
      finds: (db, { organizationId }) =>
        wholeList(requestList(db, organizationId, { credentialId: 'credential' })),
    },
  ],
  requestsOfObject: {
    finds: (db, { organizationId }) => requestsOfObject(db, organizationId, IDS.payin, 10),
  },
  listErasures: { finds: (db, { organizationId }) => listErasures(db, organizationId) },
  eventsOfObject: { finds: (db, { organizationId }) => eventsOfObject(db, organizationId, IDS.payin) },
  replaceEventData: {
    given: (db, { organizationId, event }) =>
      replaceEventData(db, organizationId, { ...event, stored: event.data }, '{"same":1}'),
    changes: (db, { organizationId, event }) =>
      replaceEventData(db, organizationId, { ...event, stored: '{"same":1}' }, '{"more":1}'),
  },
  blankResponses: {
    changes: (db, { organizationId }) =>
      blankResponses(db, organizationId, [IDS.event, IDS.acknowledged, IDS.delivered]),
  },
  listKeptAnswers: { finds: (db, { organizationId }) => listKeptAnswers(db, organizationId, '', 10) },
  replaceKeptAnswer: {
    given: (db, { organizationId, record }) =>
      replaceKeptAnswer(db, organizationId, { ...record, stored: record.body }, 'same'),
    changes: (db, { organizationId, record }) =>
      replaceKeptAnswer(db, organizationId, { ...record, stored: 'same' }, 'x'),
  },
  contradictsStored: {
    finds: (db, { notice }) =>
      contradictsStored(db, { ...notice, update: { kind: 'payin.declined', reason: 'RISK_REJECTED' } }),
  },
}

// People sign in before they choose an organization: test/flows/team shows who sees whose.
const A_PERSONS = 'a person’s, in whichever organizations they are'

// Functions without an organization, and why they need none.
const WITHOUT_ORGANIZATION: Readonly<Record<string, string>> = {
  insertOrganization: 'makes one',
  findApiKeys: 'by the digest of the secret, which is presented without an organization',
  findOAuthClients: 'by the id that is presented without an organization',
  getApiKey: 'for the operator, by an id that is unique in the directory',
  lockApiKey: 'by an id that is unique in the directory',
  lockOAuthClient: 'by an id that is unique in the directory',
  endApiKey: 'for the operator, by an id that is unique in the directory',
  rollOAuthClient: 'for the operator, by an id that is unique in the directory',
  limitValues: 'a part of statements',
  updateApiKeyLimits: 'for the operator, by an id that is unique in the directory',
  updateOAuthClientLimits: 'for the operator, by an id that is unique in the directory',
  revokeOAuthClient: 'for the operator, by an id that is unique in the directory',
  recordLastUse: 'by ids that are unique in the directory',
  exchangeRecorder: 'writes by insertExchanges',
  shareOf: 'a part of the connections',
  listSigningKeys: 'shared by all',
  listStatementKeys: 'shared by all',
  insertFirstSigningKey: 'shared by all',
  insertSigningKey: 'shared by all',
  retireOtherSigningKeys: 'shared by all',
  activeSecretsKey: 'shared by all',
  insertFirstSecretsKey: 'shared by all',
  activateSecretsKey: 'shared by all',
  finishSecretsKey: 'shared by all',
  listSealed: 'an operator seals what is sealed of all organizations anew',
  replaceSealed: 'an operator seals what is sealed of all organizations anew, each under its whole key',
  ownerOfSuspense: 'for the operator, who names the item alone',
  resolveAlarm: 'for the operator, who names the alarm alone',
  hasRun: 'about a day of a network, which all share',
  insertRuns: 'about days of a network, which all share',
  requestRun: 'about a day of a network, which all share',
  claimRun: 'about a day of a network, which all share',
  advanceRun: 'about a day of a network, which all share',
  deferRun: 'about a day of a network, which all share',
  failRun: 'about a day of a network, which all share',
  finishRun: 'about a day of a network, which all share',
  getRun: 'about a day of a network, which all share',
  listRuns: 'about days of the networks, which all share',
  lastReconciledDays: 'about days of the networks, which all share',
  addToTotals: 'about a day of a network, which all share',
  readReconciledTotals: 'about days of the networks, which all share',
  insertUser: A_PERSONS,
  getUser: A_PERSONS,
  findUserByEmail: A_PERSONS,
  updateUser: A_PERSONS,
  listUsers: 'an operator reads those of all organizations',
  membershipsOf: 'a person’s organizations, of which they choose one',
  insertSession: A_PERSONS,
  findSession: A_PERSONS,
  markSeen: A_PERSONS,
  listSessions: A_PERSONS,
  rolesOfSessions: A_PERSONS,
  endSession: A_PERSONS,
  endSessions: A_PERSONS,
  proveSession: A_PERSONS,
  findWaysByEmail: A_PERSONS,
  getWays: A_PERSONS,
  lockUser: A_PERSONS,
  setPassword: A_PERSONS,
  setTotp: A_PERSONS,
  enableTotp: A_PERSONS,
  clearTotp: A_PERSONS,
  useTotpStep: A_PERSONS,
  useRecoveryDigest: A_PERSONS,
  setRecoveryDigests: A_PERSONS,
  insertExternalIdentity: A_PERSONS,
  findByIdentity: A_PERSONS,
  insertPasskey: A_PERSONS,
  findPasskey: A_PERSONS,
  listPasskeys: A_PERSONS,
  usePasskey: A_PERSONS,
  renamePasskey: A_PERSONS,
  deletePasskey: A_PERSONS,
  deletePasskeys: A_PERSONS,
  deleteExternalIdentities: A_PERSONS,
  insertToken: A_PERSONS,
  takeToken: A_PERSONS,
  findToken: A_PERSONS,
  deleteTokensOf: A_PERSONS,
  countAttempt: 'of an account or an address, whoever’s it is',
  lockedUntil: 'of an account or an address, whoever’s it is',
  giveBackAttempt: 'of an account or an address, whoever’s it is',
  forgetAttempts: 'of an account or an address, whoever’s it is',
  raiseLateAlarms: 'about days of the networks, which all share',
  resolveLateAlarm: 'about a day of a network, which all share',
  firstPaymentAt: 'the first payment of all: from that day on the networks are reconciled',
  openComparison: 'makes the tables of a transaction, and writes no row',
  bookingsOf: 'values of statements, without a row',
  IS_RAISED: 'part of the statements that have rows here',
  releaseUnlisted: 'of all at once, which has a test of its own',
  giveToNetworkOnly: 'of all at once, which has a test of its own',
  rememberTaken: 'of all at once, which has a test of its own',
  newId: 'a piece of a statement',
  idPrefix: 'arithmetic on a time',
  resolveGone: 'of all at once, which has a test of its own',
  resolveListedOnOtherDay: 'of all at once, which has a test of its own',
  resolveSinceBooked: 'of all at once, which has a test of its own',
  markNewFindings: 'of all at once, which has a test of its own',
  createKeyedTables: 'tables of one transaction',
  readBacklog: 'a sum over all, which has a test of its own',
  readConnectionLimit: 'a setting of the server',
  readSettings: 'settings of the server',
  readActivity: 'about the server, which all share',
  readReplication: 'about the server, which all share',
  readSizes: 'about the server, which all share',
  readServerCertificate: 'about the server, which all share',
  invalidIndexes: 'about the tables, which all share',
  overdueIn: 'an operator counts those of all organizations',
  untoldAlarms: 'an operator counts those of all organizations',
  stuckRows: 'an operator counts those of all organizations',
  openAlarmCount: 'an operator counts those of all organizations',
  partitionsMissing: 'about partitions, which all share',
  grantServiceRights: 'rights on tables, which all share',
  createRole: 'a role of the server',
  readRoleFacts: 'a role of the server',
  ownsTables: 'about the tables, which all share',
  missingRights: 'about the tables, which all share',
  earliestDue: 'the earliest time of all, which names nobody',
  earliestUnsequenced: 'the earliest time of all, which names nobody',
  queuesWithWork: 'says of each queue whether anybody has work in it, and names nobody',
  firstRow: 'runs the statements of others',
  queryWithLastingPlan: 'runs the statements of others',
  sendTogether: 'runs the statements of others',
  pipelinedDb: 'runs the statements of others',
  binaryArray: 'the form of a parameter',
  placeBefore: 'arithmetic on a time',
  readClockOffset: 'shared by all',
  readStoredClockOffset: 'shared by all',
  isOnlyOrganization: 'says whether there are others, and names nobody',
  hostsWithoutTls: 'reads an address',
  hostNames: 'reads an address',
  isOnThisMachine: 'reads an address',
  advanceClock: 'shared by all',
  sendWorkSignal: 'writes no row',
  listenForWorkSignals: 'reads no row',
  batchedStatement: 'no statement of its own',
  collectRequests: 'no statement of its own',
  BatchFull: 'an error',
  openDb: 'a pool',
  openHosts: 'chooses a server',
  clientOf: 'a connection',
  HostClient: 'a connection',
  acquire: 'a connection',
  connectOnce: 'a connection',
  readDatabaseUrl: 'reads an address',
  ServerRefused: 'an error',
  NoServer: 'an error',
  sqlState: 'reads an error',
  classified: 'reads an error',
  failureOf: 'reads an error',
  isDiskFull: 'reads an error',
  typeParser: 'reads a value',
  StoreBusy: 'an error',
  StoreSilent: 'an error',
  StoreUnavailable: 'an error',
  SchemaMismatch: 'an error',
  NotDistributable: 'an error',
  migrate: 'the schema',
  isMigrated: 'the schema',
  distribute: 'the schema',
  hasDistributedTables: 'the schema',
  isDistributed: 'the schema',
  textPacker: 'the schema',
  withSchemaLock: 'the schema',
  tryLockSchema: 'the schema',
  spreadTable: 'the schema',
  statementsForCluster: 'the schema',
  topLevelParts: 'the schema',
  listPartitions: 'the schema',
  addPartitions: 'the schema',
  isInterference: 'the schema',
  dropOldestPartition: 'what is old of all, which has a test of its own',
  undeliveredBefore: 'says whether anybody is still to be told, and names nobody',
  forgetAlarmsToTell: 'what is old of all: flows/ledger/alarm-mails.test.ts',
  forgetAlarmMails: 'what is old of all: flows/ledger/alarm-mails.test.ts',
  deleteOldRows: 'what is old of all, which has a test of its own',
  eraseEarlierSecrets: 'what was replaced of all, which has a test of its own',
  readMigrations: 'the schema',
  hasSchema: 'the schema',
  statementsOf: 'the schema',
  planMigrations: 'the schema',
  readCatalog: 'the schema',
  locksOf: 'the schema',
  appliedMigrations: 'the schema',
  applyMigrations: 'the schema',
  assertKnown: 'the schema',
  lockSchemaForSession: 'the schema',
  lockTables: 'the schema',
  patiently: 'the schema',
  TablesInUse: 'an error',
  applyOnline: 'the schema',
  applyInTransaction: 'the schema',
  isRepeated: 'the schema',
  partsOf: 'the schema',
  newerSchema: 'the schema',
  isStronger: 'the schema',
  strongest: 'the schema',
  makePartitions: 'the schema',
  ServiceStillRunning: 'an error',
  SchemaBusy: 'an error',
  BackupMismatch: 'an error',
  DatabaseNotEmpty: 'an error',
  openSession: 'a connection',
  copyOut: 'runs the statements of others',
  copyIn: 'runs the statements of others',
  quoted: 'a piece of a statement',
  withSnapshot: 'all rows of all: test/operator/backups/commands.test.ts',
  listHeldBatches: 'an operator lists those of all: test/operator/backups/about-to-be-paid.test.ts',
  listHeldRefunds: 'an operator lists those of all: test/operator/backups/about-to-be-paid.test.ts',
  listHeldPayouts: 'an operator lists those of all: test/operator/backups/held-payouts.test.ts',
  countListeners: 'counts processes',
  holdBackUnpaid: 'all rows of all: test/operator/backups/about-to-be-paid.test.ts',
  loadBackup: 'all rows of all: test/operator/backups/commands.test.ts',
  verifyEventNumbers: 'an operator proves those of all organizations',
  listOf: 'makes the lists, each of which has its row',
  boundedList: 'makes the lists with filters, each of which has its row',
  whereClause: 'part of the lists that have rows here',
  toTransfer: 'reads a row',
  toPayout: 'reads a row',
  toRefund: 'reads a row',
  insertRecordsOf: 'part of the inserts that have rows here',
  keyIsFree: 'part of the inserts that have rows here',
  lockedConnections: 'part of the inserts that have rows here',
  presentRules: 'part of the inserts that have rows here',
  storedRules: 'writes a row',
  scopedStatement: 'makes statements that have rows here',
  inScope: 'part of the statements that have rows here',
  lockedRows: 'part of the statements that have rows here',
  tableOfOrganizations: 'part of the statements that have rows here',
  ensureAnchor: 'part of the statements that have rows here',
  fromAnchored: 'part of the statements that have rows here',
  isAnchored: 'part of the statements that have rows here',
  anchoredOrganization: 'part of the statements that have rows here',
  POSTED_TRANSFERS: 'part of the writes that have rows here',
  databaseOf: 'a pool',
  packIdempotencyRecords: 'part of the inserts that have rows here',
  recordColumns: 'part of the inserts that have rows here',
  BALANCE_UPSERT: 'part of the writes that have rows here',
  transferRow: 'part of the writes that have rows here',
  toOrganization: 'reads a row',
  toEntry: 'reads a row',
  toListed: 'reads a row',
  casesOf: 'part of the lists that have rows here',
  requestedAt: 'reads a row',
  toListedPayin: 'reads a row',
  payinInsertRow: 'part of the inserts that have rows here',
  inReferenceOrder: 'part of the inserts that have rows here',
  toPayin: 'reads a row',
  withSequence: 'reads a row',
  toDeliverable: 'reads a row',
  EVENT_OF: 'part of the statements that have rows here',
  matchesFilter: 'reads a row',
  isClaimableSql: 'part of the statements that have rows here',
  containsSql: 'part of the statements that have rows here',
  wasAttempted: 'part of the statements that have rows here',
  MATCHED_TOTALS: 'a piece of a statement',
  DAY_OF_ID: 'a piece of a statement',
  IS_UUID: 'a piece of a statement',
  RESOLVE_ALARMS: 'a piece of a statement',
  listOpenFindings: 'an operator reads those of all organizations',
  firstOrganizationAt: 'of the whole installation: reconciliation begins there',
  isFree: 'arithmetic on an item',
  leftInCents: 'arithmetic on an item',
  placesOfPayment: 'looks in all organizations: a network names a payment without one',
}

const ALL_IDS = { fromId: FIRST_ID, beforeId: LAST_ID }

const pickedFrom = <T>(all: Record<string, T> = {}, like: object): Record<string, T | undefined> =>
  Object.fromEntries(Object.keys(like).map((name) => [name, all[name]]))
const idsOf = (subjects: readonly Subjects[]): string[] => subjects.map((one) => one.organizationId)

// They answer that something was done also where nothing was there before.
const ADDS: ReadonlySet<string> = new Set([
  'insertMembership',
  'insertSuspenseItem',
  'insertApiKey',
  'insertSavedView',
  'reserveLookupBudget',
])

const mixed = { skip: citusUrl() !== undefined && 'on a cluster a batch is one organization’s' }
const emptied = {
  skip:
    citusUrl() !== undefined &&
    'a cluster does not delete from tables that refer to one another in one statement',
}

describe('the store', () => {
  let db: Db
  // For each organization a copy without the rows of the other: deleting them for each call would cost more than all the rest. A
  // database on Citus cannot be copied: there each function is called beside the other's rows only.
  const alone: Record<string, Db> = {}
  const opened = new AsyncDisposableStack()
  let tables: string[]
  let twins: [Subjects, Subjects]
  // Sees what the calls, which are undone, lock.
  let observer: Db
  let untouched: Record<string, Digests>
  const rowCounts: Record<string, Record<string, number>> = {}

  before(async () => {
    const database = await createDatabase()
    opened.defer(database.drop)
    const open = (url: string): Db =>
      opened.adopt(openDb({ url, poolSize: 1, statementTimeoutMs: PATIENT_MS }), (one) => one.close())
    const filling = openDb({ url: database.url, poolSize: 1 })
    tables = await organizationTables(filling)
    const first = await insertTwin(filling, 1, '01900000-0000-7000-8000-000000000001')
    twins = [first, await insertTwin(filling, 2, '01900000-0000-7000-8000-000000000002')]
    // Nobody may be connected to a database that is copied.
    await filling.close()
    for (const { organizationId } of citusUrl() === undefined ? twins : []) {
      const copy = await createDatabase(/test_\w+/.exec(database.url)?.[0])
      opened.defer(copy.drop)
      alone[organizationId] = open(copy.url)
    }
    for (const [mine, other] of [twins, twins.toReversed()] as [Subjects, Subjects][])
      if (alone[mine.organizationId] !== undefined)
        await deleteRows(alone[mine.organizationId] as Db, tables, other.organizationId)
    db = open(database.url)
    observer = open(database.url)
    const digests = await digestsOf(db, tables, idsOf(twins))
    untouched = Object.fromEntries(idsOf(twins).map((id, index) => [id, digests[index] as Digests]))
    for (const id of idsOf(twins)) rowCounts[id] = await lockableRows(observer, tables, id)
  })
  after(() => opened.disposeAsync())

  it('has a row in this table for every function', async () => {
    const names = (await storeFunctions()).map(({ name }) => name).sort()
    assert.deepEqual([...Object.keys(CALLS), ...Object.keys(WITHOUT_ORGANIZATION)].sort(), names)
  })

  it('has rows of both organizations in every table', async () => {
    for (const digests of await digestsOf(db, tables, idsOf(twins))) {
      const empty = tables.filter((table) => digests[table]?.startsWith('0 '))
      assert.deepEqual(empty, [])
    }
  })

  // Everything by which a statement changes or locks rows: no function of the database does. Nor does it reach a table that it
  // does not name.
  const CHANGES = /\b(?:insert|update|delete|merge|truncate|lock|share|call|do)\b/i

  const onOneMachine = { skip: citusUrl() !== undefined && 'Citus brings views and triggers of its own' }
  it(
    'takes no statement for one that only reads, or only what it names, because of what the database does by itself',
    onOneMachine,
    async () => {
      const { rows } = await db.query({
        text: `select proname as name from pg_proc where pronamespace = 'public'::regnamespace
              union all
             select tgname from pg_trigger where not tgisinternal
              union all
             select conname from pg_constraint where contype = 'f' and (confdeltype in ('c', 'n', 'd') or confupdtype in ('c', 'n', 'd'))
              union all
             select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
              union all
             select rulename from pg_rewrite where ev_class >= 16384`,
      })
      assert.deepEqual(rows, [])
    },
  )

  // The answer and the effect of a call, and which tables its statements name. Without `other`, the caller is alone. Only what is
  // named is looked at: nothing else can have changed.
  const outcomeOf = async (tx: Db, call: Call, mine: Subjects, other?: Subjects) => {
    const named = new Set<string>()
    // Partitions have the name of their table in theirs.
    const touched = new Set<string>()
    let mayChange = false
    const note = (text: string): void => {
      mayChange ||= CHANGES.test(text)
      for (const table of tables) {
        if (!text.includes(table)) continue
        touched.add(table)
        if (new RegExp(`\\b${table}\\b`).test(text)) named.add(table)
      }
    }
    const watched: Db = {
      ...tx,
      query: (config) => {
        note(config.text)
        return tx.query(config)
      },
      sendTransaction: (statements) => {
        for (const { text } of statements) note(text)
        return tx.sendTransaction(statements)
      },
    }
    watched.inTransaction = (work) => work(watched)
    await tx.query({ text: 'savepoint called' })
    let answer: string
    try {
      answer = comparable(await call(watched, mine))
    } catch (error) {
      await tx.query({ text: 'rollback to savepoint called' })
      answer = `refused ${sqlState(error) ?? (error as Error).message}`
    }
    // What only reads has changed and locked nothing.
    if (!mayChange) return { answer, own: null, others: null, lockable: null, named }
    const own = await digestOfEach(tx, [...touched], mine.organizationId)
    const others = other && (await digestOfEach(tx, [...touched], other.organizationId))
    // Citus locks a whole table that is on every machine.
    const isLockedByRow = citusUrl() === undefined
    const lockable =
      other && isLockedByRow && (await lockableRows(observer, [...touched], other.organizationId))
    return { answer, own, others, lockable, named }
  }

  const untouchedOf = ({ organizationId }: Subjects): Digests => untouched[organizationId] as Digests

  const compare = async (row: Row, mine: Subjects, other: Subjects, emptied: readonly string[]) => {
    const call = 'finds' in row ? row.finds : row.changes
    const { given, lacks } = row
    const beside = await undone(db, async (tx) => {
      await deleteRows(tx, emptied, mine.organizationId)
      if (given === undefined && lacks === undefined)
        return { ...(await outcomeOf(tx, call, mine, other)), before: [mine, other].map(untouchedOf) }
      for (const one of [mine, other]) await given?.(tx, one)
      await lacks?.(tx, mine)
      const before = await digestsOf(tx, tables, idsOf([mine, other]))
      return { ...(await outcomeOf(tx, call, mine, other)), before }
    })
    // What is done first for both locks the other's rows too.
    if (beside.lockable && given === undefined)
      assert.deepEqual(
        beside.lockable,
        pickedFrom(rowCounts[other.organizationId], beside.lockable),
        'another’s rows are locked',
      )
    const seen = `without own ${emptied.join(', ') || 'nothing'}`
    const copy = alone[mine.organizationId]
    if (copy !== undefined) {
      const apart = await undone(copy, async (tx) => {
        await deleteRows(tx, emptied, mine.organizationId)
        await given?.(tx, mine)
        await lacks?.(tx, mine)
        return outcomeOf(tx, call, mine)
      })
      assert.equal(beside.answer, apart.answer, `${seen}: the answer depends on another’s rows`)
      assert.deepEqual(beside.own, apart.own, `${seen}: the effect depends on another’s rows`)
    }
    if (beside.others)
      assert.deepEqual(
        beside.others,
        pickedFrom(beside.before[1], beside.others),
        `${seen}: another’s rows have changed`,
      )
    return beside
  }

  // The steps of both have the same ids. Each is written or refused for itself, and answered so.
  const STEPS_OF_BOTH: Record<
    string,
    (tx: Db, mine: Subjects, other: Subjects, isStale: boolean) => Promise<boolean[]>
  > = {
    payins: (tx, mine, other, isStale) => {
      const [first, second] = [mine, other].map((one) => payinWriteOf(one)) as [PayinWrite, PayinWrite]
      return writePayins(tx, [{ ...first, expectedVersion: isStale ? 7 : 1 }, second], 1)
    },
    'attempts on links': (tx, mine, other, isStale) => {
      const writes = [mine, other].map((one) => payinWriteOf({ ...one, payin: one.attempt }, true))
      const [first] = writes
      if (first?.link && isStale) first.link.expectedVersion = 7
      return writePayins(tx, writes, 1)
    },
    payouts: (tx, mine, other, isStale) => {
      const [first, second] = [mine, other].map(payoutWriteOf) as [PayoutWrite, PayoutWrite]
      return writePayouts(tx, [{ ...first, expectedVersion: isStale ? 7 : 1 }, second])
    },
  }
  for (const [what, write] of Object.entries(STEPS_OF_BOTH)) {
    it(
      `in a batch of both, steps of ${what}: what stops one’s does not stop the other’s, nor let it pass`,
      mixed,
      async () => {
        for (const [mine, other] of [twins, twins.toReversed()] as [Subjects, Subjects][]) {
          for (const isStale of [false, true]) {
            await undone(db, async (tx) => {
              assert.deepEqual(await write(tx, mine, other, isStale), [!isStale, true])
              const [own, others] = await digestsOf(tx, tables, idsOf([mine, other]))
              assert.notDeepEqual(others, untouched[other.organizationId])
              if (isStale) assert.deepEqual(own, untouched[mine.organizationId])
              else assert.notDeepEqual(own, untouched[mine.organizationId])
            })
          }
        }
      },
    )
  }

  it('in a batch of both, a step that comes twice is written once', mixed, async () => {
    for (const [mine, other] of [twins, twins.toReversed()] as [Subjects, Subjects][]) {
      await undone(db, async (tx) => {
        const steps = [mine, other, mine].map((one) => payinWriteOf(one))
        assert.deepEqual(await writePayins(tx, steps, 1), [true, true, false])
        const payouts = [mine, other, mine].map(payoutWriteOf).map((write) => ({
          ...write,
          // The payins’ steps have written the rows with these ids.
          transfers: [],
          alarm: null,
          event: null,
        }))
        assert.deepEqual(await writePayouts(tx, payouts), [true, true, false])
      })
    }
  })

  it(
    'in a batch of both, nothing is written for the one whose payment is in suspense already',
    mixed,
    async () => {
      for (const [mine, other] of [twins, twins.toReversed()] as [Subjects, Subjects][]) {
        const known = payinWriteOf(mine)
        if (known.suspense) known.suspense.paymentId = mine.suspense.paymentId
        const fresh = payinWriteOf({ ...other, payin: other.attempt })
        await undone(db, async (tx) => {
          assert.deepEqual(await writePayins(tx, [known, fresh], 1), [false, true])
          const [own, others] = await digestsOf(tx, tables, idsOf([mine, other]))
          assert.deepEqual(own, untouched[mine.organizationId])
          assert.notEqual(others?.ledger_transfers, untouched[other.organizationId]?.ledger_transfers)
        })
      }
    },
  )

  // What resolves a finding, and what takes that away from one organization.
  const RESOLUTIONS: Record<string, { resolve: (tx: Db) => Promise<void>; spares: string }> = {
    'a comparison that no longer makes them': {
      resolve: (tx) => resolveGone(tx, JUDGED, LATER),
      spares: 'update reconciliation_findings set run = 1 where organization_id = $1',
    },
    'a line in another day’s statement': {
      resolve: async (tx) => {
        await compareUpTo(tx, 'takeLinesOfOtherDays')
        await rememberTaken(tx, 'BRE_B')
        await comparing.resolveListedOnOtherDay(tx, 'BRE_B', LATER)
      },
      spares: 'delete from statement_lines where organization_id = $1',
    },
    'a booking that came late': {
      resolve: (tx) => comparing.resolveSinceBooked(tx, 'BRE_B', LATER),
      spares: 'delete from ledger_transfers where organization_id = $1',
    },
    'a booking that came late, of its payin': {
      resolve: (tx) => comparing.resolveSinceBooked(tx, 'BRE_B', LATER),
      spares: `update payins set payment_id = 'other' where organization_id = $1`,
    },
  }
  for (const [what, { resolve, spares }] of Object.entries(RESOLUTIONS)) {
    it(`${what}, resolves the findings of one and leaves the other’s`, async () => {
      for (const [mine, other] of [twins, twins.toReversed()] as [Subjects, Subjects][]) {
        await undone(db, async (tx) => {
          await tx.query({ text: spares, values: [other.organizationId] })
          const [ownBefore, othersBefore] = await digestsOf(tx, tables, idsOf([mine, other]))
          await resolve(tx)
          const [own, others] = await digestsOf(tx, tables, idsOf([mine, other]))
          assert.notEqual(own?.reconciliation_findings, ownBefore?.reconciliation_findings)
          assert.deepEqual(others, othersBefore)
        })
      }
    })
  }

  // What changes which bookings are of other days, and what takes that away from one organization.
  const PAIRINGS: Record<string, { pair: (tx: Db) => Promise<void>; spares: string }> = {
    'lines that take bookings': {
      pair: async (tx) => {
        await compareUpTo(tx, 'takeLinesOfOtherDays')
        await rememberTaken(tx, 'BRE_B')
      },
      spares: 'delete from statement_lines where organization_id = $1',
    },
    'findings that have their bookings': {
      pair: (tx) => comparing.giveToNetworkOnly(tx, 'BRE_B'),
      spares: 'delete from ledger_transfers where organization_id = $1',
    },
    'lines that are gone': {
      pair: async (tx) => {
        await openComparison(tx)
        // The same lines are there, but somebody else's.
        await tx.query({
          text: `insert into compared_lines (organization_id, line_key, times)
                 select o.organization_id, b.line_key, 1
                   from bookings_of_other_days b
                  cross join lateral (select organization_id from organizations
                                       where organization_id <> b.organization_id limit 1) o`,
        })
        await releaseUnlisted(tx, { ...JUDGED, day: LISTED_EARLIER }, LATER)
      },
      spares: 'delete from bookings_of_other_days where organization_id = $1',
    },
  }
  for (const [what, { pair, spares }] of Object.entries(PAIRINGS)) {
    it(`${what}, change the bookings of one and leave the other’s`, async () => {
      for (const [mine, other] of [twins, twins.toReversed()] as [Subjects, Subjects][]) {
        await undone(db, async (tx) => {
          await listPaidOnNextDay(tx, mine)
          await tx.query({ text: spares, values: [other.organizationId] })
          const [ownBefore, othersBefore] = await digestsOf(tx, tables, idsOf([mine, other]))
          await pair(tx)
          const [own, others] = await digestsOf(tx, tables, idsOf([mine, other]))
          assert.notEqual(own?.bookings_of_other_days, ownBefore?.bookings_of_other_days)
          assert.deepEqual(others, othersBefore)
        })
      }
    })
  }

  it('one question names every queue that has work, and none whose work is older than its beginning or due later', async () => {
    const queues = [...WORK_QUEUES, 'events'].sort()
    const from = (time: number) => queuesWithWork(db, LATER, () => time)
    assert.deepEqual((await from(0)).sort(), queues)
    assert.deepEqual(await from(LATER + 1), [])
    assert.deepEqual(await queuesWithWork(db, 0, () => 0), ['events'])
    for (const queue of WORK_QUEUES)
      assert.deepEqual(
        await queuesWithWork(db, LATER, (one) => (one === queue ? 0 : LATER + 1)),
        [queue],
        'each has its own beginning',
      )
  })

  it('the backlog sums what is due, each endpoint with its own deliveries', emptied, async () => {
    const [mine, other] = twins
    const alone = (one: Subjects) =>
      undone(db, async (tx) => {
        await deleteRows(tx, tables, one.organizationId)
        return readBacklog(tx, LATER)
      })
    const both = await readBacklog(db, LATER)
    assert.ok(both.due > 0)
    assert.equal(both.due, (await alone(mine)).due + (await alone(other)).due)
    for (const { endpoint, organizationId } of twins) {
      const other = twins.find((one) => one.organizationId !== organizationId) as Subjects
      for (const table of ['deliveries', 'first_attempt_batches']) {
        await undone(db, async (tx) => {
          await updateEndpoint(tx, { ...endpoint, state: 'DISABLED' })
          await deleteRows(
            tx,
            ['deliveries', 'first_attempt_batches'].filter((one) => one !== table),
            organizationId,
          )
          await deleteRows(tx, [table], other.organizationId)
          const beside = await readBacklog(tx, LATER)
          await deleteRows(tx, tables, organizationId)
          assert.deepEqual(
            beside,
            await readBacklog(tx, LATER),
            `a disabled endpoint’s ${table} count for nobody`,
          )
        })
      }
    }
  })

  // These ids are unique among all organizations, so none is the same in both.
  const OF_ANOTHER: Record<string, (tx: Db, organizationId: string, other: Subjects) => Promise<unknown>> = {
    getInvitation: (tx, id, { invitation }) => getInvitation(tx, id, invitation.invitationId),
    revokeInvitation: (tx, id, { invitation }) => revokeInvitation(tx, id, invitation.invitationId, LATER),
    getOwnApiKey: (tx, id, { apiKey }) => getOwnApiKey(tx, id, apiKey.apiKeyId),
    lockOwnApiKey: (tx, id, { apiKey }) => lockOwnApiKey(tx, id, apiKey.apiKeyId),
    updateApiKey: (tx, id, { apiKey }) => updateApiKey(tx, { ...apiKey, organizationId: id, name: 'Otra' }),
    getOwnClient: (tx, id, { client }) => getOwnClient(tx, id, client.clientId),
    lockOwnClient: (tx, id, { client }) => lockOwnClient(tx, id, client.clientId),
    updateOAuthClient: (tx, id, { client }) =>
      updateOAuthClient(tx, { ...client, organizationId: id, name: 'Otro' }),
    'readCredentialName of a key': (tx, id, { apiKey }) => readCredentialName(tx, id, apiKey.apiKeyId),
    'readCredentialName of a client': (tx, id, { client }) => readCredentialName(tx, id, client.clientId),
  }
  for (const [name, call] of Object.entries(OF_ANOTHER)) {
    it(`${name} has nothing for the id of another organization’s`, async () => {
      for (const [mine, other] of [twins, twins.toReversed()] as [Subjects, Subjects][])
        await undone(db, async (tx) => {
          assert.ok(!(await call(tx, mine.organizationId, other)))
          assert.deepEqual(
            (await digestsOf(tx, tables, idsOf([mine, other]))) as unknown[],
            [mine, other].map(untouchedOf),
          )
        })
    })
  }

  // Whoever has locked a row reads what nobody changes until the transaction ends. PostgreSQL notes in the row who has it.
  const rowsHeld = async (tx: Db): Promise<number> => {
    const held = tables.map(
      (table) =>
        `select count(*) as rows from ${table} where xmax::text::bigint = pg_current_xact_id()::text::bigint & 4294967295`,
    )
    const text = `select sum(rows)::integer as sum from (${held.join(' union all ')}) held`
    return (await tx.query<{ sum: number }>({ text })).rows[0]?.sum as number
  }
  const LOCKS: Record<string, Row | Row[]> = {
    ...Object.fromEntries(Object.entries(CALLS).filter(([name]) => /^lock[A-Z]/.test(name))),
    lockApiKey: { finds: (tx, { apiKey }) => lockApiKey(tx, apiKey.apiKeyId) },
    lockOAuthClient: { finds: (tx, { client }) => lockOAuthClient(tx, client.clientId) },
  }
  for (const [name, rows] of Object.entries(LOCKS)) {
    it(`${name} keeps what it has read from changing`, { skip: citusUrl() !== undefined }, async () => {
      const held: number[] = []
      for (const row of [rows].flat())
        await undone(db, async (tx) => {
          await row.given?.(tx, twins[0])
          const before = await rowsHeld(tx)
          await ('finds' in row ? row.finds : row.changes)(tx, twins[0])
          held.push((await rowsHeld(tx)) - before)
        })
      assert.ok(Math.max(...held) > 0)
    })
  }

  // What must go with a table: rows that refer to it.
  const withReferring = (table: string): string[] =>
    table === 'events'
      ? ['redeliveries', 'events']
      : table === 'webhook_endpoints'
        ? ['first_attempt_batches', 'deliveries', 'webhook_endpoints']
        : table === 'audit_entries'
          ? ['audit_unchained', 'audit_chain', 'audit_entries']
          : table === 'organizations'
            ? tables
            : [table]

  for (const [name, rows] of Object.entries(CALLS)) {
    for (const [index, row] of [rows].flat().entries()) {
      it(`${name}${index > 0 ? ` (${index + 1})` : ''} keeps to the organization it is called for`, async () => {
        for (const [mine, other] of [twins, twins.toReversed()] as [Subjects, Subjects][]) {
          const seen = await compare(row, mine, other, [])
          if ('finds' in row) {
            assert.doesNotMatch(
              seen.answer,
              /^(undefined|null|\[(null|undefined)?\]|refused.*)$/,
              'finds its own',
            )
            for (const one of [other.organizationId, UNATTRIBUTED_ORGANIZATION])
              assert.ok(!seen.answer.includes(one), `what it finds is not of ${one}`)
          } else {
            assert.ok(seen.own, 'it has a statement that changes something')
            const before = pickedFrom(seen.before[0], seen.own)
            assert.notDeepEqual(seen.own, before, `changes its own: ${seen.answer}`)
            assert.notEqual(seen.answer, 'false', 'and says so')
          }
          // What it takes of another’s where it has none shows for either of them.
          if (citusUrl() !== undefined || mine !== byDepth(twins[0], mine)) continue
          const answers = new Set<string>()
          for (const table of seen.named)
            answers.add((await compare(row, mine, other, withReferring(table))).answer)
          // What is not there was not changed.
          if (!ADDS.has(name)) assert.notDeepEqual([...answers], ['true'])
        }
      })
    }
  }
})
