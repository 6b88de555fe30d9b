// The conditions that keep writers apart: another organization, a version that has passed, a lease that went to someone
// else, a state that is final. A statement whose condition does not hold writes nothing.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { HOUR_MS, type Instant, isoInstant, MINUTE_MS } from '../../src/core/instant.ts'
import { cancelPayin, type Payin } from '../../src/core/payins/payin.ts'
import { endLink, type PaymentLink } from '../../src/core/payment-links/payment-link.ts'
import { setPayer } from '../../src/flows/payins/payer-actions.ts'
import { openCustomer } from '../../src/flows/people/vault.ts'
import { deferNotice, insertNotices, type StoredNotice } from '../../src/store/connections/notices.ts'
import { lastLookup, recordLookup } from '../../src/store/directory/key-lookups.ts'
import {
  claimDuePayins,
  getPayinByReference,
  getPayins,
  withdrawPresence,
} from '../../src/store/payins/payins.ts'
import { type PayinWrite, writePayins } from '../../src/store/payins/write.ts'
import { endPaymentLink, getLink } from '../../src/store/payment-links/payment-links.ts'
import {
  type AttemptRecord,
  claimDueDeliveries,
  recordAttempts,
} from '../../src/store/webhooks/deliveries.ts'
import { readBacklog } from '../../src/store/webhooks/delivery-views.ts'
import { insertEvents } from '../api/events/insert-events.ts'
import { sequenceAllEvents } from '../sequence-events.ts'
import { brebPayin, CUSTOMER, createWorld, psePayin, type World } from '../world.ts'

