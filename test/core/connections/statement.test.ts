// Where a line of a network's record belongs in our books, and which of our bookings a network lists.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { movementTransfer, newMovement, spendable } from '../../../src/core/connections/movement.ts'
import { isFromStatement } from '../../../src/core/connections/notice.ts'
import { railReference } from '../../../src/core/connections/reference.ts'
import {
  attributionOf,
  cursorDigest,
  MOVEMENT_OF_BOOKING,
  MOVEMENTS,
  matchKey,
} from '../../../src/core/connections/statement.ts'
import { instantOfId } from '../../../src/core/ids.ts'
import type { Booking } from '../../../src/core/ledger/bookings.ts'

const ORGANIZATION_ID = '0199a0b0-0000-7000-8000-000000000001'
const ID = '0199a0b0-0000-7000-8000-000000000002'
const NOBODY = { organizationId: '00000000-0000-0000-0000-000000000000', subjectId: null }

describe('a line of a statement', () => {
  it('belongs to whom its reference names, if that kind of thing can move so', () => {
    const kinds = { credit: 'payin', chargeback: 'payin', debit: 'payout', return: 'return' } as const
    const ours = { organizationId: ORGANIZATION_ID, subjectId: ID }
    for (const movement of MOVEMENTS)
      for (const kind of ['payin', 'payout', 'return'] as const) {
        const reference = railReference(kind, ORGANIZATION_ID, ID)
        const expected = kinds[movement] === kind ? ours : NOBODY
        assert.deepEqual(attributionOf(reference, movement), expected, `${movement} ${kind}`)
        assert.deepEqual(attributionOf(reference, null), ours)
      }
    assert.deepEqual(attributionOf('something else', 'credit'), NOBODY)
  })

  it('is known by the network’s id where money came in, and by ours where it went out', () => {
    const line = { reference: '', networkId: 'N1', amountInCents: 1n, occurredAt: 0 }
    const keys = MOVEMENTS.map((movement) => matchKey({ ...line, movement }, ID))
    assert.deepEqual(keys, ['credit N1', `debit ${ID}`, `return ${ID}`, 'chargeback N1'])
    assert.equal(matchKey({ ...line, movement: 'debit' }, null), 'debit N1')
  })

  it('is on a page whose cursor is remembered shortly', () => {
    const digest = createHash('sha256').update('next').digest('base64url')
    assert.equal(cursorDigest('next'), digest.slice(0, 11))
    assert.equal(isFromStatement('statement:1'), true)
    assert.equal(isFromStatement('notice-of-statement:1'), false)
  })
})

describe('a booking', () => {
  it('is listed by a network if money moved there, and by nobody if it moved between our accounts', () => {
    const listed = Object.entries(MOVEMENT_OF_BOOKING).flatMap(([booking, of]) =>
      of === null ? [] : [[booking as Booking, `${of.movement} of a ${of.subject}`]],
    )
    assert.deepEqual(Object.fromEntries(listed), {
      'payin confirmed': 'credit of a payin',
      'payin charged back before settlement': 'chargeback of a payin',
      'payin charged back after settlement': 'chargeback of a payin',
      'payin charged back from deposits': 'chargeback of a payin',
      'money in suspense': 'credit of a suspense',
      'suspense returned': 'return of a suspense',
      'suspense charged back': 'chargeback of a suspense',
      'suspense charged back after attaching': 'chargeback of a suspense',
      'suspense charged back from deposits': 'chargeback of a suspense',
      'refund given back': 'return of a refund',
      'payout confirmed': 'debit of a payout',
      'refund paid': 'debit of a payout',
      'payout paid after rejection': 'debit of a payout',
      'payout paid after rejection from deposits': 'debit of a payout',
    })
  })
})

describe('what a merchant records of its account at a provider', () => {
  const connection = { organizationId: 'o', connectionId: 'c' }
  const request = { kind: 'WITHDRAWAL', amountInCents: 5n, reference: 'bank', recordedBy: 'k' } as const

  it('is made of what it says, and takes out no more than there is', () => {
    assert.deepEqual(newMovement(connection, ID, request, 5n), {
      ...{ ...connection, ...request },
      movementId: ID,
      createdAt: instantOfId(ID),
    })
    assert.equal(newMovement(connection, ID, request, 4n), undefined)
    assert.equal(newMovement(connection, ID, { ...request, kind: 'DEPOSIT' }, 0n)?.kind, 'DEPOSIT')
  })

  it('is booked as itself', () => {
    const movement = newMovement(connection, ID, request, 5n)
    assert.ok(movement !== undefined)
    const { booking, subjectId, amountInCents, organizationId } = movementTransfer(movement, { uses: [] }, ID)
    assert.deepEqual(
      [booking, subjectId, amountInCents, organizationId],
      ['connection withdrawal', ID, 5n, 'o'],
    )
    const deposit = movementTransfer({ ...movement, kind: 'DEPOSIT' }, { uses: [] }, ID)
    assert.equal(deposit.booking, 'connection deposit')
  })

  it('pays for what leaves over a connection, and what is available for the rest', () => {
    const funds = { availableInCents: 1n, depositedInCents: 2n }
    assert.deepEqual([spendable(funds, false), spendable(funds, true)], [1n, 2n])
  })
})
