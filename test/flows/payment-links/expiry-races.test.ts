// A payment link ends while a payer begins, or while the payment arrives: an ended link never has an open attempt.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isoInstant } from '../../../src/core/instant.ts'
import type { Payin } from '../../../src/core/payins/payin.ts'
import { settlePayin } from '../../../src/core/payins/settle.ts'
import type { PaymentLink } from '../../../src/core/payment-links/payment-link.ts'
import { isRefusal } from '../../../src/core/refusal.ts'
import type { Context } from '../../../src/flows/context.ts'
import { payinWrite, readPayinFacts } from '../../../src/flows/payins/write.ts'
import { expireDueLink, expireLinkEarly } from '../../../src/flows/payment-links/expire.ts'
import { startAttempt } from '../../../src/flows/payment-links/start-attempt.ts'
import type { Db, Queryable } from '../../../src/store/db.ts'
import { lockPayin } from '../../../src/store/payins/payins.ts'
import { writePayins } from '../../../src/store/payins/write.ts'
import { getLink } from '../../../src/store/payment-links/payment-links.ts'
import { waitingForLocks } from '../../locks.ts'
import { CUSTOMER, createWorld, eventually, type World } from '../../world.ts'

const REQUEST = {
  customer: { ...CUSTOMER, idNumber: '1000000007' },
  way: { rail: 'BRE_B', keyType: 'SINGLE_USE' },
} as const
const RACES = 40
const HOUR_MS = 3_600_000

