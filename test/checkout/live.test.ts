// The pages on the real service: the merchant's details, and the page for a broken address.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { brebPayin, createWorld, type World } from '../world.ts'

const LOGO = `data:image/png;base64,${Buffer.from('a small picture').toString('base64')}`

describe('the payer’s pages on the service', () => {
  let world: World
  before(async () => {
    world = await createWorld({ env: { SECRETS_KEY: 'a'.repeat(64) } })
  })
  after(() => world[Symbol.asyncDispose]())

  const page = async (path: string): Promise<{ status: number; type: string; text: string }> => {
    const answer = await fetch(`${world.baseUrl}${path}`, { headers: { 'accept-language': 'es' } })
    return {
      status: answer.status,
      type: answer.headers.get('content-type') ?? '',
      text: await answer.text(),
    }
  }

  it('a receipt names the merchant’s NIT and how to reach it, and the page carries its logo', async () => {
    const changed = await world.client('PATCH', '/organization', {
      taxId: '900123456-8',
      contactEmail: 'hola@cafe.example',
      contactPhone: '+576011234567',
      logoUrl: LOGO,
    })
    assert.equal(changed.status, 200, changed.text)
    const payin = await world.client('POST', '/payins', brebPayin())
    await world.work()
    const path = new URL(payin.json.sourceData.checkoutUrl).pathname
    assert.ok((await page(path)).text.includes(LOGO))
    await world.client('POST', `/sandbox/payins/${payin.json.id}/simulate`, { outcome: 'confirmed' })
    // No time: the notice has arrived once this returns.
    await world.passTime(0)
    const { text } = await page(path)
    for (const shown of ['900123456-8', 'hola@cafe.example · +576011234567'])
      assert.ok(text.includes(shown), shown)
  })

  it('an address that cannot be read, or that is unknown, gets one and the same page', async () => {
    const unknown = await page(`/pay/${'a'.repeat(40)}`)
    assert.equal(unknown.status, 404)
    assert.match(unknown.type, /^text\/html/)
    for (const path of [
      '/pay/%zz',
      '/pay/%E0%A4%A',
      `/pay/${'a'.repeat(3_000)}`,
      '/pay/%00',
      '/pay/..%2f..%2fetc',
    ])
      assert.deepEqual(await page(path), unknown, path.slice(0, 30))
  })
})
