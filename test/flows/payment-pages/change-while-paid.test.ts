// A merchant who changes or closes a page while somebody pays on it loses no payment: both have the page's lock.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { waitingForLocks } from '../../locks.ts'
import { createWorld, eventually } from '../../world.ts'

describe('a payment page that is paid while its merchant', () => {
  for (const [does, method, below, body] of [
    ['changes it', 'PATCH', '', { name: 'Coffee beans' }],
    ['closes it', 'POST', '/close', undefined],
  ] as const)
    it(`${does} counts the payment`, async () => {
      await using world = await createWorld()
      const { json: page } = await world.client('POST', '/payment-pages', {
        name: 'Coffee',
        amountType: 'FIXED',
        amountInCents: 100_000,
        reference: 'coffee',
      })
      const path = `/payment-pages/${page.paymentPageId}`
      const asked = await world.db.inTransaction(async (tx) => {
        await tx.query({
          text: `update payment_pages set paid_payments = 1, paid_pieces = 1, paid_cents = 100000, version = version + 1
                  where payment_page_id = $1`,
          values: [page.paymentPageId],
        })
        // Not awaited here: it has to wait for us.
        const answer = world.client(method, `${path}${below}`, body)
        await eventually(
          () => waitingForLocks(world.db),
          (waiting) => waiting > 0,
        )
        return { answer }
      })
      assert.equal((await asked.answer).status, 200)
      const { paidPayments, paidPieces, paidAmountInCents } = (await world.client('GET', path)).json
      assert.deepEqual([paidPayments, paidPieces, paidAmountInCents], [1, 1, 100_000])
    })
})
