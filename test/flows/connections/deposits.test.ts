// Money that a merchant puts into its account at a provider, or takes out of it, is recorded by the merchant. Payouts over connections
// draw on it, and no other payout can: whoever runs the installation pays for nobody's word.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { MAX_DEPOSITED_CENTS, movementTransfer } from '../../../src/core/connections/movement.ts'
import { railReference } from '../../../src/core/connections/reference.ts'
import { type Booking, transfer } from '../../../src/core/ledger/bookings.ts'
import { receiveHint } from '../../../src/flows/connections/receive-hint.ts'
import { deleteConnection } from '../../../src/store/connections/connections.ts'
import { insertMovement } from '../../../src/store/connections/movements.ts'
import { PAYOUT_SLOT, postTransfers } from '../../../src/store/ledger/transfers.ts'
import { verifyLedger } from '../../../src/store/ledger/verify.ts'
import { assertProblem } from '../../api/http/problem.ts'
import { checkedBatch, goodRow } from '../../api/payout-batches/files.ts'
import { waitingForLocks } from '../../locks.ts'
import { CUSTOMER, createWorld, eventually, type World } from '../../world.ts'
import { spendAll } from './funds.ts'
import { accepted, connect, type ScriptedProvider } from './scripted-provider.ts'

let count = 0

