// What an entry says was changed, from what to what, for whatever a merchant does with payments, links, pages and webhook endpoints.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Operation } from '../../../src/api/http/operation.ts'
import { createPayinOperation } from '../../../src/api/payins/operations.ts'
import { createPayoutOperation } from '../../../src/api/payouts/operations.ts'
import type { Act } from '../../../src/core/audit/act.ts'
import { isoInstant } from '../../../src/core/instant.ts'
import { isRefusal } from '../../../src/core/refusal.ts'
import { getOrganization } from '../../../src/store/organizations/organizations.ts'
import { brebPayin, CUSTOMER, createWorld, endPayin, type World } from '../../world.ts'
import { newApproval, newPayout, newVerifiableEndpoint } from '../http/calls.ts'
import { asPerson, entriesOf } from './entries.ts'

// The simulated networks leave this customer's payments open.
const OPEN = { ...CUSTOMER, idNumber: '1000000007' }
const LINK = {
  amountType: 'FIXED',
  amountInCents: 100_000,
  reference: 'order 7',
  callbackUrl: 'https://shop.example/return',
}
const PAGE = { name: 'Coffee', amountType: 'FIXED', amountInCents: 100_000, reference: 'counter' }
const EVENTS_URL = 'https://shop.example/events'

describe('an entry of the audit log', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  // Of the newest entry of the act.
  const changesOf = async (act: Act): Promise<Record<string, { before: unknown; after: unknown }>> => {
    const entries = (await entriesOf(world, world.organization)).filter((entry) => entry.act === act)
    return JSON.parse(entries.at(-1)?.changes ?? 'null')
  }
  const post = async (path: string, body?: unknown) => {
    const { status, json, text } = await world.client('POST', path, body)
    assert.ok(status < 300, text)
    return json
  }
  const made = (fields: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(fields).map(([field, after]) => [field, { before: null, after }]))

  it('of a payin or a payout that is canceled tells what it was, and why it ended', async () => {
    const payin = await post('/payins', brebPayin({ inlineCustomer: OPEN }))
    await post(`/payins/${payin.id}/cancel`)
    assert.deepEqual(await changesOf('payin.cancel'), {
      status: { before: 'PROCESSING', after: 'CANCELED' },
      errorCode: { before: null, after: 'CANCELED_BY_MERCHANT' },
    })
    const payout = await post('/payouts', newPayout({ inlineCustomer: OPEN }))
    await post(`/payouts/${payout.id}/cancel`)
    assert.deepEqual(await changesOf('payout.cancel'), {
      status: { before: 'PROCESSING', after: 'CANCELED' },
      errorCode: { before: null, after: 'CANCELED_BY_MERCHANT' },
    })
  })

  it('of a refund tells what was asked for, and that it was taken back', async () => {
    const payin = await post('/payins', brebPayin())
    await endPayin(world, world.client, payin.id, 'confirmed')
    const body = { amountInCents: 1_000, reason: 'WITHDRAWAL', way: 'CLAIM' }
    const refund = await post(`/payins/${payin.id}/refunds`, body)
    const asked = await changesOf('refund.create')
    assert.deepEqual(asked, {
      ...made({ payinId: payin.id, amountInCents: 1_000, reason: 'WITHDRAWAL', way: 'CLAIM' }),
      ...made({ status: 'PROCESSING', stage: 'AWAITING_CLAIM' }),
    })
    await post(`/refunds/${refund.id}/cancel`)
    assert.deepEqual(await changesOf('refund.cancel'), {
      status: { before: 'PROCESSING', after: 'CANCELED' },
      stage: { before: 'AWAITING_CLAIM', after: 'DONE' },
      errorCode: { before: null, after: 'CANCELED_BY_MERCHANT' },
    })
  })

  it('of a refund that its payer claims tells that it waited for them', async () => {
    const payer = { ...CUSTOMER, idNumber: '1020304050' }
    const payin = await post('/payins', brebPayin({ inlineCustomer: payer }))
    await endPayin(world, world.client, payin.id, 'confirmed')
    const { claimUrl } = await post(`/payins/${payin.id}/refunds`, { reason: 'OTHER', way: 'CLAIM' })
    const form = new URLSearchParams({ key: payer.idNumber, sure: '1' }).toString()
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    assert.equal((await world.anonymous('POST', new URL(claimUrl).pathname, form, type)).status, 303)
    assert.deepEqual(await changesOf('refund.claim'), {
      stage: { before: 'AWAITING_CLAIM', after: 'READY' },
    })
  })

  it('of what a person makes tells all of it, also where others must approve it first', async () => {
    await newApproval(world, world.client)
    const make = async (operation: Operation, body: unknown) => {
      const known = await getOrganization(world.db, world.organization.organizationId)
      const answer = await asPerson(world, known ?? world.organization, operation, {
        body,
        idempotencyKey: operation.operationId,
      })
      if (isRefusal(answer)) assert.fail(answer.detail)
    }
    const payin = brebPayin({ callbackUrl: 'https://shop.example/back?of=7' })
    await make(createPayinOperation, payin)
    const { amountInCents, reference } = payin
    assert.deepEqual(
      await changesOf('payin.create'),
      made({
        ...{ amountInCents, reference, rail: 'BRE_B', status: 'PROCESSING' },
        callbackUrl: 'https://shop.example/back?…',
      }),
    )
    const payout = { amountInCents: 1_000_000_000, reference: 'asked', status: 'PROCESSING' }
    await make(createPayoutOperation, newPayout({ amountInCents: payout.amountInCents, reference: 'asked' }))
    assert.deepEqual(await changesOf('payout.create'), made({ ...payout, keyType: 'ALPHANUMERIC' }))
  })

  it('of a link that is ended tells that it was open', async () => {
    const { paymentLinkId } = await post('/payment-links', LINK)
    await post(`/payment-links/${paymentLinkId}/expire`)
    assert.deepEqual(await changesOf('paymentlink.expire'), {
      status: { before: 'PENDING', after: 'EXPIRED' },
    })
  })

  it('of a page tells how it was made, changed and closed', async () => {
    const { paymentPageId } = await post('/payment-pages', { ...PAGE, maxPieces: 3 })
    assert.deepEqual(
      await changesOf('paymentpage.create'),
      made({ name: 'Coffee', status: 'OPEN', amountInCents: 100_000, reference: 'counter', maxPieces: 3 }),
    )
    await world.client('PATCH', `/payment-pages/${paymentPageId}`, { name: 'Tea', maxPieces: 5 })
    assert.deepEqual(await changesOf('paymentpage.change'), {
      name: { before: 'Coffee', after: 'Tea' },
      maxPieces: { before: 3, after: 5 },
    })
    await post(`/payment-pages/${paymentPageId}/close`)
    assert.deepEqual(await changesOf('paymentpage.close'), {
      status: { before: 'OPEN', after: 'CLOSED' },
    })
  })

  it('of a webhook endpoint tells how it was made and changed, that its secret is another, and how it was', async () => {
    const { id } = await post('/webhook-endpoints', {
      url: `${EVENTS_URL}?token=1`,
      events: ['payin.confirmed'],
    })
    assert.deepEqual(
      await changesOf('webhook.create'),
      made({
        url: `${EVENTS_URL}?…`,
        events: ['payin.confirmed'],
        state: 'ENABLED',
        sealedSecret: '(secret)',
      }),
    )
    await world.client('PATCH', `/webhook-endpoints/${id}`, { status: 'DISABLED', maxPerSecond: 5 })
    assert.deepEqual(await changesOf('webhook.change'), {
      state: { before: 'ENABLED', after: 'DISABLED' },
      disabledReason: { before: null, after: 'BY_MERCHANT' },
      maxPerSecond: { before: null, after: 5 },
    })
    await post(`/webhook-endpoints/${id}/rotate-secret`)
    assert.deepEqual(await changesOf('webhook.rotate'), {
      sealedSecret: { before: '(secret)', after: '(secret)' },
    })
    await world.client('DELETE', `/webhook-endpoints/${id}`)
    const gone = await changesOf('webhook.delete')
    assert.deepEqual(gone.url, { before: `${EVENTS_URL}?…`, after: null })
    assert.deepEqual(gone.state, { before: 'DISABLED', after: null })
  })

  it('of a webhook endpoint that is verified tells when', async () => {
    const endpointId = await newVerifiableEndpoint(world.client)
    const { verifiedAt } = await post(`/webhook-endpoints/${endpointId}/verify`)
    assert.deepEqual(await changesOf('webhook.verify'), made({ verifiedAt }))
  })

  it('of a test event, of what is sent again and of what is made up for tells which and how many', async () => {
    const payin = await post('/payins', brebPayin({ inlineCustomer: OPEN }))
    await post(`/payins/${payin.id}/cancel`)
    await world.work()
    const endpoint = await post('/webhook-endpoints', { url: EVENTS_URL })
    const event = await post(`/webhook-endpoints/${endpoint.id}/test`)
    assert.deepEqual(await changesOf('webhook.test'), made({ eventId: event.id }))
    await post(`/events/${event.id}/redeliver`, { endpointId: endpoint.id })
    assert.deepEqual(
      await changesOf('event.redeliver'),
      made({ type: 'webhook.test', endpointIds: [endpoint.id] }),
    )
    const since = isoInstant(world.ctx.clock.now() - 60_000)
    const recovered = await post(`/webhook-endpoints/${endpoint.id}/recover`, { since })
    assert.ok(recovered.scheduled > 0)
    assert.deepEqual(await changesOf('webhook.recover'), made({ since, scheduled: recovered.scheduled }))
  })

  it('of an address that shows deliveries tells which, to whom, and until when', async () => {
    const { id } = await post('/webhook-endpoints', { url: EVENTS_URL })
    const body = { endpointIds: [id], readOnly: true, frameAncestors: ['https://shop.example'] }
    const { expiresAt } = await post('/webhook-portal-links', body)
    assert.deepEqual(
      await changesOf('portallink.create'),
      made({ endpointIds: [id], readOnly: true, frameAncestors: ['https://shop.example'], expiresAt }),
    )
  })
})
