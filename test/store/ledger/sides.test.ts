// The proof of the ledger finds each booking that stands on the wrong side: money over a merchant's connection is of the deposits, and what
// the installation's networks move never is.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Booking } from '../../../src/core/ledger/bookings.ts'
import { verifyLedger } from '../../../src/store/ledger/verify.ts'
import { newPayout } from '../../api/http/calls.ts'
import { connect } from '../../flows/connections/scripted-provider.ts'
import { brebPayin, createWorld, type World } from '../../world.ts'

const CHECK = 'what came or leaves over a connection is of the deposits, and nothing else is'

type Subject = 'payin' | 'payout' | 'suspense' | 'refund'

const OF_THE_BALANCE: readonly [Booking, Subject][] = [
  ['payin settled', 'payin'],
  ['payin charged back after settlement', 'payin'],
  ['payout reserved', 'payout'],
  ['payout returned', 'payout'],
  ['payout paid after rejection', 'payout'],
  ['refund reserved', 'refund'],
  ['suspense attached', 'suspense'],
  ['suspense charged back after attaching', 'suspense'],
]
const OF_THE_DEPOSITS: readonly [Booking, Subject][] = [
  ['payin settled to deposits', 'payin'],
  ['payin charged back from deposits', 'payin'],
  ['payout paid after rejection from deposits', 'payout'],
  ['refund reserved from deposits', 'refund'],
  ['suspense attached to deposits', 'suspense'],
  ['suspense charged back from deposits', 'suspense'],
]

describe('the proof of the ledger', () => {
  let world: World
  const subjects: Record<Subject, string> = { payin: '', payout: '', suspense: '', refund: '' }
  let connectionId: string
  before(async () => {
    world = await createWorld()
    connectionId = (await connect(world, { uses: [] })).connectionId
    subjects.payin = (await world.client('POST', '/payins', brebPayin())).json.id
    subjects.payout = (await world.client('POST', '/payouts', newPayout())).json.id
    await world.passTime(1_000)
    const refund = { reason: 'NOT_RECEIVED', amountInCents: 1_000, way: 'RAIL' }
    const asked = await world.client('POST', `/payins/${subjects.payin}/refunds`, refund)
    assert.equal(asked.status, 201, asked.text)
    subjects.refund = asked.json.id
    const { rows } = await world.db.query<{ id: string }>({
      text: `insert into suspense_items (organization_id, suspense_id, rail, payment_id, payin_id, amount_cents, reason, state, created_at,
                                         updated_at)
             select organization_id, gen_random_uuid(), 'BRE_B', 'P-9', payin_id, 1, 'LATE', 'RETURNED', now(), now() from payins
             returning suspense_id as id`,
    })
    subjects.suspense = rows[0]?.id as string
    await world.passTime(60_000)
  })
  after(async () => {
    for (const text of ['delete from suspense_items', ...['payins', 'payouts'].map(overNone)])
      await world.db.query({ text })
    await world[Symbol.asyncDispose]()
  })

  const overNone = (table: string) => `update ${table} set connection_id = null`
  const found = async (booking: Booking, subject: Subject, over: string | null): Promise<boolean> => {
    for (const table of ['payins', 'payouts'])
      await world.db.query({ text: `update ${table} set connection_id = $1`, values: [over] })
    await world.db.query({
      text: `insert into ledger_transfers (organization_id, transfer_id, booking, subject_id, part, debit_account, credit_account,
                                           amount_cents, currency, created_at)
             values ($1, gen_random_uuid(), $2, $3, 'planted', 'AVAILABLE', 'RESERVED', 77, 'COP', now())`,
      values: [world.organization.organizationId, booking, subjects[subject]],
    })
    const findings = await verifyLedger(world.db)
    await world.db.query({ text: `delete from ledger_transfers where part = 'planted'` })
    return findings.some(
      ({ check, detail }) => check === CHECK && detail === `${subjects[subject]} ${booking} 77`,
    )
  }

  for (const [booking, subject] of OF_THE_BALANCE)
    it(`finds “${booking}” of a ${subject} over a connection, and of no other`, async () => {
      assert.equal(await found(booking, subject, connectionId), true)
      assert.equal(await found(booking, subject, null), false)
    })

  for (const [booking, subject] of OF_THE_DEPOSITS)
    it(`finds “${booking}” of a ${subject} over no connection, and of no other`, async () => {
      assert.equal(await found(booking, subject, null), true)
      assert.equal(await found(booking, subject, connectionId), false)
    })

  it('finds nothing of a refund that is paid by payout, which leaves over the installation’s network', async () => {
    await world.db.query({ text: `update refunds set way = 'KEY'` })
    assert.equal(await found('refund reserved', 'refund', connectionId), false)
    await world.db.query({ text: `update refunds set way = 'RAIL'` })
  })
})