describe('money at a provider', () => {
  let world: World
  let provider: ScriptedProvider
  before(async () => {
    world = await createWorld()
    provider = await connect(world, { uses: ['BRE_B_OUT'], maximumInCents: 900_000n })
    // Staging gives every organization something to pay out. This one has nothing but what it puts there.
    await spendAll(world, provider.connectionId)
  })
  after(() => world[Symbol.asyncDispose]())

  const balance = async () => (await world.client('GET', '/balance')).json
  const held = async () => {
    const { availableInCents, depositedInCents, reservedInCents } = await balance()
    return [availableInCents, depositedInCents, reservedInCents]
  }
  const at = () => `/connections/${provider.connectionId}`
  const move = (what: 'deposits' | 'withdrawals', amountInCents: number, headers = {}) => {
    count += 1
    const body = { amountInCents, reference: `bank transfer ${count}` }
    return world.client('POST', `${at()}/${what}`, body, headers)
  }
  // As a settled payin of the installation's own network would leave it.
  const give = (amountInCents: bigint): Promise<void> => book('opening balance', amountInCents)
  const payOut = async (amountInCents: number) => {
    count += 1
    const { json, status, text } = await world.client('POST', '/payouts', {
      amountInCents,
      currency: 'COP',
      rail: 'BRE_B',
      reference: `deposit-${count}`,
      inlineCustomer: CUSTOMER,
      breb: { keyString: '@ANAGOMEZ' },
    })
    assert.equal(status, 201, text)
    await world.work()
    return json.id as string
  }
  const stateOf = async (id: string) => {
    const { status, errorCode } = (await world.client('GET', `/payouts/${id}`)).json
    return errorCode === null ? status : `${status} ${errorCode}`
  }
  const told = async (id: string) => {
    const { organizationId } = world.organization
    const address = { organizationId, connectionId: provider.connectionId }
    const reference = railReference('payout', organizationId, id)
    await receiveHint(world.ctx, address, { ask: [{ kind: 'payout', reference }], kind: 'test' })
    await world.work()
  }
  const proven = async () => assert.deepEqual(await verifyLedger(world.db), [])

  it('that is not recorded cannot be paid out; a deposit can, and the books hold', async () => {
    provider.payout = () => accepted({ state: 'completed', traceId: 'mono:T-1' })
    assert.equal(await stateOf(await payOut(100_000)), 'DECLINED INSUFFICIENT_FUNDS')

    const { client, apiKeyId } = await world.key(['connections:write'])
    const body = { amountInCents: 500_000, reference: 'bank transfer' }
    const deposit = await client('POST', `${at()}/deposits`, body)
    assert.equal(deposit.status, 201, deposit.text)
    const { id, createdAt, ...rest } = deposit.json
    assert.deepEqual(rest, {
      connectionId: provider.connectionId,
      amount: 5_000,
      amountInCents: 500_000,
      currency: 'COP',
      reference: 'bank transfer',
      recordedBy: apiKeyId,
    })
    assert.match(createdAt, /Z$/)
    assert.deepEqual(await held(), [0, 500_000, 0])
    const { json } = await world.client('GET', `/ledger/transfers?subjectId=${id}`)
    assert.deepEqual(
      json.data.map((one: { booking: string; debitAccount: string; creditAccount: string }) => [
        one.booking,
        one.debitAccount,
        one.creditAccount,
      ]),
      [['connection deposit', 'CLEARING_BRE_B', 'DEPOSITED']],
    )

    provider.submitPayout = () => accepted({ state: 'processing' })
    const payout = await payOut(300_000)
    assert.deepEqual(await held(), [0, 200_000, 300_000])
    await proven()
    await told(payout)
    assert.equal(await stateOf(payout), 'CONFIRMED')
    assert.deepEqual(await held(), [0, 200_000, 0])
    assert.equal(await stateOf(await payOut(200_001)), 'DECLINED INSUFFICIENT_FUNDS')
    await proven()
  })

  it('goes back to the deposits when a payout fails, or comes back after it was paid', async () => {
    const before = await held()
    provider.submitPayout = () => ({ outcome: 'rejected', reason: 'RAIL_ERROR', networkCode: 'NO' }) as const
    assert.equal(await stateOf(await payOut(150_000)), 'DECLINED RAIL_ERROR')
    assert.deepEqual(await held(), before)
    provider.submitPayout = () => accepted({ state: 'completed', traceId: 'mono:T-2' })
    const payout = await payOut(150_000)
    assert.deepEqual(await held(), [0, 50_000, 0])
    provider.payout = () => accepted({ state: 'returned', traceId: 'mono:T-2', networkCode: 'reversed' })
    await told(payout)
    assert.deepEqual(await held(), before)
    await proven()
  })

  it('pays a payout, and what the installation holds pays nothing of it', async () => {
    provider.submitPayout = () => accepted({ state: 'processing' })
    await give(300_000n)
    assert.deepEqual(await held(), [300_000, 200_000, 0])
    const short = await payOut(350_000)
    assert.equal(await stateOf(short), 'DECLINED INSUFFICIENT_FUNDS')
    const failed = await payOut(150_000)
    assert.deepEqual(await held(), [300_000, 50_000, 150_000])
    provider.payout = () => accepted({ state: 'rejected', reason: 'RAIL_ERROR', networkCode: 'NO' })
    await told(failed)
    assert.equal(await stateOf(failed), 'DECLINED RAIL_ERROR')
    assert.deepEqual(await held(), [300_000, 200_000, 0])
    await proven()
  })

  it('is all there although the merchant owes for a chargeback: for a payout, a file of payouts, and to be taken out', async () => {
    await book('payin charged back after settlement', 350_000n)
    assert.deepEqual(await held(), [-50_000, 200_000, 0])
    provider.submitPayout = () => accepted({ state: 'completed', traceId: 'mono:T-3' })
    assert.equal(await stateOf(await payOut(200_001)), 'DECLINED INSUFFICIENT_FUNDS')
    assert.equal(await stateOf(await payOut(50_000)), 'CONFIRMED')
    assert.deepEqual(await held(), [-50_000, 150_000, 0])

    const submit = async (row: string) => {
      const { id } = await checkedBatch(world, world.client, row)
      return world.client('POST', `/payout-batches/${id}/submit`, { acceptWarnings: true })
    }
    const tooMuch = await submit(goodRow(1, '2.000'))
    assertProblem(tooMuch, 'BALANCE_TOO_LOW')
    assert.match(tooMuch.json.detail, /needs 2000\.00 pesos, and 1500\.00 are available: 500\.00 are missing/)
    const file = await submit(goodRow(2, '500'))
    assert.equal(file.status, 200, file.text)
    await world.work()
    assert.deepEqual(await held(), [-50_000, 100_000, 0])

    assertProblem(await move('withdrawals', 100_001), 'BALANCE_TOO_LOW')
    assert.equal((await move('withdrawals', 100_000)).status, 201)
    assert.deepEqual(await held(), [-50_000, 0, 0])
    await proven()
    await give(350_000n)
  })

  it('is nothing to a payout over the installation’s own network', async () => {
    await move('deposits', 50_000_000)
    const [available, deposited] = await held()
    assert.equal(available, 300_000)
    assert.equal((await world.client('PATCH', at(), { enabled: false })).status, 200)
    assert.equal(await stateOf(await payOut(300_001)), 'DECLINED INSUFFICIENT_FUNDS')
    assert.deepEqual(await held(), [300_000, deposited, 0])
    const own = await payOut(300_000)
    assert.deepEqual(await held(), [0, deposited, 300_000])
    await world.passTime(5_000)
    assert.equal(await stateOf(own), 'CONFIRMED')
    await proven()
  })

  it('is all that can be taken out', async () => {
    await give(10_000n)
    const [available, deposited] = await held()
    assert.equal(available, 10_000)
    assertProblem(await move('withdrawals', deposited + 1), 'BALANCE_TOO_LOW')
    const all = await move('withdrawals', deposited)
    assert.equal(all.status, 201, all.text)
    assert.deepEqual(await held(), [available, 0, 0])
    assertProblem(await move('withdrawals', 1), 'BALANCE_TOO_LOW')
    await proven()
  })

  it('is recorded once for each Idempotency-Key, and two at once take no more than there is', async () => {
    const body = { amountInCents: 70_000, reference: 'the same' }
    const key = { 'idempotency-key': 'deposit-once' }
    const [, before] = await held()
    const answers = await Promise.all([1, 2].map(() => world.client('POST', `${at()}/deposits`, body, key)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201],
    )
    assert.equal(answers[0]?.text, answers[1]?.text)
    const [available, deposited] = await held()
    assert.equal(deposited, before + 70_000)
    assertProblem(await world.client('POST', `${at()}/withdrawals`, body, key), 'IDEMPOTENCY_KEY_REUSED')
    const taken = await Promise.all([1, 2, 3].map(() => move('withdrawals', deposited)))
    assert.deepEqual(taken.map(({ status }) => status).sort(), [201, 422, 422])
    assert.deepEqual(await held(), [available, 0, 0])
    await proven()
  })

  it('that was all taken out under a key is not refused to whoever sends the same again', async () => {
    const [available] = await held()
    await move('deposits', 20_000)
    const body = { amountInCents: 20_000, reference: 'all of it' }
    const key = { 'idempotency-key': 'withdrawal-once' }
    const send = () => world.client('POST', `${at()}/withdrawals`, body, key)
    const [first, second] = await Promise.all([send(), send()])
    const later = await send()
    assert.deepEqual([first.status, second.status, later.status], [201, 201, 201])
    assert.equal(second.text, first.text)
    assert.equal(later.text, first.text)
    assert.deepEqual(await held(), [available, 0, 0])
    await proven()
  })

  it('goes into no account that is deleted meanwhile', async () => {
    const { connectionId } = await connect(world, { uses: ['BRE_B_OUT'], maximumInCents: 1n })
    const path = `/connections/${connectionId}/deposits`
    const before = await held()
    const deleted = Promise.withResolvers<void>()
    const waitedFor = Promise.withResolvers<void>()
    const deleting = world.db.inTransaction(async (tx) => {
      await deleteConnection(tx, { organizationId: world.organization.organizationId, connectionId })
      deleted.resolve()
      await waitedFor.promise
    })
    await deleted.promise
    const recording = world.client('POST', path, { amountInCents: 1, reference: 'late' })
    const waits = eventually(
      () => waitingForLocks(world.db),
      (waiting) => waiting === 1,
    )
    await Promise.race([waits, recording])
    waitedFor.resolve()
    await deleting
    assertProblem(await recording, 'NOT_FOUND')
    await waits
    assert.deepEqual(await held(), before)
  })

  it('is listed by kind, newest first, of its own connection and organization alone, and after the connection is gone', async () => {
    const { client } = await world.newMerchant()
    assertProblem(await client('GET', `${at()}/deposits`), 'NOT_FOUND')
    assertProblem(await client('POST', `${at()}/deposits`, { amountInCents: 1, reference: 'x' }), 'NOT_FOUND')
    const listed = async (what: string) => (await world.client('GET', `${at()}/${what}?pageSize=2`)).json
    const deposits = await listed('deposits')
    assert.deepEqual(
      deposits.data.map((one: { amountInCents: number }) => one.amountInCents),
      [20_000, 70_000],
    )
    assert.equal(deposits.pageInfo.hasNext, true)
    const last = await world.client(
      'GET',
      `${at()}/deposits?pageSize=2&cursor=${deposits.pageInfo.nextCursor}`,
    )
    assert.deepEqual(
      last.json.data.map((one: { amountInCents: number }) => one.amountInCents),
      [50_000_000, 500_000],
    )
    assert.ok((await listed('withdrawals')).data.every((one: { id: string }) => one.id))
    const gone = await world.client('DELETE', at())
    assert.equal(gone.status, 200, gone.text)
    assert.deepEqual((await listed('deposits')).data, deposits.data)
    const inTime = (range: string) => world.client('GET', `${at()}/deposits?${range}`)
    const none = await inTime('createdTo=2020-01-01T00:00:00Z')
    assert.equal(none.status, 200, none.text)
    assert.deepEqual(none.json.data, [])
    assertProblem(await move('deposits', 1), 'NOT_FOUND')
  })

  it('has limits: an amount of nothing, or of more than anybody has', async () => {
    const other = await connect(world, { uses: ['BRE_B_OUT'] })
    const path = `/connections/${other.connectionId}/deposits`
    for (const amountInCents of [0, -1, 1.5, 10_000_000_000_001, '1'])
      assertProblem(await world.client('POST', path, { amountInCents, reference: 'x' }), 'INVALID_INPUT')
    assertProblem(await world.client('POST', path, { amountInCents: 1 }), 'INVALID_INPUT')
    const { organizationId } = world.organization
    const most = {
      organizationId,
      movementId: world.ctx.ids.next(),
      connectionId: other.connectionId,
      kind: 'DEPOSIT',
      amountInCents: MAX_DEPOSITED_CENTS - 1n,
      reference: 'a hundred deposits',
      recordedBy: 'test',
      createdAt: world.ctx.clock.now(),
    } as const
    await insertMovement(world.db, most)
    await postTransfers(world.db, [movementTransfer(most, { uses: [] }, world.ctx.ids.next())], PAYOUT_SLOT)
    const tooMuch = await world.client('POST', path, { amountInCents: 2, reference: 'x' })
    assertProblem(tooMuch, 'INVALID_INPUT')
    assert.equal(tooMuch.json.errors[0].path, '/amountInCents')
    assert.equal(tooMuch.json.errors[0].message, 'must leave at most 1000000000000000 deposited')
    const last = await world.client('POST', path, { amountInCents: 1, reference: 'x' })
    assert.equal(last.status, 201, last.text)
    assert.equal((await balance()).depositedInCents, Number(MAX_DEPOSITED_CENTS))
    await proven()
  })

  async function book(booking: Booking, amountInCents: bigint): Promise<void> {
    const { organizationId } = world.organization
    const entry = { organizationId, transferId: world.ctx.ids.next(), subjectId: world.ctx.ids.next() }
    const booked = { ...entry, amountInCents, createdAt: world.ctx.clock.now() }
    await postTransfers(world.db, [transfer(booking, 'BRE_B', booked)], 1)
  }
})
