// The proof of the ledger, of money at merchants' providers: what each check says where it is wrong, and that it says nothing where the
// books are as they may be.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { verifyLedger } from '../../../src/store/ledger/verify.ts'
import { newPayout } from '../../api/http/calls.ts'
import { moveToProviders } from '../../flows/connections/funds.ts'
import { accepted, connect } from '../../flows/connections/scripted-provider.ts'
import { refunding } from '../../flows/refunds/refunding.ts'
import { CUSTOMER, createWorld, type World } from '../../world.ts'

const BATCH = 'each batch’s money was set aside, and came back where it was taken from'
const REFUND = 'each refund’s money was set aside, and left over its rail once or came back, and no other'
const PAYOUT = 'what a payout takes of the deposits is booked, and goes back whole'
const BELOW_ZERO = 'deposits are below zero by nothing but chargebacks and payouts paid after rejection'

const newBatch = (reserved: number, ofDeposits: number) =>
  `insert into payout_batches (organization_id, batch_id, version, status, file_name, file_digest, credential_id, reserved_cents,
                               reserved_deposit_cents, created_at, updated_at)
   values ($1, gen_random_uuid(), 1, 'WAITING', 'planted.csv', '\\x00', 'key', ${reserved}, ${ofDeposits}, now(), now())`
const less = (booking: string) => [
  `insert into ledger_transfers (organization_id, transfer_id, booking, subject_id, debit_account, credit_account, amount_cents, currency, created_at)
   values ($1, gen_random_uuid(), '${booking}', gen_random_uuid(), 'DEPOSITED', 'CLEARING_BRE_B', 1000000000000, 'COP', now())`,
  `insert into ledger_balances (organization_id, account, slot, debit_cents, credit_cents) values ($1, 'DEPOSITED', 99, 1000000000000, 0)`,
]

const WRONG: Readonly<Record<string, readonly [check: string, statements: readonly string[]]>> = {
  'nothing was set aside for a batch that has money': [BATCH, [newBatch(2, 0)]],
  'nothing was set aside of deposits for a batch that has some': [BATCH, [newBatch(2, 2)]],
  'a refund of deposits says that it is of the balance': [
    REFUND,
    ['update refunds set deposit_cents = 0 where organization_id = $1'],
  ],
  'a payout has taken less of the deposits than it says': [
    PAYOUT,
    [
      `update payouts set deposit_cents = deposit_cents - 1 where organization_id = $1 and status = 'CONFIRMED'`,
    ],
  ],
  'what a declined payout took of the deposits did not go back': [
    PAYOUT,
    [`delete from ledger_transfers where organization_id = $1 and booking = 'payout released to deposits'`],
  ],
  'less of it went back than it took': [
    PAYOUT,
    [
      `update ledger_transfers set amount_cents = amount_cents - 1
        where organization_id = $1 and booking = 'payout released to deposits'`,
    ],
  ],
  'a payout that was paid gave something back': [
    PAYOUT,
    [
      `insert into ledger_transfers (organization_id, transfer_id, booking, subject_id, debit_account, credit_account, amount_cents, currency, created_at)
       select $1, gen_random_uuid(), 'payout returned to deposits', payout_id, 'CLEARING_BRE_B', 'DEPOSITED', 1, 'COP', now()
         from payouts where status = 'CONFIRMED'`,
    ],
  ],
  'a withdrawal took more than there was': [BELOW_ZERO, less('connection withdrawal')],
}

const RIGHT: Readonly<Record<string, readonly [check: string, statements: readonly string[]]>> = {
  'all of a payout went back that had taken a part of the deposits, before schema 0060': [
    PAYOUT,
    [
      `update payouts set deposit_cents = 1 where organization_id = $1 and status = 'DECLINED'`,
      `update ledger_transfers set amount_cents = 1
        where organization_id = $1 and booking = 'payout reserved from deposits'
          and subject_id = (select payout_id from payouts where status = 'DECLINED')`,
    ],
  ],
  ...Object.fromEntries(
    [
      'payin charged back from deposits',
      'suspense charged back from deposits',
      'payout paid after rejection from deposits',
      'collected money moved from deposits',
    ].map((booking) => [`what is below zero was “${booking}”`, [BELOW_ZERO, less(booking)] as const]),
  ),
}

describe('the proof of the ledger, of deposits', () => {
  let world: World
  before(async () => {
    world = await createWorld()
    const { asked, confirmed } = refunding(() => world)
    const payinId = await confirmed({ inlineCustomer: { ...CUSTOMER, idNumber: '1020304050' } })
    const provider = await connect(world, { uses: ['BRE_B_OUT'] })
    await moveToProviders(world)
    provider.submitPayout = () => accepted({ state: 'completed', traceId: 'mono:T-1' })
    await world.client('POST', '/payouts', newPayout())
    await world.passTime(10_000)
    provider.submitPayout = () => accepted({ state: 'rejected', reason: 'RAIL_ERROR', networkCode: 'X' })
    await world.client('POST', '/payouts', newPayout())
    await world.passTime(10_000)
    const refund = await asked(payinId, { amountInCents: 1_000, way: 'CLAIM' })
    assert.equal(refund.reservedAmountInCents, 1_000)
    const { rows } = await world.db.query<{ status: string }>({
      text: 'select status from payouts order by 1',
    })
    assert.deepEqual(
      rows.map(({ status }) => status),
      ['CONFIRMED', 'DECLINED'],
    )
  })
  after(() => world[Symbol.asyncDispose]())

  const saysOf = async (check: string, statements: readonly string[]): Promise<boolean> => {
    let isSaid: boolean | undefined
    const undone = new Error('undone')
    await world.db
      .inTransaction(async (tx) => {
        for (const text of statements) {
          const { rowCount } = await tx.query({ text, values: [world.organization.organizationId] })
          assert.equal(rowCount, 1, `the books are changed: ${text}`)
        }
        const findings = await verifyLedger(tx)
        isSaid = findings.some((finding) => finding.check === check)
        throw undone
      })
      .catch((error: Error) => {
        if (error !== undone) throw error
      })
    assert.ok(isSaid !== undefined)
    return isSaid
  }

  for (const [what, [check, statements]] of Object.entries(WRONG))
    it(`says that ${what}`, async () => {
      assert.equal(await saysOf(check, statements), true)
    })

  for (const [what, [check, statements]] of Object.entries(RIGHT))
    it(`says nothing where ${what}`, async () => {
      assert.equal(await saysOf(check, statements), false)
    })
})
