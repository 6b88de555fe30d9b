// A payment link has one open attempt and is credited once, whatever the clocks of the processes say.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { railReference } from '../../../src/core/connections/reference.ts'
import { createIdSource } from '../../../src/core/ids.ts'
import { newPayin, type Payin } from '../../../src/core/payins/payin.ts'
import { settlePayin } from '../../../src/core/payins/settle.ts'
import { type PaymentLink, readLinkToken } from '../../../src/core/payment-links/payment-link.ts'
import type { Context } from '../../../src/flows/context.ts'
import { cancelPayin } from '../../../src/flows/payins/cancel.ts'
import { payinWrite, readPayinFacts } from '../../../src/flows/payins/write.ts'
import { startAttempt } from '../../../src/flows/payment-links/start-attempt.ts'
import { openDb } from '../../../src/store/db.ts'
import { readBalances } from '../../../src/store/ledger/transfers.ts'
import { migrate, readMigrations } from '../../../src/store/migrate.ts'
import { attemptToShow, openAttempt } from '../../../src/store/payins/attempts.ts'
import { insertPayins } from '../../../src/store/payins/payins.ts'
import { writePayins } from '../../../src/store/payins/write.ts'
import { getLinkByToken } from '../../../src/store/payment-links/payment-links.ts'
import { waitingForLocks } from '../../locks.ts'
import { CUSTOMER, createDatabase, createWorld, eventually, type World } from '../../world.ts'

const WAY = { rail: 'BRE_B', keyType: 'SINGLE_USE' } as const
const REQUEST = { customer: { ...CUSTOMER, idNumber: '1000000007' }, way: WAY }

describe('one open attempt for each payment link', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const newLink = async (): Promise<PaymentLink> => {
    const { json } = await world.client('POST', '/payment-links', {
      amountType: 'FIXED',
      amountInCents: 5_000_000,
      reference: 'order',
      callbackUrl: 'https://shop.example/return',
    })
    const token = readLinkToken(json.paymentLinkUrl.split('/').at(-1))
    return (await getLinkByToken(
      world.db,
      world.organization.organizationId,
      token?.token as Buffer,
    )) as PaymentLink
  }
  // An attempt that was begun without a look at the others.
  const attemptOn = ({
    amountInCents,
    reference,
    callbackUrl,
    paymentLinkId,
    expiresAt,
  }: PaymentLink): Payin =>
    newPayin(
      world.organization,
      world.ctx.ids.next(),
      { ...REQUEST, amountInCents, reference, callbackUrl },
      { paymentLinkId, linkExpiresAt: expiresAt },
    )

  it('an attempt of a node whose clock is behind is open for everybody, and on the page', async () => {
    const link = await newLink()
    const ahead = await startAttempt(withClock(world.ctx, 5_000), world.organization, link, REQUEST)
    assert.ok(ahead?.isNew)
    await cancelPayin(world.ctx, ahead.payin, null)
    const behind = await startAttempt(world.ctx, world.organization, link, REQUEST)
    assert.ok(behind?.isNew)
    assert.ok(behind.payin.payinId < ahead.payin.payinId)
    const third = await startAttempt(world.ctx, world.organization, link, REQUEST)
    assert.deepEqual(
      { id: third?.payin.payinId, isNew: third?.isNew },
      { id: behind.payin.payinId, isNew: false },
    )
    const shown = await attemptToShow(world.db, link.organizationId, link.paymentLinkId)
    assert.equal(shown?.payinId, behind.payin.payinId)
  })

  it('an attempt that the merchant canceled while the payer is at the bank is in the way until it has ended there', async () => {
    const link = await newLink()
    const way = { rail: 'PSE', bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' } as const
    const begin = () => startAttempt(world.ctx, world.organization, link, { ...REQUEST, way })
    const first = (await begin())?.payin as Payin
    await world.work()
    assert.ok(world.sandbox.openedByPayer(railReference('payin', first.organizationId, first.payinId)))
    assert.equal((await world.client('POST', `/payins/${first.payinId}/cancel`)).status, 200)
    const isInTheWay = async () => {
      const again = await begin()
      assert.deepEqual(
        { id: again?.payin.payinId, status: again?.payin.status, isNew: again?.isNew },
        { id: first.payinId, status: 'CANCELED', isNew: false },
      )
    }
    // Before the network is asked, and when it has said that the session is open.
    await isInTheWay()
    await world.work()
    await isInTheWay()
    await world.client('POST', `/sandbox/payins/${first.payinId}/simulate`, { outcome: 'declined' })
    await world.passTime(12 * 60_000)
    assert.equal((await begin())?.isNew, true)
  })

  it('of attempts that have ended, the page shows the one that paid', async () => {
    const link = await newLink()
    const ahead = await startAttempt(withClock(world.ctx, 5_000), world.organization, link, REQUEST)
    await cancelPayin(world.ctx, ahead?.payin as Payin, null)
    const paid = await startAttempt(world.ctx, world.organization, link, REQUEST)
    await world.work()
    await world.client('POST', `/sandbox/payins/${paid?.payin.payinId}/simulate`, { outcome: 'confirmed' })
    const shown = await eventually(
      async () => {
        await world.work()
        return attemptToShow(world.db, link.organizationId, link.paymentLinkId)
      },
      (attempt) => attempt?.status === 'CONFIRMED',
    )
    assert.equal(shown?.payinId, paid?.payin.payinId)
  })

  it('an attempt that was begun without the link’s lock counts as already begun', async () => {
    const link = await newLink()
    const other = attemptOn(link)
    const inserted = Promise.withResolvers<void>()
    const waitedFor = Promise.withResolvers<void>()
    const unlocked = world.db.inTransaction(async (tx) => {
      await insertPayins(tx, [{ payin: other, record: null }])
      inserted.resolve()
      await waitedFor.promise
    })
    await inserted.promise
    const begun = startAttempt(world.ctx, world.organization, link, REQUEST)
    await eventually(
      () => waitingForLocks(world.db),
      (waiting) => waiting === 1,
    )
    waitedFor.resolve()
    await unlocked
    assert.equal((await begun)?.payin.payinId, other.payinId)
    assert.equal((await begun)?.isNew, false)
  })

  it('two confirmations of one link in one statement: one is written, with one event and one credit', async () => {
    // Not even if both attempts were open.
    await world.db.query({ text: 'drop index payins_open_attempt' })
    for (const place of ['first', 'second']) {
      const link = await newLink()
      const attempts = [attemptOn(link), attemptOn(link)]
      await insertPayins(
        world.db,
        attempts.map((payin) => ({ payin, record: null })),
      )
      const before = await readBalances(world.db, link.organizationId)
      const confirmation = async (payin: Payin) => {
        const { amountInCents, payinId: paymentId } = payin
        const update = { kind: 'payin.paid', amountInCents, paymentId } as const
        const facts = await readPayinFacts(world.ctx, payin, world.organization, link, update)
        const step = settlePayin(payin, update, facts, world.ctx.clock.now())
        return payinWrite(world.ctx, payin, step, { link }, 'keep')
      }
      const writes = await Promise.all(attempts.map(confirmation))
      const written = await writePayins(world.db, place === 'first' ? writes : writes.reverse(), 1)
      assert.deepEqual(written.toSorted(), [false, true])
      const { rows: events } = await world.db.query<{ type: string; version: number }>({
        text: 'select type, version from events where object_id = $1',
        values: [link.paymentLinkId],
      })
      assert.deepEqual(events, [{ type: 'paymentlink.completed', version: 2 }])
      const after = await readBalances(world.db, link.organizationId)
      assert.equal(after.PENDING_SETTLEMENT - before.PENDING_SETTLEMENT, link.amountInCents)
      // The other one is decided again, and finds the link ended.
      const open = await openAttempt(world.db, link.organizationId, link.paymentLinkId)
      assert.equal(open?.payinId, writes[written.indexOf(false)]?.payin.payinId)
    }
  })
})

