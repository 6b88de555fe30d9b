// What people approve is all of it: whatever of a payout, or of the rows of a batch, is another is another approval.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { canonicalJson } from '../../../src/core/approvals/approval.ts'
import type { BatchRow, BatchTotals } from '../../../src/core/payout-batches/batch.ts'
import { rowsDigest } from '../../../src/core/payout-batches/rows-digest.ts'
import type { Payout } from '../../../src/core/payouts/payout.ts'
import { batchRules } from '../../../src/flows/payout-batches/approval.ts'
import { payoutDocument } from '../../../src/flows/payouts/approval.ts'

describe('what is approved', () => {
  it('of a payout is its amount, reference, key, receiver, note and connection', () => {
    const payout = {
      ...{ amountInCents: 1n, currency: 'COP', reference: 'one', keyType: 'ALPHANUMERIC' },
      ...{ receiver: { sealed: 'a' }, note: null, connection: null },
    } as unknown as Payout
    const others: Record<string, unknown> = {
      ...{ amountInCents: 2n, reference: 'two', keyType: 'PHONE', receiver: { sealed: 'b' } },
      ...{ note: { sealed: 'c' }, connection: { connectionId: 'd', provider: 'WOMPI' } },
    }
    const textOf = (changes: object) => canonicalJson(payoutDocument({ ...payout, ...changes }))
    assert.equal(textOf({}), textOf({ version: 7, updatedAt: 1 }), 'a step is no other payout')
    for (const [field, value] of Object.entries(others))
      assert.notEqual(textOf({ [field]: value }), textOf({}), field)
  })

  it('of a batch is the number, the amount and the receiver of every row', () => {
    const row = { rowNumber: 2, amountInCents: 1n, person: { sealed: 'a' } } as BatchRow
    const digest = rowsDigest([row])
    for (const changes of [{ rowNumber: 3 }, { amountInCents: 2n }, { person: { sealed: 'b' } }])
      assert.notEqual(
        rowsDigest([{ ...row, ...changes } as BatchRow]),
        digest,
        JSON.stringify(Object.keys(changes)),
      )
    assert.notEqual(rowsDigest([row, row]), digest)
  })

  it('of a batch is asked of as many as its sum asks, or as its largest row would ask alone', () => {
    const approvalRules = [{ kind: 'payout', tiers: [{ fromInCents: 10n, approvers: 1 }] }] as const
    const asked = (sumInCents: bigint, largestInCents: bigint) =>
      batchRules({ approvalRules }, { sumInCents, largestInCents } as BatchTotals)[0]?.tiers[0]?.approvers
    assert.deepEqual([asked(12n, 9n), asked(12n, 10n)], [0, 1])
  })
})
