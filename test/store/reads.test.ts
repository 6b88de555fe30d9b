// What statements tell that only read: the marks of pages, the work that nobody does, and the figures of overviews. Each is asked again
// after one change of one row, and says what it is about and nothing else.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { firstIdAt } from '../../src/core/ids.ts'
import { DAY_MS } from '../../src/core/instant.ts'
import type { Queryable } from '../../src/store/db.ts'
import { namesLookedUpSince } from '../../src/store/directory/key-lookups.ts'
import { type StuckKind, stuckRows, untoldAlarms } from '../../src/store/doctor/overdue-work.ts'
import { undeliveredBefore } from '../../src/store/events/undelivered.ts'
import { linkPageMarks, payinPageMarks } from '../../src/store/page-marks.ts'
import { lockIdleLink } from '../../src/store/payment-links/payment-links.ts'
import { findBatchOfFile } from '../../src/store/payout-batches/batches.ts'
import { readBatchTotals } from '../../src/store/payout-batches/rows.ts'
import { toldAfter } from '../../src/store/search/objects.ts'
import { type MarkedObject, objectMarks } from '../../src/store/shown-marks.ts'
import { idsMadeBy } from '../../src/store/team/made-by.ts'
import { FILE_DIGEST } from './batch-twins.ts'
import { ORGANIZATION_ID, openOneOrganizationDatabase } from './one-organization.ts'
import { IDS, KEY_STRING, LATER, TWINS_CREATED_AT } from './twins.ts'

