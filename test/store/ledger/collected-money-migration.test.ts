// Migration 0060 finds money that was collected over connections where the version before had put it: with what is available. Whatever
// was set aside meanwhile, and comes back later, the installation's network pays nothing of that money.

import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { railReference } from '../../../src/core/connections/reference.ts'
import { receiveHint } from '../../../src/flows/connections/receive-hint.ts'
import { verifyLedger } from '../../../src/store/ledger/verify.ts'
import { partsOf, readMigrations } from '../../../src/store/migrate.ts'
import { newPayout } from '../../api/http/calls.ts'
import { checkedBatch, goodRow } from '../../api/payout-batches/files.ts'
import { accepted, connect, type ScriptedProvider } from '../../flows/connections/scripted-provider.ts'
import { closeToday } from '../../flows/ledger/closing.ts'
import { refunding } from '../../flows/refunds/refunding.ts'
import { brebPayin, createWorld, type World } from '../../world.ts'

const PAID = 5_000_000
const SET_ASIDE = 1_000_000
const SETTLEMENT = 48 * 60 * 60_000
const COLLECTS = ['BRE_B_IN'] as const
const PAYS = ['BRE_B_OUT'] as const

let world: World
let provider: ScriptedProvider
let opening: number
let count = 0

beforeEach(async () => {
  world = await createWorld({
    env: { PUBLIC_URL: 'https://pagos.example.com', PAYER_ACTIONS_PER_MINUTE: '0' },
  })
  opening = (await held())[0] as number
})
afterEach(() => world[Symbol.asyncDispose]())

const held = async () => {
  const { availableInCents, depositedInCents } = (await world.client('GET', '/balance')).json
  return [availableInCents, depositedInCents]
}
const connected = async (...uses: ('BRE_B_IN' | 'BRE_B_OUT')[]) => {
  provider = await connect(world, { uses })
  provider.submitPayout = () => accepted({ state: 'completed', traceId: `mono:T-${count}` })
}
const collect = async () => {
  count += 1
  const payment = { paymentId: `mono:C-${count}`, amountInCents: BigInt(PAID) }
  provider.payin = () => accepted({ state: 'paid', payments: [payment], networkCode: 'paid' })
  const { json, text } = await world.client('POST', '/payins', brebPayin())
  assert.ok(json.id, text)
  await world.passTime(60_000)
  await world.passTime(SETTLEMENT)
  return json.id as string
}
const payOut = async () => {
  count += 1
  const body = newPayout({ amountInCents: SET_ASIDE, reference: `migrated-${count}` })
  const { json, text } = await world.client('POST', '/payouts', body)
  assert.ok(json.id, text)
  await world.passTime(10_000)
  return json.id as string
}
const stateOf = async (payoutId: string) => (await world.client('GET', `/payouts/${payoutId}`)).json.status
// As somebody with enough approvers would set it.
const approving = (isOn: boolean) =>
  world.db.query({
    text: `update organizations set approval_rules = $2::text::json where organization_id = $1`,
    values: [
      world.organization.organizationId,
      JSON.stringify(isOn ? [{ kind: 'payout', tiers: [{ fromInCents: 1, approvers: 1 }] }] : []),
    ],
  })
// The installation has paid out what it held, and the version before did so with what was collected, too.
const spend = (cents: number) =>
  world.db.query({
    text: `insert into ledger_transfers (organization_id, transfer_id, booking, subject_id, part, debit_account, credit_account,
                                         amount_cents, currency, created_at)
           values ($1, gen_random_uuid(), 'opening balance', gen_random_uuid(), '', 'AVAILABLE', 'CLEARING_BRE_B', $2, 'COP', now())`,
    values: [world.organization.organizationId, cents],
  })

