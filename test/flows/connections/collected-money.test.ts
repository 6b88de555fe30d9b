// Money that was collected over a merchant's own connection is in its account at the provider. Nothing that the installation's networks
// pay is taken from it, and what leaves over a connection is taken from nothing else.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { railReference } from '../../../src/core/connections/reference.ts'
import type { Payin } from '../../../src/core/payins/payin.ts'
import { receiveHint } from '../../../src/flows/connections/receive-hint.ts'
import { reportChargebacks } from '../../../src/flows/payins/report-chargebacks.ts'
import { verifyLedger } from '../../../src/store/ledger/verify.ts'
import { getPayins } from '../../../src/store/payins/payins.ts'
import { assertProblem } from '../../api/http/problem.ts'
import { brebPayin, CUSTOMER, createWorld, type World } from '../../world.ts'
import { spendAll } from './funds.ts'
import { accepted, connect, type ScriptedProvider } from './scripted-provider.ts'

const SETTLEMENT = 48 * 60 * 60_000
const PAID = 5_000_000
let count = 0

describe('money that was collected over a connection', () => {
  let world: World
  let provider: ScriptedProvider
  before(async () => {
    world = await createWorld()
    provider = await connect(world, { uses: ['BRE_B_IN'] })
    await spendAll(world, provider.connectionId)
  })
  after(() => world[Symbol.asyncDispose]())

  const held = async () => {
    const { availableInCents, depositedInCents, reservedInCents } = (await world.client('GET', '/balance'))
      .json
    return [availableInCents, depositedInCents, reservedInCents]
  }
  const bookingsOf = async (subjectId: string) => {
    const { json } = await world.client('GET', `/ledger/transfers?subjectId=${subjectId}`)
    return json.data.map(({ booking }: { booking: string }) => booking).reverse()
  }
  const collect = async (changes: { paidInCents?: bigint } = {}) => {
    count += 1
    const paymentId = `mono:C-${count}`
    provider.payin = () =>
      accepted({
        state: 'paid',
        payments: [{ paymentId, amountInCents: changes.paidInCents ?? BigInt(PAID) }],
        networkCode: 'paid',
      })
    const { json, text } = await world.client('POST', '/payins', brebPayin())
    assert.ok(json.id, text)
    await world.passTime(60_000)
    return { id: json.id as string, paymentId }
  }
  const payOut = async (amountInCents: number) => {
    count += 1
    const { json, text } = await world.client('POST', '/payouts', {
      amountInCents,
      currency: 'COP',
      rail: 'BRE_B',
      reference: `collected-${count}`,
      inlineCustomer: CUSTOMER,
      breb: { keyString: '@ANAGOMEZ' },
    })
    assert.ok(json.id, text)
    await world.passTime(10_000)
    const { status, errorCode } = (await world.client('GET', `/payouts/${json.id}`)).json
    return errorCode === null ? status : `${status} ${errorCode}`
  }
  const proven = async () => assert.deepEqual(await verifyLedger(world.db), [])

  it('settles to the deposits, and the installation’s network pays nothing of it', async () => {
    const { id } = await collect()
    assert.deepEqual(await held(), [0, 0, 0])
    await world.passTime(SETTLEMENT)
    assert.deepEqual(await held(), [0, PAID, 0])
    assert.deepEqual(await bookingsOf(id), ['payin confirmed', 'payin settled to deposits'])
    assert.equal(await payOut(1_000_000), 'DECLINED INSUFFICIENT_FUNDS')
    assert.deepEqual(await held(), [0, PAID, 0])
    await proven()
    // The proof says so of money that came over no connection.
    const text = `update payins set connection_id = $2 where payin_id = $1`
    await world.db.query({ text, values: [id, null] })
    const [finding] = await verifyLedger(world.db)
    assert.match(finding?.detail ?? '', new RegExp(`^${id} payin settled to deposits ${PAID}$`))
    await world.db.query({ text, values: [id, provider.connectionId] })
  })

  it('can be taken out of the provider, and not more', async () => {
    const at = `/connections/${provider.connectionId}/withdrawals`
    const tooMuch = await world.client('POST', at, { amountInCents: PAID + 1, reference: 'bank' })
    assertProblem(tooMuch, 'BALANCE_TOO_LOW')
    assert.match(tooMuch.json.detail, /Your accounts at providers hold 50000\.00 pesos/)
    const taken = await world.client('POST', at, { amountInCents: 1_000_000, reference: 'bank' })
    assert.equal(taken.status, 201, taken.text)
    assert.deepEqual(await bookingsOf(taken.json.id), ['connection withdrawal'])
    assert.deepEqual(await held(), [0, PAID - 1_000_000, 0])
    await proven()
  })

  it('is charged back from the deposits, even where they are spent', async () => {
    const { id, paymentId } = await collect()
    await world.passTime(SETTLEMENT)
    const [, deposited] = await held()
    const at = `/connections/${provider.connectionId}/withdrawals`
    await world.client('POST', at, { amountInCents: deposited - 1_000, reference: 'all but ten pesos' })
    const payment = { paymentId, amountInCents: BigInt(PAID) }
    provider.payin = () =>
      accepted({
        state: 'paid',
        payments: [payment],
        networkCode: 'REVERSED',
        chargebacks: [{ ...payment, chargebackId: `${paymentId}:back` }],
      })
    await hint(id)
    assert.deepEqual(await held(), [0, 1_000 - PAID, 0])
    assert.equal((await bookingsOf(id)).at(-1), 'payin charged back from deposits')
    await proven()
  })

  it('is given to the merchant at the provider, if it was in suspense', async () => {
    const [available, deposited] = await held()
    const { id, paymentId } = await collect({ paidInCents: 2_000_000n })
    const { json } = await world.client('GET', `/suspense?payinId=${id}`)
    assert.equal(json.data.length, 1)
    const item = json.data[0].id
    const attached = await world.client('POST', `/suspense/${item}/attach`, { payinId: id })
    assert.equal(attached.status, 200, attached.text)
    assert.deepEqual(await held(), [available, deposited + 2_000_000, 0])
    assert.equal((await bookingsOf(item)).at(-1), 'suspense attached to deposits')
    await proven()
    // And is taken back from there.
    const payin = await getPayin(id)
    const chargebackId = `${paymentId}:back`
    const payment = { paymentId, amountInCents: 2_000_000n }
    const chargebacks = [{ ...payment, chargebackId }]
    const status = { state: 'paid', payments: [payment], networkCode: 'R', chargebacks } as const
    await reportChargebacks(world.ctx, payin, status)
    await world.work()
    assert.deepEqual(await held(), [available, deposited, 0])
    assert.equal((await bookingsOf(item)).at(-1), 'suspense charged back from deposits')
    await proven()
  })

  it('is charged back before it is settled, and the deposits have nothing to do with it', async () => {
    const before = await held()
    const { id, paymentId } = await collect()
    const payment = { paymentId, amountInCents: BigInt(PAID) }
    provider.payin = () =>
      accepted({
        state: 'paid',
        payments: [payment],
        networkCode: 'REVERSED',
        chargebacks: [{ ...payment, chargebackId: `${paymentId}:back` }],
      })
    await hint(id)
    assert.deepEqual(await bookingsOf(id), ['payin confirmed', 'payin charged back before settlement'])
    await world.passTime(SETTLEMENT)
    assert.deepEqual(await held(), before)
    assert.equal((await world.client('GET', '/balance')).json.pendingSettlementInCents, 0)
    await proven()
  })

  async function getPayin(payinId: string): Promise<Payin> {
    const { organizationId } = world.organization
    const [payin] = await getPayins(world.db, [{ organizationId, payinId }])
    assert.ok(payin)
    return payin
  }

  async function hint(payinId: string): Promise<void> {
    const { organizationId } = world.organization
    const address = { organizationId, connectionId: provider.connectionId }
    const reference = railReference('payin', organizationId, payinId)
    await receiveHint(world.ctx, address, { ask: [{ kind: 'payin', reference }], kind: 'test' })
    await world.work()
  }
})
