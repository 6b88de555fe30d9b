// Whoever goes on from a payment page gets a payment link of their own, which holds what they want until it ends. What is left is
// given once, however many ask at once, and nobody keeps it without paying.

import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { HOUR_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import type { PaymentLink } from '../../../src/core/payment-links/payment-link.ts'
import { expireDueLink } from '../../../src/flows/payment-links/expire.ts'
import { startPagePayment } from '../../../src/flows/payment-pages/start-payment.ts'
import type { Db, Queryable } from '../../../src/store/db.ts'
import { getLink } from '../../../src/store/payment-links/payment-links.ts'
import { createWorld, type World } from '../../world.ts'

type Page = { paymentPageId: string; paymentPageUrl: string }

// As a person reads it.
const plain = (text: string) => text.replaceAll('\u00a0', ' ')

describe('a payment page', () => {
  let world: World
  before(async () => {
    world = await createWorld({ env: { PAYER_ACTIONS_PER_MINUTE: '0' } })
  })
  after(() => world[Symbol.asyncDispose]())

  const create = async (changes: Record<string, unknown> = {}): Promise<Page> => {
    const terms = { name: 'Coffee', amountType: 'FIXED', amountInCents: 100_000, reference: 'coffee' }
    const { status, text, json } = await world.client('POST', '/payment-pages', { ...terms, ...changes })
    assert.equal(status, 201, text)
    return json
  }
  const read = async ({ paymentPageId }: Page) =>
    (await world.client('GET', `/payment-pages/${paymentPageId}`)).json
  const pathOf = ({ paymentPageUrl }: Page) => new URL(paymentPageUrl).pathname
  const visit = async (page: Page, language = 'es') => {
    const answer = await world.anonymous('GET', pathOf(page), undefined, { 'accept-language': language })
    return { status: answer.status, text: plain(answer.text) }
  }
  const submit = async (path: string, form: Record<string, string>) => {
    const answer = await fetch(world.baseUrl + path, {
      method: 'POST',
      body: new URLSearchParams(form),
      redirect: 'manual',
    })
    return {
      status: answer.status,
      text: plain(await answer.text()),
      location: answer.headers.get('location') ?? '',
    }
  }
  const goOn = (page: Page, form: Record<string, string> = { pieces: '1' }) => submit(pathOf(page), form)
  const begin = (location: string) => submit(location, { rail: 'BRE_B' })
  // No payer pays meanwhile: the networks' time stands still until they catch up.
  let behindMs = 0
  const passWithoutPayments = async (ms: number) => {
    world.advance(ms)
    behindMs += ms
    await world.work()
  }
  const catchUp = async () => {
    await world.sandbox.advance(behindMs)
    behindMs = 0
    await world.work()
  }
  afterEach(catchUp)
  const pay = async (...locations: string[]) => {
    for (const location of locations) assert.equal((await begin(location)).status, 303)
    await world.passTime(2_000)
  }
  const linksOf = async ({ paymentPageId }: Page) =>
    (await world.client('GET', `/payment-links?paymentPageId=${paymentPageId}&pageSize=100`)).json.data
  const eventsOf = async ({ paymentPageId }: Page) =>
    (await world.client('GET', `/events?objectId=${paymentPageId}`)).json.data

  it('gives each of two visitors a link of their own, for what the page says and for one hour', async () => {
    const page = await create({ name: 'Café <b>', metadata: { stand: '3' }, description: 'De la finca' })
    const { status, text } = await visit(page)
    assert.equal(status, 200)
    assert.ok(text.includes('<h1>Café &lt;b&gt;</h1>') && text.includes('De la finca'), text)
    assert.equal((await linksOf(page)).length, 0, 'a visit makes nothing')
    const [first, second] = [await goOn(page), await goOn(page)]
    assert.deepEqual([first.status, second.status], [303, 303])
    assert.match(first.location, /^\/pay\/[\w-]{43}$/)
    assert.notEqual(first.location, second.location)
    const links = await linksOf(page)
    assert.equal(links.length, 2)
    for (const link of links) {
      assert.equal(link.amountInCents, 100_000)
      assert.equal(Date.parse(link.expiresAt) - Date.parse(link.createdAt), HOUR_MS)
      assert.deepEqual([link.description, link.metadata], ['Café <b>', { stand: '3' }])
      assert.equal(link.callbackUrl, page.paymentPageUrl)
      assert.equal(link.paymentPageId, page.paymentPageId)
    }
    // What one of them begins, the other does not see.
    await begin(first.location)
    const other = await world.anonymous('GET', second.location)
    assert.equal(other.status, 200)
    assert.ok(other.text.includes('name="rail"'))
  })

  it('tells of each payment and of the last piece, beside the events of its links', async () => {
    const page = await create({ maxPieces: 3 })
    const [two, one] = [await goOn(page, { pieces: '2' }), await goOn(page)]
    assert.deepEqual([(await read(page)).openPayments, (await read(page)).openPieces], [2, 3])
    await pay(two.location, one.location)
    const now = await read(page)
    assert.equal(now.status, 'SOLD_OUT')
    assert.deepEqual(
      [now.openPayments, now.openPieces, now.paidPayments, now.paidPieces, now.paidAmountInCents],
      [0, 0, 2, 3, 300_000],
    )
    const events = await eventsOf(page)
    assert.deepEqual(
      events.map(({ event, version }: { event: string; version: number }) => [event, version]),
      [
        ['paymentpage.paid', 2],
        ['paymentpage.paid', 3],
        ['paymentpage.soldout', 4],
      ],
    )
    const links = await linksOf(page)
    for (const [at, { data }] of events.slice(0, 2).entries()) {
      const paid = links.find((link: PaymentLink) => link.paymentLinkId === data.payment.paymentLinkId)
      assert.equal(paid.status, 'COMPLETED')
      assert.equal(data.payment.amountInCents, paid.amountInCents)
      assert.equal(data.payment.amountInCents, data.payment.pieces * 100_000)
      assert.equal(data.paidPayments, at + 1)
      assert.equal('image' in data, false)
      const { json: told } = await world.client('GET', `/events?objectId=${paid.paymentLinkId}`)
      assert.deepEqual(
        told.data.map(({ event }: { event: string }) => event),
        ['paymentlink.completed'],
      )
    }
    assert.equal(
      links.find((link: { amountInCents: number }) => link.amountInCents === 200_000).description,
      '2 × Coffee',
    )
    assert.match((await visit(page)).text, /Ya se vendió todo/)
    assert.equal((await goOn(page)).status, 409)
    // More of it opens the page again.
    await world.client('PATCH', `/payment-pages/${page.paymentPageId}`, { maxPieces: 4 })
    assert.equal((await read(page)).status, 'OPEN')
    assert.equal((await goOn(page)).status, 303)
  })

  it('says how long a payer has, and that a piece of few is set aside for them', async () => {
    const told = async (terms: Record<string, unknown>) => {
      const { text } = await visit(await create(terms))
      return ['puedes hacer durante una hora', 'Lo apartamos para ti diez minutos'].map((words) =>
        text.includes(words),
      )
    }
    assert.deepEqual(await told({}), [true, false])
    for (const few of [{ maxPieces: 3 }, { maxPayments: 3 }]) assert.deepEqual(await told(few), [false, true])
  })

  it('gives its last pieces to so many payers and no more, however many ask at once', async () => {
    for (const terms of [{ maxPieces: 3 }, { maxPayments: 3 }]) {
      const page = await create(terms)
      const asked = await Promise.all(Array.from({ length: 24 }, () => goOn(page)))
      const given = asked.filter(({ status }) => status === 303)
      assert.equal(given.length, 3)
      for (const { status, text } of asked.filter((one) => !given.includes(one))) {
        assert.equal(status, 409)
        assert.match(text, /Lo que queda está apartado/)
      }
      assert.equal((await linksOf(page)).length, 3)
      await pay(...given.map(({ location }) => location))
      const { status, paidPayments, paidPieces, openPayments } = await read(page)
      assert.deepEqual(
        { status, paidPayments, paidPieces, openPayments },
        {
          status: 'SOLD_OUT',
          paidPayments: 3,
          paidPieces: 3,
          openPayments: 0,
        },
      )
      assert.equal(new Set(given.map(({ location }) => location)).size, 3)
    }
  })

  it('has its piece back when a link ends unpaid, and counts each link once', async () => {
    const page = await create({ maxPieces: 1 })
    assert.equal((await goOn(page)).status, 303)
    assert.equal((await goOn(page)).status, 409)
    const [{ paymentLinkId }] = await linksOf(page)
    await world.client('POST', `/payment-links/${paymentLinkId}/expire`)
    const { organizationId } = world.organization
    const link = (await getLink(world.db, organizationId, paymentLinkId)) as PaymentLink
    // Two workers that both believe it is theirs to count.
    await Promise.all([expireDueLink(world.ctx, link), expireDueLink(world.ctx, link)])
    await world.work()
    const { openPayments, openPieces } = await read(page)
    assert.deepEqual([openPayments, openPieces], [0, 0])
    const again = await goOn(page)
    assert.equal(again.status, 303)
    await world.passTime(HOUR_MS)
    assert.equal((await read(page)).openPieces, 0)
    assert.deepEqual(await eventsOf(page), [])
  })

  it('takes back what a stranger holds without paying, once somebody else wants it', async () => {
    const page = await create({ maxPieces: 2 })
    const idle = await goOn(page)
    const paying = await goOn(page)
    await begin(paying.location)
    await passWithoutPayments(9 * MINUTE_MS)
    assert.equal((await goOn(page)).status, 409, 'ten minutes are not over')
    await passWithoutPayments(2 * MINUTE_MS)
    const third = await goOn(page)
    assert.equal(third.status, 303, 'the idle one yields')
    await begin(third.location)
    assert.equal((await goOn(page)).status, 409, 'the one who has begun does not')
    const statuses = (await linksOf(page)).map(({ status }: { status: string }) => status)
    assert.deepEqual(statuses.sort(), ['EXPIRED', 'PENDING', 'PENDING'])
    assert.equal((await read(page)).openPieces, 2)
    assert.match((await world.anonymous('GET', idle.location)).text, /venció|expir/i)
    await world.work()
    assert.equal((await read(page)).openPieces, 2, 'what was taken back is not taken back again')
    // Nor does a try keep it that has ended: the payer left, ten minutes ago.
    assert.equal((await submit(`${paying.location}/leave`, {})).status, 303)
    await passWithoutPayments(10 * MINUTE_MS)
    assert.equal((await goOn(page)).status, 303, 'the one who has left yields')
  })

  it('has at most a thousand links open, also where it has no end of pieces', async () => {
    const page = await create()
    const hold = (count: number) =>
      world.db.query({
        text: 'update payment_pages set held_payments = $2 where payment_page_id = $1',
        values: [page.paymentPageId, count],
      })
    await hold(1_000)
    assert.equal((await goOn(page)).status, 409)
    await hold(999)
    assert.equal((await goOn(page)).status, 303)
    assert.equal((await linksOf(page)).length, 1)
  })

  it('leaves a piece to whoever begins to pay while another looks for what is idle', async () => {
    const page = await create({ maxPieces: 1 })
    await begin((await goOn(page)).location)
    await passWithoutPayments(11 * MINUTE_MS)
    // As the look would answer that began before the attempt was committed.
    const stale = (query: Parameters<Queryable['query']>[0]) =>
      query.name === 'lock-idle-link'
        ? {
            ...query,
            name: 'stale look',
            text: query.text.replace(/and not exists.*?(?=order by)/s, 'and $3 is not null '),
          }
        : query
    const db: Db = {
      ...world.db,
      inTransaction: (work) =>
        world.db.inTransaction((tx) =>
          work(Object.assign(Object.create(tx), { query: (query: never) => tx.query(stale(query)) })),
        ),
    }
    const choice = { amountInCents: null, pieces: 1 }
    const started = await startPagePayment(
      { ...world.ctx, db },
      world.organization,
      page.paymentPageId,
      choice,
    )
    assert.deepEqual(started, { stop: 'held' })
    assert.equal((await linksOf(page))[0].status, 'PENDING')
  })

  it('lets a payer type the amount within its limits, as people write amounts', async () => {
    const page = await create({
      amountType: 'OPEN',
      amountInCents: undefined,
      minAmountInCents: 200_000,
      maxAmountInCents: 2_500_050,
    })
    assert.match((await visit(page)).text, /Entre \$ 2\.000 y \$ 25\.000,50/)
    for (const [typed, cents] of [
      ['2000', 200_000],
      ['$ 2.000', 200_000],
      ['COP 25,000.5', 2_500_050],
      ['25.000,50', 2_500_050],
    ] as const) {
      assert.equal((await goOn(page, { amount: typed })).status, 303, typed)
      assert.equal((await linksOf(page))[0].amountInCents, cents, typed)
    }
    for (const amount of ['1999', '25.000,51', '', '-3000', 'mil', '2000000000000000', '<b>']) {
      const { status, text } = await goOn(page, { amount })
      assert.equal(status, 422, amount)
      assert.match(text, /Escribe un valor entre \$ 2\.000 y \$ 25\.000,50\./)
      assert.equal(text.includes('<b>"'), false)
    }
    const without = await create({ amountType: 'OPEN', amountInCents: undefined })
    const above = await goOn(without, { amount: '9000000000' })
    assert.equal(above.status, 422)
    assert.match(above.text, /no se puede pagar aquí/)
  })

  it('refuses more pieces than it has, than one may take, or than a rail carries', async () => {
    const page = await create({ maxPieces: 30 })
    for (const pieces of ['21', '0', '-1', '1.5', 'x', ''])
      assert.equal((await goOn(page, { pieces })).status, 422, pieces)
    assert.equal((await goOn(page, { pieces: '20' })).status, 303)
    assert.equal((await goOn(page, { pieces: '11' })).status, 422)
    const dear = await create({ maxPieces: 30, amountInCents: 1_200_000_000, rail: 'BRE_B' })
    const { status, text } = await goOn(dear, { pieces: '2' })
    assert.equal(status, 422)
    assert.match(text, /en un solo pago\. En un pago cabe 1 unidad\./)
    assert.equal((await read(dear)).openPieces, 0)
  })

  it('that is closed, or whose date has passed, says so and takes nobody; links that are open are paid', async () => {
    const until = new Date(world.ctx.clock.now() + HOUR_MS / 2).toISOString()
    const dated = await create({ validUntil: until })
    const closed = await create()
    const [first, second] = [await goOn(dated), await goOn(closed)]
    await world.client('POST', `/payment-pages/${closed.paymentPageId}/close`)
    await world.passTime(HOUR_MS / 2)
    assert.match((await visit(dated)).text, /El tiempo para pagar aquí terminó/)
    assert.match((await visit(closed, 'en')).text, /This payment page is closed/)
    assert.deepEqual([(await goOn(dated)).status, (await goOn(closed)).status], [409, 409])
    await pay(first.location, second.location)
    assert.deepEqual([(await read(dated)).paidPayments, (await read(closed)).paidPayments], [1, 1])
    assert.deepEqual([(await read(dated)).status, (await read(closed)).status], ['OPEN', 'CLOSED'])
  })

  it('is told of only where an endpoint names its events', async () => {
    const { json: endpoint } = await world.client('POST', '/webhook-endpoints', {
      url: 'http://127.0.0.1:9/',
    })
    const page = await create()
    await world.client('POST', `/payment-pages/${page.paymentPageId}/close`)
    await world.work()
    const [{ id }] = await eventsOf(page)
    const { json } = await world.client('GET', `/events/${id}/deliveries`)
    assert.deepEqual(json.data, [])
    await world.client('PATCH', `/webhook-endpoints/${endpoint.id}`, { events: ['paymentpage.closed'] })
    const other = await create()
    await world.client('POST', `/payment-pages/${other.paymentPageId}/close`)
    await world.work()
    const [told] = await eventsOf(other)
    const { json: sent } = await world.client('GET', `/events/${told.id}/deliveries`)
    assert.equal(sent.data.length, 1)
  })

  it('of nobody answers like any unknown address', async () => {
    const page = await create()
    const path = pathOf(page)
    const wrong = `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`
    for (const one of [wrong, '/page/x', '/page/%ff']) {
      const { status, text } = await world.anonymous('GET', one)
      assert.equal(status, 404, one)
      assert.match(text, /no existe/)
    }
    assert.equal((await submit(wrong, { pieces: '1' })).status, 404)
  })
})

describe('whoever goes on from page after page', () => {
  it('is asked to wait, alone: the page stays open to others, and no link is made', async () => {
    await using world = await createWorld({
      env: { PAYER_ACTIONS_PER_MINUTE: '2', TRUSTED_PROXIES: '127.0.0.1' },
    })
    const { json: page } = await world.client('POST', '/payment-pages', {
      name: 'Coffee',
      amountType: 'FIXED',
      amountInCents: 100_000,
      reference: 'coffee',
    })
    const path = new URL(page.paymentPageUrl).pathname
    const goOn = async (address: string) => {
      const answer = await fetch(world.baseUrl + path, {
        method: 'POST',
        body: new URLSearchParams({ pieces: '1' }),
        headers: { 'x-forwarded-for': address },
        redirect: 'manual',
      })
      return answer.status
    }
    const statuses = [await goOn('203.0.113.5'), await goOn('203.0.113.5'), await goOn('203.0.113.5')]
    assert.deepEqual(statuses, [303, 303, 429])
    assert.equal(await goOn('203.0.113.6'), 303)
    assert.equal((await world.client('GET', '/payment-links')).json.data.length, 3)
  })
})
