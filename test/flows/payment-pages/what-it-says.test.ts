// What a payment page says of its offer holds for the payment that it leads to: the price, the date, the way to pay and the language.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createWorld, type World } from '../../world.ts'

type Page = { paymentPageId: string; paymentPageUrl: string }

describe('a payment page', () => {
  let world: World
  before(async () => {
    world = await createWorld({ env: { PAYER_ACTIONS_PER_MINUTE: '0' } })
  })
  after(() => world[Symbol.asyncDispose]())

  const create = async (changes: Record<string, unknown>): Promise<Page> => {
    const terms = { name: 'Coffee', amountType: 'FIXED', amountInCents: 7_200_000, reference: 'coffee' }
    const { status, text, json } = await world.client('POST', '/payment-pages', { ...terms, ...changes })
    assert.equal(status, 201, text)
    return json
  }
  const pathOf = ({ paymentPageUrl }: Page) => new URL(paymentPageUrl).pathname
  const visit = async (page: Page) =>
    (await world.anonymous('GET', pathOf(page), undefined, { 'accept-language': 'es' })).text.replaceAll(
      '\u00a0',
      ' ',
    )
  const goOn = (page: Page, query = '') =>
    fetch(`${world.baseUrl}${pathOf(page)}${query}`, {
      method: 'POST',
      body: new URLSearchParams({ pieces: '1' }),
      redirect: 'manual',
    })

  it('says what each of its items costs, as many as there are of it', async () => {
    const items = [
      { name: 'Bag', quantity: 2, unitAmountInCents: 3_200_000 },
      { name: 'Delivery', quantity: 1, unitAmountInCents: 800_000 },
    ]
    const text = await visit(await create({ items }))
    assert.match(text, /<dt>2 × Bag<\/dt><dd>\$ 64\.000<\/dd>/)
    assert.match(text, /<dt>1 × Delivery<\/dt><dd>\$ 8\.000<\/dd>/)
  })

  it('says until when it can be paid', async () => {
    const text = await visit(await create({ validUntil: '2100-01-02T17:30:00.000Z' }))
    assert.match(text, /2 de enero de 2100, 12:30 p\. m\./)
  })

  it('takes no more than are left when some were paid, and says that it is so many', async () => {
    const page = await create({ maxPieces: 3 })
    const ask = async (pieces: string) => {
      const body = new URLSearchParams({ pieces })
      const answer = await fetch(world.baseUrl + pathOf(page), { method: 'POST', body, redirect: 'manual' })
      return { status: answer.status, text: await answer.text(), location: answer.headers.get('location') }
    }
    const body = new URLSearchParams({ rail: 'BRE_B' })
    const { location } = await ask('2')
    await fetch(`${world.baseUrl}${location}`, { method: 'POST', body, redirect: 'manual' })
    await world.passTime(2_000)
    const { json } = await world.client('GET', `/payment-pages/${page.paymentPageId}`)
    assert.equal(json.paidPieces, 2)
    const { status, text } = await ask('2')
    assert.equal(status, 422)
    assert.match(text, /Solo queda 1 unidad/)
    assert.equal((await ask('1')).status, 303)
  })

  it('over one rail leads to a payment over that rail alone', async () => {
    for (const [rail, other] of [
      ['PSE', 'BRE_B'],
      ['BRE_B', 'PSE'],
    ] as const) {
      const page = await create({ rail })
      const location = (await goOn(page)).headers.get('location') ?? assert.fail('it leads nowhere')
      const { json } = await world.client('GET', `/payment-links?paymentPageId=${page.paymentPageId}`)
      assert.equal(json.data[0].rail, rail)
      const { text } = await world.anonymous('GET', location)
      assert.equal(text.includes(`id="${other}"`), false)
    }
  })

  it('in a language that the payer chose leads to a payment in it, by an address that nobody keeps', async () => {
    const page = await create({})
    const chosen = await goOn(page, '?lang=en')
    assert.match(chosen.headers.get('location') ?? '', /^\/pay\/[\w-]{43}\?lang=en$/)
    assert.equal(chosen.headers.get('cache-control'), 'no-store')
    assert.equal(chosen.headers.get('x-robots-tag'), 'noindex, nofollow, noarchive')
    assert.match((await goOn(page)).headers.get('location') ?? '', /^\/pay\/[\w-]{43}$/)
  })

  it('that is changed to no more pieces than were paid is sold out, and says so by an event', async () => {
    const page = await create({ maxPieces: 3 })
    const location = (await goOn(page)).headers.get('location') ?? assert.fail('it leads nowhere')
    const body = new URLSearchParams({ rail: 'BRE_B' })
    await fetch(world.baseUrl + location, { method: 'POST', body, redirect: 'manual' })
    await world.passTime(2_000)
    const path = `/payment-pages/${page.paymentPageId}`
    assert.equal((await world.client('GET', path)).json.paidPieces, 1)
    assert.equal((await world.client('PATCH', path, { maxPieces: 1 })).json.status, 'SOLD_OUT')
    await world.client('PATCH', path, { name: 'Coffee beans' })
    await world.work()
    const { json } = await world.client('GET', `/events?objectId=${page.paymentPageId}`)
    const told = json.data.map(({ event, version }: Record<string, unknown>) => [event, version])
    assert.deepEqual(told, [
      ['paymentpage.paid', 2],
      ['paymentpage.soldout', 3],
    ])
  })
})
