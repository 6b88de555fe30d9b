// The page of a link goes on saying what became of the money, also when the network has taken it back.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createWorld, endPayin } from '../../world.ts'

describe('the page of a link whose payment was charged back', () => {
  it('says so, and does not say that the merchant has the money', async () => {
    await using world = await createWorld()
    const { json: link } = await world.client('POST', '/payment-links', {
      amountType: 'FIXED',
      amountInCents: 5_000_000,
      reference: 'order',
      callbackUrl: 'https://shop.example/return',
    })
    const path = new URL(link.paymentLinkUrl).pathname
    const body = new URLSearchParams({ rail: 'BRE_B' })
    await fetch(world.baseUrl + path, { method: 'POST', body, redirect: 'manual' })
    const [attempt] = (await world.client('GET', `/payins?paymentLinkId=${link.paymentLinkId}`)).json.data
    await endPayin(world, world.client, attempt.id, 'confirmed')
    await endPayin(world, world.client, attempt.id, 'chargeback')
    const spanish = { accept: 'text/html', 'accept-language': 'es' }
    const { text } = await world.anonymous('GET', path, undefined, spanish)
    const receipt = /href="([^"]*\/receipts\/[^"]+)"/.exec(text)?.[1] ?? assert.fail('it leads to no receipt')
    assert.match((await world.anonymous('GET', receipt, undefined, spanish)).text, /Este pago fue devuelto/)
    const [said = ''] = /<main[\s\S]*?<section/.exec(text) ?? []
    assert.match(said.replaceAll(/<[^>]+>|\s+/g, ' '), /devuelto|devolvi/)
  })
})
