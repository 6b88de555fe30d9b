// What tests of refunds share: confirmed payins, refunds of them, and what the networks and the books say.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { railReference } from '../../../src/core/connections/reference.ts'
import { verifyLedger } from '../../../src/store/ledger/verify.ts'
import { type Answer, brebPayin, CUSTOMER, eventually, psePayin, type World } from '../../world.ts'

export const SETTLEMENT = 24 * 60 * 60_000
export const AMOUNT = 5_000_000

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
type Json = any

export function refunding(world: () => World) {
  const client = (...call: Parameters<World['client']>): Promise<Answer> => world().client(...call)
  const worked = <Value>(read: () => Promise<Value>, holds: (value: Value) => boolean) =>
    eventually(async () => {
      await world().work()
      return read()
    }, holds)
  const payin = async (id: string): Promise<Json> => (await client('GET', `/payins/${id}`)).json
  const refund = async (id: string): Promise<Json> => (await client('GET', `/refunds/${id}`)).json
  const rowOf = async (id: string) => {
    const { rows } = await world().db.query<{ payment_id: string }>({
      text: 'select payment_id from payins where payin_id = $1',
      values: [id],
    })
    return rows[0]?.payment_id as string
  }
  const confirmed = async (changes: Record<string, unknown> = {}, rail: 'BRE_B' | 'PSE' = 'BRE_B') => {
    const body = rail === 'BRE_B' ? brebPayin(changes) : psePayin(changes)
    const { json, text } = await client('POST', '/payins', body)
    assert.ok(json?.id, text)
    await world().passTime(1_000)
    await worked(
      () => payin(json.id),
      ({ status }) => status === 'CONFIRMED',
    )
    return json.id as string
  }
  const settle = async (id: string) => {
    await world().passTime(SETTLEMENT)
    await worked(
      () => payin(id),
      ({ settlementStatus }) => settlementStatus === 'SETTLED',
    )
  }
  const ask = (payinId: string, body: Record<string, unknown> = {}, headers?: Record<string, string>) =>
    client('POST', `/payins/${payinId}/refunds`, { reason: 'NOT_RECEIVED', ...body }, headers)
  const asked = async (payinId: string, body: Record<string, unknown> = {}): Promise<Json> => {
    const { status, json, text } = await ask(payinId, body)
    assert.equal(status, 201, text)
    return json
  }
  const ends = (id: string, status: string, readIt = refund) =>
    eventually(
      async () => {
        await world().passTime(1_000)
        return readIt(id)
      },
      (one: Json) => one.status === status,
    )
  const reaches = (id: string, stage: string) =>
    worked(
      () => refund(id),
      (one: Json) => one.stage === stage,
    )
  const bookingsOf = async (id: string): Promise<string[]> => {
    const { json } = await client('GET', `/ledger/transfers?subjectId=${id}`)
    return json.data.map((one: { booking: string }) => one.booking).reverse()
  }
  // What the networks say left under a refund, over its rail or by its payouts.
  const leftOf = (kind: 'return' | 'payout', id: string) => {
    const reference = railReference(kind, world().organization.organizationId, id)
    return world()
      .sandbox.log()
      .filter((entry) => entry.reference === reference)
      .map(({ amountInCents }) => Number(amountInCents))
  }
  const balance = async () => (await client('GET', '/balance')).json
  const chargeBack = async (id: string, amountInCents: bigint, rail: 'BRE_B' | 'PSE' = 'BRE_B') => {
    const now = world().ctx.clock.now()
    await world().ctx.batched.insertNotice({
      organizationId: world().organization.organizationId,
      rail,
      noticeId: randomUUID(),
      subjectKind: 'payin',
      subjectId: id,
      update: { kind: 'payin.chargeback', paymentId: await rowOf(id), amountInCents },
      networkCode: '',
      occurredAt: now,
      receivedAt: now,
    })
    await world().work()
  }
  // Pays out all that is available.
  const spend = async () => {
    const cap = 1_211_000_000
    for (let left = (await balance()).availableInCents; left > 0; ) {
      const amountInCents = Math.min(left, cap)
      const body = {
        amountInCents,
        currency: 'COP',
        rail: 'BRE_B',
        reference: 'all',
        inlineCustomer: CUSTOMER,
      }
      await client('POST', '/payouts', { ...body, breb: { keyString: '@ANAGOMEZ' } })
      left -= amountInCents
    }
    await eventually(
      async () => {
        await world().passTime(1_000)
        return balance()
      },
      ({ availableInCents, reservedInCents }) => availableInCents === 0 && reservedInCents === 0,
    )
  }
  const eventsOf = async (id: string): Promise<string[]> => {
    const { json } = await client('GET', `/events?objectId=${id}&pageSize=100`)
    return json.data.map(({ event }: { event: string }) => event).sort()
  }
  const proven = async () => assert.deepEqual(await verifyLedger(world().db), [])
  const noFunds = async (leaveInCents = 0) => {
    const { availableInCents } = await balance()
    const { organizationId } = world().organization
    return { availableInCents: availableInCents - leaveInCents, organizationId }
  }
  return {
    worked,
    payin,
    refund,
    confirmed,
    settle,
    ask,
    asked,
    ends,
    reaches,
    bookingsOf,
    leftOf,
    balance,
    chargeBack,
    eventsOf,
    proven,
    noFunds,
    spend,
  }
}
