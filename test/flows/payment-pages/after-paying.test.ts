// Who has paid on a page is told that they are done, and is not led back to the same offer. Who opens the page again reads what is
// true for them too.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { HOUR_MS } from '../../../src/core/instant.ts'
import { createWorld, type World } from '../../world.ts'

type Page = { paymentPageId: string; paymentPageUrl: string }

describe('a payer who has paid and opens the payment page again', () => {
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
  const payAndGoBack = async (page: Page, meanwhile: () => Promise<unknown>) => {
    const location = await submit(new URL(page.paymentPageUrl).pathname, { pieces: '1' })
    await submit(location, { rail: 'BRE_B' })
    await meanwhile()
    await world.passTime(2_000)
    const paid = await read(location)
    assert.match(paid, /Pago aprobado/)
    assert.match(paid, /Ya puedes cerrar esta página/)
    assert.doesNotMatch(paid, /id="back"|data-return="/)
    return read(new URL(page.paymentPageUrl).pathname)
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

  it('is led to the merchant’s own page where it named one, and back to the offer where they did not pay', async () => {
    const own = await create({ callbackUrl: 'https://shop.example/thanks' })
    const location = await submit(new URL(own.paymentPageUrl).pathname, { pieces: '1' })
    await submit(location, { rail: 'BRE_B' })
    await world.passTime(2_000)
    assert.match(await read(location), /href="https:\/\/shop\.example\/thanks" id="back"/)
    const page = await create({})
    const unpaid = await submit(new URL(page.paymentPageUrl).pathname, { pieces: '1' })
    await world.passTime(2 * HOUR_MS)
    assert.ok((await read(unpaid)).includes(`href="${page.paymentPageUrl}" id="back"`))
  })

  it('reads on a page that is sold out how to reach the merchant', async () => {
    await world.client('PATCH', '/organization', { contactEmail: 'hola@cafe.example' })
    const page = await create({})
    await world.client('POST', `/payment-pages/${page.paymentPageId}/close`)
    const text = await read(new URL(page.paymentPageUrl).pathname)
    assert.match(text, /<a href="mailto:hola@cafe\.example">/)
  })
})
