// What happens to a payment while its payer fills in the form.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startHarness, TOKEN } from './harness.ts'
import { brebPayin, link, NOW } from './subjects.ts'

describe('a form that is refused', () => {
  it('leads to the page, and not to the form again, when the link was paid meanwhile', async () => {
    for (const refusal of [
      'rail-not-available',
      'terms-changed',
      'terms-away',
      'bank-not-enabled',
    ] as const) {
      const harness = startHarness(link())
      harness.answers.begin = () => {
        const payin = brebPayin({ status: 'CONFIRMED', resultAt: NOW })
        harness.become(link({ status: 'COMPLETED', payin }))
        return refusal
      }
      const { statusCode, headers } = await harness.app.inject({
        method: 'POST',
        url: `/pay/${TOKEN}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'rail=BRE_B',
      })
      assert.deepEqual([statusCode, headers.location], [303, `/pay/${TOKEN}`], refusal)
      const page = await harness.app.inject(`/pay/${TOKEN}`)
      assert.match(page.body, /<h1>Pago aprobado<\/h1>/)
    }
  })
})
