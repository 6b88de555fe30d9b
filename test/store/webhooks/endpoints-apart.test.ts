// A merchant has two endpoints that wait for the same events. What is done at one changes nothing of the other, and comes out as if there
// were no other, also where it takes one row at a time and the other's comes first.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Db } from '../../../src/store/db.ts'
import {
  claimDueDeliveries,
  recordAttempts,
  recoverDeliveries,
  releaseDeliveries,
  stopDeliveries,
} from '../../../src/store/webhooks/deliveries.ts'
import { attemptsOfEndpoint, waitingAtEndpoint } from '../../../src/store/webhooks/endpoint-views.ts'
import {
  deleteEndpoint,
  disableEndpoint,
  getEndpoint,
  giveBackSends,
  lockEndpoint,
  markChallenged,
  markFailing,
  markHealthy,
  moveSendsUntil,
  updateEndpoint,
} from '../../../src/store/webhooks/endpoints.ts'
import {
  claimFirstAttempts,
  deleteFirstAttempts,
  finishFirstAttempts,
  releaseFirstAttempts,
} from '../../../src/store/webhooks/first-attempts.ts'
import {
  markParked,
  parkDeliveries,
  parkFirstAttempts,
  resumeDeliveries,
  resumeFirstAttempts,
} from '../../../src/store/webhooks/parked.ts'
import { ORGANIZATION_ID, openOneOrganizationDatabase } from '../one-organization.ts'
import { comparable } from '../rows.ts'
import { attemptOf, FIRST_SEQUENCE, IDS, LATER, LEASE, type Subjects, TWINS_CREATED_AT } from '../twins.ts'

// One that an index has before ours.
const OTHER = '00000000-0000-7000-8000-000000000001'
const ADDRESS = { organizationId: ORGANIZATION_ID, endpointId: IDS.endpoint }
const NEXT_LEASE = { token: IDS.fresh, until: LATER + 60_000 }
const TABLES = ['webhook_endpoints', 'deliveries', 'first_attempt_batches', 'delivery_attempts']

// The same rows under the other's id; what is in order of time or number stands before ours.
const OF_OTHER = TABLES.map((table) => {
  const own =
    table === 'delivery_attempts' ? `, 'attempt_id', md5(t.event_id::text || t.attempt_id)::uuid` : ''
  return `insert into ${table}
          select other.* from ${table} t,
                 jsonb_populate_record(t, jsonb_build_object('endpoint_id', '${OTHER}'${own})) other`
})
const OTHERS_FIRST = [
  `update deliveries set due_at = due_at - interval '1 minute' where endpoint_id = '${OTHER}'`,
  `update first_attempt_batches set first_sequence = 1, due_at = due_at - interval '1 minute' where endpoint_id = '${OTHER}'`,
]

const FREE = [
  'update deliveries set lease_token = null where due_at is not null',
  'update first_attempt_batches set lease_token = null, lease_until = null',
]
const PARKED = [
  ...FREE,
  ...['deliveries', 'first_attempt_batches'].map(
    (table) => `update ${table} set due_at = 'infinity' where due_at is not null`,
  ),
]
const ENDPOINT = (set: string): string[] => [`update webhook_endpoints set ${set}`]

type Done = {
  readonly given?: readonly string[]
  readonly call: (tx: Db, mine: Subjects) => Promise<unknown>
}

