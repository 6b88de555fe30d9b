// Every list in pages: its cursor opens for the same list, organization and filters, and for nothing else; and a walk in either
// direction sees each row once, whatever is written meanwhile. A new list needs its row here.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { bogotaDay, daysAfter } from '../../../src/core/bogota-day.ts'
import { movementTransfer } from '../../../src/core/connections/movement.ts'
import type { Rail } from '../../../src/core/connections/rail.ts'
import { transfer } from '../../../src/core/ledger/bookings.ts'
import { FINDING_KINDS, type FindingKind, type Tally } from '../../../src/core/ledger/reconciliation.ts'
import { deriveKeys, sealToken } from '../../../src/core/seal.ts'
import { uuidBytes } from '../../../src/core/uuid-token.ts'
import { recordAct } from '../../../src/flows/record-act.ts'
import { collectRequests, insertRequests } from '../../../src/store/audit/requests.ts'
import { insertMovement } from '../../../src/store/connections/movements.ts'
import { insertAlarm } from '../../../src/store/ledger/alarms.ts'
import { writeReconciliations } from '../../../src/store/ledger/reconciliations.ts'
import { insertSuspenseItem } from '../../../src/store/ledger/suspense.ts'
import { postTransfers } from '../../../src/store/ledger/transfers.ts'
import { getBatch, insertBatch } from '../../../src/store/payout-batches/batches.ts'
import { insertBatchRows } from '../../../src/store/payout-batches/rows.ts'
import { batchOf, batchRowOf } from '../../store/batch-twins.ts'
import { brebPayin, type Client, createWorld, type World } from '../../world.ts'
import { person } from '../payout-batches/files.ts'
import { MERCHANT_OPERATIONS, newApproval, newBatch, newPayout, newRefund } from './calls.ts'
import { assertProblem } from './problem.ts'

type Merchant = { client: Client; organizationId: string }

type List = {
  // The name that its cursors are sealed with, and what follows the organization, if not its filters.
  sealedAs: string
  sealedFor?: string
  // Where it is found, if its path names an object, and what its rows are called, if not `data`.
  at?: string
  rows?: string
  idOf: (item: Record<string, string>) => string | undefined
  // What leaves those that the test adds, where calls of the test are rows too.
  only?: Record<string, string>
  // Two values of each filter. Where rows fit, they fit the first.
  filters: Readonly<Record<string, readonly [string, string]>>
  add: (world: World, merchant: Merchant) => Promise<unknown>
}

const TIMES = {
  createdFrom: ['2020-01-01T00:00:00.000Z', '2020-01-02T00:00:00.000Z'],
  createdTo: ['2100-01-01T00:00:00.000Z', '2100-01-02T00:00:00.000Z'],
} as const
const FIT_NONE: Readonly<Record<string, string>> = {
  createdFrom: '2100-01-01T00:00:00.000Z',
  createdTo: '2020-01-01T00:00:00.000Z',
}
const SOME_ID = '01900000-0000-7000-8000-000000000000'
const ANOTHER_ID = '01900000-0000-7000-8000-000000000001'

const created = async (client: Client, path: string, body: unknown): Promise<void> => {
  assert.equal((await client('POST', path, body)).status, 201)
}

let added = 0

// Of the one batch, which the first call makes.
async function addBatchRow({ db, ctx }: World, { organizationId }: Merchant): Promise<void> {
  added += 1
  const ids = {
    batch: SOME_ID,
    batchRow: ctx.ids.next(),
    refusedRow: '',
    beneficiary: '',
    fresh: '',
    lease: '',
  }
  const known = await getBatch(db, organizationId, SOME_ID)
  if (known === undefined)
    await insertBatch(db, batchOf({ organizationId }, ids, 1, ctx.clock.now()), ctx.clock.now() + 1e12)
  const row = { ...batchRowOf({ organizationId }, ids, 1), rowNumber: added + 1, keyDigest: null }
  await insertBatchRows(db, [row])
}
const TODAY = bogotaDay(Date.now())

