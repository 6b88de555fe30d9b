// A file before it is submitted: nothing is set aside for it, and only keys about which nothing is known are looked up.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type BatchRow, KEY_CHECKS } from '../../../src/core/payout-batches/batch.ts'
import { mayBeChecked } from '../../../src/flows/payout-batches/check-keys.ts'
import { newBatch } from '../../../src/flows/payout-batches/create.ts'

const ID = '0199a0b0-0000-7000-8000-000000000001'
const LATER_ID = '0199a0b0-0001-7000-8000-000000000002'

describe('a file of payouts', () => {
  it('begins with nothing set aside, under the limits of whoever sent it', () => {
    const creator = { credentialId: ID, limits: { payoutsPerDay: 3, payoutSumPerDay: 500n } }
    const made = { fileName: 'nómina.csv', fileDigest: Buffer.alloc(32), retryOf: null, writtenBy: [] }
    const createdAt = 0x0199a0b00001
    assert.deepEqual(newBatch(ID, LATER_ID, { ...made, creator: creator as never }), {
      ...{ organizationId: ID, batchId: LATER_ID, version: 1, status: 'CHECKING', ...made },
      ...{ credentialId: ID, payoutsPerDay: 3, payoutSumPerDay: 500n },
      ...{ reservedInCents: 0n, reservedDepositInCents: 0n, reservedFeesInCents: 0n },
      ...{ createdAt, updatedAt: createdAt, submittedAt: null, completedAt: null },
    })
  })

  const row = { keyDigest: Buffer.alloc(32), keyCheck: 'PENDING', problems: [] } as unknown as BatchRow
  it('has a key looked up that nobody has found yet, where there is one', () => {
    const checked = KEY_CHECKS.filter((keyCheck) => mayBeChecked({ ...row, keyCheck }))
    assert.deepEqual(
      checked,
      KEY_CHECKS.filter((one) => one !== 'VERIFIED' && one !== 'FOUND'),
    )
    assert.equal(mayBeChecked({ ...row, keyDigest: null }), false)
  })

  it('has no key looked up for a row that is not sent anyway', () => {
    const having = (code: string) => mayBeChecked({ ...row, problems: [{ code, column: 'key' } as never] })
    assert.deepEqual(['AMOUNT_AMBIGUOUS', 'KEY_NOT_LOOKED_UP'].map(having), [false, true])
  })
})
