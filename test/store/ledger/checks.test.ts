// The proof of the books is itself proven: each of its checks fails on a fault planted for it, and on nothing else.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Queryable } from '../../../src/store/db.ts'
import { type LedgerFinding, verifyLedger } from '../../../src/store/ledger/verify.ts'
import { brebPayin, CUSTOMER, createWorld, eventually, type World } from '../../world.ts'

// By the name of the check: a change that no other check sees.
const FAULTS: Readonly<Record<string, readonly string[]>> = {
  'the books sum to zero': [],
  'stored balances equal the transfers': [
    `update ledger_balances set credit_cents = credit_cents + 1 where organization_id = $1 and account = 'AVAILABLE' and slot = 0`,
    `insert into ledger_balances (organization_id, account, slot, debit_cents, credit_cents) values ($1, 'FEES', 0, 1, 0)`,
  ],
  'reserved money equals open payouts, refunds and batches': [
    `update payouts set stage = 'CREATED' where organization_id = $1 and status = 'PROCESSING'`,
  ],
  'each confirmed payin is booked once, with what arrived': [
    `update payins set confirmed_amount_cents = confirmed_amount_cents + 1 where organization_id = $1 and status = 'CONFIRMED'`,
  ],
  'what was charged back of a payin is booked': [
    `update payins set charged_back_cents = 1 where organization_id = $1 and status = 'CONFIRMED'`,
  ],
  'nothing else is booked as a payin': [
    `update payins set status = 'CANCELED', confirmed_amount_cents = null where organization_id = $1 and status = 'CONFIRMED'`,
  ],
  'each confirmed payout left once, and no other': [
    `update payouts set amount_cents = amount_cents + 1 where organization_id = $1 and status = 'CONFIRMED'`,
  ],
  'each returned payout was confirmed and came back once, and no other': [
    `update payouts set returned_at = now() where organization_id = $1 and status = 'CONFIRMED'`,
  ],
  'each batch’s money was set aside, and came back where it was taken from': [
    `insert into ledger_transfers (organization_id, transfer_id, booking, subject_id, debit_account, credit_account, amount_cents, currency, created_at)
     values ($1, gen_random_uuid(), 'batch released to deposits', gen_random_uuid(), 'FEES', 'CLEARING_BRE_B', 1, 'COP', now())`,
    `insert into ledger_balances (organization_id, account, slot, debit_cents, credit_cents) values ($1, 'FEES', 99, 1, 0)`,
    `insert into ledger_balances (organization_id, account, slot, debit_cents, credit_cents) values ($1, 'CLEARING_BRE_B', 99, 0, 1)`,
  ],
  'each refund’s money was set aside, and left over its rail once or came back, and no other': [
    `insert into ledger_transfers (organization_id, transfer_id, booking, subject_id, debit_account, credit_account, amount_cents, currency, created_at)
     values ($1, gen_random_uuid(), 'refund given back', gen_random_uuid(), 'FEES', 'CLEARING_BRE_B', 1, 'COP', now())`,
    `insert into ledger_balances (organization_id, account, slot, debit_cents, credit_cents) values ($1, 'FEES', 99, 1, 0)`,
    `insert into ledger_balances (organization_id, account, slot, debit_cents, credit_cents) values ($1, 'CLEARING_BRE_B', 99, 0, 1)`,
  ],
  'each refund by payout has a payout of its amount that paid it': [
    `update payins set refund_cents = 1, refunded_cents = 1 where organization_id = $1 and status = 'CONFIRMED'`,
    `insert into refunds (organization_id, refund_id, payin_id, version, status, stage, way, amount_cents, currency, reason, rail,
                          credential_id, created_at, updated_at)
     select organization_id, gen_random_uuid(), payin_id, 1, 'CONFIRMED', 'DONE', 'KEY', 1, 'COP', 'OTHER', rail, 'nobody', now(), now()
       from payins
      where organization_id = $1 and status = 'CONFIRMED'`,
  ],
  'what refunds hold of a payin is theirs, and not more than arrived': [
    `update payins set refund_cents = 1 where organization_id = $1 and status = 'CONFIRMED'`,
  ],
  'each deposit and withdrawal is booked once, and no other': [
    `insert into connection_movements (organization_id, movement_id, connection_id, kind, amount_cents, deposit_cents, reference,
                                       recorded_by, created_at)
     values ($1, gen_random_uuid(), gen_random_uuid(), 'DEPOSIT', 1, 1, 'planted', 'nobody', now())`,
  ],
  'what a payout takes of the deposits is booked, and goes back whole': [
    `update payouts set deposit_cents = 1 where organization_id = $1 and status = 'CONFIRMED'`,
  ],
  'a payout’s fee is booked when it is confirmed, as it was agreed, and no other': [
    `update payouts set fee_cents = 1 where organization_id = $1 and status = 'CONFIRMED'`,
  ],
  'deposits are below zero by nothing but chargebacks and payouts paid after rejection': [
    `insert into ledger_transfers (organization_id, transfer_id, booking, subject_id, debit_account, credit_account, amount_cents, currency, created_at)
     values ($1, gen_random_uuid(), 'planted', gen_random_uuid(), 'DEPOSITED', 'CLEARING_BRE_B', 1, 'COP', now())`,
    `insert into ledger_balances (organization_id, account, slot, debit_cents, credit_cents) values ($1, 'DEPOSITED', 99, 1, 0)`,
    `insert into ledger_balances (organization_id, account, slot, debit_cents, credit_cents) values ($1, 'CLEARING_BRE_B', 99, 0, 1)`,
  ],
  'what came or leaves over a connection is of the deposits, and nothing else is': [
    `update payouts set connection_id = gen_random_uuid() where organization_id = $1 and status = 'CONFIRMED'`,
  ],
  'every payout paid after its rejection has an alarm': [
    `insert into ledger_transfers (organization_id, transfer_id, booking, subject_id, debit_account, credit_account, amount_cents, currency, created_at)
     values ($1, gen_random_uuid(), 'payout paid after rejection', gen_random_uuid(), 'SUSPENSE', 'CLEARING_BRE_B', 1, 'COP', now())`,
    `insert into ledger_balances (organization_id, account, slot, debit_cents, credit_cents) values ($1, 'SUSPENSE', 99, 1, 0)`,
    `insert into ledger_balances (organization_id, account, slot, debit_cents, credit_cents) values ($1, 'CLEARING_BRE_B', 99, 0, 1)`,
  ],
  // verify.test.ts plants it: it does not come alone.
  'suspense is not below zero without an alarm': [],
  'what was charged back of money in suspense is booked': [
    `insert into suspense_items (organization_id, suspense_id, rail, payment_id, amount_cents, reason, state, created_at,
                                 updated_at, charged_back_cents)
     values ($1, gen_random_uuid(), 'BRE_B', 'CHARGED-BACK', 2, 'LATE', 'RETURNED', now(), now(), 1)`,
  ],
  'closed days count every transfer until their end': [
    // More than were ever booked.
    `insert into daily_closes (organization_id, day, movements, figures, digest, closed_at)
     values ($1, '2000-01-01', 99, '{}', decode(repeat('00', 32), 'hex'), now())`,
  ],
  'a fee is booked with its payin’s settlement, and never more than it': [
    `insert into ledger_transfers (organization_id, transfer_id, booking, subject_id, debit_account, credit_account, amount_cents, currency, created_at)
     values ($1, gen_random_uuid(), 'payin fee', gen_random_uuid(), 'AVAILABLE', 'FEES', 1, 'COP', now())`,
    `insert into ledger_balances (organization_id, account, slot, debit_cents, credit_cents) values ($1, 'AVAILABLE', 99, 1, 0)`,
    `insert into ledger_balances (organization_id, account, slot, debit_cents, credit_cents) values ($1, 'FEES', 99, 0, 1)`,
  ],
  'suspense equals its open items': [
    `update suspense_items set state = 'RETURNED' where organization_id = $1 and state = 'OPEN'`,
  ],
}
const SUBJECT = '0199a0b0-0000-7000-8000-00000000000b'
const booked = (booking: string, amountInCents: number, subject = `'${SUBJECT}'`) =>
  `insert into ledger_transfers (organization_id, transfer_id, booking, subject_id, debit_account, credit_account, amount_cents, currency, created_at)
   values ($1, gen_random_uuid(), '${booking}', ${subject}, 'FEES', 'CLEARING_BRE_B', ${amountInCents}, 'COP', now())`