const LISTS: Readonly<Record<string, List>> = {
  '/payins': {
    sealedAs: 'payins',
    idOf: ({ id }) => id,
    filters: {
      status: ['PROCESSING', 'CONFIRMED'],
      rail: ['BRE_B', 'PSE'],
      reference: ['one', 'two'],
      paymentLinkId: [SOME_ID, ANOTHER_ID],
      ...TIMES,
    },
    add: (_, { client }) => created(client, '/payins', brebPayin()),
  },
  '/payouts': {
    sealedAs: 'payouts',
    idOf: ({ id }) => id,
    filters: { status: ['PROCESSING', 'CONFIRMED'], reference: ['salary', 'two'], ...TIMES },
    add: (_, { client }) => created(client, '/payouts', newPayout()),
  },
  '/refunds': {
    sealedAs: 'refunds',
    idOf: ({ id }) => id,
    filters: {
      status: ['PROCESSING', 'CONFIRMED'],
      reason: ['OTHER', 'FRAUD'],
      payinId: [SOME_ID, ANOTHER_ID],
      ...TIMES,
    },
    add: (world, { client }) => newRefund(world, client),
  },
  '/approvals': {
    sealedAs: 'approvals',
    idOf: ({ id }) => id,
    filters: {
      status: ['WAITING', 'LAPSED'],
      kind: ['payout', 'refund'],
      subjectId: [SOME_ID, ANOTHER_ID],
      ...TIMES,
    },
    add: (world, { client }) => newApproval(world, client),
  },
  '/payment-links': {
    sealedAs: 'links',
    idOf: ({ paymentLinkId }) => paymentLinkId,
    filters: {
      status: ['PENDING', 'COMPLETED'],
      reference: ['order', 'two'],
      paymentPageId: [SOME_ID, ANOTHER_ID],
      ...TIMES,
    },
    add: (_, { client }) =>
      created(client, '/payment-links', {
        amountType: 'FIXED',
        amountInCents: 100_000,
        reference: 'order',
        callbackUrl: 'https://shop.example/return',
      }),
  },
  '/payment-pages': {
    sealedAs: 'pages',
    idOf: ({ paymentPageId }) => paymentPageId,
    filters: { status: ['OPEN', 'CLOSED'], reference: ['tips', 'two'], ...TIMES },
    add: (_, { client }) =>
      created(client, '/payment-pages', { name: 'Tip jar', amountType: 'OPEN', reference: 'tips' }),
  },
  '/payout-batches': {
    sealedAs: 'batches',
    idOf: ({ id }) => id,
    filters: { status: ['CHECKING', 'COMPLETED'], ...TIMES },
    add: (_, { client }) => newBatch(client),
  },
  '/payout-batches/{batchId}/rows': {
    sealedAs: 'batch rows',
    sealedFor: JSON.stringify({ batchId: SOME_ID }),
    at: `/payout-batches/${SOME_ID}/rows`,
    idOf: ({ row }) => String(row).padStart(7, '0'),
    filters: { only: ['errors', 'warnings'], state: ['DRAFT', 'SENT'] },
    add: addBatchRow,
  },
  '/beneficiaries': {
    sealedAs: 'beneficiaries',
    idOf: ({ id }) => id,
    filters: {},
    add: async (_, { client }) => {
      added += 1
      const { idNumber, name } = person(added)
      await client('PUT', '/beneficiaries', { idType: 'CO_CC', idNumber, name, key: idNumber })
    },
  },
  '/ledger/transfers': {
    sealedAs: 'transfers',
    idOf: ({ id }) => id,
    filters: { account: ['AVAILABLE', 'FEES'], subjectId: [SOME_ID, ANOTHER_ID] },
    // Other lists here add transfers too, and none over PSE.
    only: { account: 'CLEARING_PSE' },
    add: (world, merchant) => addTransfer(world, merchant, 'opening balance', 'PSE'),
  },
  '/suspense': {
    sealedAs: 'suspense',
    idOf: ({ id }) => id,
    filters: {
      state: ['OPEN', 'RETURNED'],
      reason: ['UNKNOWN_PAYIN', 'LATE'],
      rail: ['BRE_B', 'PSE'],
      payinId: [SOME_ID, ANOTHER_ID],
      amountInCents: ['100', '200'],
      ...TIMES,
    },
    add: addSuspense,
  },
  '/alarms': {
    sealedAs: 'alarms',
    idOf: ({ id }) => id,
    filters: {
      status: ['OPEN', 'RESOLVED'],
      kind: ['orphan-notice', 'reconciliation'],
      ...TIMES,
    },
    add: ({ db, ctx }, { organizationId }) => {
      const alarm = { alarmId: ctx.ids.next(), kind: 'orphan-notice', detail: 'Whose is it?' } as const
      return insertAlarm(db, organizationId, ctx.ids.next(), alarm, ctx.clock.now())
    },
  },
  '/connections/{connectionId}/deposits': {
    sealedAs: 'movements',
    sealedFor: JSON.stringify({ connectionId: SOME_ID, kind: 'DEPOSIT' }),
    at: `/connections/${SOME_ID}/deposits`,
    idOf: ({ id }) => id,
    filters: { ...TIMES },
    add: (world, merchant) => addMovement(world, merchant, 'DEPOSIT'),
  },
  '/connections/{connectionId}/withdrawals': {
    sealedAs: 'movements',
    sealedFor: JSON.stringify({ connectionId: SOME_ID, kind: 'WITHDRAWAL' }),
    at: `/connections/${SOME_ID}/withdrawals`,
    idOf: ({ id }) => id,
    filters: { ...TIMES },
    add: (world, merchant) => addMovement(world, merchant, 'WITHDRAWAL'),
  },
  '/reconciliations': {
    sealedAs: 'reconciliations',
    idOf: ({ id }) => id,
    // A day has one reconciliation, so no cursor of a day's comes.
    filters: { rail: ['BRE_B', 'PSE'], day: ['2020-01-01', '2020-01-02'] },
    add: addReconciliation,
  },
  '/reconciliations/{reconciliationId}': {
    sealedAs: 'findings',
    sealedFor: SOME_ID,
    // Each organization has one under this id, so only the organization tells their cursors apart.
    at: `/reconciliations/${SOME_ID}`,
    rows: 'findings',
    idOf: ({ id }) => id,
    filters: {},
    add: addFinding,
  },
  '/reports/days/{day}/movements': {
    sealedAs: 'day-movements',
    sealedFor: JSON.stringify({ day: TODAY }),
    at: `/reports/days/${TODAY}/movements`,
    idOf: ({ id }) => id,
    filters: { column: ['settled', 'fees'] },
    // Other lists here add movements too.
    only: { column: 'settled' },
    add: (world, merchant) => addTransfer(world, merchant, 'payin settled', 'BRE_B'),
  },
  '/audit': {
    sealedAs: 'audit',
    idOf: ({ id }) => id,
    only: { act: 'clock.advance' },
    filters: {
      actorId: [SOME_ID, ANOTHER_ID],
      act: ['clock.advance', 'payin.cancel'],
      objectId: [SOME_ID, ANOTHER_ID],
      outcome: ['done', 'refused'],
      ...TIMES,
    },
    add: ({ db, ctx }, { organizationId }) =>
      db.inTransaction((tx) => {
        const actor = { ...ctx.actor, id: SOME_ID }
        const act = { act: 'clock.advance', before: null, after: {} } as const
        return recordAct({ ...ctx, actor }, tx, { ...act, organizationId, objectId: SOME_ID })
      }),
  },
  '/requests': {
    sealedAs: 'requests',
    idOf: ({ id }) => id,
    only: { credentialId: SOME_ID },
    filters: {
      status: ['201', '200'],
      method: ['POST', 'PATCH'],
      objectId: [SOME_ID, ANOTHER_ID],
      credentialId: [SOME_ID, ANOTHER_ID],
      ...TIMES,
    },
    add: ({ db, ctx }, { organizationId }) =>
      insertRequests(
        db,
        collectRequests([
          {
            organizationId,
            logId: ctx.ids.next(),
            method: 'POST',
            path: '/payins',
            status: 201,
            durationMs: 1,
            credentialKind: 'key',
            credentialId: SOME_ID,
            requestId: 'request',
            objectId: SOME_ID,
            refusal: null,
          },
        ]),
      ),
  },
}

