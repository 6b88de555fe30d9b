// Whoever has lost a race over a payin is told so, wherever the payment that confirms it is counted.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PayinStep } from '../../../src/core/payins/settle.ts'
import type { Needs } from '../../../src/flows/context.ts'
import { writePayinStep } from '../../../src/flows/payins/count-payment.ts'
import type { PayinWrite } from '../../../src/store/payins/write.ts'

const STEPS: Readonly<Record<string, Pick<PayinStep, 'counted' | 'paymentId'>>> = {
  'that is counted nowhere else': {},
  'that is in suspense of another': { counted: { isOwn: false } as never, paymentId: 'P-1' },
}
const WRITE = { payin: { organizationId: 'o', payinId: 'p', source: { rail: 'BRE_B' } } } as PayinWrite

describe('the step of a payin by a payment', () => {
  for (const [where, step] of Object.entries(STEPS))
    for (const isWritten of [true, false])
      it(`${where} is ${isWritten ? 'written' : 'lost'} as the store says`, async () => {
        const told: string[] = []
        const ctx = {
          batched: { writePayin: async () => isWritten },
          signals: { workAdded: (kind: string) => told.push(kind) },
        } as unknown as Needs<'db' | 'batched' | 'signals'>
        assert.equal(await writePayinStep(ctx, step as PayinStep, WRITE), isWritten)
        // The payin is due, to have the item of the other released.
        assert.deepEqual(told, isWritten && step.counted !== undefined ? ['payins'] : [])
      })
})