const ofStatus = (table: string, id: string, status: string) =>
  `(select ${id} from ${table} where organization_id = $1 and ${status})`
const CONFIRMED_PAYIN = ofStatus('payins', 'payin_id', `status = 'CONFIRMED'`)
const CONFIRMED_PAYOUT = ofStatus('payouts', 'payout_id', `status = 'CONFIRMED'`)
const OPEN_PAYOUT = ofStatus('payouts', 'payout_id', `status = 'PROCESSING'`)
const OPEN_ITEM = ofStatus('suspense_items', 'suspense_id', `state = 'OPEN'`)
const refund = (way: string, status: string, stage: string, reserved = 0, amount = 5, payout = 'null') =>
  `insert into refunds (organization_id, refund_id, payin_id, version, status, stage, way, amount_cents, currency, reason, rail,
                        reserved_cents, payout_id, credential_id, created_at, updated_at)
   values ($1, '${SUBJECT}', ${CONFIRMED_PAYIN}, 1, '${status}', '${stage}', '${way}', ${amount}, 'COP', 'OTHER', 'BRE_B',
           ${reserved}, ${payout}, 'nobody', now(), now())`
const paysIt = (payout: string) =>
  `update payouts set refund_id = '${SUBJECT}' where organization_id = $1 and payout_id = ${payout}`
