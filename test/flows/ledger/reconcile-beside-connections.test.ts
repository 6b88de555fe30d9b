// Payments over a connection are not in the statements of the installation's networks. They are left out of the comparison: they are
// not missing there, and no line of a network's is theirs.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { daysAfter } from '../../../src/core/bogota-day.ts'
import { railReference } from '../../../src/core/connections/reference.ts'
import type { StatementLine } from '../../../src/core/connections/statement.ts'
import { receiveHint } from '../../../src/flows/connections/receive-hint.ts'
import type { RailPayment } from '../../../src/rails/rail.ts'
import { brebPayin, CUSTOMER, psePayin, type World } from '../../world.ts'
import { accepted, connect, openedPayin, type ScriptedProvider } from '../connections/scripted-provider.ts'
import { alarms, compareNow, endDay, findings, listing, openDay, reconcileAll } from './reconciling.ts'

const AMOUNT = 5_000_000n
const PAYOUT = {
  amountInCents: 100_000,
  currency: 'COP',
  rail: 'BRE_B',
  inlineCustomer: CUSTOMER,
  breb: { keyString: '@ANAGOMEZ' },
}

// Settled at once, so that a chargeback is booked on the same day.
const openWorld = (): Promise<World> => openDay({ env: { SETTLEMENT_DELAY_MINUTES: '0' } })

async function create(world: World, path: string, body: object): Promise<string> {
  const { status, json, text } = await world.client('POST', path, body)
  assert.equal(status, 201, text)
  return json.id
}

async function hint(
  world: World,
  { connectionId }: ScriptedProvider,
  kind: 'payin' | 'payout',
  id: string,
): Promise<void> {
  const { organizationId } = world.organization
  const reference = railReference(kind, organizationId, id)
  await receiveHint(world.ctx, { organizationId, connectionId }, { ask: [{ kind, reference }], kind: 'test' })
  await world.work()
}

// Each payin is paid twice, and the first payment charged back in part. One payout is paid, and another is paid and comes back.
async function payOverConnection(world: World): Promise<{ connectionId: string; payoutId: string }> {
  const provider = await connect(world)
  const statusOf = (reference: string) => {
    const paymentOf = (number: number): RailPayment => ({
      paymentId: `mono:${reference}:${number}`,
      amountInCents: AMOUNT,
    })
    const chargebacks = [{ ...paymentOf(1), amountInCents: 1_000n, chargebackId: 'cb-1' }]
    const payments = [paymentOf(1), paymentOf(2)] as const
    return accepted({ state: 'paid', payments, networkCode: 'paid', chargebacks } as const)
  }
  provider.submitPayin = () => accepted(openedPayin({ pageUrl: 'https://bank.example/pay' }))
  provider.payin = ({ reference }) => statusOf(reference)
  provider.submitPayout = ({ reference }) => accepted({ state: 'completed', traceId: `mono:${reference}` })
  const payins = [
    await create(world, '/payins', brebPayin()),
    await create(world, '/payins', psePayin({ inlineCustomer: CUSTOMER })),
  ]
  await world.work()
  for (const payinId of payins) await hint(world, provider, 'payin', payinId)
  const payoutId = await create(world, '/payouts', { ...PAYOUT, reference: 'paid' })
  const returnedId = await create(world, '/payouts', { ...PAYOUT, reference: 'returned' })
  await world.work()
  provider.payout = () => accepted({ state: 'returned', traceId: null, networkCode: 'reversed' })
  await hint(world, provider, 'payout', returnedId)
  return { connectionId: provider.connectionId, payoutId }
}

async function bookings(world: World): Promise<Record<string, number>> {
  const { rows } = await world.db.query<{ booking: string; times: number }>({
    text: `select booking, count(*)::integer as times from ledger_transfers where organization_id = $1
            group by booking order by booking`,
    values: [world.organization.organizationId],
  })
  return Object.fromEntries(rows.map(({ booking, times }) => [booking, times]))
}

