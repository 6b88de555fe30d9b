// What a provider answers about a payin: it is asked ever more seldom until the payer can pay, what it has said once is kept, and what it
// says before the money is settled counts, though it hinted at nothing.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { railReference } from '../../../src/core/connections/reference.ts'
import { DAY_MS } from '../../../src/core/instant.ts'
import { receiveHint } from '../../../src/flows/connections/receive-hint.ts'
import type { PaymentHandle, RailPayinStatus } from '../../../src/rails/rail.ts'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import { brebPayin, createWorld, psePayin, type World } from '../../world.ts'
import { accepted, connect, openedPayin, type ScriptedProvider, silence } from './scripted-provider.ts'

const AMOUNT = 5_000_000n

describe('what a provider answers about a payin', () => {
  let world: World
  let provider: ScriptedProvider
  before(async () => {
    world = await createWorld()
    provider = await connect(world)
  })
  after(() => world[Symbol.asyncDispose]())

  const referenceOf = (id: string) => railReference('payin', world.organization.organizationId, id)
  // Payins of the tests before may be due meanwhile, and hear nothing.
  const answer = (id: string, status: RailPayinStatus) => {
    provider.payin = ({ reference }: PaymentHandle) =>
      reference === referenceOf(id) ? accepted(status) : silence
  }
  const create = async (body: Record<string, unknown>) => (await world.client('POST', '/payins', body)).json
  const read = async (id: string) => (await world.client('GET', `/payins/${id}`)).json
  const row = async (id: string) => {
    const { rows } = await world.db.query<Record<string, unknown>>({
      text: 'select provider_id, trace_id, bank_url, rail_stage, network_code from payins where payin_id = $1',
      values: [id],
    })
    return rows[0]
  }
  const hint = async (id: string) => {
    const { organizationId } = world.organization
    await receiveHint(
      world.ctx,
      { organizationId, connectionId: provider.connectionId },
      { ask: [{ kind: 'payin', reference: referenceOf(id) }], kind: 'test' },
    )
    await world.work()
  }
  // Handed over, and then decided by the answer.
  const decided = async (status: RailPayinStatus) => {
    provider.submitPayin = () => accepted(openedPayin())
    const { id } = await create(brebPayin())
    await world.work()
    answer(id, status)
    await hint(id)
    return id as string
  }
  const paid = (paymentId: string, changes: object = {}): RailPayinStatus => ({
    state: 'paid',
    payments: [{ paymentId, amountInCents: AMOUNT }],
    networkCode: 'PAID',
    ...changes,
  })

  it('is asked for ever more seldom while the payer cannot pay yet', async () => {
    provider.submitPayin = () => accepted(openedPayin({ isReady: false }))
    const { id } = await create(brebPayin())
    answer(id, { state: 'open', opened: openedPayin({ isReady: false }) })
    await world.work()
    provider.calls.length = 0
    for (let past = 0; past < 30_000; past += 500) await world.passTime(500)
    const asked = provider.calls.filter((call) => call === 'query payin').length
    // After half a second, one, two, four, eight and sixteen. A slow machine has more time to ask.
    assert.ok(asked >= 4 && asked <= 10, `it was asked ${asked} times`)
    assert.equal((await row(id))?.rail_stage, 'OPENING')
  })

  it('is kept, whatever a later answer leaves out', async () => {
    const named = {
      ...openedPayin({ pageUrl: 'https://bank.example/7', isReady: false }, 'P-7'),
      traceId: 'T-7',
    }
    provider.submitPayin = () => accepted(named)
    const { id } = await create(psePayin())
    answer(id, { state: 'open', opened: { ...openedPayin(), providerId: null } })
    await world.work()
    await world.passTime(2_000)
    assert.deepEqual(await row(id), {
      provider_id: 'P-7',
      trace_id: 'T-7',
      bank_url: 'https://bank.example/7',
      rail_stage: 'OPEN',
      network_code: null,
    })
  })

  it('is kept with the code that the provider gave it', async () => {
    const confirmed = await decided(paid('code-1', { networkCode: 'PAID-00' }))
    const declined = await decided({
      state: 'ended',
      how: 'declined',
      reason: 'INSUFFICIENT_FUNDS',
      networkCode: 'NO-51',
    })
    assert.deepEqual(
      [(await read(confirmed)).status, (await row(confirmed))?.network_code],
      ['CONFIRMED', 'PAID-00'],
    )
    assert.deepEqual(
      [(await read(declined)).errorCode, (await row(declined))?.network_code],
      ['INSUFFICIENT_FUNDS', 'NO-51'],
    )
  })

  it('takes a payin back that nobody hinted at, before its money is settled', async () => {
    const id = await decided(paid('unheard'))
    assert.equal((await read(id)).settlementStatus, 'PENDING_SETTLEMENT')
    const chargebacks = [{ paymentId: 'unheard', amountInCents: AMOUNT, chargebackId: 'unheard:back' }]
    answer(id, paid('unheard', { chargebacks }))
    await world.passTime(DAY_MS)
    await world.work()
    assert.equal((await read(id)).settlementStatus, 'REVERSED')
  })

  it('takes a payin back in two parts, and both are booked', async () => {
    const id = await decided(paid('parts'))
    const part = (chargebackId: string, amountInCents: bigint) => ({
      paymentId: 'parts',
      amountInCents,
      chargebackId,
    })
    answer(id, paid('parts', { chargebacks: [part('parts:1', 1_000_000n)] }))
    await hint(id)
    assert.equal((await read(id)).chargebackAmountInCents, 1_000_000)
    answer(id, paid('parts', { chargebacks: [part('parts:1', 1_000_000n), part('parts:2', 500_000n)] }))
    await hint(id)
    assert.equal((await read(id)).chargebackAmountInCents, 1_500_000)
  })

  it('that names another amount of the payment than before is shown to a person', async () => {
    const id = await decided(paid('other-amount'))
    answer(
      id,
      paid('other-amount', { payments: [{ paymentId: 'other-amount', amountInCents: AMOUNT - 1n }] }),
    )
    await hint(id)
    const alarms = (await listOpenAlarms(world.db)).filter(({ subjectId }) => subjectId === id)
    assert.deepEqual(
      alarms.map(({ kind, detail }) => [kind, detail]),
      [
        [
          'payin-contradiction',
          'the network reported payment other-amount of 5000000 cents again, with 4999999 cents',
        ],
      ],
    )
    assert.equal((await read(id)).confirmedAmountInCents, Number(AMOUNT))
  })
})
