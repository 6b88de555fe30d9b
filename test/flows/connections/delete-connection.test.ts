// No payment begins over a connection that was deleted, however late its request learns of it, and none that has begun loses the
// connection under it.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { begin } from '../../../src/checkout/begin.ts'
import type { Organization } from '../../../src/core/organizations/organization.ts'
import { newPayin } from '../../../src/core/payins/payin.ts'
import { isRefusal } from '../../../src/core/refusal.ts'
import { deleteConnection } from '../../../src/flows/connections/delete-connection.ts'
import { WHOLE_OFFER } from '../../../src/flows/connections/pse-offer.ts'
import { createPayin } from '../../../src/flows/payins/create.ts'
import { startAttempt } from '../../../src/flows/payment-links/start-attempt.ts'
import { ConnectionGone, routePayin } from '../../../src/flows/payment-route.ts'
import { createPayout } from '../../../src/flows/payouts/create.ts'
import { getConnection } from '../../../src/store/connections/connections.ts'
import { getOrganization } from '../../../src/store/organizations/organizations.ts'
import { insertPayins } from '../../../src/store/payins/payins.ts'
import { getLink } from '../../../src/store/payment-links/payment-links.ts'
import { MONO } from '../../api/connections/fake-provider.ts'
import { newPayout } from '../../api/http/calls.ts'
import { waitingForLocks } from '../../locks.ts'
import { CUSTOMER, createWorld, eventually, type World } from '../../world.ts'
import { moveToProviders } from './funds.ts'

const NO_LIMITS = { payoutsPerDay: null, payoutSumPerDay: null }
let count = 0

