// Whoever acts too often is asked to wait, alone. A proxy that names nobody is not limited: all of its clients would pay for one.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createWorld } from '../../world.ts'

describe('a payment page behind a proxy on this machine that names no client', () => {
  it('is open to more strangers in a minute than one of them may act', async () => {
    await using world = await createWorld({ env: { PAYER_ACTIONS_PER_MINUTE: '2' } })
    const { json: page } = await world.client('POST', '/payment-pages', {
      name: 'Coffee',
      amountType: 'FIXED',
      amountInCents: 100_000,
      reference: 'coffee',
    })
    const goOn = async () => {
      const answer = await fetch(world.baseUrl + new URL(page.paymentPageUrl).pathname, {
        method: 'POST',
        body: new URLSearchParams({ pieces: '1' }),
        redirect: 'manual',
      })
      await answer.text()
      return answer.status
    }
    assert.deepEqual([await goOn(), await goOn(), await goOn()], [303, 303, 303])
  })
})
