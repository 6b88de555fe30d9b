// What takes a limit reads no more than so many: one where one is asked for, and nothing where none is.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY_MS } from '../../src/core/instant.ts'
import { listLapsedApprovals } from '../../src/store/approvals/approvals.ts'
import { linesAfter, takeUnchained } from '../../src/store/audit/chain.ts'
import { requestsOfObject } from '../../src/store/audit/requests.ts'
import { connectionsToReconcile } from '../../src/store/connections/connection-days.ts'
import { claimDueNotices } from '../../src/store/connections/notices.ts'
import type { Db } from '../../src/store/db.ts'
import { newestDue, oldestDue, placeBefore, WORK_QUEUES } from '../../src/store/due-work.ts'
import { listEvents } from '../../src/store/events/events.ts'
import { listRedeliveries } from '../../src/store/events/redeliveries.ts'
import { FIRST_ID, LAST_ID } from '../../src/store/keyset-list.ts'
import {
  listAlarmsToTell,
  listDueAlarmMails,
  listOrganizationsToTell,
} from '../../src/store/ledger/alarm-mails.ts'
import { organizationsToClose } from '../../src/store/ledger/closing-marks.ts'
import { listRuns } from '../../src/store/ledger/statement-runs.ts'
import { payinsOfPersonNear, payinsWithWordNear } from '../../src/store/ledger/suspense-candidates.ts'
import { claimDuePayins } from '../../src/store/payins/payins.ts'
import { listDueMails } from '../../src/store/payins/receipt-mails.ts'
import { claimDueLinks } from '../../src/store/payment-links/payment-links.ts'
import { claimDueBatches } from '../../src/store/payout-batches/batches.ts'
import { claimDuePayouts } from '../../src/store/payouts/payouts.ts'
import { listRecentPayouts } from '../../src/store/payouts/recent.ts'
import { listKeptAnswers } from '../../src/store/people/copies.ts'
import { listPeople, organizationsBehindMark } from '../../src/store/people/people.ts'
import { claimDueRefunds } from '../../src/store/refunds/refunds.ts'
import { newestUnworded, searchedBetween, toldAfter } from '../../src/store/search/objects.ts'
import { listSealed } from '../../src/store/secrets.ts'
import { listDueInvitations } from '../../src/store/team/invitation-mails.ts'
import { claimDueDeliveries, stopDeliveries } from '../../src/store/webhooks/deliveries.ts'
import { attemptsOfEndpoint } from '../../src/store/webhooks/endpoint-views.ts'
import { parkDeliveries, parkFirstAttempts } from '../../src/store/webhooks/parked.ts'
import { ORGANIZATION_ID as MINE, openOneOrganizationDatabase } from './one-organization.ts'
import { DAY, DIGEST, IDS, LATER, WORD } from './twins.ts'

type Read = (tx: Db, limit: number) => Promise<unknown>

const ENDPOINT = { organizationId: MINE, endpointId: IDS.endpoint }
const LEASE = { token: IDS.fresh, until: LATER + DAY_MS }
const near = (at: string, limit: number) => ({ at, fromId: FIRST_ID, beforeId: LAST_ID, limit })

// Everything is due, and nobody has any of it.
const DUE = [
  `update approvals set status = 'WAITING', lapses_at = to_timestamp(0)`,
  'update connections set reconcile_after = to_timestamp(0)',
  'update alarms set mail_due_at = to_timestamp(0)',
  'update invitations set mail_due_at = to_timestamp(0)',
  'update deliveries set lease_token = null where due_at is not null',
  'update first_attempt_batches set lease_token = null, lease_until = null',
  ...['payins', 'payouts', 'refunds', 'payout_batches'].map(
    (table) => `update ${table} set due_at = to_timestamp(0), lease_token = null`,
  ),
  'update payment_links set due_at = to_timestamp(0)',
]

