// A stranger keeps nothing for long: what is held without paying yields after ten minutes to whoever asks for it.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { MINUTE_MS } from '../../../src/core/instant.ts'
import { createWorld, type World } from '../../world.ts'

type Page = { paymentPageId: string; paymentPageUrl: string }

describe('what a stranger holds of a payment page without paying', () => {
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
  const goOn = async (page: Page, pieces: string) => {
    const answer = await fetch(page.paymentPageUrl.replace(world.config.checkoutUrl, world.baseUrl), {
      method: 'POST',
      body: new URLSearchParams({ pieces }),
      redirect: 'manual',
    })
    const text = (await answer.text()).replaceAll('\u00a0', ' ')
    return { status: answer.status, text, location: answer.headers.get('location') ?? '' }
  }
  // Nobody pays meanwhile: the networks' time stands still.
  const wait = async (ms: number) => {
    world.advance(ms)
    await world.work()
  }

  it('yields to somebody who wants as much of it, not only one piece', async () => {
    const page = await create({ maxPieces: 2 })
    assert.equal((await goOn(page, '2')).status, 303)
    await wait(11 * MINUTE_MS)
    const { status, text } = await goOn(page, '2')
    assert.equal(status, 303, /Solo queda 1 unidad/.exec(text)?.[0] ?? text)
  })

  it('is free for the next who asks for less, where somebody asked for more than that in vain', async () => {
    const page = await create({ maxPieces: 3 })
    assert.equal((await goOn(page, '1')).status, 303)
    await wait(11 * MINUTE_MS)
    const { location } = await goOn(page, '2')
    const body = new URLSearchParams({ rail: 'BRE_B' })
    await fetch(world.baseUrl + location, { method: 'POST', body, redirect: 'manual' })
    assert.equal((await goOn(page, '2')).status, 409)
    const { json } = await world.client('GET', `/payment-pages/${page.paymentPageId}`)
    assert.deepEqual([json.openPayments, json.openPieces], [1, 2])
    assert.equal((await goOn(page, '1')).status, 303)
  })
})