// Each payment is in suspense once.
async function addSuspense({ db, ctx }: World, { organizationId }: Merchant): Promise<void> {
  const [suspenseId, createdAt] = [ctx.ids.next(), ctx.clock.now()]
  const money = { organizationId, amountInCents: 100n, createdAt }
  const item = {
    ...money,
    suspenseId,
    rail: 'BRE_B',
    paymentId: suspenseId,
    reason: 'UNKNOWN_PAYIN',
  } as const
  await insertSuspenseItem(db, item)
  await db.query({
    text: 'update suspense_items set payin_id = $3 where organization_id = $1 and suspense_id = $2',
    values: [organizationId, suspenseId, SOME_ID],
  })
  const entry = { ...money, transferId: ctx.ids.next(), subjectId: suspenseId }
  await postTransfers(db, [transfer('money in suspense', 'BRE_B', entry)], 1)
}

// Of a connection under the same id in each organization, which need not be there any more.
async function addMovement(
  { db, ctx }: World,
  { organizationId }: Merchant,
  kind: 'DEPOSIT' | 'WITHDRAWAL',
): Promise<void> {
  const movement = {
    organizationId,
    movementId: ctx.ids.next(),
    connectionId: SOME_ID,
    kind,
    amountInCents: 100n,
    reference: 'cursor',
    recordedBy: 'x',
    createdAt: ctx.clock.now(),
  }
  await insertMovement(db, movement)
  await postTransfers(db, [movementTransfer(movement, { uses: [] }, ctx.ids.next())], 1)
}

