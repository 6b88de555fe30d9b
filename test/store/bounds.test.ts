// Where what a statement reads begins and ends: at which instant, id or number exactly. Each is asked three times, one before the
// value of the row, at it and one after it: with the bound in it or not, it is no other row that is found.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { daysAfter } from '../../src/core/bogota-day.ts'
import { DAY_MS } from '../../src/core/instant.ts'
import { listLapsedApprovals } from '../../src/store/approvals/approvals.ts'
import { entriesAfter, linesAfter } from '../../src/store/audit/chain.ts'
import {
  bookedPayins,
  bookedPayouts,
  connectionsToReconcile,
} from '../../src/store/connections/connection-days.ts'
import type { Db } from '../../src/store/db.ts'
import { namesLookedUpSince, reserveLookupBudget } from '../../src/store/directory/key-lookups.ts'
import {
  DUE_QUEUES,
  overdueIn,
  STUCK_KINDS,
  type StuckKind,
  stuckRows,
  untoldAlarms,
} from '../../src/store/doctor/overdue-work.ts'
import { earliestDue, newestDue, oldestDue, placeBefore, WORK_QUEUES } from '../../src/store/due-work.ts'
import { listEvents } from '../../src/store/events/events.ts'
import { listRedeliveries } from '../../src/store/events/redeliveries.ts'
import { getRecords, RECORD_LIFE_MS } from '../../src/store/idempotency.ts'
import { FIRST_ID, LAST_ID } from '../../src/store/keyset-list.ts'
import {
  countAlarmsTold,
  listDueAlarmMails,
  listOrganizationsToTell,
} from '../../src/store/ledger/alarm-mails.ts'
import { openDaysFrom, organizationsToClose } from '../../src/store/ledger/closing-marks.ts'
import { lastCloseUntil } from '../../src/store/ledger/daily-closes.ts'
import { digestsOfTransfers, idAfterTransfers, sumsOfBookings } from '../../src/store/ledger/day-sums.ts'
import { suspenseToWatch } from '../../src/store/ledger/suspense.ts'
import { payinsOfPersonNear, payinsWithWordNear } from '../../src/store/ledger/suspense-candidates.ts'
import { countWorkingApiKeys } from '../../src/store/organizations/own-credentials.ts'
import { payinEndings, payinFigures } from '../../src/store/payins/figures.ts'
import { listDueMails } from '../../src/store/payins/receipt-mails.ts'
import { findBatchOfFile } from '../../src/store/payout-batches/batches.ts'
import { listRecentPayouts } from '../../src/store/payouts/recent.ts'
import { listKeptAnswers } from '../../src/store/people/copies.ts'
import { listPeople, organizationsBehindMark } from '../../src/store/people/people.ts'
import { searchedBetween } from '../../src/store/search/objects.ts'
import { eraseEarlierSecrets } from '../../src/store/secrets.ts'
import { listDueInvitations } from '../../src/store/team/invitation-mails.ts'
import { countInvitationsSince, listUnexpiredInvitations } from '../../src/store/team/invitations.ts'
import { listSessions } from '../../src/store/team/sessions.ts'
import { countAttempt, lockedUntil } from '../../src/store/team/sign-in-failures.ts'
import { findToken } from '../../src/store/team/sign-in-tokens.ts'
import { listBacklog, readBacklog } from '../../src/store/webhooks/delivery-views.ts'
import { attemptsOfEndpoint, healthOfEndpoints } from '../../src/store/webhooks/endpoint-views.ts'
import { hasChallenges } from '../../src/store/webhooks/endpoints.ts'
import { FILE_DIGEST } from './batch-twins.ts'
import { ORGANIZATION_ID as MINE, openOneOrganizationDatabase } from './one-organization.ts'
import { DAY, DIGEST, IDS, KEY_STRING, LATER, SESSION, WORD } from './twins.ts'

