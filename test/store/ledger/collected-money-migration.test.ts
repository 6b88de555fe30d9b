// Migration 0060 finds money that was collected over connections where the version before had put it: with what is available.

import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { verifyLedger } from '../../../src/store/ledger/verify.ts'
import { partsOf, readMigrations } from '../../../src/store/migrate.ts'
import { accepted, connect, type ScriptedProvider } from '../../flows/connections/scripted-provider.ts'
import { brebPayin, CUSTOMER, createWorld, type World } from '../../world.ts'

const PAID = 5_000_000
const PAID_OUT = 1_000_000
const SETTLEMENT = 48 * 60 * 60_000

let world: World
let count = 0
before(async () => {
  world = await createWorld()
})
after(() => world[Symbol.asyncDispose]())

type Booked = { booking: string; amountInCents: number }
type Merchant = Pick<World, 'client' | 'organization'> & { provider: ScriptedProvider }

const newMerchant = async (uses: ('BRE_B_IN' | 'BRE_B_OUT')[]): Promise<Merchant> => {
  const { client, organization } = await world.newMerchant()
  return { client, organization, provider: await connect({ ...world, client, organization }, { uses }) }
}
const held = async ({ client }: Pick<World, 'client'>) => {
  const { availableInCents, depositedInCents } = (await client('GET', '/balance')).json
  return [availableInCents, depositedInCents]
}
const collect = async ({ client, provider }: Merchant) => {
  count += 1
  const payment = { paymentId: `mono:C-${count}`, amountInCents: BigInt(PAID) }
  provider.payin = () => accepted({ state: 'paid', payments: [payment], networkCode: 'paid' })
  assert.equal((await client('POST', '/payins', brebPayin())).status, 201)
  await world.passTime(60_000)
  await world.passTime(SETTLEMENT)
}
const payOut = async ({ client, provider }: Merchant, amountInCents: number) => {
  count += 1
  provider.submitPayout = () => accepted({ state: 'completed', traceId: `mono:T-${count}` })
  const { json } = await client('POST', '/payouts', {
    amountInCents,
    currency: 'COP',
    rail: 'BRE_B',
    reference: `migrated-${count}`,
    inlineCustomer: CUSTOMER,
    breb: { keyString: '@ANAGOMEZ' },
  })
  await world.passTime(10_000)
  assert.equal((await client('GET', `/payouts/${json.id}`)).json.status, 'CONFIRMED')
}

// As the version before had booked it.
const UNDO = [
  'set local session_replication_role = replica',
  `update ledger_transfers
      set booking = regexp_replace(booking, ' (from|to) deposits$', ''), debit_account = replace(debit_account, 'DEPOSITED', 'AVAILABLE'),
          credit_account = replace(credit_account, 'DEPOSITED', 'AVAILABLE')
    where booking ~ '^(payin|payout).* (from|to) deposits$'`,
  `update payouts set deposit_cents = 0`,
  `delete from ledger_transfers where booking = 'collected money moved to deposits'`,
  'truncate ledger_balances',
  `insert into ledger_balances (organization_id, account, slot, debit_cents, credit_cents)
   select organization_id, account, 0, sum(debit), sum(credit)
     from (select organization_id, debit_account as account, amount_cents as debit, 0 as credit from ledger_transfers
            union all
           select organization_id, credit_account, 0, amount_cents from ledger_transfers) t
    group by organization_id, account`,
]

it('what is left of it goes to the deposits, and the rest of the balance stays', async () => {
  const idle = await world.newMerchant()
  const [opening] = await held(idle)
  const collecting = await newMerchant(['BRE_B_IN'])
  await collect(collecting)
  const paying = await newMerchant(['BRE_B_IN', 'BRE_B_OUT'])
  await collect(paying)
  await payOut(paying, PAID_OUT)
  const spent = await newMerchant(['BRE_B_IN'])
  await collect(spent)
  // The installation's network has paid with what was collected, too.
  const pay = `insert into ledger_transfers (organization_id, transfer_id, booking, subject_id, part, debit_account, credit_account,
                                             amount_cents, currency, created_at)
               select organization_id, gen_random_uuid(), 'opening balance', gen_random_uuid(), '', 'AVAILABLE', 'CLEARING_BRE_B', $2, 'COP', now()
                 from organizations where organization_id = $1`
  await world.db.inTransaction(async (tx) => {
    await tx.query({ text: pay, values: [spent.organization.organizationId, opening + PAID - 1] })
    for (const text of UNDO) await tx.query({ text })
  })
  const merchants = [idle, collecting, paying, spent]
  assert.deepEqual(await Promise.all(merchants.map(held)), [
    [opening, 0],
    [opening + PAID, 0],
    [opening + PAID - PAID_OUT, 0],
    [1, 0],
  ])

  const migration = readMigrations().find(({ version }) => version === 60)
  assert.ok(migration)
  await world.db.inTransaction(async (tx) => {
    for (const text of partsOf(migration.sql).together) await tx.query({ text })
    await tx.query({ text: `update schema_migrations set applied_at = '2100-01-01' where version = 60` })
  })
  assert.deepEqual(await Promise.all(merchants.map(held)), [
    [opening, 0],
    [opening, PAID],
    [opening, PAID - PAID_OUT],
    [0, 1],
  ])
  assert.deepEqual(await verifyLedger(world.db), [])
  const { organizationId } = collecting.organization
  const { json } = await collecting.client('GET', `/ledger/transfers?subjectId=${organizationId}`)
  assert.deepEqual(
    json.data.map(({ booking, amountInCents }: Booked) => [booking, amountInCents]),
    [
      ['collected money moved to deposits', PAID],
      ['opening balance', opening],
    ],
  )
})