// An organization has one for each day of a network.
let reconciledDays = 0
function addReconciliation(
  { db, ctx }: World,
  { organizationId }: Merchant,
  reconciliationId = ctx.ids.next(),
  day = daysAfter('2020-01-01', reconciledDays++),
): Promise<void> {
  const now = ctx.clock.now()
  const none = { count: 0, amountInCents: 0n }
  const found = Object.fromEntries(FINDING_KINDS.map((kind) => [kind, none])) as Record<FindingKind, Tally>
  const totals = {
    organizationId,
    reconciliationId,
    matchedIn: none,
    matchedOut: none,
    found,
  }
  return writeReconciliations(db, { rail: 'BRE_B', day, run: 1, from: now, to: now }, [totals], now)
}

const DAY_WITH_FINDINGS = '2019-12-31'
function addTransfer(
  { db, ctx }: World,
  { organizationId }: Merchant,
  booking: 'opening balance' | 'payin settled',
  rail: Rail,
): Promise<void> {
  const entry = { organizationId, transferId: ctx.ids.next(), subjectId: ctx.ids.next() }
  const booked = { ...entry, amountInCents: 100n, createdAt: ctx.clock.now() }
  return postTransfers(db, [transfer(booking, rail, booked)], 1)
}

async function addFinding(world: World, merchant: Merchant): Promise<void> {
  const findingId = world.ctx.ids.next()
  await addReconciliation(world, merchant, SOME_ID, DAY_WITH_FINDINGS)
  await world.db.query({
    text: `insert into reconciliation_findings (organization_id, finding_id, rail, day, kind, line_key, times, state, run, created_at)
           values ($1, $2::uuid, 'BRE_B', $3, 'UNREADABLE', $2::uuid::text, 1, 'OPEN', 1, now())`,
    values: [merchant.organizationId, findingId, DAY_WITH_FINDINGS],
  })
}

