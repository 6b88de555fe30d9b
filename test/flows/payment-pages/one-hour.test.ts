// A payer who goes on from a payment page reads how long their payment is good for. That is how long it is.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MINUTE_MS } from '../../../src/core/instant.ts'
import { createWorld } from '../../world.ts'

describe('the hour that a payment page promises', () => {
  it('is an hour, or is not promised where somebody else may take the piece after ten minutes', async () => {
    await using world = await createWorld({ env: { PAYER_ACTIONS_PER_MINUTE: '0' } })
    const { json: page } = await world.client('POST', '/payment-pages', {
      name: 'Coffee',
      amountType: 'FIXED',
      amountInCents: 100_000,
      reference: 'coffee',
      maxPieces: 1,
    })
    const path = new URL(page.paymentPageUrl).pathname
    const read = async (address: string) =>
      (await world.anonymous('GET', address, undefined, { 'accept-language': 'es' })).text
    const goOn = async () => {
      const body = new URLSearchParams({ pieces: '1' })
      const answer = await fetch(world.baseUrl + path, { method: 'POST', body, redirect: 'manual' })
      await answer.text()
      return answer.headers.get('location') ?? ''
    }
    const isPromised = /puedes hacer durante una hora/.test(await read(path))
    const location = await goOn()
    assert.match(await read(location), /name="rail"/)
    world.advance(11 * MINUTE_MS)
    await world.work()
    await goOn()
    const isPayable = /name="rail"/.test(await read(location))
    assert.ok(isPayable || !isPromised, 'an hour was promised, and it has expired after eleven minutes')
  })
})
