// How a batch goes on, who wrote it, and which of its rows come twice.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  BATCH_STATUSES,
  type BatchRow,
  type BatchStep,
  firstRowWith,
  isEditable,
  lookAgainAt,
  moveBatch,
  type PayoutBatch,
  writtenAlsoBy,
} from '../../../src/core/payout-batches/batch.ts'
import { isError, ROW_PROBLEM_CODES } from '../../../src/core/payout-batches/row.ts'
import { changedFieldsOf } from '../changed-fields.ts'

const batch = {
  ...{ batchId: 'b', version: 3, status: 'DRAFT', writtenBy: ['a'], updatedAt: 0, reservedInCents: 0n },
} as unknown as PayoutBatch

describe('a batch', () => {
  it('takes these steps and no others', () => {
    const steps: BatchStep[] = ['checked', 'check', 'submit', 'start', 'reopen', 'cancel', 'complete']
    const table = BATCH_STATUSES.map((status) => {
      const to = steps.map((step) => [step, moveBatch({ ...batch, status }, step, 9)?.status])
      return [status, Object.fromEntries(to.filter(([, next]) => next !== undefined))]
    })
    assert.deepEqual(Object.fromEntries(table), {
      CHECKING: { checked: 'DRAFT', cancel: 'CANCELED' },
      DRAFT: { check: 'CHECKING', submit: 'WAITING', start: 'PROCESSING', cancel: 'CANCELED' },
      WAITING: { start: 'PROCESSING', reopen: 'DRAFT', cancel: 'CANCELED' },
      PROCESSING: { complete: 'COMPLETED' },
      COMPLETED: {},
      CANCELED: {},
    })
  })

  it('has a new version with each step, and whatever the step brings', () => {
    const next = moveBatch(batch, 'start', 9, { reservedInCents: 5n })
    const changes = { status: 'PROCESSING', version: 4, updatedAt: 9, reservedInCents: 5n }
    assert.deepEqual(changedFieldsOf<PayoutBatch>(batch, next), changes)
    assert.deepEqual(changedFieldsOf<PayoutBatch>(batch, moveBatch(batch, 'cancel', 9)), {
      status: 'CANCELED',
      version: 4,
      updatedAt: 9,
    })
  })

  it('can be changed until it is submitted', () => {
    assert.deepEqual(
      BATCH_STATUSES.filter((status) => isEditable({ status })),
      ['CHECKING', 'DRAFT'],
    )
  })

  it('remembers whoever wrote it, once, and nobody where the service did', () => {
    assert.deepEqual(writtenAlsoBy(batch, 'b').writtenBy, ['a', 'b'])
    assert.equal(writtenAlsoBy(batch, 'a'), batch)
    assert.equal(writtenAlsoBy(batch, null), batch)
  })

  it('is looked at again after a tenth of the time that it has taken', () => {
    const pauses = [0, 4_999, 5_000, 5_019, 599_999, 600_000, 700_000].map(
      (now) => lookAgainAt(batch, now) - now,
    )
    assert.deepEqual(pauses, [500, 500, 500, 501, 59_999, 60_000, 60_000])
  })

  it('has a row twice that has the key and the amount of one before it', () => {
    const row = (rowNumber: number, key: string | null, amountInCents: bigint | null) =>
      ({ rowNumber, keyDigest: key === null ? null : Buffer.from(key), amountInCents }) as BatchRow
    const rows = [
      ...[row(1, 'a', 5n), row(2, 'a', 6n), row(3, 'b', 5n), row(4, 'a', 5n), row(5, 'a', 5n)],
      ...[row(6, null, 5n), row(7, null, 5n), row(8, 'a', null), row(9, 'a', null)],
    ]
    assert.deepEqual(rows.map(firstRowWith(rows)), [null, null, null, 1, 1, null, null, null, null])
  })
})

describe('what is wrong with a row', () => {
  it('keeps it from being sent, but for what a person may accept', () => {
    assert.deepEqual(
      ROW_PROBLEM_CODES.filter((code) => !isError({ code })),
      [
        ...['HOLDER_NAME_MISMATCH', 'HOLDER_NOT_CHECKED', 'DUPLICATE_IN_FILE'],
        ...['DUPLICATE_IN_BATCH', 'DUPLICATE_PAYOUT', 'PAID_AFTER_ALL'],
      ],
    )
  })
})