const movement = (kind: string, ofDeposits: number) =>
  `insert into connection_movements (organization_id, movement_id, connection_id, kind, amount_cents, deposit_cents, reference,
                                     recorded_by, created_at)
   values ($1, '${SUBJECT}', gen_random_uuid(), '${kind}', 1, ${ofDeposits}, 'planted', 'nobody', now())`

const RESERVED = 'reserved money equals open payouts, refunds and batches'
const REFUND = 'each refund’s money was set aside, and left over its rail once or came back, and no other'
const BY_PAYOUT = 'each refund by payout has a payout of its amount that paid it'
const HELD = 'what refunds hold of a payin is theirs, and not more than arrived'
const MOVED = 'each deposit and withdrawal is booked once, and no other'
const PAYOUT_FEE = 'a payout’s fee is booked when it is confirmed, as it was agreed, and no other'

// What else each check is there for.
const OTHER_FAULTS: Readonly<Record<string, readonly [check: string, statements: readonly string[]]>> = {
  'more is open than is reserved': [
    RESERVED,
    [
      `update payouts set amount_cents = amount_cents + 1 where organization_id = $1 and status = 'PROCESSING'`,
    ],
  ],
  'a payin is booked twice': [
    'each confirmed payin is booked once, with what arrived',
    [booked('payin confirmed from suspense', 1, CONFIRMED_PAYIN)],
  ],
  'a chargeback is booked that its payin does not know': [
    'what was charged back of a payin is booked',
    [booked('payin charged back', 1, CONFIRMED_PAYIN)],
  ],
  'a chargeback is booked that its money in suspense does not know': [
    'what was charged back of money in suspense is booked',
    [booked('suspense charged back', 1, OPEN_ITEM)],
  ],
  'a payin that is none is booked from suspense': [
    'nothing else is booked as a payin',
    [booked('payin confirmed from suspense', 1)],
  ],
  'a refund gave back less than it says': [
    REFUND,
    [refund('RAIL', 'CONFIRMED', 'DONE'), booked('refund reserved', 4), booked('refund given back', 4)],
  ],
  'a refund released less than was set aside': [
    REFUND,
    [refund('KEY', 'DECLINED', 'DONE'), booked('refund reserved', 5), booked('refund released', 4)],
  ],
  'a part of a refund is set aside': [
    REFUND,
    [refund('CLAIM', 'PROCESSING', 'AWAITING_CLAIM', 4), booked('refund reserved', 4)],
  ],
  'nothing is set aside for a refund that is being given back': [
    REFUND,
    [refund('RAIL', 'PROCESSING', 'SENDING')],
  ],
  'the money of a refund is set aside beside its payout’s': [
    REFUND,
    [refund('KEY', 'PROCESSING', 'PAYING', 5), booked('refund reserved', 5)],
  ],
  'a refund is being paid by no payout': [BY_PAYOUT, [refund('KEY', 'PROCESSING', 'PAYING')]],
  'a refund was paid by a payout of another amount': [
    BY_PAYOUT,
    [refund('KEY', 'CONFIRMED', 'DONE', 0, 5, CONFIRMED_PAYOUT), paysIt(CONFIRMED_PAYOUT)],
  ],
  'a refund was paid by a payout that is open': [
    BY_PAYOUT,
    [refund('KEY', 'CONFIRMED', 'DONE', 0, 1_000_000, OPEN_PAYOUT), paysIt(OPEN_PAYOUT)],
  ],
  'a refund that is open was given back, says its payin': [
    HELD,
    [
      refund('KEY', 'PROCESSING', 'READY'),
      `update payins set refund_cents = 5, refunded_cents = 5 where organization_id = $1 and status = 'CONFIRMED'`,
    ],
  ],
  'a withdrawal is booked as a deposit': [
    MOVED,
    [movement('WITHDRAWAL', 1), booked('connection deposit', 1)],
  ],
  'a deposit says that it is none of the deposits': [
    MOVED,
    [movement('DEPOSIT', 0), booked('connection deposit', 1)],
  ],
  'the tax on a payout’s fee is not booked': [
    PAYOUT_FEE,
    [`update payouts set fee_tax_cents = 1 where organization_id = $1 and status = 'CONFIRMED'`],
  ],
  'a payout’s fee is booked that nobody agreed on': [PAYOUT_FEE, [booked('payout fee', 1, CONFIRMED_PAYOUT)]],
  'something was withheld of a payin that was not settled': [
    'a fee is booked with its payin’s settlement, and never more than it',
    [booked('payin withholding', 1)],
  ],
  'something was booked in a day after it was closed': [
    'closed days count every transfer until their end',
    [
      `insert into daily_closes (organization_id, day, movements, figures, digest, closed_at)
       values ($1, '2100-01-01', 1, '{}', decode(repeat('00', 32), 'hex'), now())`,
    ],
  ],
  'more is in suspense by its items than by the books': [
    'suspense equals its open items',
    [
      `update suspense_items set amount_cents = amount_cents + 1 where organization_id = $1 and state = 'OPEN'`,
    ],
  ],
}