const AT = `to_timestamp(${LATER / 1_000})`
// Long before and long after.
const EARLIER = 'to_timestamp(0)'
const LONG_AFTER = LATER + 90 * DAY_MS
const ADDRESS = { organizationId: MINE, connectionId: IDS.connection }
const ENDPOINT = { organizationId: MINE, endpointId: IDS.endpoint }

// The id so far from another.
const idBeside = (id: string, by: number): string =>
  `${id.slice(0, 24)}${(Number.parseInt(id.slice(24), 16) + by).toString(16).padStart(12, '0')}`

// What is found when it is asked one before the value, at it, and one after it.
const FOUND = {
  'from then on': [false, true, true],
  'only later': [false, false, true],
  'until then': [true, true, false],
  'only before': [true, false, false],
} as const

type Bound = {
  readonly found: keyof typeof FOUND
  // How the row gets the value, where it has not got it.
  readonly rows?: readonly string[]
  readonly read: (tx: Db, by: -1 | 0 | 1) => Promise<unknown>
}

// Beside the row, where only one may be in a range.
const ALONE = (table: string, column: string, id: string): string =>
  `delete from ${table} where ${column} <> '${id}'`
const range = (id: string, by: number, side: 'from' | 'before') =>
  side === 'from'
    ? { fromId: idBeside(id, by), beforeId: LAST_ID }
    : { fromId: FIRST_ID, beforeId: idBeside(id, by) }

const CONFIRMED_BY_CONNECTION = [
  `update payins set status = 'CONFIRMED', confirmed_amount_cents = 1, result_at = ${AT} where payin_id = '${IDS.unleased}'`,
]
const PAID_BY_CONNECTION = [
  `update payouts set status = 'CONFIRMED', result_at = ${AT} where payout_id = '${IDS.sent}'`,
]
const DELIVERY_DUE = [
  'delete from first_attempt_batches',
  'delete from deliveries where due_at is null',
  `update deliveries set due_at = ${AT}, lease_token = null`,
]
const BATCH = (set: string): string[] => ['delete from deliveries', `update first_attempt_batches set ${set}`]

