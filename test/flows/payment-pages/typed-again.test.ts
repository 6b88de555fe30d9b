// A payment page that shows its form again keeps what the payer typed, and a chat shows what is sold.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createWorld, type World } from '../../world.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'es' }

describe('a payment page', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const create = async (body: Record<string, unknown>): Promise<string> => {
    const { json, text } = await world.client('POST', '/payment-pages', {
      name: 'Rifa',
      reference: 'rifa',
      ...body,
    })
    return new URL(json?.paymentPageUrl ?? assert.fail(text)).pathname
  }
  const input = (text: string, name: string): string =>
    new RegExp(`<input [^>]*name="${name}"[^>]*>`).exec(text)?.[0] ?? assert.fail(`no ${name}`)
  const submit = (path: string, fields: Record<string, string>) =>
    world.anonymous('POST', path, new URLSearchParams(fields).toString(), FORM)

  it('keeps an amount that it does not take, and marks it', async () => {
    const path = await create({ amountType: 'OPEN', maxAmountInCents: 1_000_000 })
    const again = await submit(path, { amount: '25.000' })
    assert.equal(again.status, 422)
    assert.match(input(again.text, 'amount'), /value="25\.000".* aria-invalid="true" autofocus/)
    assert.doesNotMatch(input((await world.anonymous('GET', path)).text, 'amount'), /aria-invalid/)
  })

  it('keeps a number of pieces that it does not have', async () => {
    const path = await create({ amountType: 'FIXED', amountInCents: 100_000, maxPieces: 3 })
    const again = await submit(path, { pieces: '7' })
    assert.equal(again.status, 422)
    assert.match(input(again.text, 'pieces'), /value="7".* aria-invalid="true" autofocus/)
  })

  it('is shown in a chat by its name, its price and what it says of itself', async () => {
    const preview = async (path: string) =>
      [...(await world.anonymous('GET', path)).text.matchAll(/property="og:\w+" content="([^"]*)"/g)].map(
        ([, text]) => text?.replaceAll('\u00a0', ' '),
      )
    const path = await create({ amountType: 'FIXED', amountInCents: 100_000, description: 'Un boleto' })
    assert.deepEqual(await preview(path), ['Rifa · $ 1.000', 'Un boleto'])
    const open = await create({ amountType: 'OPEN' })
    assert.deepEqual(await preview(open), ['Rifa', 'Café La Palma'])
  })
})