// Money out of nothing shows in two checks, by its nature.
const OUT_OF_NOTHING = `update ledger_balances set credit_cents = credit_cents + 1 where organization_id = $1 and account = 'AVAILABLE' and slot = 0`

describe('the proof of the books', () => {
  let world: World
  before(async () => {
    world = await createWorld()
    const withDocument = (idNumber: string) => ({ inlineCustomer: { ...CUSTOMER, idNumber } })
    const payout = (idNumber: string) => ({
      amountInCents: 1_000_000,
      currency: 'COP',
      rail: 'BRE_B',
      reference: `proof-${idNumber}`,
      breb: { keyString: '@ANAGOMEZ' },
      ...withDocument(idNumber),
    })
    await world.client('POST', '/payins', brebPayin(withDocument('1000000001')))
    // Another amount than asked for: it waits in suspense.
    await world.client('POST', '/payins', brebPayin(withDocument('1000000013')))
    await world.client('POST', '/payouts', payout('1000000001'))
    await world.client('POST', '/payouts', payout('1000000007'))
    await world.passTime(1_000)
    await eventually(
      async () => {
        await world.work()
        const text = `select concat(status, ' ') as status from payins union all select status from payouts`
        const { rows } = await world.db.query<{ status: string }>({ text })
        return rows.map(({ status }) => status).sort()
      },
      (seen) => seen.join() === ['CONFIRMED', 'CONFIRMED ', 'DECLINED ', 'PROCESSING'].join(),
    )
  })
  after(() => world[Symbol.asyncDispose]())

  // Plants a fault, proves the books, and takes the fault out again.
  const findingsAfter = async (statements: readonly string[]): Promise<LedgerFinding[]> => {
    let findings: LedgerFinding[] | undefined
    const undone = new Error('undone')
    await world.db
      .inTransaction(async (tx) => {
        for (const text of statements) {
          const { rowCount } = await tx.query({ text, values: [world.organization.organizationId] })
          assert.equal(rowCount, 1, `the fault is planted: ${text}`)
        }
        findings = await verifyLedger(tx)
        throw undone
      })
      .catch((error: Error) => {
        if (error !== undone) throw error
      })
    return findings as LedgerFinding[]
  }

  it('finds nothing wrong in books that are right', async () => {
    assert.deepEqual(await verifyLedger(world.db), [])
  })

  it('makes as many checks as this test plants faults for', async () => {
    let queries = 0
    const counted: Queryable = {
      query: (config) => {
        queries += 1
        return world.db.query(config)
      },
    }
    await verifyLedger(counted)
    assert.equal(queries, Object.keys(FAULTS).length)
  })

  for (const [check, statements] of Object.entries(FAULTS).filter(([, planted]) => planted.length > 0)) {
    it(`notices if it is not so that ${check}`, async () => {
      const findings = await findingsAfter(statements)
      assert.ok(findings.length > 0)
      for (const finding of findings) {
        assert.equal(finding.check, check)
        assert.equal(finding.organizationId, world.organization.organizationId)
        assert.match(finding.detail, /\d/)
      }
    })
  }

  for (const [what, [check, statements]] of Object.entries(OTHER_FAULTS)) {
    it(`notices that ${what}`, async () => {
      const findings = await findingsAfter(statements)
      assert.ok(findings.some((finding) => finding.check === check))
    })
  }

  it('notices money out of nothing, and says how much', async () => {
    const findings = await findingsAfter([OUT_OF_NOTHING])
    assert.deepEqual(findings.map(({ check }) => check).sort(), [
      'stored balances equal the transfers',
      'the books sum to zero',
    ])
    assert.equal(findings.find(({ check }) => check === 'the books sum to zero')?.detail, '1')
  })
})
