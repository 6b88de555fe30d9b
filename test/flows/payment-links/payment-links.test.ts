// Payment links: open for one hour, paid at most once under any race; and their events.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { PaymentLink } from '../../../src/core/payment-links/payment-link.ts'
import { abandonAttempt } from '../../../src/flows/payment-links/abandon-attempt.ts'
import { startAttempt } from '../../../src/flows/payment-links/start-attempt.ts'
import { listSuspense } from '../../../src/store/ledger/suspense.ts'
import { getLink } from '../../../src/store/payment-links/payment-links.ts'
import { CUSTOMER, createWorld, eventually, type World } from '../../world.ts'

let count = 0
const linkBody = (changes: Record<string, unknown> = {}) => {
  count += 1
  return {
    amountType: 'FIXED',
    amountInCents: 5_000_000,
    reference: `link-${count}`,
    callbackUrl: 'https://shop.example/return?a=1',
    ...changes,
  }
}
const BREB = { rail: 'BRE_B', keyType: 'SINGLE_USE' } as const
const PSE = { rail: 'PSE', bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' } as const
const payer = (idNumber: string) => ({ ...CUSTOMER, idNumber })

describe('payment links', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const create = async (changes: Record<string, unknown> = {}) =>
    (await world.client('POST', '/payment-links', linkBody(changes))).json
  const read = async (id: string) => (await world.client('GET', `/payment-links/${id}`)).json
  const stored = async (id: string) =>
    (await getLink(world.db, world.organization.organizationId, id)) as PaymentLink
  const begin = async (id: string, way: typeof BREB | typeof PSE = BREB, idNumber = '1000000007') =>
    startAttempt(world.ctx, world.organization, await stored(id), { customer: payer(idNumber), way })
  const payin = async (id: string) => (await world.client('GET', `/payins/${id}`)).json
  const simulate = (id: string, body: unknown) => world.client('POST', `/sandbox/payins/${id}/simulate`, body)
  const settled = (id: string, status: string) =>
    eventually(
      async () => {
        await world.work()
        return read(id)
      },
      (link) => link.status === status,
    )
  const eventsOf = async (objectId: string) => {
    await world.work()
    const { rows } = await world.db.query<{ type: string; data: string; sequence: bigint }>({
      text: 'select type, data, sequence from events where organization_id = $1 and object_id = $2 order by sequence',
      values: [world.organization.organizationId, objectId],
    })
    return rows.map((row) => ({ type: row.type, data: JSON.parse(row.data) }))
  }

  it('answers every flow of the contract', async () => {
    for (const changes of [
      {},
      { rail: 'BRE_B' },
      { rail: 'PSE', pse: { bank: 'CO_BOGOTA' } },
      { inlineCustomer: CUSTOMER },
      { rail: 'PSE', inlineCustomer: CUSTOMER },
    ]) {
      const { status, json } = await world.client('POST', '/payment-links', linkBody(changes))
      assert.equal(status, 201)
      assert.equal(json.status, 'PENDING')
      assert.equal(Date.parse(json.expiresAt) - Date.parse(json.createdAt), 3_600_000)
      assert.match(json.paymentLinkUrl, /\/pay\/[A-Za-z0-9_-]{43}$/)
      assert.equal(json.rail, changes.rail ?? null)
      assert.deepEqual(json.inlineCustomer, changes.inlineCustomer ?? null)
      assert.deepEqual(json.pse, changes.pse ? { bank: 'CO_BOGOTA' } : null)
      assert.deepEqual(await read(json.paymentLinkId), json)
    }
  })

  it('refuses a bank without its rail, unknown banks, other amount types and invalid addresses, all at once', async () => {
    const wrong = linkBody({ amountType: 'OPEN', callbackUrl: 'nowhere', pse: { bank: 'CO_BANCOLOMBIA' } })
    const { status, json } = await world.client('POST', '/payment-links', wrong)
    assert.equal(status, 400)
    assert.deepEqual(json.errors.map((error: { path: string }) => error.path).sort(), [
      '/amountType',
      '/callbackUrl',
      '/pse',
    ])
    const unknown = await world.client(
      'POST',
      '/payment-links',
      linkBody({ rail: 'PSE', pse: { bank: 'CO_NOWHERE' } }),
    )
    assert.equal(unknown.json.code, 'UNKNOWN_BANK')
    const missing = await world.client('POST', '/payment-links', linkBody({ rail: 'PSE', pse: {} }))
    assert.equal(missing.json.errors[0].path, '/pse/bank')
  })

  it('accepts any amount that one enabled rail can carry, unless it is restricted to one that cannot', async () => {
    const amountInCents = 12_110_000 * 100 + 1
    assert.equal((await world.client('POST', '/payment-links', linkBody({ amountInCents }))).status, 201)
    const restricted = await world.client(
      'POST',
      '/payment-links',
      linkBody({ amountInCents, rail: 'BRE_B' }),
    )
    assert.equal(restricted.json.code, 'AMOUNT_ABOVE_MAXIMUM')
  })

  it('a paid attempt completes the link, with the contract’s event and none for its payin', async () => {
    const link = await create()
    const begun = await begin(link.paymentLinkId, BREB, '1000000001')
    assert.ok(begun?.isNew)
    await world.passTime(1_000)
    const completed = await settled(link.paymentLinkId, 'COMPLETED')
    assert.ok(completed.completedAt)
    const events = await eventsOf(link.paymentLinkId)
    assert.deepEqual(events, [
      {
        type: 'paymentlink.completed',
        data: {
          paymentLinkId: link.paymentLinkId,
          reference: link.reference,
          description: null,
          metadata: null,
          amount: 50_000,
          amountInCents: 5_000_000,
          currency: 'COP',
          status: 'COMPLETED',
          createdAt: link.createdAt,
          updatedAt: completed.updatedAt,
          expiresAt: null,
          completedAt: completed.completedAt,
        },
      },
    ])
    const paid = await payin(begun.payin.payinId)
    assert.equal(paid.paymentLinkId, link.paymentLinkId)
    assert.equal(paid.reference, link.reference)
    assert.deepEqual(await eventsOf(begun.payin.payinId), [])
  })

  it('an attempt bears what the merchant noted on its link, and where the payer goes back to', async () => {
    const note = { description: 'Dos cafés', metadata: { order: '7' } }
    const link = await create(note)
    const begun = await begin(link.paymentLinkId)
    const { description, metadata, callbackUrl } = await payin(begun?.payin.payinId ?? '')
    assert.deepEqual({ description, metadata, callbackUrl }, { ...note, callbackUrl: link.callbackUrl })
    await world.client('POST', `/payment-links/${link.paymentLinkId}/expire`)
    await world.work()
    const { json } = await world.client('GET', `/events?objectId=${link.paymentLinkId}`)
    const [{ data }] = json.data
    assert.deepEqual({ description: data.description, metadata: data.metadata }, note)
  })

  it('an attempt that is begun late ends with its link, and not later', async () => {
    const link = await create()
    await world.passTime(50 * 60_000)
    const begun = await begin(link.paymentLinkId)
    assert.equal((await payin(begun?.payin.payinId ?? '')).expiresAt, link.expiresAt)
    await world.client('POST', `/payment-links/${link.paymentLinkId}/expire`)
  })

  it('a declined attempt leaves the link open for another, by another rail too', async () => {
    const link = await create()
    const first = await begin(link.paymentLinkId, PSE, '1000000003')
    await world.passTime(1_000)
    await eventually(
      async () => {
        await world.work()
        return payin(first?.payin.payinId ?? '')
      },
      (seen) => seen.status === 'DECLINED',
    )
    assert.equal((await read(link.paymentLinkId)).status, 'PENDING')
    const second = await begin(link.paymentLinkId, BREB, '1000000001')
    assert.ok(second?.isNew)
    await world.passTime(1_000)
    await settled(link.paymentLinkId, 'COMPLETED')
    assert.deepEqual(
      (await eventsOf(link.paymentLinkId)).map((event) => event.type),
      ['paymentlink.completed'],
    )
  })

  it('ten tabs at once begin one attempt', async () => {
    const link = await create()
    const begun = await Promise.all(
      Array.from({ length: 10 }, (_, tab) => begin(link.paymentLinkId, tab % 2 === 0 ? BREB : PSE)),
    )
    assert.equal(new Set(begun.map((each) => each?.payin.payinId)).size, 1)
    assert.equal(begun.filter((each) => each?.isNew).length, 1)
  })

  it('money for an abandoned attempt, after another has paid, goes to suspense: a link is paid once', async () => {
    const link = await create()
    const first = await begin(link.paymentLinkId, BREB)
    assert.ok(first)
    await world.work()
    assert.equal(await abandonAttempt(world.ctx, world.organization, first.payin), 'left')
    const second = await begin(link.paymentLinkId, PSE)
    assert.ok(second?.isNew)
    await world.work()
    await simulate(second.payin.payinId, { outcome: 'confirmed' })
    await settled(link.paymentLinkId, 'COMPLETED')
    await simulate(first.payin.payinId, { outcome: 'confirmed' })
    await eventually(
      async () => {
        await world.work()
        return (await listSuspense(world.db, false)).filter((item) => item.payinId === first.payin.payinId)
      },
      (items) => items.length === 1,
    )
    assert.equal(await begin(link.paymentLinkId), undefined)
  })

  it('expires at its hour with the contract’s event, and accepts no further attempt', async () => {
    const link = await create()
    await world.passTime(59 * 60_000)
    assert.equal((await read(link.paymentLinkId)).status, 'PENDING')
    await world.passTime(60_000)
    const expired = await settled(link.paymentLinkId, 'EXPIRED')
    assert.equal(await begin(link.paymentLinkId), undefined)
    const [event, ...others] = await eventsOf(link.paymentLinkId)
    assert.deepEqual(others, [])
    assert.equal(event?.type, 'paymentlink.expired')
    assert.equal(event?.data.expiresAt, link.expiresAt)
    assert.equal(event?.data.completedAt, null)
    assert.equal(event?.data.status, 'EXPIRED')
    const { updatedAt } = await read(link.paymentLinkId)
    assert.equal(updatedAt, event?.data.updatedAt)
    assert.ok(updatedAt >= link.expiresAt, updatedAt)
    assert.equal(expired.completedAt, null)
  })

  it('confirmation and expiry race: exactly one of them is reported', async () => {
    const links = await Promise.all(Array.from({ length: 8 }, () => create()))
    const attempts = await Promise.all(links.map((link) => begin(link.paymentLinkId)))
    await world.work()
    world.advance(0)
    await Promise.all([
      ...attempts.map((begun) => simulate(begun?.payin.payinId ?? '', { outcome: 'confirmed' })),
      world.passTime(3_601_000),
      world.work(),
    ])
    for (const link of links) {
      const ended = await eventually(
        async () => {
          await world.work()
          return read(link.paymentLinkId)
        },
        (seen) => seen.status !== 'PENDING',
      )
      assert.deepEqual(
        (await eventsOf(link.paymentLinkId)).map((event) => event.type),
        [ended.status === 'COMPLETED' ? 'paymentlink.completed' : 'paymentlink.expired'],
      )
    }
  })

  it('ends early on request, canceling an open attempt; a paid one stays paid', async () => {
    const link = await create()
    const begun = await begin(link.paymentLinkId)
    await world.work()
    const ended = await world.client('POST', `/payment-links/${link.paymentLinkId}/expire`)
    assert.equal(ended.status, 200)
    assert.equal(ended.json.status, 'EXPIRED')
    assert.equal((await payin(begun?.payin.payinId ?? '')).errorCode, 'CANCELED_BY_MERCHANT')
    const again = await world.client('POST', `/payment-links/${link.paymentLinkId}/expire`)
    assert.equal(again.json.code, 'LINK_ALREADY_FINAL')
    assert.equal(again.json.detail, 'The payment link is EXPIRED and stays so.')
    assert.deepEqual(
      (await eventsOf(link.paymentLinkId)).map((event) => event.type),
      ['paymentlink.expired'],
    )
  })

  it('a mismatched amount never completes a link, even where the organization accepts others', async () => {
    await world.client('PATCH', '/organization', { onAmountMismatch: 'accept' })
    const link = await create()
    const begun = await begin(link.paymentLinkId)
    await world.work()
    await simulate(begun?.payin.payinId ?? '', { outcome: 'confirmed', amountInCents: 100 })
    await eventually(
      async () => {
        await world.work()
        return payin(begun?.payin.payinId ?? '')
      },
      (seen) => seen.errorCode === 'AMOUNT_MISMATCH',
    )
    assert.equal((await read(link.paymentLinkId)).status, 'PENDING')
  })
})