const BOUNDS: Readonly<Record<string, Bound>> = {
  'an approval lapses': {
    found: 'from then on',
    rows: [`update approvals set status = 'WAITING', lapses_at = ${AT}`],
    read: (tx, by) => listLapsedApprovals(tx, LATER + by, 9),
  },
  'a connection is compared': {
    found: 'from then on',
    rows: [`update connections set reconcile_after = ${AT}`],
    read: (tx, by) => connectionsToReconcile(tx, ['wompi'], DAY, LATER + by, 9),
  },
  'a connection is compared for a day after the last': {
    found: 'only later',
    rows: [`update connections set reconcile_after = ${EARLIER}, reconciled_day = '${DAY}'`],
    read: (tx, by) => connectionsToReconcile(tx, ['wompi'], daysAfter(DAY, by), LATER, 9),
  },
  'payins of a connection that were confirmed since': {
    found: 'until then',
    rows: CONFIRMED_BY_CONNECTION,
    read: (tx, by) => bookedPayins(tx, ADDRESS, LATER + by, LONG_AFTER),
  },
  'payins of a connection that were confirmed before': {
    found: 'only later',
    rows: CONFIRMED_BY_CONNECTION,
    read: (tx, by) => bookedPayins(tx, ADDRESS, 0, LATER + by),
  },
  'payouts of a connection that were paid since': {
    found: 'until then',
    rows: PAID_BY_CONNECTION,
    read: (tx, by) => bookedPayouts(tx, ADDRESS, LATER + by, LONG_AFTER),
  },
  'payouts of a connection that were paid before': {
    found: 'only later',
    rows: PAID_BY_CONNECTION,
    read: (tx, by) => bookedPayouts(tx, ADDRESS, 0, LATER + by),
  },
  'a key that was looked up since': {
    found: 'until then',
    rows: [`update key_lookups set looked_up_at = ${AT}`],
    read: (tx, by) => namesLookedUpSince(tx, MINE, [KEY_STRING], LATER + by),
  },
  'a price that is left in the budget': {
    found: 'until then',
    rows: [`update lookup_budgets set tokens = 5, counted_at = ${AT}`],
    read: (tx, by) => reserveLookupBudget(tx, MINE, 5 + by, { capacity: 9, perSecond: 0 }, LATER),
  },
  'alarms due to be told before': {
    found: 'only later',
    rows: [`update alarms set created_at = ${EARLIER}, mail_due_at = ${AT}`],
    read: (tx, by) => untoldAlarms(tx, LATER + by),
  },
  'alarms raised before, and untold': {
    found: 'only later',
    rows: [`update alarms set created_at = ${AT}, mail_due_at = '-infinity'`],
    read: (tx, by) => untoldAlarms(tx, LATER + by),
  },
  'an event behind another': {
    found: 'only before',
    rows: [`delete from events where sequence > 2`, 'delete from events where sequence = 1'],
    read: (tx, by) => listEvents(tx, MINE, 2 + by, {}, 9),
  },
  'a redelivery behind another': {
    found: 'only before',
    read: (tx, by) => listRedeliveries(tx, MINE, 1 + by, 9),
  },
  'an answer that is kept for its key': {
    found: 'only before',
    rows: [`update idempotency_records set created_at = ${AT}`],
    read: async (tx, by) =>
      (await getRecords(tx, [{ organizationId: MINE, key: 'key-1' }], LATER + RECORD_LIFE_MS + by))[0],
  },
  'alarms of an organization that are due': {
    found: 'from then on',
    rows: [`update alarms set mail_due_at = ${AT}`],
    read: (tx, by) => listOrganizationsToTell(tx, LATER + by, 9),
  },
  'alarms that were told since': {
    found: 'only before',
    rows: [`update alarms set created_at = ${AT}, mail_due_at = null, resolved_at = null`],
    read: (tx, by) => countAlarmsTold(tx, MINE, LATER + by),
  },
  'an e-mail about alarms is due': {
    found: 'from then on',
    rows: [`update alarm_mails set due_at = ${AT}`],
    read: (tx, by) => listDueAlarmMails(tx, LATER + by, 9),
  },
  'the close of a day is due': {
    found: 'from then on',
    rows: [`update closing_marks set due_at = ${AT}`],
    read: (tx, by) => organizationsToClose(tx, LATER + by, 9),
  },
  'days open later than they did': {
    found: 'only later',
    rows: [`update closing_marks set open_from = ${AT}`],
    read: (tx, by) => openDaysFrom(tx, MINE, LATER + by, LATER),
  },
  'the last close until a day': {
    found: 'from then on',
    read: (tx, by) => lastCloseUntil(tx, MINE, daysAfter(DAY, by - 1)),
  },
  'suspense that was decided about since': {
    found: 'until then',
    rows: [`update suspense_items set updated_at = ${AT}`],
    read: (tx, by) => suspenseToWatch(tx, LATER + by),
  },
  'an API key works': {
    found: 'only before',
    rows: [`update api_keys set expires_at = ${AT}`],
    read: (tx, by) => countWorkingApiKeys(tx, MINE, LATER + by),
  },
  'a receipt is due': {
    found: 'from then on',
    rows: [`update receipt_mails set due_at = ${AT}`],
    read: (tx, by) => listDueMails(tx, LATER + by, 9),
  },
  'payouts since an id': {
    found: 'until then',
    read: (tx, by) => listRecentPayouts(tx, MINE, idBeside(IDS.sent, by), [1_001n], 9),
  },
  'batches of a file since an id': {
    found: 'until then',
    read: (tx, by) => findBatchOfFile(tx, MINE, FILE_DIGEST, idBeside(IDS.batch, by)),
  },
  'people behind an id': {
    found: 'only before',
    read: (tx, by) => listPeople(tx, 'paymentlink', MINE, idBeside(IDS.pageLink, by), LAST_ID, 9),
  },
  'people before an id': {
    found: 'only later',
    read: (tx, by) => listPeople(tx, 'paymentlink', MINE, FIRST_ID, idBeside(IDS.link, by), 9),
  },
  'organizations with people before an id': {
    found: 'only later',
    read: (tx, by) => organizationsBehindMark(tx, 'paymentlink', idBeside(IDS.link, by), 9, []),
  },
  'what is searched behind an id': {
    found: 'only before',
    read: (tx, by) => searchedBetween(tx, 'paymentlink', MINE, idBeside(IDS.pageLink, by), LAST_ID, 9),
  },
  'what is searched through an id': {
    found: 'from then on',
    read: (tx, by) => searchedBetween(tx, 'paymentlink', MINE, FIRST_ID, idBeside(IDS.link, by), 9),
  },
  'secrets of an endpoint that no longer work': {
    found: 'from then on',
    rows: [`update webhook_endpoints set sealed_previous = sealed_secret, previous_until = ${AT}`],
    read: (tx, by) => eraseEarlierSecrets(tx, 'webhook_endpoints', LATER + by),
  },
  'an invitation is to be sent': {
    found: 'from then on',
    rows: [`update invitations set mail_due_at = ${AT}`],
    read: (tx, by) => listDueInvitations(tx, LATER + by, 9),
  },
  'an invitation is not too old': {
    found: 'only before',
    rows: [`update invitations set expires_at = ${AT}`],
    read: (tx, by) => listUnexpiredInvitations(tx, MINE, LATER + by),
  },
  'invitations that were made since': {
    found: 'only before',
    rows: [`update invitations set created_at = ${AT}`],
    read: (tx, by) => countInvitationsSince(tx, MINE, LATER + by),
  },
  'a session lives': {
    found: 'only before',
    rows: [`update sessions set expires_at = ${AT}`],
    read: (tx, by) => listSessions(tx, SESSION.userId, LATER + by, 0),
  },
  'a session that was seen after': {
    found: 'only before',
    rows: [`update sessions set seen_at = ${AT}`],
    read: (tx, by) => listSessions(tx, SESSION.userId, 0, LATER + by),
  },
  'a token to sign in with works': {
    found: 'only before',
    rows: [
      `insert into sign_in_tokens (digest, purpose, expires_at) values ('\\x${'09'.repeat(32)}', 'second-step', ${AT})`,
    ],
    read: (tx, by) => findToken(tx, Buffer.alloc(32, 9), 'second-step', LATER + by),
  },
  'a failed sign-in counts beside the one before': {
    found: 'only before',
    read: async (tx, by) => {
      const rule = { after: 2, windowMs: 60_000, lockMs: 60_000 }
      const subject = Buffer.alloc(32, 9)
      await countAttempt(tx, subject, LATER, rule)
      await countAttempt(tx, subject, LATER + 60_000 + by, rule)
      return lockedUntil(tx, subject)
    },
  },
  'deliveries that are due': {
    found: 'from then on',
    rows: DELIVERY_DUE,
    read: async (tx, by) => (await readBacklog(tx, LATER + by)).due,
  },
  'deliveries of an endpoint that are due': {
    found: 'from then on',
    rows: DELIVERY_DUE,
    read: async (tx, by) => (await listBacklog(tx, LATER + by))[0]?.due,
  },
  'first attempts that are due': {
    found: 'from then on',
    rows: BATCH(`due_at = ${AT}, lease_token = null, lease_until = null`),
    read: async (tx, by) => (await readBacklog(tx, LATER + by)).due,
  },
  'first attempts that nobody has any more': {
    found: 'from then on',
    rows: BATCH(`due_at = ${EARLIER}, lease_until = ${AT}`),
    read: async (tx, by) => (await readBacklog(tx, LATER + by)).due,
  },
  'an endpoint that was asked to prove itself since': {
    found: 'only before',
    rows: [`update webhook_endpoints set challenged_at = ${AT}`],
    read: (tx, by) => hasChallenges(tx, MINE, LATER + by),
  },
  'attempts on events since an id': {
    found: 'until then',
    rows: [ALONE('delivery_attempts', 'event_id', IDS.event)],
    read: (tx, by) => healthOfEndpoints(tx, MINE, idBeside(IDS.event, by)),
  },
  'attempts behind one of the same event': {
    found: 'only later',
    rows: [ALONE('delivery_attempts', 'event_id', IDS.event)],
    read: (tx, by) =>
      attemptsOfEndpoint(
        tx,
        ENDPOINT,
        'all',
        { eventId: IDS.event, attemptId: idBeside(IDS.attemptId, by) },
        9,
      ),
  },
  'lines of the audit log behind one': {
    found: 'only before',
    read: (tx, by) => linesAfter(tx, MINE, 1 + by, 9),
  },
  'entries of the audit log behind one': {
    found: 'only before',
    read: async (tx, by) => (await entriesAfter(tx, MINE, idBeside(IDS.unchained, by), 9)).loose,
  },
  'kept answers behind a key': {
    found: 'only before',
    rows: [`delete from idempotency_records where idempotency_key <> 'key-1'`],
    read: (tx, by) => listKeptAnswers(tx, MINE, ['key-0', 'key-1', 'key-2'][1 + by] as string, 9),
  },
  ...Object.fromEntries(
    (['from', 'before'] as const).flatMap((side): [string, Bound][] => {
      const found = side === 'from' ? 'until then' : 'only later'
      const payin = side === 'from' ? IDS.confirmed : IDS.payin
      const rows = [ALONE('ledger_transfers', 'transfer_id', IDS.transfer)]
      const booked = (by: number) => range(IDS.transfer, by, side)
      const near = (by: number, at: string) => ({ ...range(IDS.payin, by, side), at, limit: 9 })
      // Bounds are looked at on either side of a time.
      const at = side === 'from' ? LAST_ID : FIRST_ID
      return [
        [`sums ${side} an id`, { found, rows, read: (tx, by) => sumsOfBookings(tx, MINE, booked(by)) }],
        [
          `digests ${side} an id`,
          { found, rows, read: (tx, by) => digestsOfTransfers(tx, MINE, booked(by)) },
        ],
        [
          `the first transfer ${side} an id`,
          { found, rows, read: (tx, by) => idAfterTransfers(tx, MINE, booked(by), 0) },
        ],
        [
          `figures of payins ${side} an id`,
          {
            found,
            read: async (tx, by) => (await payinFigures(tx, MINE, range(payin, by, side), 9)).figures,
          },
        ],
        [
          `ends of payins ${side} an id`,
          { found, read: (tx, by) => payinEndings(tx, MINE, range(payin, by, side), 9) },
        ],
        [
          `payins with a word ${side} an id`,
          { found, read: (tx, by) => payinsWithWordNear(tx, MINE, [WORD], near(by, at)) },
        ],
        [
          `payins of a person ${side} an id`,
          { found, read: (tx, by) => payinsOfPersonNear(tx, MINE, DIGEST, near(by, at)) },
        ],
      ]
    }),
  ),
  ...Object.fromEntries(
    WORK_QUEUES.flatMap((queue): [string, Bound][] => {
      const rows = [`update ${queue} set due_at = ${AT} where due_at is not null`]
      const found = 'from then on'
      return [
        [`the oldest of ${queue}`, { found, rows, read: (tx, by) => oldestOf(tx, queue, LATER + by) }],
        [`the newest of ${queue}`, { found, rows, read: (tx, by) => newestDue(tx, queue, LATER + by, 9) }],
        [
          `the earliest of ${queue}`,
          { found, rows, read: (tx, by) => earliestDue(tx, queue, LATER + by, false) },
        ],
      ]
    }),
  ),
  ...Object.fromEntries(
    DUE_QUEUES.map((queue): [string, Bound] => {
      const column = queue === 'invitations' ? 'mail_due_at' : 'due_at'
      const rows = [`update ${queue} set ${column} = ${AT} where ${column} is not null`]
      return [
        `${queue} that were due before`,
        { found: 'only later', rows, read: (tx, by) => overdueIn(tx, queue, LATER + by) },
      ]
    }),
  ),
}