// As the version before had booked it.
const AS_BEFORE = [
  'set local session_replication_role = replica',
  'alter table organizations drop column connections_apart_since',
  `delete from ledger_transfers where booking = 'connection deposit'`,
  'delete from connection_movements',
  `update ledger_transfers
      set booking = case booking when 'payin charged back from deposits' then 'payin charged back after settlement'
                                 else regexp_replace(booking, ' (from|to) deposits$', '') end, debit_account = replace(debit_account, 'DEPOSITED', 'AVAILABLE'),
          credit_account = replace(credit_account, 'DEPOSITED', 'AVAILABLE')
    where booking ~ ' (from|to) deposits$'`,
  'update payouts set deposit_cents = 0',
  'update payout_batches set reserved_deposit_cents = 0',
  'truncate ledger_balances',
  `insert into ledger_balances (organization_id, account, slot, debit_cents, credit_cents)
   select organization_id, account, 0, sum(debit), sum(credit)
     from (select organization_id, debit_account as account, amount_cents as debit, 0 as credit from ledger_transfers
            union all
           select organization_id, credit_account, 0, amount_cents from ledger_transfers) t
    group by organization_id, account`,
]
// What is available and what is deposited then.
const migrate = async () => {
  const migration = readMigrations().find(({ version }) => version === 60)
  assert.ok(migration)
  await world.db.inTransaction(async (tx) => {
    for (const text of AS_BEFORE) await tx.query({ text })
    for (const text of partsOf(migration.sql).together) await tx.query({ text })
  })
  assert.deepEqual(await verifyLedger(world.db), [])
  return held()
}