const CHANGES: Readonly<Record<string, Done>> = {
  'deliveries are claimed': {
    given: FREE,
    call: (tx) => claimDueDeliveries(tx, ADDRESS, LATER, NEXT_LEASE, 1),
  },
  'deliveries are released': {
    call: (tx) => releaseDeliveries(tx, ADDRESS, [IDS.event], LEASE.token, LATER),
  },
  'an attempt is recorded': {
    call: (tx) =>
      recordAttempts(tx, [
        attemptOf({
          ...{ organizationId: ORGANIZATION_ID, eventId: IDS.event, attemptId: IDS.freshToo, number: 2 },
          ...{ leaseToken: LEASE.token, dueAt: LATER },
        }),
      ]),
  },
  'deliveries are stopped': { call: (tx) => stopDeliveries(tx, ADDRESS, 1) },
  'deliveries are recovered': {
    call: (tx) =>
      recoverDeliveries(tx, ADDRESS, ['payin.confirmed', 'payin.canceled'], 0, IDS.payin, 100, LATER),
  },
  'deliveries are parked': { given: FREE, call: (tx) => parkDeliveries(tx, ADDRESS, LATER, 1) },
  'first attempts are parked': { given: FREE, call: (tx) => parkFirstAttempts(tx, ADDRESS, LATER, 1) },
  'deliveries are resumed': { given: PARKED, call: (tx) => resumeDeliveries(tx, ADDRESS, LATER, 1) },
  'first attempts are resumed': {
    given: PARKED,
    call: (tx) => resumeFirstAttempts(tx, ADDRESS, LATER, 1),
  },
  'it has something parked': {
    given: ENDPOINT('has_parked = false'),
    call: (tx) => markParked(tx, ADDRESS, true),
  },
  'first attempts are claimed': {
    given: FREE,
    call: (tx) => claimFirstAttempts(tx, ADDRESS, LATER, NEXT_LEASE, 1),
  },
  'first attempts are finished': {
    call: (tx) => finishFirstAttempts(tx, ADDRESS, [FIRST_SEQUENCE], LEASE.token),
  },
  'first attempts are released': {
    call: (tx) => releaseFirstAttempts(tx, ADDRESS, [FIRST_SEQUENCE], LEASE.token, [IDS.waiting], LATER),
  },
  'first attempts are deleted': { given: FREE, call: (tx) => deleteFirstAttempts(tx, ADDRESS, 1, LATER) },
  'it is changed': {
    call: (tx, { endpoint }) => updateEndpoint(tx, { ...endpoint, url: 'https://x.example' }),
  },
  'it is deleted': { call: (tx) => deleteEndpoint(tx, ORGANIZATION_ID, IDS.endpoint, LATER) },
  'it fails': {
    given: ENDPOINT('failing_since = null'),
    call: (tx) => markFailing(tx, ORGANIZATION_ID, IDS.endpoint, LATER),
  },
  'it works again': {
    given: ENDPOINT('failing_since = now()'),
    call: (tx) => markHealthy(tx, ORGANIZATION_ID, IDS.endpoint),
  },
  'it is disabled': {
    call: (tx) => disableEndpoint(tx, ORGANIZATION_ID, IDS.endpoint, 'FAILING', LATER),
  },
  'its sends are planned': {
    given: ENDPOINT('sends_until = null'),
    call: (tx) => moveSendsUntil(tx, ADDRESS, null, LATER),
  },
  'its sends are given back': {
    given: ENDPOINT(`sends_until = to_timestamp(${LATER / 1_000})`),
    call: (tx) => giveBackSends(tx, ADDRESS, 10, TWINS_CREATED_AT),
  },
  'it is asked to prove itself': {
    call: (tx) => markChallenged(tx, ORGANIZATION_ID, IDS.endpoint, LATER),
  },
}

const READS: Readonly<Record<string, Done['call']>> = {
  'the endpoint itself': (tx) => getEndpoint(tx, ORGANIZATION_ID, IDS.endpoint),
  'the endpoint, to change it': (tx) => lockEndpoint(tx, ORGANIZATION_ID, IDS.endpoint),
  'how much it waits for': (tx) => waitingAtEndpoint(tx, ADDRESS),
  'its attempts': (tx) => attemptsOfEndpoint(tx, ADDRESS, 'all', null, 99),
}

describe('of two endpoints', () => {
  const { subjects, readAfter } = openOneOrganizationDatabase()

  const rowsOf = async (tx: Db, condition: string): Promise<string[]> => {
    const rows: string[] = []
    for (const table of TABLES) {
      const text = `select t::text as row from ${table} t where endpoint_id ${condition} order by 1`
      rows.push(...(await tx.query<{ row: string }>({ text })).rows.map(({ row }) => row))
    }
    return rows
  }
  const done = (others: readonly string[], { given = [], call }: Done) =>
    readAfter([...others, ...given], async (tx) => {
      const [ownBefore, othersBefore] = [await rowsOf(tx, `<> '${OTHER}'`), await rowsOf(tx, `= '${OTHER}'`)]
      const answer = comparable(await call(tx, subjects()))
      const [own, others] = [await rowsOf(tx, `<> '${OTHER}'`), await rowsOf(tx, `= '${OTHER}'`)]
      return { answer, ownBefore, own, othersBefore, others }
    })

  for (const [what, change] of Object.entries(CHANGES))
    it(`${what} at one alone`, async () => {
      const alone = await done([], change)
      assert.notDeepEqual(alone.own, alone.ownBefore)
      const beside = await done([...OF_OTHER, ...OTHERS_FIRST], change)
      assert.ok(beside.others.length > 0)
      assert.deepEqual([beside.answer, beside.own], [alone.answer, alone.own])
      assert.deepEqual(beside.others, beside.othersBefore)
    })

  for (const [what, call] of Object.entries(READS))
    it(`${what} is read of one alone`, async () => {
      const alone = await done([], { call })
      assert.doesNotMatch(alone.answer, /^(undefined|0|\[\])$/)
      assert.equal((await done([...OF_OTHER, ...OTHERS_FIRST], { call })).answer, alone.answer)
    })
})
