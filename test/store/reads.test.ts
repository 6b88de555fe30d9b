// What statements tell that only read: the marks of pages, the work that nobody does, and the figures of overviews. Each is asked again
// after one change of one row, and says what it is about and nothing else.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DAY_MS } from '../../src/core/instant.ts'
import { type Db, openDb, type Queryable } from '../../src/store/db.ts'
import { type StuckKind, stuckRows, untoldAlarms } from '../../src/store/doctor/overdue-work.ts'
import { linkPageMarks, payinPageMarks } from '../../src/store/page-marks.ts'
import { type MarkedObject, objectMarks } from '../../src/store/shown-marks.ts'
import { createDatabase } from '../world.ts'
import { undone } from './rows.ts'
import { IDS, insertTwin, LATER, type Subjects, TWINS_CREATED_AT } from './twins.ts'

const ORGANIZATION_ID = '01900000-0000-7000-8000-000000000001'

describe('a statement that reads', () => {
  let db: Db
  let drop: () => Promise<void>
  let mine: Subjects
  before(async () => {
    const database = await createDatabase()
    drop = database.drop
    db = openDb({ url: database.url, poolSize: 1 })
    mine = await insertTwin(db, 1, ORGANIZATION_ID)
  })
  after(async () => {
    await db.close()
    await drop()
  })

  const change = async (tx: Queryable, text: string) => {
    const { rowCount } = await tx.query({ text })
    assert.ok((rowCount ?? 0) > 0, `rows are changed: ${text}`)
  }
  // What is read before and after a change.
  const apart = <Answer>(text: string, read: (tx: Queryable) => Promise<Answer>) =>
    undone(db, async (tx) => {
      const earlier = await read(tx)
      assert.deepEqual(await read(tx), earlier)
      await change(tx, text)
      return [earlier, await read(tx)] as const
    })
  const afterChanges = <Answer>(texts: readonly string[], read: (tx: Queryable) => Promise<Answer>) =>
    undone(db, async (tx) => {
      for (const text of texts) await change(tx, text)
      return read(tx)
    })

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
        linkPageMarks(tx, [{ organizationId: ORGANIZATION_ID, token: mine.link.token }]),
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
      const found = await afterChanges([text], (tx) => stuckRows(tx, kind, LATER + 400 * DAY_MS))
      assert.equal(found !== null, isStuck)
    })

  it('counts an alarm that nobody was told of once it is old, although it was due at once', async () => {
    const { rows } = await db.query({
      text: `select from alarms where mail_due_at = '-infinity' and resolved_at is null`,
    })
    assert.equal(rows.length, 1)
    assert.equal(await untoldAlarms(db, TWINS_CREATED_AT), 0)
    assert.equal(await untoldAlarms(db, LATER), 1)
  })
})