describe('a statement that reads', () => {
  const { subjects, readAfter } = openOneOrganizationDatabase()
  // What is read before and after a change.
  const apart = async <Answer>(text: string, read: (tx: Queryable) => Promise<Answer>) => {
    const earlier = await readAfter([], read)
    assert.deepEqual(await readAfter([], read), earlier)
    return [earlier, await readAfter([text], read)] as const
  }

  const SHOWN: readonly [MarkedObject, id: string, change: string][] = [
    ['payins', IDS.payin, `update payins set rail_stage = 'TO_CLOSE' where payin_id = '${IDS.payin}'`],
    ['payins', IDS.payin, `update payins set key_string = '@OTHER' where payin_id = '${IDS.payin}'`],
    [
      'payins',
      IDS.unleased,
      `update payins set bank_url = 'https://bank.example' where payin_id = '${IDS.unleased}'`,
    ],
    ['payins', IDS.unleased, `update payins set customer = '{}' where payin_id = '${IDS.unleased}'`],
    ['refunds', IDS.refund, `update refunds set attempts = attempts + 1`],
    ['refunds', IDS.refund, `update refunds set stage = 'READY'`],
    ['events', IDS.event, `update deliveries set state = 'FAILED' where event_id = '${IDS.event}'`],
    ['events', IDS.event, `delete from delivery_attempts where event_id = '${IDS.event}'`],
  ]
  for (const [kind, id, text] of SHOWN)
    it(`has another mark for ${kind} after “${text.replace(/ where .*/, '')}”`, async () => {
      const [earlier, later] = await apart(text, (tx) =>
        objectMarks(tx, kind, [{ organizationId: ORGANIZATION_ID, id }]),
      )
      assert.notDeepEqual(later, earlier)
    })

  it('has the same mark for a link after a change of a payin of another', async () => {
    const elsewhere = `update payins set version = version + 1 where payment_link_id is distinct from '${IDS.link}'`
    const [earlier, later] = await apart(elsewhere, (tx) =>
      objectMarks(tx, 'links', [{ organizationId: ORGANIZATION_ID, id: IDS.link }]),
    )
    assert.deepEqual(later, earlier)
  })

  it('of the keys that were asked for, those that were looked up are named, and no other', async () => {
    const among = (...names: string[]) =>
      readAfter([], (tx) => namesLookedUpSince(tx, ORGANIZATION_ID, names, 0))
    assert.deepEqual(await among('@NOBODY', KEY_STRING), [KEY_STRING])
    assert.deepEqual(await among('@NOBODY'), [])
  })

  it('what events tell of is read from the first one on, and goes on after it', async () => {
    const told = await readAfter([], (tx) => toldAfter(tx, ORGANIZATION_ID, 0n, 100))
    const sequences = told.map(({ sequence }) => sequence)
    assert.ok(sequences.length > 2)
    const ascending = sequences.toSorted((a, b) => (a < b ? -1 : 1))
    assert.deepEqual(sequences, ascending)
    const [first, second] = await Promise.all(
      [0n, ascending[0] as bigint].map((after) =>
        readAfter([], (tx) => toldAfter(tx, ORGANIZATION_ID, after, 1)),
      ),
    )
    assert.deepEqual([first, second], [[told[0]], [told[1]]])
  })

  it('what is before an event is told, whatever becomes of the event itself', async () => {
    const everythingTold = [
      'update deliveries set due_at = null',
      'delete from first_attempt_batches',
      'delete from events where sequence is null',
    ]
    const LATER_ID = '01900000-ffff-7000-8000-000000000000'
    const batch = `insert into first_attempt_batches (organization_id, endpoint_id, first_sequence, event_ids, due_at)
                   values ('${ORGANIZATION_ID}', '${IDS.endpoint}', 900, array['${LATER_ID}'::uuid], now())`
    const event = `insert into events (organization_id, event_id, type, resource, object_id, version, data, created_at)
                   values ('${ORGANIZATION_ID}', '${LATER_ID}', 'payin.confirmed', 'payin', '${IDS.payin}', 2, '{}', now())`
    const delivery = `insert into deliveries (organization_id, endpoint_id, event_id, sequence, state, attempts, schedule_from, due_at, created_at)
                      values ('${ORGANIZATION_ID}', '${IDS.endpoint}', '${LATER_ID}', 900, 'PENDING', 1, 0, now(), now())`
    const numbered = event
      .replace('type,', 'type, sequence,')
      .replace(`'payin.confirmed',`, `'payin.confirmed', 900,`)
    for (const [because, ...changes] of [
      ['events have no number yet', event],
      ['events were never sent', batch],
      ['deliveries are to be tried again', numbered, delivery],
    ] as [string, ...string[]][]) {
      const before = (eventId: string) =>
        readAfter([...everythingTold, ...changes], (tx) => undeliveredBefore(tx, eventId))
      assert.equal(await before(LATER_ID), null)
      assert.equal(await before('01900000-ffff-7000-8000-000000000001'), because)
    }
  })

  it('has another mark of a payer’s page once its stage, its bank’s page or the terms have changed', async () => {
    for (const set of [
      `rail_stage = 'TO_CLOSE'`,
      `bank_url = 'https://bank.example'`,
      `accepted_terms = '{}'`,
    ]) {
      const address = { organizationId: ORGANIZATION_ID, payinId: IDS.unleased }
      const [earlier, later] = await apart(
        `update payins set ${set} where payin_id = '${IDS.unleased}'`,
        (tx) => payinPageMarks(tx, [address]),
      )
      assert.notDeepEqual(later, earlier, set)
    }
  })

  it('has another mark of a link’s page once the link has changed, or an attempt on it', async () => {
    for (const text of [
      `update payment_links set version = version + 1`,
      ...[`rail_stage = 'TO_CLOSE'`, `key_string = '@OTHER'`, 'version = version + 1'].map(
        (set) => `update payins set ${set} where payin_id = '${IDS.attempt}'`,
      ),
    ]) {
      const [earlier, later] = await apart(text, (tx) =>
        linkPageMarks(tx, [{ organizationId: ORGANIZATION_ID, token: subjects().link.token }]),
      )
      assert.notDeepEqual(later, earlier, text)
    }
  })

  const STUCK: Readonly<Record<string, readonly [StuckKind, change: string, isStuck: boolean]>> = {
    'finds a payin that was never begun and has not ended': [
      'unended payins',
      `update payins set status = 'PENDING' where payin_id <> '${IDS.confirmed}'`,
      true,
    ],
    'finds a payin that was begun and has not ended': [
      'unended payins',
      `update payins set status = 'PROCESSING' where payin_id <> '${IDS.confirmed}'`,
      true,
    ],
    'finds nothing of payins that have ended': [
      'unended payins',
      `update payins set status = 'CANCELED', confirmed_amount_cents = null, charged_back_cents = 0`,
      false,
    ],
    'finds an approval that waits, and should have lapsed': [
      'approvals that should have lapsed',
      `update approvals set status = 'WAITING'`,
      true,
    ],
    'finds nothing of an approval that people gave': [
      'approvals that should have lapsed',
      `update approvals set status = 'APPROVED', decided_at = now()`,
      false,
    ],
  }
  for (const [what, [kind, text, isStuck]] of Object.entries(STUCK))
    it(what, async () => {
      const found = await readAfter([text], (tx) => stuckRows(tx, kind, LATER + 400 * DAY_MS))
      assert.equal(found !== null, isStuck)
    })

  const PAYS_ON_IT = (set: string) =>
    `update payins set payment_link_id = '${IDS.pageLink}', ${set} where payin_id = '${IDS.attempt}'`
  const TAKEN: Readonly<Record<string, readonly [changes: readonly string[], isTaken: boolean]>> = {
    'on which nobody has begun to pay': [[], true],
    'whose attempt has ended': [[PAYS_ON_IT(`status = 'CANCELED', rail_stage = 'DONE'`)], true],
    'whose attempt is open': [[PAYS_ON_IT(`rail_stage = 'OPEN'`)], false],
    'whose attempt may still be paid': [[PAYS_ON_IT(`status = 'CANCELED', rail_stage = 'TO_CLOSE'`)], false],
    'that has ended': [
      [`update payment_links set status = 'EXPIRED' where payment_link_id = '${IDS.pageLink}'`],
      false,
    ],
  }
  const takenBefore = (id: string, changes: readonly string[]) =>
    readAfter(changes, (tx) => lockIdleLink(tx, ORGANIZATION_ID, IDS.page, id))
  for (const [what, [changes, isTaken]] of Object.entries(TAKEN))
    it(`takes ${isTaken ? 'a' : 'no'} link of a page ${what}`, async () => {
      const taken = await takenBefore(firstIdAt(LATER), changes)
      assert.equal(taken?.paymentLinkId, isTaken ? IDS.pageLink : undefined)
    })

  it('takes no link of a page that is younger than asked for, or was tried since', async () => {
    assert.equal(await takenBefore(IDS.pageLink, []), undefined)
    const tried = [PAYS_ON_IT(`payin_id = '${firstIdAt(LATER)}', status = 'CANCELED', rail_stage = 'DONE'`)]
    assert.equal(await takenBefore(firstIdAt(LATER), tried), undefined)
  })

  const ROW = (id: string, set: string) => `update payout_batch_rows set ${set} where row_id = '${id}'`
  const totalsAfter = async (...changes: string[]) => {
    const found = await readAfter(changes, (tx) => readBatchTotals(tx, ORGANIZATION_ID, [IDS.batch]))
    const { totals, results } = found.get(IDS.batch) ?? assert.fail('there is no batch')
    return { ...totals, ...results }
  }

  it('sums up of a batch nothing that is left out', async () => {
    const leftOut = ROW(IDS.refusedRow, `state = 'LEFT_OUT', amount_cents = 999, key_check = 'UNCHECKED'`)
    const { rows, toSend, sumInCents, largestInCents, keysUnchecked } = await totalsAfter(leftOut)
    assert.deepEqual([rows, toSend, sumInCents, largestInCents, keysUnchecked], [2, 1, 1n, 1n, 0])
  })

  it('counts a row of a batch that has errors and warnings among those with errors alone', async () => {
    const none = ROW(IDS.refusedRow, `has_warnings = false, duplicate_of = null`)
    const warned = ROW(IDS.batchRow, `has_errors = false, has_warnings = true`)
    assert.equal((await totalsAfter(none, warned)).withWarnings, 1)
    const wrong = ROW(IDS.batchRow, `has_errors = true, has_warnings = true`)
    const { withErrors, withWarnings } = await totalsAfter(none, wrong)
    assert.deepEqual([withErrors, withWarnings], [1, 0])
  })

  it('counts a payout of a batch that was declined or canceled as failed, beside rows that were refused', async () => {
    const sent = ROW(IDS.batchRow, `state = 'SENT', payout_id = '${IDS.payout}'`)
    const ended = (status: string) =>
      `update payouts set status = '${status}', error_code = 'RAIL_ERROR' where payout_id = '${IDS.payout}'`
    for (const status of ['DECLINED', 'CANCELED'])
      assert.equal((await totalsAfter(sent, ended(status))).failed, 2, status)
    assert.equal((await totalsAfter(sent)).failed, 1)
  })

  it('finds the batch of a file that comes again, unless that was canceled', async () => {
    const ofFile = (...changes: string[]) =>
      readAfter(changes, (tx) => findBatchOfFile(tx, ORGANIZATION_ID, FILE_DIGEST, IDS.payin))
    assert.equal(await ofFile(), IDS.batch)
    assert.equal(await ofFile(`update payout_batches set status = 'CANCELED'`), undefined)
  })

  it('names what a person has made or rolled, and nothing that they were refused or that others did', async () => {
    const madeAfter = async (set: string) => {
      const changes = [`update audit_entries set ${set} where entry_id = '${IDS.unchained}'`]
      return [...(await readAfter(changes, (tx) => idsMadeBy(tx, ORGANIZATION_ID, 'maker')))]
    }
    for (const act of ['apikey.create', 'client.create', 'client.roll', 'webhook.create'])
      assert.deepEqual(await madeAfter(`act = '${act}'`), ['key of 1'], act)
    for (const set of [
      `act = 'client.revoke'`,
      `outcome = 'refused', refusal = 'NOT_FOUND'`,
      `actor_kind = 'key'`,
    ])
      assert.deepEqual(await madeAfter(set), [], set)
  })

  it('counts an alarm that nobody was told of once it is old, although it was due at once', async () => {
    const dueAtOnce = [
      `update alarms set mail_due_at = mail_due_at where mail_due_at = '-infinity' and resolved_at is null`,
    ]
    const untoldBefore = (time: number) => readAfter(dueAtOnce, (tx) => untoldAlarms(tx, time))
    assert.equal(await untoldBefore(TWINS_CREATED_AT), 0)
    assert.equal(await untoldBefore(LATER), 1)
  })
})
