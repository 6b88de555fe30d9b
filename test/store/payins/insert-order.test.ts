// Every batch of payins is inserted in one order, so that two batches with the same references never wait for each other.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { inReferenceOrder, type NewPayin } from '../../../src/store/payins/payins.ts'

it('payins are inserted by organization, and in each by reference, whatever order they come in', () => {
  const all = ['b y', 'a z', 'b x', 'a y', 'a x', 'b z', 'a x'].map((name) => {
    const [organizationId, reference] = name.split(' ')
    return { payin: { organizationId, reference }, record: null } as unknown as NewPayin
  })
  const names = (batch: readonly NewPayin[]) =>
    inReferenceOrder(batch).map(({ payin }) => `${payin.organizationId} ${payin.reference}`)
  const sorted = ['a x', 'a x', 'a y', 'a z', 'b x', 'b y', 'b z']
  assert.deepEqual(names(all), sorted)
  assert.deepEqual(names(all.toReversed()), sorted)
})