describe('a deleted connection', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const reference = () => {
    count += 1
    return `late-${count}`
  }
  // Nothing is ever sent to it: no worker runs here.
  const connect = async (): Promise<string> => {
    const { json, status } = await world.client('POST', '/connections', {
      ...MONO,
      uses: ['BRE_B_IN', 'BRE_B_OUT'],
    })
    assert.equal(status, 201)
    return json.id
  }
  const endAll = () => world.db.query({ text: 'update payins set due_at = null' })
  const organizationNow = async (): Promise<Organization> => {
    const organization = await getOrganization(world.db, world.organization.organizationId)
    assert.ok(organization)
    return organization
  }
  const remove = (connectionId: string) =>
    deleteConnection(world.ctx, { organizationId: world.organization.organizationId, connectionId })
  // As a request knew the organization that was authenticated before the connection was deleted.
  const staleOrganization = async (): Promise<{ stale: Organization; connectionId: string }> => {
    const connectionId = await connect()
    const stale = await organizationNow()
    assert.equal(await remove(connectionId), undefined)
    assert.ok(stale.routes.some((route) => route.connectionId === connectionId))
    return { stale, connectionId }
  }
  const payinRequest = () => ({
    amountInCents: 5_000_000n,
    reference: reference(),
    customer: null,
    callbackUrl: null,
    way: { rail: 'BRE_B', keyType: 'SINGLE_USE' } as const,
  })
  const payoutRequest = () => ({
    amountInCents: 1_000_000n,
    reference: reference(),
    customer: { ...CUSTOMER, idType: 'CO_CC' } as const,
    keyString: '@ANAGOMEZ',
    keyStringSent: '@ANAGOMEZ',
    keyType: 'ALPHANUMERIC' as const,
  })

  it('is one whose payouts have all ended, also those that await approval', async () => {
    const connectionId = await connect()
    await moveToProviders(world, 1_000_000n)
    await world.db.query({
      text: `update organizations set approval_rules = $1::text::json`,
      values: [JSON.stringify([{ kind: 'payout', tiers: [{ fromInCents: 1, approvers: 1 }] }])],
    })
    const { json } = await world.client('POST', '/payouts', newPayout({ amountInCents: 1_000_000 }))
    await world.db.query({ text: `update organizations set approval_rules = '[]'` })
    const { rows } = await world.db.query({ text: 'select stage, due_at, connection_id from payouts' })
    assert.deepEqual(rows, [{ stage: 'AWAITING_APPROVAL', due_at: null, connection_id: connectionId }])
    const refused = await remove(connectionId)
    assert.equal(isRefusal(refused) && refused.refused, 'CONNECTION_IN_USE')
    await world.client('POST', `/payouts/${json.id}/cancel`)
    assert.equal(await remove(connectionId), undefined)
  })

  it('takes no payin: one that was routed before goes where the connections lead now', async () => {
    const { stale } = await staleOrganization()
    const over = await createPayin(world.ctx, stale, payinRequest(), null)
    assert.ok(!isRefusal(over))
    assert.equal(over.connection, null, 'the installation’s own network')

    const { stale: again } = await staleOrganization()
    const other = await connect()
    const elsewhere = await createPayin(world.ctx, again, payinRequest(), null)
    assert.ok(!isRefusal(elsewhere))
    assert.equal(elsewhere.connection?.connectionId, other)
    const stored = await world.ctx.batched.getPayin(elsewhere)
    assert.equal(stored?.connection?.connectionId, other)
    await endAll()
    assert.equal(await remove(other), undefined)
  })

  it('takes no payin where nothing else can: it is refused, and the key may be used again', async () => {
    const { stale } = await staleOrganization()
    const { ctx } = world
    const settings = { ...ctx.settings, installationRails: [] }
    const request = payinRequest()
    const idempotency = {
      key: 'late',
      fingerprint: Buffer.alloc(32),
      answer: () => ({ status: 201, body: '{}' }),
    }
    const refused = await createPayin({ ...ctx, settings }, stale, request, idempotency)
    assert.ok(isRefusal(refused))
    assert.equal(refused.refused, 'RAIL_NOT_CONNECTED')
    const made = await createPayin(ctx, stale, request, idempotency)
    assert.ok(!isRefusal(made))
  })

  for (const limits of [NO_LIMITS, { ...NO_LIMITS, payoutsPerDay: 100 }])
    it(`takes no payout${limits === NO_LIMITS ? '' : ' of a credential with limits'}`, async () => {
      const { stale } = await staleOrganization()
      const creator = { credentialId: `late ${limits.payoutsPerDay}`, limits }
      const payout = await createPayout(world.ctx, stale, creator, payoutRequest(), null)
      assert.ok(!isRefusal(payout))
      assert.equal(payout.connection, null)
      const { rows } = await world.db.query<{ payouts: number }>({
        text: 'select payouts from payout_usage where credential_id = $1',
        values: [creator.credentialId],
      })
      assert.deepEqual(rows, [{ payouts: 1 }], 'counted once')
    })

  it('takes no attempt on a payment link, and leaves the link payable', async () => {
    const made = await world.client('POST', '/payment-links', {
      amountType: 'FIXED',
      amountInCents: 5_000_000,
      reference: reference(),
      callbackUrl: 'https://shop.example/',
    })
    const { stale } = await staleOrganization()
    const link = await getLink(world.db, stale.organizationId, made.json.paymentLinkId)
    assert.ok(link)
    const route = routePayin(world.ctx, stale, 'BRE_B', link.amountInCents)
    assert.ok(route !== null && !isRefusal(route))
    const request = { customer: null, way: { rail: 'BRE_B', keyType: 'QR_CODE' } } as const
    await assert.rejects(startAttempt(world.ctx, stale, link, request, 'es', route), ConnectionGone)
    assert.equal(
      (await world.client('GET', `/payins?paymentLinkId=${link.paymentLinkId}`)).json.data.length,
      0,
    )
    // The payer's form comes again, with what is offered now.
    const found = { organization: stale, link, payin: null }
    const choice = { rail: 'BRE_B', bank: null, personType: null, customer: null } as const
    const offerOf = async () => WHOLE_OFFER
    assert.equal(await begin(world.ctx, offerOf, found, choice, {}), 'rail-not-available')
    const begun = await startAttempt(world.ctx, await organizationNow(), link, request)
    assert.equal(begun?.isNew, true)
  })

  it('is not deleted while a payment is being written that takes it', async () => {
    const connectionId = await connect()
    const organization = await organizationNow()
    const route = routePayin(world.ctx, organization, 'BRE_B', 5_000_000n)
    assert.ok(route !== null && !isRefusal(route))
    const payin = newPayin(organization, world.ctx.ids.next(), payinRequest(), null, route)
    const inserted = Promise.withResolvers<void>()
    const waitedFor = Promise.withResolvers<void>()
    const writing = world.db.inTransaction(async (tx) => {
      assert.deepEqual(await insertPayins(tx, [{ payin, record: null }]), [{ inserted: true }])
      inserted.resolve()
      await waitedFor.promise
    })
    await inserted.promise
    const deleting = remove(connectionId)
    await eventually(
      () => waitingForLocks(world.db),
      (waiting) => waiting === 1,
    )
    waitedFor.resolve()
    await writing
    assert.equal((await deleting)?.refused, 'CONNECTION_IN_USE')
    assert.ok(await getConnection(world.db, { ...organization, connectionId }))
    await endAll()
    assert.equal(await remove(connectionId), undefined)
  })

  it('a payin waits for a deletion that is under way, and then goes elsewhere', async () => {
    const connectionId = await connect()
    const stale = await organizationNow()
    const address = { organizationId: stale.organizationId, connectionId }
    const deleted = Promise.withResolvers<void>()
    const waitedFor = Promise.withResolvers<void>()
    const deleting = world.db.inTransaction(async (tx) => {
      await tx.query({
        text: 'delete from connections where organization_id = $1 and connection_id = $2',
        values: [address.organizationId, connectionId],
      })
      await tx.query({
        text: `update organizations set routes = '[]' where organization_id = $1`,
        values: [address.organizationId],
      })
      deleted.resolve()
      await waitedFor.promise
    })
    await deleted.promise
    const making = createPayin(world.ctx, stale, payinRequest(), null)
    await eventually(
      () => waitingForLocks(world.db),
      (waiting) => waiting === 1,
    )
    waitedFor.resolve()
    await deleting
    const payin = await making
    assert.ok(!isRefusal(payin))
    assert.equal(payin.connection, null)
  })
})