const READS: Readonly<Record<string, Read>> = {
  listLapsedApprovals: (tx, limit) => listLapsedApprovals(tx, LATER, limit),
  linesAfter: (tx, limit) => linesAfter(tx, MINE, 0, limit),
  takeUnchained: (tx, limit) => takeUnchained(tx, MINE, limit),
  requestsOfObject: (tx, limit) => requestsOfObject(tx, MINE, IDS.payin, limit),
  connectionsToReconcile: (tx, limit) => connectionsToReconcile(tx, ['wompi'], DAY, LATER, limit),
  claimDueNotices: (tx, limit) => claimDueNotices(tx, MINE, LATER, LATER + 1, limit),
  listEvents: (tx, limit) => listEvents(tx, MINE, 0, {}, limit),
  listRedeliveries: (tx, limit) => listRedeliveries(tx, MINE, 0, limit),
  listAlarmsToTell: (tx, limit) => listAlarmsToTell(tx, MINE, limit),
  listDueAlarmMails: (tx, limit) => listDueAlarmMails(tx, LATER, limit),
  listOrganizationsToTell: (tx, limit) => listOrganizationsToTell(tx, LATER, limit),
  organizationsToClose: (tx, limit) => organizationsToClose(tx, LATER, limit),
  listRuns: (tx, limit) => listRuns(tx, limit),
  'payinsWithWordNear, before': (tx, limit) => payinsWithWordNear(tx, MINE, [WORD], near(LAST_ID, limit)),
  'payinsWithWordNear, after': (tx, limit) => payinsWithWordNear(tx, MINE, [WORD], near(FIRST_ID, limit)),
  'payinsOfPersonNear, before': (tx, limit) => payinsOfPersonNear(tx, MINE, DIGEST, near(LAST_ID, limit)),
  'payinsOfPersonNear, after': (tx, limit) => payinsOfPersonNear(tx, MINE, DIGEST, near(FIRST_ID, limit)),
  claimDuePayins: (tx, limit) => claimDuePayins(tx, MINE, LATER, LEASE, limit),
  claimDuePayouts: (tx, limit) => claimDuePayouts(tx, MINE, LATER, LEASE, limit),
  claimDueRefunds: (tx, limit) => claimDueRefunds(tx, MINE, LATER, LEASE, limit),
  claimDueLinks: (tx, limit) => claimDueLinks(tx, MINE, LATER, LATER + 1, limit),
  claimDueBatches: (tx, limit) => claimDueBatches(tx, MINE, LATER, LEASE, limit),
  listDueMails: (tx, limit) => listDueMails(tx, LATER, limit),
  listRecentPayouts: (tx, limit) => listRecentPayouts(tx, MINE, FIRST_ID, [1_001n], limit),
  listKeptAnswers: (tx, limit) => listKeptAnswers(tx, MINE, '', limit),
  listPeople: (tx, limit) => listPeople(tx, 'paymentlink', MINE, FIRST_ID, LAST_ID, limit),
  organizationsBehindMark: (tx, limit) => organizationsBehindMark(tx, 'paymentlink', LAST_ID, limit, []),
  searchedBetween: (tx, limit) => searchedBetween(tx, 'paymentlink', MINE, FIRST_ID, LAST_ID, limit),
  newestUnworded: (tx, limit) => newestUnworded(tx, 'payin', MINE, limit),
  toldAfter: (tx, limit) => toldAfter(tx, MINE, 0n, limit),
  listSealed: (tx, limit) => listSealed(tx, 'webhook secrets', null, limit),
  listDueInvitations: (tx, limit) => listDueInvitations(tx, LATER, limit),
  claimDueDeliveries: (tx, limit) => claimDueDeliveries(tx, ENDPOINT, LATER, LEASE, limit),
  stopDeliveries: (tx, limit) => stopDeliveries(tx, ENDPOINT, limit),
  parkDeliveries: (tx, limit) => parkDeliveries(tx, ENDPOINT, LATER, limit),
  parkFirstAttempts: (tx, limit) => parkFirstAttempts(tx, ENDPOINT, LATER, limit),
  attemptsOfEndpoint: (tx, limit) => attemptsOfEndpoint(tx, ENDPOINT, 'all', null, limit),
  ...Object.fromEntries(
    WORK_QUEUES.flatMap((queue): [string, Read][] => [
      [`newest ${queue}`, (tx, limit) => newestDue(tx, queue, LATER, limit)],
      [
        `oldest ${queue}`,
        async (tx, limit) => (await oldestDue(tx, queue, LATER, placeBefore(0), limit)).owners,
      ],
    ]),
  ),
}

const countOf = (value: unknown): number => (Array.isArray(value) ? value.length : Number(value))

describe('what takes a limit', () => {
  const { readAfter } = openOneOrganizationDatabase()

  for (const [name, read] of Object.entries(READS))
    it(`${name} reads no more than it is asked for`, async () => {
      const counts = await readAfter(DUE, async (tx) => [
        countOf(await read(tx, 0)),
        countOf(await read(tx, 1)),
      ])
      assert.deepEqual(counts, [0, 1])
    })
})