// Lists that are not in pages, and why.
const WITHOUT_CURSOR: Readonly<Record<string, string>> = {
  '/events': 'follows the sequence by `after`, which is no secret',
  '/pse/banks': 'the whole list',
  '/team/invitations': 'two hundred at most, with the members',
  '/team/members': 'two hundred at most',
  '/team/members/{userId}/sessions': 'the newest hundred of one person',
  '/webhook-endpoints': 'at most ten',
  '/connections': 'at most twenty',
  '/api-keys': 'at most a hundred that work, and the last that have ended',
  '/oauth-clients': 'at most a hundred that work, and the last that have ended',
  '/providers': 'the whole list',
  '/reports/days': 'a quarter at most, by days',
  '/events/{eventId}/deliveries': 'the last ones',
}

const ROWS = 7

describe('a list in pages', () => {
  let world: World
  let merchant: Merchant
  let stranger: Merchant
  before(async () => {
    world = await createWorld()
    const [first, second] = [await world.newMerchant(), await world.newMerchant()]
    merchant = { client: first.client, organizationId: first.organization.organizationId }
    stranger = { client: second.client, organizationId: second.organization.organizationId }
    for (const list of Object.values(LISTS))
      for (const one of [merchant, stranger])
        for (let count = 0; count < ROWS; count += 1) await list.add(world, one)
  })
  after(() => world[Symbol.asyncDispose]())

  const get = (path: string, query: Record<string, string>, client = merchant.client) =>
    client('GET', `${LISTS[path]?.at ?? path}?${new URLSearchParams({ pageSize: '2', ...query })}`)

  const page = async (path: string, query: Record<string, string> = {}, client = merchant.client) => {
    const { status, json, text } = await get(path, query, client)
    assert.equal(status, 200, text)
    const { rows = 'data', idOf } = LISTS[path] as List
    const ids: string[] = json[rows].map(idOf)
    return { ids, next: json.pageInfo.nextCursor, previous: json.pageInfo.previousCursor }
  }

  // Cursors in both directions.
  const cursorsOf = async (path: string, query: Record<string, string> = {}): Promise<string[]> => {
    const { next } = await page(path, query)
    const { next: further, previous } = await page(path, { ...query, cursor: next })
    const found = [next, further, previous]
    for (const cursor of found) {
      assert.equal(typeof cursor, 'string')
      assert.equal((await get(path, { ...query, cursor })).status, 200, 'it is good where it belongs')
    }
    return found
  }

  // They stay good as long as nothing about the list changes but its rows.
  const known = new Map<string, Promise<string[]>>()
  const knownCursorsOf = (path: string): Promise<string[]> =>
    known.getOrInsertComputed(path, (one) => cursorsOf(one))

  const refused = async (path: string, query: Record<string, string>, client?: Client): Promise<void> =>
    assertProblem(await get(path, query, client), 'CURSOR_INVALID', JSON.stringify(query))

  it('has a row in the table, with all its filters', () => {
    const paged: Record<string, string[]> = {}
    const others: string[] = []
    for (const { method, path, query, success } of MERCHANT_OPERATIONS) {
      const { properties = {} } = success.schema as { properties?: Record<string, { type?: string }> }
      const asked = Object.keys((query as { properties?: object } | undefined)?.properties ?? {})
      if (method !== 'GET' || (properties.data?.type !== 'array' && !asked.includes('cursor'))) continue
      if (asked.includes('cursor'))
        paged[path] = asked.filter((name) => !['cursor', 'pageSize'].includes(name)).sort()
      else others.push(path)
    }
    const rows = Object.entries(LISTS).map(([path, { filters }]) => [path, Object.keys(filters).sort()])
    assert.deepEqual(paged, Object.fromEntries(rows))
    assert.deepEqual(others.sort(), Object.keys(WITHOUT_CURSOR).sort())
  })

  for (const [path, list] of Object.entries(LISTS)) {
    it(`${path}: the cursor of another list is refused`, async () => {
      for (const other of Object.keys(LISTS).filter((one) => one !== path))
        for (const cursor of await knownCursorsOf(other)) await refused(path, { cursor })
    })

    if (list.at !== undefined)
      it(`${path}: the cursor of another object’s list is refused`, async () => {
        const id = world.ctx.ids.next()
        await addReconciliation(world, merchant, id)
        for (const cursor of await cursorsOf(path))
          assertProblem(
            await merchant.client('GET', `/reconciliations/${id}?cursor=${cursor}`),
            'CURSOR_INVALID',
          )
      })

    it(`${path}: another organization’s cursor is refused`, async () => {
      for (const cursor of await cursorsOf(path)) await refused(path, { cursor }, stranger.client)
    })

    it(`${path}: a cursor is refused with a filter more, less or other than its own`, async () => {
      const plain = await cursorsOf(path)
      for (const [name, values] of Object.entries(list.filters)) {
        for (const value of values) for (const cursor of plain) await refused(path, { [name]: value, cursor })
        const [own, other] = values
        const { next: cursor } = await page(path, { [name]: own })
        // A filter that fits no row has no cursor.
        if (cursor === null) continue
        await refused(path, { cursor })
        await refused(path, { [name]: other, cursor })
      }
    })

    it(`${path}: each filter leaves out what does not fit`, async () => {
      for (const [name, [own, other]] of Object.entries(list.filters)) {
        const idsOf = async (value: string) =>
          (await page(path, { pageSize: '100', ...list.only, [name]: value })).ids
        const fit = new Set(await idsOf(own))
        assert.deepEqual(
          (await idsOf(FIT_NONE[name] ?? other)).filter((id) => fit.has(id)),
          [],
          name,
        )
      }
    })

    it(`${path}: an altered cursor, or one of another format, is refused`, async () => {
      for (const cursor of await cursorsOf(path)) {
        for (let at = 0; at < cursor.length; at += 3) {
          const letter = cursor[at] === 'A' ? 'B' : 'A'
          await refused(path, { cursor: cursor.slice(0, at) + letter + cursor.slice(at + 1) })
        }
        for (const text of [cursor.slice(1), cursor.slice(0, -1), `${cursor}A`, `${cursor}=`, ` ${cursor}`])
          await refused(path, { cursor: text })
      }
      const id = uuidBytes(SOME_ID)
      const good = Buffer.concat([Buffer.of(0), id])
      assert.equal((await get(path, { cursor: sealed(list, good) })).status, 200, 'the format of today')
      for (const payload of [id, Buffer.concat([good, Buffer.of(0)]), Buffer.of(0)])
        await refused(path, { cursor: sealed(list, payload) })
      await refused(path, { cursor: sealed(list, good, deriveKeys(randomBytes(32)).cursor) })
      await refused(path, { cursor: SOME_ID })
    })

    it(`${path}: both ways, while rows are added, nothing is skipped and nothing repeated`, async () => {
      const { only = {} } = list
      const { ids: before } = await page(path, { pageSize: '100', ...only })
      assert.ok(before.length >= ROWS)
      const forward: string[] = []
      let cursor: string | null = null
      let last: string | null = null
      do {
        const seen = await page(path, cursor === null ? only : { ...only, cursor })
        forward.push(...seen.ids)
        await list.add(world, merchant)
        last = seen.previous
        cursor = seen.next
      } while (cursor !== null)
      assert.deepEqual(forward, before)
      const back: string[] = before.slice(before.length - (before.length % 2 || 2))
      for (cursor = last; cursor !== null; ) {
        const seen: Awaited<ReturnType<typeof page>> = await page(path, { ...only, cursor })
        back.unshift(...seen.ids)
        if (back.length < before.length + 4) await list.add(world, merchant)
        cursor = seen.previous
      }
      const { ids: now } = await page(path, { pageSize: '100', ...only })
      assert.deepEqual(back, now)
      assert.equal(new Set(now).size, now.length)
      assert.deepEqual(now.slice(-before.length), before)
    })
  }

  const sealed = (list: List, payload: Buffer, key = world.ctx.settings.keys.cursor): string =>
    sealToken(key, payload, `${list.sealedAs} ${merchant.organizationId} ${list.sealedFor ?? '{}'}`)
})