it('an older database with two open attempts on a link keeps the one that its page showed', async () => {
  const database = await createDatabase(null)
  const db = openDb({ url: database.url, poolSize: 2 })
  try {
    const migrations = readMigrations()
    await migrate(
      db,
      migrations.filter(({ version }) => version < 12),
    )
    const [organization, link] = [crypto.randomUUID(), crypto.randomUUID()]
    const ids = createIdSource((count) => randomBytes(count))
    const [first, second] = [ids(Date.now()), ids(Date.now())]
    for (const [payinId, linkId] of [
      [first, link],
      [second, link],
      [ids(Date.now()), crypto.randomUUID()],
      [ids(Date.now()), null],
    ])
      await db.query({
        text: `insert into payins (organization_id, payin_id, version, status, rail, amount_cents, currency, reference,
                                   payment_link_id, key_string, created_at, updated_at, expires_at)
               values ($1, $2, 1, 'PROCESSING', 'BRE_B', 1000, 'COP', gen_random_uuid(), $3, '@RC', now(), now(), now())`,
        values: [organization, payinId, linkId],
      })
    await migrate(db, migrations)
    const { rows } = await db.query<{ payin_id: string; status: string; rail_stage: string }>({
      text: `select payin_id, status, rail_stage from payins where status <> 'PROCESSING'`,
    })
    assert.deepEqual(rows, [{ payin_id: first, status: 'CANCELED', rail_stage: 'TO_CLOSE' }])
  } finally {
    await db.close()
    await database.drop()
  }
})

// The same node with a clock that is ahead.
function withClock(ctx: Context, aheadMs: number): Context {
  const now = () => ctx.clock.now() + aheadMs
  const ids = createIdSource((count) => randomBytes(count))
  return { ...ctx, clock: { ...ctx.clock, now }, ids: { ...ctx.ids, next: () => ids(now()) } }
}