describe('a guarded statement', () => {
  let world: World
  let organizationId: string
  before(async () => {
    world = await createWorld()
    organizationId = world.organization.organizationId
  })
  after(() => world[Symbol.asyncDispose]())

  const now = () => world.ctx.clock.now()
  const newPayin = async (body = brebPayin()): Promise<Payin> =>
    readPayin((await world.client('POST', '/payins', body)).json.id)
  const readPayin = async (payinId: string): Promise<Payin> =>
    (await getPayins(world.db, [{ organizationId, payinId }]))[0] as Payin
  const customerOf = async (payinId: string) =>
    openCustomer(await world.ctx.vault(organizationId), payinId, (await readPayin(payinId)).customer)
  const eventCount = async (objectId: string): Promise<number> => {
    const { rows } = await world.db.query<{ count: bigint }>({
      text: 'select count(*) from events where organization_id = $1 and object_id = $2',
      values: [organizationId, objectId],
    })
    return Number(rows[0]?.count)
  }
  // Cancels the payin, with its event.
  const cancellation = (payin: Payin, changes: Partial<PayinWrite>): PayinWrite => ({
    payin: cancelPayin(payin, 'EXPIRED', now()) as Payin,
    expectedVersion: payin.version,
    leaseToken: null,
    dueAt: null,
    at: now(),
    transfers: [],
    suspense: null,
    alarm: null,
    link: null,
    notice: null,
    event: {
      organizationId,
      eventId: world.ctx.ids.next(),
      type: 'payin.canceled',
      resource: 'payin',
      objectId: payin.payinId,
      version: payin.version + 1,
      data: '{}',
      createdAt: now(),
    },
    ...changes,
  })
  const claim = async (payinId: string, until: Instant): Promise<string> => {
    const token = world.ctx.ids.next()
    const claims = await claimDuePayins(world.db, organizationId, now(), { token, until }, 1_000)
    assert.ok(claims.some(({ payin }) => payin.payinId === payinId))
    return token
  }

  it('withdraws what a payer accepted of one organization, and of no other’s payin with the same id and lease', async () => {
    const payin = await newPayin(psePayin())
    const { organization: other } = await world.newMerchant()
    const leaseToken = world.ctx.ids.next()
    await world.db.query({
      text: `insert into payins
             select (jsonb_populate_record(p, jsonb_build_object('organization_id', $2::text, 'reference', 'theirs'))).*
               from payins p where payin_id = $1`,
      values: [payin.payinId, other.organizationId],
    })
    await world.db.query({
      text: `update payins set lease_token = $2, status = 'PENDING', rail_stage = 'TO_OPEN' where payin_id = $1`,
      values: [payin.payinId, leaseToken],
    })
    assert.equal(await withdrawPresence(world.db, { payin, leaseToken }, 'TERMS_CHANGED', now()), true)
    const { rows } = await world.db.query({
      text: 'select network_code, lease_token is null as "isFree" from payins where payin_id = $1 order by organization_id = $2',
      values: [payin.payinId, organizationId],
    })
    assert.deepEqual(rows, [
      { network_code: null, isFree: false },
      { network_code: 'TERMS_CHANGED', isFree: true },
    ])
    await world.db.query({
      text: 'delete from payins where organization_id = $1',
      values: [other.organizationId],
    })
  })

  it('writes a payin’s step only for the worker that holds the lease, and for the version it was decided on', async () => {
    const { payinId } = await newPayin()
    const lost = await claim(payinId, now())
    const held = await claim(payinId, now() + MINUTE_MS)
    const payin = await readPayin(payinId)
    const refused = [
      { leaseToken: lost },
      { leaseToken: randomUUID() },
      { expectedVersion: payin.version - 1 },
      { expectedVersion: payin.version + 1, leaseToken: held },
    ]
    for (const changes of refused) {
      assert.deepEqual(await writePayins(world.db, [cancellation(payin, changes)], 1), [false])
      assert.deepEqual(await readPayin(payinId), payin)
    }
    assert.equal(await eventCount(payinId), 0)
    assert.deepEqual(await writePayins(world.db, [cancellation(payin, { leaseToken: held })], 1), [true])
    assert.equal((await readPayin(payinId)).status, 'CANCELED')
    assert.equal(await eventCount(payinId), 1)
  })

  it('skips the payin whose guard fails and writes the others of the batch', async () => {
    const [stale, good] = [await newPayin(), await newPayin()]
    const batch = [cancellation(stale, { expectedVersion: 99 }), cancellation(good, {})]
    assert.deepEqual(await writePayins(world.db, batch, 1), [false, true])
    assert.equal((await readPayin(stale.payinId)).status, 'PROCESSING')
  })

  it('ends a payment link only from the version it was decided on, and tells it once', async () => {
    const { json } = await world.client('POST', '/payment-links', {
      amountType: 'FIXED',
      amountInCents: 100_000,
      reference: `guard-${randomUUID()}`,
      callbackUrl: 'https://shop.example/',
    })
    const link = (await getLink(world.db, organizationId, json.paymentLinkId)) as PaymentLink
    const expired = endLink(link, 'expire', now()) as PaymentLink
    const end = (expectedVersion: number) =>
      endPaymentLink(world.db, expired, expectedVersion, {
        organizationId,
        eventId: world.ctx.ids.next(),
        type: 'paymentlink.expired',
        resource: 'paymentlink',
        objectId: link.paymentLinkId,
        version: expired.version,
        data: '{}',
        createdAt: now(),
      })
    assert.equal(await end(link.version - 1), false)
    assert.equal(await end(link.version + 1), false)
    assert.equal((await getLink(world.db, organizationId, link.paymentLinkId))?.status, 'PENDING')
    assert.equal(await end(link.version), true)
    assert.equal(await end(link.version), false, 'who decided on the same version is too late')
    assert.equal(await eventCount(link.paymentLinkId), 1)
  })

  it('defers a waiting notice, and never one that was applied', async () => {
    const notice = (noticeId: string): StoredNotice => ({
      organizationId,
      rail: 'BRE_B',
      noticeId,
      subjectKind: 'payin',
      subjectId: randomUUID(),
      update: { kind: 'payin.canceled', reason: 'EXPIRED' },
      networkCode: '',
      occurredAt: now(),
      receivedAt: now(),
    })
    const [waiting, done] = [notice(randomUUID()), notice(randomUUID())]
    await insertNotices(world.db, [waiting, done])
    await world.db.query({
      text: `update rail_notices set state = 'DONE', due_at = null where organization_id = $1 and notice_id = $2`,
      values: [organizationId, done.noticeId],
    })
    const read = async ({ noticeId }: StoredNotice) => {
      const { rows } = await world.db.query<{ state: string; due_at: Instant | null }>({
        text: 'select state, due_at from rail_notices where organization_id = $1 and notice_id = $2',
        values: [organizationId, noticeId],
      })
      return [rows[0]?.state, rows[0]?.due_at]
    }
    const later = now() + HOUR_MS
    for (const dueAt of [later, null]) {
      await deferNotice(world.db, done, dueAt)
      assert.deepEqual(await read(done), ['DONE', null])
    }
    await deferNotice(world.db, { ...waiting, organizationId: randomUUID() }, null)
    await deferNotice(world.db, waiting, later)
    assert.deepEqual(await read(waiting), ['WAITING', later])
    await deferNotice(world.db, waiting, null)
    assert.deepEqual(await read(waiting), ['ORPHAN', null])
  })

  it('sets a payer once: one that is known is not replaced, and not in another organization', async () => {
    const other = { ...CUSTOMER, name: 'Otra Persona' }
    const known = await newPayin(psePayin())
    await setPayer(world.ctx, known, other)
    assert.deepEqual(await customerOf(known.payinId), CUSTOMER)
    const unknown = await newPayin(psePayin({ inlineCustomer: undefined }))
    const { organization } = await world.newMerchant()
    await setPayer(world.ctx, { ...unknown, organizationId: organization.organizationId }, other)
    assert.equal((await readPayin(unknown.payinId)).customer, null)
    for (const customer of [CUSTOMER, other]) await setPayer(world.ctx, unknown, customer)
    assert.deepEqual(await customerOf(unknown.payinId), CUSTOMER)
  })

  it('records an attempt that was made, but changes a delivery only under its lease', async () => {
    const { json } = await world.client('POST', '/webhook-endpoints', { url: 'https://shop.example/' })
    await insertEvents(world, organizationId, ['payin.confirmed'])
    await sequenceAllEvents(world.ctx, organizationId)
    const { rows } = await world.db.query<{ event_id: string; sequence: bigint }>({
      text: 'select event_id, sequence from events where organization_id = $1 order by sequence desc limit 1',
      values: [organizationId],
    })
    const eventId = rows[0]?.event_id as string
    const address = { organizationId, endpointId: json.id as string }
    const failed = (leaseToken: string | null, number: number, state: AttemptRecord['state']) =>
      recordAttempts(world.db, [
        {
          ...address,
          eventId,
          sequence: Number(rows[0]?.sequence),
          attemptId: world.ctx.ids.next(),
          leaseToken,
          number,
          at: now(),
          result: {
            status: 500,
            latencyMs: 1,
            response: '',
            failure: 'STATUS',
            retryAfterSeconds: null,
            delivered: state === 'DELIVERED',
            gone: false,
          },
          state,
          dueAt: state === 'PENDING' ? now() : null,
        },
      ])
    const delivery = async () => {
      const found = await world.db.query<{ state: string; attempts: number }>({
        text: 'select state, attempts from deliveries where organization_id = $1 and event_id = $2',
        values: [organizationId, eventId],
      })
      return [found.rows[0]?.state, found.rows[0]?.attempts]
    }
    await failed(null, 1, 'PENDING')
    const leases = [world.ctx.ids.next(), world.ctx.ids.next()]
    for (const token of leases)
      assert.equal((await claimDueDeliveries(world.db, address, now(), { token, until: now() }, 1)).length, 1)
    const [lost, held] = leases as [string, string]
    await failed(lost, 2, 'FAILED')
    assert.deepEqual(await delivery(), ['PENDING', 1], 'the lease went to another worker')
    await failed(held, 2, 'FAILED')
    assert.deepEqual(await delivery(), ['FAILED', 2])
    const { rows: attempts } = await world.db.query<{ number: number }>({
      text: 'select number from delivery_attempts where organization_id = $1 and event_id = $2 order by number',
      values: [organizationId, eventId],
    })
    assert.deepEqual(
      attempts.map(({ number }) => number),
      [1, 2, 2],
    )
    await world.client('DELETE', `/webhook-endpoints/${json.id}`)
  })

  it('finds look-ups and references of its own organization alone', async () => {
    const stranger = (await world.newMerchant()).organization.organizationId
    const at = now()
    await recordLookup(world.db, organizationId, '@GUARDED', at)
    assert.equal(await lastLookup(world.db, organizationId, '@GUARDED'), at)
    assert.equal(await lastLookup(world.db, stranger, '@GUARDED'), undefined)
    const { payinId, reference } = await newPayin()
    assert.equal((await getPayinByReference(world.db, organizationId, reference))?.payinId, payinId)
    assert.equal(await getPayinByReference(world.db, stranger, reference), undefined)
  })

  it('measures the backlog by what has waited longest, over all endpoints', async () => {
    const waits = [3 * MINUTE_MS, 2 * HOUR_MS, MINUTE_MS]
    const at = now()
    for (const waitMs of waits) {
      const { client, organization } = await world.newMerchant()
      await client('POST', '/webhook-endpoints', { url: 'https://shop.example/' })
      await insertEvents(world, organization.organizationId, ['payin.confirmed'])
      await sequenceAllEvents(world.ctx, organization.organizationId)
      await world.db.query({
        text: 'update first_attempt_batches set due_at = $2 where organization_id = $1',
        values: [organization.organizationId, isoInstant(at - waitMs)],
      })
    }
    assert.deepEqual(await readBacklog(world.db, at), { due: waits.length, oldestDueMs: 2 * HOUR_MS })
  })
})