describe('a payment link ends', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const stored = async (id: string) =>
    (await getLink(world.db, world.organization.organizationId, id)) as PaymentLink
  const newLink = async () => {
    const { json } = await world.client('POST', '/payment-links', {
      amountType: 'FIXED',
      amountInCents: 5_000_000,
      reference: 'order',
      callbackUrl: 'https://shop.example/return',
    })
    return stored(json.paymentLinkId)
  }
  const begin = (link: PaymentLink) => startAttempt(world.ctx, world.organization, link, REQUEST)
  const endEarly = (link: PaymentLink, ctx: Context = world.ctx) =>
    expireLinkEarly(ctx, link.organizationId, link.paymentLinkId, null)
  const openOnEndedLinks = async () => {
    const { rows } = await world.db.query<{ payin_id: string }>({
      text: `select payin_id
               from payins join payment_links using (organization_id, payment_link_id)
              where payins.status in ('PENDING', 'PROCESSING') and payment_links.status <> 'PENDING'`,
    })
    return rows
  }
  // Until the payer has begun, or waits for a lock.
  const settledOrWaiting = async (begun: Promise<unknown>) => {
    let isSettled = false
    void begun.finally(() => {
      isSettled = true
    })
    await eventually(
      async () => isSettled || (await waitingForLocks(world.db)) === 1,
      (done) => done,
    )
  }
  const statusOf = async (payin: Payin | undefined) =>
    (await world.client('GET', `/payins/${payin?.payinId}`)).json.status

  it('by the merchant, after the look for an open attempt and before the end: a payer who begins waits and comes too late', async () => {
    const link = await newLink()
    let begun: ReturnType<typeof begin> | undefined
    const slow = withPauseAfterLook(world, async () => {
      begun = begin(link)
      await settledOrWaiting(begun)
    })
    const ended = await endEarly(link, slow)
    assert.ok(!isRefusal(ended) && ended.status === 'EXPIRED')
    assert.equal(await begun, undefined)
    assert.deepEqual(await openOnEndedLinks(), [])
  })

  it('at its hour, by the clock of a worker that is 3 s ahead, while a payer begins by the clock of a node that is not', async () => {
    const link = await newLink()
    let begun: ReturnType<typeof begin> | undefined
    const slow = withPauseAfterLook(world, async () => {
      begun = begin(link)
      await settledOrWaiting(begun)
    })
    const now = () => link.expiresAt + 1_000
    const worker = { ...slow, clock: { ...slow.clock, now } }
    await expireDueLink(worker, link)
    assert.equal((await stored(link.paymentLinkId)).status, 'EXPIRED')
    assert.equal(await begun, undefined)
    assert.deepEqual(await openOnEndedLinks(), [])
  })

  it('with a payer in any order: never an open attempt on an ended link', async () => {
    const outcomes = { begunFirst: 0, endedFirst: 0 }
    for (let race = 0; race < RACES; race += 1) {
      const link = await newLink()
      const ahead = { ...world.ctx, clock: { ...world.ctx.clock, now: () => link.expiresAt + 1_000 } }
      const end = race % 2 === 0 ? () => endEarly(link) : () => expireDueLink(ahead, link)
      // At the same moment, and each first by a little, so that both orders happen on every machine.
      const [begun] =
        race % 6 < 2
          ? await Promise.all([begin(link), end()])
          : race % 6 < 4
            ? await inTurn(end, () => begin(link))
            : [await begin(link), await end()]
      outcomes[begun === undefined ? 'endedFirst' : 'begunFirst'] += 1
      // The merchant's word cancels what was begun; the hour waits for it.
      if (race % 2 === 0) assert.equal((await stored(link.paymentLinkId)).status, 'EXPIRED')
      else assert.equal((await stored(link.paymentLinkId)).status, begun ? 'PENDING' : 'EXPIRED')
    }
    assert.deepEqual(await openOnEndedLinks(), [])
    assert.ok(outcomes.begunFirst > 0 && outcomes.endedFirst > 0, JSON.stringify(outcomes))
  })

  it('early while a confirmation holds the attempt: no deadlock, the money counts, and the link stays paid', async () => {
    const link = await newLink()
    const attempt = (await begin(link))?.payin as Payin
    let ending: ReturnType<typeof endEarly> | undefined
    let runs = 0
    await world.db.inTransaction(async (tx) => {
      runs += 1
      const payin = (await lockPayin(tx, attempt))?.payin as Payin
      const looked = Promise.withResolvers<void>()
      ending = endEarly(
        link,
        withPauseAfterLook(world, async () => looked.resolve()),
      )
      await looked.promise
      await writePayins(tx, [await confirmation(world, payin, link)], 1)
    })
    const refused = await ending
    assert.ok(isRefusal(refused))
    assert.equal(refused.refused, 'LINK_ALREADY_FINAL')
    assert.equal(runs, 1)
    assert.equal(await statusOf(attempt), 'CONFIRMED')
  })

  it('not while an attempt is held for long: the merchant is told to come back, and the link stays open', async () => {
    const link = await newLink()
    const attempt = (await begin(link))?.payin as Payin
    // The shortest pauses.
    const ids = { ...world.ctx.ids, random: () => 0 }
    const refused = await world.db.inTransaction(async (tx) => {
      await lockPayin(tx, attempt)
      return endEarly(link, { ...world.ctx, ids })
    })
    assert.ok(isRefusal(refused))
    assert.deepEqual([refused.refused, refused.retryAfterSeconds], ['OVERLOADED', 1])
    assert.equal((await stored(link.paymentLinkId)).status, 'PENDING')
    assert.equal(await statusOf(attempt), 'PROCESSING')
  })

  it('a second time: refused, and nothing of the refusal is written', async () => {
    const link = await newLink()
    const attempt = (await begin(link))?.payin
    await world.db.query({
      text: `update payment_links set status = 'EXPIRED', version = 2 where payment_link_id = $1`,
      values: [link.paymentLinkId],
    })
    const refused = await endEarly(link)
    assert.ok(isRefusal(refused) && refused.refused === 'LINK_ALREADY_FINAL')
    assert.equal(await statusOf(attempt), 'PROCESSING')
  })

  it('at its hour only after its open attempt has ended', async () => {
    const link = await newLink()
    await begin(link)
    await world.passTime(HOUR_MS + 1_000)
    await eventually(
      async () => {
        await world.passTime(1_000)
        return (await stored(link.paymentLinkId)).status
      },
      (status) => status === 'EXPIRED',
    )
  })

  it('within seconds of its open attempt, where that ends after the hour', async () => {
    const link = await newLink()
    const attempt = (await begin(link))?.payin as Payin
    await world.work()
    // Its network is asked some seconds after the hour.
    await world.db.query({
      text: 'update payins set due_at = $2 where payin_id = $1',
      values: [attempt.payinId, isoInstant(link.expiresAt + 5_000)],
    })
    await world.passTime(HOUR_MS + 1_000)
    assert.equal((await stored(link.paymentLinkId)).status, 'PENDING')
    for (let past = 0; past < 10_000; past += 1_000) await world.passTime(1_000)
    assert.equal(await statusOf(attempt), 'CANCELED')
    assert.equal((await stored(link.paymentLinkId)).status, 'EXPIRED')
  })
})

// A context that pauses when it has looked for an open attempt, wherever it looks.
function withPauseAfterLook(world: World, pause: () => Promise<void>): Context {
  let isPaused = false
  const pausing = (db: Queryable): Queryable => ({
    query: async (config) => {
      const result = await db.query(config)
      if (config.name === 'open-attempt-of-link' && !isPaused) {
        isPaused = true
        await pause()
      }
      return result as never
    },
  })
  const db: Db = {
    ...world.db,
    query: pausing(world.db).query,
    inTransaction: (work) => world.db.inTransaction((tx) => work(pausing(tx))),
  }
  return { ...world.ctx, db }
}

async function confirmation(world: World, payin: Payin, link: PaymentLink) {
  const { amountInCents, payinId: paymentId } = payin
  const update = { kind: 'payin.paid', amountInCents, paymentId } as const
  const facts = await readPayinFacts(world.ctx, payin, world.organization, link, update)
  const step = settlePayin(payin, update, facts, world.ctx.clock.now())
  return payinWrite(world.ctx, payin, step, { link }, 'keep')
}

async function inTurn<Value>(first: () => Promise<unknown>, second: () => Promise<Value>): Promise<[Value]> {
  await first()
  return [await second()]
}
