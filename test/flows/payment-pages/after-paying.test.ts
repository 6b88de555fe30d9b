// Who has paid on a page comes back to it: without a callbackUrl the page is where "back to the merchant" leads, by itself after 20
// seconds. What it says then must be true for them too.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createWorld, type World } from '../../world.ts'

type Page = { paymentPageId: string; paymentPageUrl: string }

describe('a payer who has paid and is led back to the payment page', () => {
  let world: World
  before(async () => {
    world = await createWorld({ env: { PAYER_ACTIONS_PER_MINUTE: '0' } })
  })
  after(() => world[Symbol.asyncDispose]())

  const create = async (changes: Record<string, unknown>): Promise<Page> => {
    const terms = { name: 'Coffee', amountType: 'FIXED', amountInCents: 100_000, reference: 'coffee' }
    const { status, text, json } = await world.client('POST', '/payment-pages', { ...terms, ...changes })
    assert.equal(status, 201, text)
    return json
  }
  const submit = async (path: string, form: Record<string, string>) => {
    const body = new URLSearchParams(form)
    const answer = await fetch(world.baseUrl + path, { method: 'POST', body, redirect: 'manual' })
    assert.equal(answer.status, 303, await answer.text())
    return answer.headers.get('location') ?? ''
  }
  const read = async (path: string) =>
    (await world.anonymous('GET', path, undefined, { 'accept-language': 'es' })).text
  // Pays, and follows the main button of the page that says so.
  const payAndGoBack = async (page: Page, meanwhile: () => Promise<unknown>) => {
    const location = await submit(new URL(page.paymentPageUrl).pathname, { pieces: '1' })
    await submit(location, { rail: 'BRE_B' })
    await meanwhile()
    await world.passTime(2_000)
    const paid = await read(location)
    assert.match(paid, /Pago aprobado/)
    const back = /<a class="button" href="([^"]+)" id="back">/.exec(paid)?.[1] ?? ''
    assert.equal(back, page.paymentPageUrl)
    return read(new URL(back).pathname)
  }

  it('does not read that no money moved, when they paid for the last piece', async () => {
    const text = await payAndGoBack(await create({ maxPieces: 1 }), async () => {})
    assert.match(text, /Ya se vendió todo/)
    assert.doesNotMatch(text, /No se movió dinero/)
  })

  it('does not read that no money moved, when the page was closed while they paid', async () => {
    const page = await create({})
    const text = await payAndGoBack(page, () =>
      world.client('POST', `/payment-pages/${page.paymentPageId}/close`),
    )
    assert.match(text, /está cerrada/)
    assert.doesNotMatch(text, /No se movió dinero/)
  })
})
