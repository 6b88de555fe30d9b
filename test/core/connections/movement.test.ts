// The rail that a deposit comes in by, or a withdrawal leaves by, is one that the connection has.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { movementTransfer } from '../../../src/core/connections/movement.ts'
import type { Use } from '../../../src/core/connections/provider.ts'

const MOVEMENT = {
  organizationId: 'o',
  movementId: 'm',
  connectionId: 'c',
  reference: 'bank transfer',
  amountInCents: 1n,
  recordedBy: 'u',
  createdAt: 0,
} as const

const RAILS: [Use[], string, string][] = [
  [['PSE_IN'], 'PSE', 'PSE'],
  [['BRE_B_OUT'], 'BRE_B', 'BRE_B'],
  [['PSE_IN', 'BRE_B_OUT'], 'BRE_B', 'PSE'],
  [['BRE_B_IN', 'PSE_IN'], 'BRE_B', 'BRE_B'],
]

describe('what a merchant puts into its account at a provider, and takes out', () => {
  for (const [uses, putIn, takenOut] of RAILS)
    it(`is on ${putIn} and ${takenOut} where the connection has ${uses.join(' and ')}`, () => {
      const booked = (kind: 'DEPOSIT' | 'WITHDRAWAL') =>
        movementTransfer({ ...MOVEMENT, kind }, { uses }, 't')
      assert.equal(booked('DEPOSIT').debit, `CLEARING_${putIn}`)
      assert.equal(booked('WITHDRAWAL').credit, `CLEARING_${takenOut}`)
    })
})