async function oldestOf(tx: Db, queue: (typeof WORK_QUEUES)[number], now: number): Promise<string[]> {
  return (await oldestDue(tx, queue, now, placeBefore(0), 9)).owners
}

// What makes a row one of its kind.
const IS_STUCK: Readonly<Record<StuckKind, string>> = {
  'unknown payouts': `payouts set status = 'PROCESSING', stage = 'SENT'`,
  'contradicted payouts': `payouts set status = 'PROCESSING', stage = 'STOPPED'`,
  'forgotten payouts': `payouts set status = 'PROCESSING', stage = 'SENT', due_at = null`,
  'unended payins': `payins set expires_at = ${AT}`,
  'forgotten payins': `payins set due_at = null`,
  'unknown refunds': `refunds set status = 'PROCESSING', stage = 'SENDING'`,
  'forgotten batches': `payout_batches set status = 'PROCESSING', due_at = null`,
  'batches held back': `payout_batches set due_at = 'infinity'`,
  'refunds held back': `refunds set due_at = 'infinity'`,
  'payouts held back': `payouts set due_at = 'infinity'`,
  'approvals that should have lapsed': `approvals set status = 'WAITING', lapses_at = ${AT}`,
}

const isFound = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0
    : value !== undefined && value !== null && value !== false && value !== 0

