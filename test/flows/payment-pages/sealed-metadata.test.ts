// Metadata is the merchant's own, and the payer does not see it. It is sealed where it is stored, also that of a payment page.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createWorld } from '../../world.ts'

describe('the metadata of a payment page', () => {
  it('is in no table as it was sent', async () => {
    await using world = await createWorld()
    const secret = 'Vendedora Juana Arboleda'
    const terms = { name: 'Coffee', amountType: 'FIXED', amountInCents: 100_000, reference: 'coffee' }
    const body = { ...terms, metadata: { seller: secret } }
    const { json: page } = await world.client('POST', '/payment-pages', body, { 'idempotency-key': 'page-1' })
    await world.client('POST', `/payment-pages/${page.paymentPageId}/close`)
    await world.work()
    const visited = await world.anonymous('GET', new URL(page.paymentPageUrl).pathname)
    assert.ok(!visited.text.includes(secret), 'the payer does not see it')
    const found: string[] = []
    for (const table of ['payment_pages', 'events', 'idempotency_records']) {
      const text = `select from ${table} as row where row::text like $1`
      if ((await world.db.query({ text, values: [`%${secret}%`] })).rowCount) found.push(table)
    }
    assert.deepEqual(found, [])
  })
})