describe('a day with payments over a connection', () => {
  it('has no findings, and the same payments without the connection have', async () => {
    await using world = await openWorld()
    const { connectionId } = await payOverConnection(world)
    assert.deepEqual(await bookings(world), {
      'money in suspense': 2,
      'opening balance': 1,
      'payin charged back from deposits': 2,
      'payin confirmed': 2,
      'payin settled to deposits': 2,
      'payout confirmed': 2,
      'payout reserved from deposits': 2,
      'payout returned to deposits': 1,
    })
    const other = await world.newMerchant()
    assert.equal((await other.client('POST', '/payins', brebPayin())).status, 201)
    await world.passTime(2_000)
    const day = await endDay(world)

    const compared = (await reconcileAll(world.ctx)).filter(({ claim }) => claim.day === day)
    assert.deepEqual(
      compared.map(({ claim, result }) => [claim.rail, result.outcome === 'compared' && result.matched]),
      [
        ['BRE_B', 1],
        ['PSE', 0],
      ],
    )
    assert.deepEqual(await findings(world), [])
    assert.deepEqual(await alarms(world), [])

    const { organizationId } = world.organization
    const putOver = async (connection: string | null, provider: string | null) => {
      for (const table of ['payins', 'payouts'])
        await world.db.query({
          text: `update ${table} set connection_id = $2, provider = $3 where organization_id = $1`,
          values: [organizationId, connection, provider],
        })
    }
    await putOver(null, null)
    for (const rail of ['BRE_B', 'PSE'] as const) await compareNow(world, day, rail)
    const oursOnly = (await findings(world)).map(({ kind, movement, our_cents }) => [
      kind,
      movement,
      our_cents,
    ])
    const payin = [
      ['OURS_ONLY', 'chargeback', 1_000n],
      ['OURS_ONLY', 'credit', AMOUNT],
      ['OURS_ONLY', 'credit', AMOUNT],
    ]
    const debit = ['OURS_ONLY', 'debit', 100_000n]
    assert.deepEqual(oursOnly.toSorted(), [...payin, ...payin, debit, debit].toSorted())
    await putOver(connectionId, 'mono')
  })

  it('gives no line of a network a booking of a connection’s, on its day or another', async () => {
    await using world = await openWorld()
    const { payoutId } = await payOverConnection(world)
    const day = await endDay(world)
    await world.passTime(24 * 60 * 60_000)
    const { organizationId } = world.organization
    const line = (changes: Partial<StatementLine>): StatementLine => ({
      movement: 'debit',
      reference: railReference('payout', organizationId, payoutId),
      networkId: 'the network’s own',
      amountInCents: 100_000n,
      occurredAt: world.ctx.clock.now(),
      ...changes,
    })
    const { rows } = await world.db.query<{ id: string; payment_id: string; rail: string }>({
      text: `select payin_id as id, payment_id, rail from payins where organization_id = $1 and rail = 'BRE_B'
              union all
             select payin_id, payment_id, rail from suspense_items where organization_id = $1 and rail = 'BRE_B'`,
      values: [organizationId],
    })
    assert.equal(rows.length, 2)
    const credits = rows.map(({ id, payment_id }) =>
      line({
        movement: 'credit',
        reference: railReference('payin', organizationId, id),
        networkId: payment_id,
        amountInCents: AMOUNT,
      }),
    )
    for (const listedOn of [day, daysAfter(day, 1)]) {
      const { matched, found } = await compareNow(
        world,
        listedOn,
        'BRE_B',
        listing([line({}), ...credits].map((one) => ({ ...one, occurredAt: noonOf(listedOn) }))),
      )
      assert.deepEqual([matched, found.NETWORK_ONLY], [0, 3], listedOn)
    }
  })
})

function noonOf(day: string): number {
  return Date.parse(`${day}T12:00:00-05:00`)
}
