// What a link or a payment page offers can be paid: over a rail that is on, by an amount that a connection takes. Nobody is led to a
// payment that nobody takes, and a merchant who would make one is told.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertProblem } from '../../api/http/problem.ts'
import { connectionsOf } from '../../checkout/connected.ts'
import { type Answer, type Client, createWorld, type World } from '../../world.ts'

const LINK = {
  amountType: 'FIXED',
  reference: 'payable',
  callbackUrl: 'https://shop.example/return',
}
const PAGE = { name: 'Coffee', amountType: 'FIXED', amountInCents: 5_000_000, reference: 'coffee' }
const OPEN = { name: 'Tip', amountType: 'OPEN', reference: 'tip' }

describe('what nobody takes', () => {
  let world: World
  let connections: ReturnType<typeof connectionsOf>
  before(async () => {
    world = await createWorld({ env: { PAYER_ACTIONS_PER_MINUTE: '0', INSTALLATION_RAILS: 'none' } })
    connections = connectionsOf(world)
  })
  after(() => world[Symbol.asyncDispose]())

  // A merchant with connections that take these amounts.
  const merchantWith = async (
    ...taken: readonly { use: 'PSE_IN' | 'BRE_B_IN'; from?: bigint; to?: bigint }[]
  ) => {
    const { organization, client } = await world.newMerchant()
    for (const { use, from = 1n, to = null } of taken)
      await connections.connect(
        use === 'PSE_IN' ? 'placetopay' : 'mono',
        { uses: [use], minimumInCents: from, maximumInCents: to },
        organization,
      )
    return { client, disconnect: () => connections.disconnect(organization) }
  }
  const made = async (client: Client, path: string, body: unknown): Promise<Answer['json']> => {
    const { status, json, text } = await client('POST', path, body)
    assert.equal(status, 201, text)
    return json
  }
  const read = async (page: { paymentPageUrl: string }, language = 'es'): Promise<string> => {
    const { pathname } = new URL(page.paymentPageUrl)
    const { text } = await world.anonymous('GET', pathname, undefined, { 'accept-language': language })
    return text.replaceAll('\u00a0', ' ').replaceAll(/<style[\s\S]*?<\/style>/g, '')
  }
  const goOn = async (page: { paymentPageUrl: string }, fields: Record<string, string> = {}) => {
    const answer = await fetch(world.baseUrl + new URL(page.paymentPageUrl).pathname, {
      method: 'POST',
      headers: { 'accept-language': 'es' },
      body: new URLSearchParams({ pieces: '1', ...fields }),
      redirect: 'manual',
    })
    return { status: answer.status, text: (await answer.text()).replaceAll('\u00a0', ' ') }
  }
  const linksOf = async (client: Client, { paymentPageId }: { paymentPageId: string }) =>
    (await client('GET', `/payment-links?paymentPageId=${paymentPageId}`)).json.data

  it('is refused as a payment link, as a payin would be', async () => {
    const nobody = await merchantWith()
    const link = { ...LINK, amountInCents: 5_000_000 }
    assertProblem(await nobody.client('POST', '/payment-links', link), 'RAIL_NOT_CONNECTED')
    assertProblem(
      await nobody.client('POST', '/payment-links', { ...link, rail: 'PSE' }),
      'RAIL_NOT_CONNECTED',
    )

    const { client } = await merchantWith({ use: 'PSE_IN', from: 1_000_000n, to: 9_000_000n })
    await made(client, '/payment-links', { ...LINK, amountInCents: 1_000_000 })
    await made(client, '/payment-links', { ...LINK, amountInCents: 9_000_000, rail: 'PSE' })
    for (const amountInCents of [999_999, 9_000_001]) {
      const refused = await client('POST', '/payment-links', { ...LINK, amountInCents })
      assertProblem(refused, 'AMOUNT_NOT_CONNECTED')
      assert.match(refused.json.detail, /from 10000\.00 to 90000\.00 pesos/)
      assert.equal(refused.json.errors[0].path, '/amountInCents')
    }
    assertProblem(
      await client('POST', '/payment-links', { ...LINK, amountInCents: 5_000_000, rail: 'BRE_B' }),
      'RAIL_NOT_CONNECTED',
    )
  })

  it('is offered as a link if one rail takes it, and then over that rail alone', async () => {
    const { client } = await merchantWith(
      { use: 'PSE_IN', from: 1_000_000n },
      { use: 'BRE_B_IN', to: 500_000n },
    )
    for (const [amountInCents, shown, other] of [
      [400_000, 'Bre-B', 'PSE'],
      [2_000_000, 'PSE', 'Bre-B'],
    ] as const) {
      const { paymentLinkUrl } = await made(client, '/payment-links', { ...LINK, amountInCents })
      const path = new URL(paymentLinkUrl).pathname
      // A payer who opened it would get the key at once.
      const headers = { 'accept-language': 'es', purpose: 'prefetch' }
      const { text } = await world.anonymous('GET', path, undefined, headers)
      const seen = text.replaceAll(/<(style|script)[\s\S]*?<\/\1>/g, '')
      assert.match(seen, new RegExp(`<h1[^>]*>(<svg.*?</svg>)?Paga con ${shown}</h1>`))
      assert.ok(!seen.includes(`Paga con ${other}`) && !seen.includes('name="rail"'))
    }
    const between = await client('POST', '/payment-links', { ...LINK, amountInCents: 700_000 })
    assertProblem(between, 'AMOUNT_NOT_CONNECTED')
    assert.match(between.json.detail, /from 0\.01 to 5000\.00 pesos and from 10000\.00 to \d+\.00 pesos/)
  })

  it('is refused as a payment page, of a price or of amounts that payers type', async () => {
    const nobody = await merchantWith()
    assertProblem(await nobody.client('POST', '/payment-pages', PAGE), 'RAIL_NOT_CONNECTED')
    assertProblem(await nobody.client('POST', '/payment-pages', OPEN), 'RAIL_NOT_CONNECTED')
    const { client } = await merchantWith({ use: 'PSE_IN', from: 1_000_000n, to: 9_000_000n })
    for (const [body, path] of [
      [{ ...PAGE, amountInCents: 900_000 }, '/amountInCents'],
      [{ ...PAGE, amountInCents: 9_100_000 }, '/amountInCents'],
      [{ ...OPEN, maxAmountInCents: 900_000 }, '/maxAmountInCents'],
      [{ ...OPEN, minAmountInCents: 9_100_000 }, '/minAmountInCents'],
    ] as const) {
      const refused = await client('POST', '/payment-pages', body)
      assertProblem(refused, 'AMOUNT_NOT_CONNECTED')
      assert.equal(refused.json.errors[0].path, path)
    }
    // Several pieces together are enough.
    await made(client, '/payment-pages', { ...PAGE, amountInCents: 900_000, maxPieces: 5 })
    await made(client, '/payment-pages', { ...OPEN, minAmountInCents: 1, maxAmountInCents: 20_000_000 })
  })

  it('is refused as a change of a page, but what has nothing to do with it can be changed', async () => {
    const { client, disconnect } = await merchantWith({ use: 'PSE_IN', to: 9_000_000n })
    const { paymentPageId } = await made(client, '/payment-pages', PAGE)
    const path = `/payment-pages/${paymentPageId}`
    assertProblem(await client('PATCH', path, { amountInCents: 9_100_000 }), 'AMOUNT_NOT_CONNECTED')
    await disconnect()
    assert.equal((await client('PATCH', path, { name: 'Tea' })).json.name, 'Tea')
    assertProblem(await client('PATCH', path, { amountInCents: 4_000_000 }), 'RAIL_NOT_CONNECTED')
  })

  it('is refused as a change to so few pieces that together they cost too little', async () => {
    const { client } = await merchantWith({ use: 'PSE_IN', from: 9_000_000n })
    const { paymentPageId } = await made(client, '/payment-pages', { ...PAGE, maxPieces: 2 })
    const path = `/payment-pages/${paymentPageId}`
    assertProblem(await client('PATCH', path, { maxPieces: 1 }), 'AMOUNT_NOT_CONNECTED')
    assert.equal((await client('PATCH', path, { maxPieces: 3 })).json.maxPieces, 3)
  })

  it('is not offered by a page whose payers type the amount: it says what can be paid', async () => {
    const { client } = await merchantWith({ use: 'PSE_IN', from: 1_000_000n, to: 9_000_000n })
    const page = await made(client, '/payment-pages', { ...OPEN, maxAmountInCents: 20_000_000 })
    assert.match(await read(page), /Entre \$ 10\.000 y \$ 90\.000/)
    assert.match(await read(page, 'en'), /From COP 10,000 to COP 90,000/)
    for (const amount of ['9.999', '90.001', '250000']) {
      const { status, text } = await goOn(page, { amount })
      assert.equal(status, 422, amount)
      assert.match(text, /Escribe un valor entre \$ 10\.000 y \$ 90\.000\./)
    }
    assert.deepEqual(await linksOf(client, page), [])
    assert.equal((await goOn(page, { amount: '10.000' })).status, 303)

    const two = await merchantWith({ use: 'PSE_IN', from: 1_000_000n }, { use: 'BRE_B_IN', to: 500_000n })
    const gap = await made(two.client, '/payment-pages', { ...OPEN, maxAmountInCents: 2_000_000 })
    assert.match(await read(gap), /Entre \$ 0,01 y \$ 5\.000, o entre \$ 10\.000 y \$ 20\.000/)
    assert.match(
      (await goOn(gap, { amount: '7.000' })).text,
      /Escribe un valor entre \$ 0,01 y \$ 5\.000, o entre \$ 10\.000 y \$ 20\.000\./,
    )
  })

  it('is not offered by a page that sells pieces: only as many as one payment can be', async () => {
    const { client } = await merchantWith({ use: 'PSE_IN', from: 1_000_000n, to: 2_500_000n })
    const page = await made(client, '/payment-pages', { ...PAGE, amountInCents: 500_000, maxPieces: 40 })
    const seen = await read(page)
    assert.match(seen, /De 2 a 5 a la vez\./)
    assert.match(seen, /min="2" max="5" value="2"/)
    for (const pieces of ['1', '6']) {
      const { status, text } = await goOn(page, { pieces })
      assert.equal(status, 422)
      assert.match(text, /Escribe un número de unidades de 2 a 5\./)
    }
    assert.equal((await goOn(page, { pieces: '5' })).status, 303)
    assert.deepEqual(
      (await linksOf(client, page)).map((link: { amountInCents: number }) => link.amountInCents),
      [2_500_000],
    )
  })

  for (const [what, body] of [
    ['a price', PAGE],
    ['amounts that payers type', OPEN],
    ['pieces', { ...PAGE, maxPieces: 3 }],
  ] as const)
    it(`leaves a page with ${what} without a form when the connections are gone, and says so`, async () => {
      const { client, disconnect } = await merchantWith({ use: 'PSE_IN' })
      const page = await made(client, '/payment-pages', body)
      assert.match(await read(page), /<form/)
      await disconnect()
      const seen = await read(page)
      assert.match(seen, /<h1>Aquí no se puede pagar en este momento<\/h1>/)
      assert.match(seen, /no tiene ahora un medio de pago/)
      assert.match(seen, /No se movió dinero\./)
      assert.doesNotMatch(seen, /<form/)
      assert.match(await read(page, 'en'), /<h1>This can’t be paid here right now<\/h1>/)
      const sent = await goOn(page, { amount: '10.000' })
      assert.equal(sent.status, 409)
      assert.match(sent.text, /Aquí no se puede pagar en este momento/)
      assert.deepEqual(await linksOf(client, page), [])
    })
})