describe('money that was collected over connections before schema 0060', () => {
  it('is not there where a merchant has no connection', async () => {
    await world.passTime(1_000)
    assert.deepEqual(await migrate(), [opening, 0])
  })

  it('goes to the deposits, and the rest of the balance stays', async () => {
    await connected(...COLLECTS)
    await collect()
    assert.deepEqual(await migrate(), [opening, PAID])
    const { organizationId } = world.organization
    const { json } = await world.client('GET', `/ledger/transfers?subjectId=${organizationId}`)
    const [moved] = json.data.filter(({ booking }: { booking: string }) => booking.startsWith('collected'))
    assert.deepEqual([moved.booking, moved.amountInCents], ['collected money moved to deposits', PAID])
  })

  it('goes there without what was paid over connections', async () => {
    await connected(...COLLECTS, ...PAYS)
    await collect()
    assert.equal(await stateOf(await payOut()), 'CONFIRMED')
    assert.deepEqual(await migrate(), [opening, PAID - SET_ASIDE])
  })

  it('goes there although the installation has paid with it, and is owed to the installation', async () => {
    await connected(...COLLECTS)
    await collect()
    await spend(opening + PAID - 1)
    assert.deepEqual(await migrate(), [1 - PAID, PAID])
  })

  it('goes there although a payin of the installation was charged back that was spent', async () => {
    const other = refunding(() => world)
    const own = await other.confirmed()
    await world.passTime(SETTLEMENT)
    await connected(...COLLECTS)
    await collect()
    await spend(opening + PAID)
    await other.chargeBack(own, BigInt(PAID))
    assert.deepEqual(await migrate(), [-PAID, PAID])
  })

  it('is owed there where it was charged back after it was paid out', async () => {
    await connected(...COLLECTS, ...PAYS)
    const id = await collect()
    await payOut()
    const payment = { paymentId: `mono:C-${count - 1}`, amountInCents: BigInt(PAID) }
    const chargebacks = [{ ...payment, chargebackId: 'back' }]
    provider.payin = () => accepted({ state: 'paid', payments: [payment], networkCode: 'R', chargebacks })
    const { organizationId } = world.organization
    const ask = [{ kind: 'payin', reference: railReference('payin', organizationId, id) }] as const
    await receiveHint(
      world.ctx,
      { organizationId, connectionId: provider.connectionId },
      { ask, kind: 'test' },
    )
    await world.work()
    assert.deepEqual(await migrate(), [opening, -SET_ASIDE])
  })

  it('is not owed there where payouts were paid with money that was recorded nowhere', async () => {
    await connected(...PAYS)
    const { connectionId } = provider
    const deposit = { amountInCents: SET_ASIDE, reference: 'not there before 0060' }
    await world.client('POST', `/connections/${connectionId}/deposits`, deposit)
    assert.equal(await stateOf(await payOut()), 'CONFIRMED')
    assert.deepEqual(await migrate(), [opening - SET_ASIDE, 0])
  })

  it('is not paid by the installation for a payout that is approved later', async () => {
    await connected(...COLLECTS)
    await collect()
    await approving(true)
    const [first, second] = [await payOut(), await payOut()]
    await spend(opening - SET_ASIDE)
    assert.deepEqual(await migrate(), [-SET_ASIDE, PAID])
    // As those who approve them set them.
    const text = `update payouts set stage = 'RESERVED', due_at = created_at where stage = 'AWAITING_APPROVAL'`
    await world.db.query({ text })
    await world.passTime(10_000)
    // What is left of the balance when the first is declined pays for the second.
    assert.deepEqual(await Promise.all([first, second].map(stateOf)), ['DECLINED', 'CONFIRMED'])
    assert.deepEqual(await held(), [0, PAID])
  })

  it('is booked in a day that is open, also where staging’s clock is ahead', async () => {
    await connected(...COLLECTS)
    await collect()
    await closeToday(world)
    assert.deepEqual(await migrate(), [opening, PAID])
  })

  const endings: Record<
    string,
    (payinId: string) => Promise<() => Promise<{ status: number; text: string }>>
  > = {
    'a file of payouts': async () => {
      await approving(true)
      const { id } = await checkedBatch(world, world.client, goodRow(1, '10.000'))
      const { status, text } = await world.client('POST', `/payout-batches/${id}/submit`, {
        acceptWarnings: true,
      })
      assert.equal(status, 200, text)
      return () => world.client('POST', `/payout-batches/${id}/cancel`)
    },
    'a refund that its payer claims': async (payinId) => {
      const asked = { reason: 'NOT_RECEIVED', amountInCents: SET_ASIDE, way: 'CLAIM' }
      const { json, text } = await world.client('POST', `/payins/${payinId}/refunds`, asked)
      assert.equal(json.reservedAmountInCents, SET_ASIDE, text)
      return () => world.client('POST', `/refunds/${json.id}/cancel`)
    },
    'a payout over the installation’s network': async () => {
      await approving(true)
      const id = await payOut()
      return () => world.client('POST', `/payouts/${id}/cancel`)
    },
  }
  for (const [what, setAside] of Object.entries(endings))
    it(`is not paid by the installation although it was set aside for ${what}, and came back`, async () => {
      await connected(...COLLECTS)
      const cancel = await setAside(await collect())
      await spend(opening)
      assert.deepEqual(await migrate(), [-SET_ASIDE, PAID])
      const { status, text } = await cancel()
      assert.equal(status, 200, text)
      await world.work()
      assert.deepEqual(await held(), [0, PAID])
      await approving(false)
      assert.equal(await stateOf(await payOut()), 'DECLINED')
    })

  it('goes back to the deposits if a payout over a connection is not sent after all', async () => {
    await connected(...COLLECTS, ...PAYS)
    await collect()
    await approving(true)
    const [first, second] = [await payOut(), await payOut()]
    await spend(opening + PAID - 3 * SET_ASIDE)
    // The two have set 10,000 pesos aside each of the 50,000, and the installation has paid 20,000 that it had not received.
    assert.deepEqual(await migrate(), [-2 * SET_ASIDE, 3 * SET_ASIDE])
    for (const id of [first, second])
      assert.equal((await world.client('POST', `/payouts/${id}/cancel`)).status, 200)
    assert.deepEqual(await held(), [-2 * SET_ASIDE, PAID])
  })

  it('and nothing else: a payout over a connection that was set aside of the installation’s money goes back to it', async () => {
    await connected(...PAYS)
    await approving(true)
    const { connectionId } = provider
    const deposit = { amountInCents: SET_ASIDE, reference: 'not there before 0060' }
    assert.equal((await world.client('POST', `/connections/${connectionId}/deposits`, deposit)).status, 201)
    const payoutId = await payOut()
    assert.deepEqual(await migrate(), [opening - SET_ASIDE, 0])
    assert.equal((await world.client('POST', `/payouts/${payoutId}/cancel`)).status, 200)
    assert.deepEqual(await held(), [opening, 0])
  })

  it('pays a file over a connection that was submitted before', async () => {
    await connected(...COLLECTS, ...PAYS)
    await collect()
    const { id } = await checkedBatch(world, world.client, goodRow(1, '50.000'))
    const { status, text } = await world.client('POST', `/payout-batches/${id}/submit`, {
      acceptWarnings: true,
    })
    assert.equal(status, 200, text)
    await spend(opening)
    assert.deepEqual(await migrate(), [-PAID, PAID])
    await world.passTime(10_000)
    await world.passTime(10_000)
    const [payout] = (await world.client('GET', '/payouts')).json.data
    assert.equal(payout.status, 'CONFIRMED')
    assert.deepEqual(await held(), [0, 0])
  })
})