describe('what is read', () => {
  const { readAfter } = openOneOrganizationDatabase()
  const foundAround = async ({ rows = [], read }: Omit<Bound, 'found'>): Promise<boolean[]> => {
    const found: boolean[] = []
    for (const by of [-1, 0, 1] as const) found.push(isFound(await readAfter(rows, (tx) => read(tx, by))))
    return found
  }

  for (const [what, bound] of Object.entries(BOUNDS))
    it(`of ${what}: ${bound.found}`, async () => {
      assert.deepEqual(await foundAround(bound), FOUND[bound.found])
    })

  for (const kind of STUCK_KINDS)
    it(`of ${kind}: only later`, async () => {
      const rows = [`update ${IS_STUCK[kind]}, updated_at = ${AT}`]
      const read: Bound['read'] = (tx, by) => stuckRows(tx, kind, LATER + by)
      assert.deepEqual(await foundAround({ rows, read }), FOUND['only later'])
    })

  it('near an id is on one side of it or the other, and not on both', async () => {
    for (const by of [-1, 0, 1]) {
      const near = { at: idBeside(IDS.payin, by), fromId: FIRST_ID, beforeId: LAST_ID, limit: 9 }
      const found = await readAfter([], async (tx) => [
        await payinsWithWordNear(tx, MINE, [WORD], near),
        await payinsOfPersonNear(tx, MINE, DIGEST, near),
      ])
      assert.deepEqual(found, [[IDS.payin], [IDS.payin]])
    }
  })

  it('of more payins than are asked for come the nearest before and after', async () => {
    const near = [-3, -2, -1, 1, 2, 3].map((by) => idBeside(IDS.payin, by))
    const alsoAt = (table: string): string =>
      `insert into ${table}
       select (jsonb_populate_record(t, jsonb_build_object('object_id', near.id))).*
         from ${table} t, unnest('{${near.join()}}'::uuid[]) as near (id)
        where t.object_id = '${IDS.payin}'`
    const range = { at: IDS.payin, fromId: FIRST_ID, beforeId: LAST_ID, limit: 2 }
    const found = await readAfter([alsoAt('search_words'), alsoAt('people_digests')], async (tx) => [
      await payinsWithWordNear(tx, MINE, [WORD], range),
      await payinsOfPersonNear(tx, MINE, DIGEST, range),
    ])
    const nearest = [0, -1, 1, 2].map((by) => idBeside(IDS.payin, by))
    assert.deepEqual(found, [nearest, nearest])
  })
})
