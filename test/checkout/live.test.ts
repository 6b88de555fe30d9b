// The pages on the real service: the merchant's details, and the page for a broken address.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { RECEIPT_WORDS } from '../../src/checkout/receipts/words.ts'
import { dateAndClockText } from '../../src/checkout/words/format.ts'
import { HOUR_MS } from '../../src/core/instant.ts'
import { newPayout } from '../api/http/calls.ts'
import { brebPayin, CUSTOMER, createWorld, endPayin, eventually, type World } from '../world.ts'

const LOGO = `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64')}`

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

describe('the payer’s pages on the service', () => {
  let world: World
  before(async () => {
    world = await createWorld({ env: { SECRETS_KEY: 'a'.repeat(64) } })
  })
  after(() => world[Symbol.asyncDispose]())

  const newLink = async (changes: object = {}): Promise<{ id: string; path: string }> => {
    const { json } = await world.client('POST', '/payment-links', {
      amountType: 'FIXED',
      amountInCents: 12_890_000,
      reference: 'order',
      callbackUrl: 'https://shop.example/',
      ...changes,
    })
    return { id: json.paymentLinkId, path: new URL(json.paymentLinkUrl).pathname }
  }
  const page = async (
    path: string,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; type: string; text: string }> => {
    const answer = await fetch(`${world.baseUrl}${path}`, {
      headers: { 'accept-language': 'es', ...headers },
    })
    return {
      status: answer.status,
      type: answer.headers.get('content-type') ?? '',
      text: await answer.text(),
    }
  }

  it('a payin that the merchant canceled is shown as canceled, and one that lapsed as over', async () => {
    const inlineCustomer = { ...CUSTOMER, idNumber: '1000000007' }
    const ended = async (end: (id: string) => Promise<unknown>) => {
      const { json } = await world.client('POST', '/payins', brebPayin({ inlineCustomer }))
      const path = new URL(json.sourceData.checkoutUrl).pathname
      await world.work()
      const open = (await page(path)).text
      await end(json.id)
      return { open, text: (await page(path)).text }
    }
    const title = (text: string) => /<h1[^>]*>(.*?)<\/h1>/s.exec(text)?.[1]
    const canceled = await ended((id) => world.client('POST', `/payins/${id}/cancel`))
    const lapsed = await ended(() => world.passTime(3 * HOUR_MS))
    const titles = [canceled.open, canceled.text, lapsed.text].map(title)
    assert.equal(new Set(titles).size, 3, titles.join())
  })

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
    for (const shown of ['900123456-8', 'href="mailto:hola@cafe.example"', 'href="tel:+576011234567"'])
      assert.ok(text.includes(shown), shown)
  })

  it('a link by Bre-B alone begins its one attempt when a payer opens it, without a word about the payer', async () => {
    const { id, path } = await newLink({ rail: 'BRE_B' })
    const attempts = async () => (await world.client('GET', `/payins?paymentLinkId=${id}`)).json.data
    // They look, and do not pay: a chat's preview, a browser that loads ahead, a picture in another page.
    const browser = { 'user-agent': 'Mozilla/5.0', 'sec-fetch-dest': 'document' }
    for (const headers of [
      { 'user-agent': 'WhatsApp/2.24.8.85 A' },
      { 'user-agent': 'Mozilla/5.0 facebookexternalhit/1.1 Facebot Twitterbot/1.0' },
      { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' },
      ...['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => ({ ...browser, [name]: 'prefetch' })),
      { ...browser, 'sec-fetch-dest': 'image' },
      { 'user-agent': '' },
    ]) {
      const { status, text } = await page(path, headers)
      assert.equal(status, 200)
      assert.match(text, /<button data-wait="[^"]+">Ver la llave y el QR<\/button>/)
    }
    await fetch(`${world.baseUrl}${path}`, { method: 'HEAD', headers: browser })
    assert.deepEqual(await attempts(), [])

    const both = await Promise.all([page(path, browser), page(path, { 'user-agent': 'Mozilla/5.0 old' })])
    const [attempt, ...others] = await attempts()
    assert.deepEqual([attempt.rail, attempt.status, others.length], ['BRE_B', 'PROCESSING', 0])
    const single = (await world.client('GET', `/payins/${attempt.id}`)).json
    assert.equal(single.inlineCustomer, null)
    for (const { text } of [...both, await page(path)]) {
      assert.ok(text.includes(`data-copy="${single.sourceData.keyString}"`))
      assert.match(text, /class="qr"/)
    }
    assert.equal((await attempts()).length, 1)
  })

  it('a link by Bre-B whose attempt ended begins the next by one button, never by itself', async () => {
    const { id, path } = await newLink({ rail: 'BRE_B', inlineCustomer: CUSTOMER })
    await page(path)
    const [attempt] = (await world.client('GET', `/payins?paymentLinkId=${id}`)).json.data
    await world.client('POST', `/payins/${attempt.id}/cancel`)
    await world.work()
    const { text } = await page(path)
    assert.match(text, /El comercio canceló este pago/)
    assert.match(text, new RegExp(`<form method="post" action="${path}"><button[^>]+>Intentar de nuevo`))
    assert.equal((await world.client('GET', `/payins?paymentLinkId=${id}`)).json.data.length, 1)
    assert.equal((await world.anonymous('POST', path, '', FORM)).status, 303)
    assert.match((await page(path)).text, /data-copy="@/)
    const [next] = (await world.client('GET', `/payins?paymentLinkId=${id}`)).json.data
    assert.deepEqual((await world.client('GET', `/payins/${next.id}`)).json.inlineCustomer, CUSTOMER)
  })

  it('a link that another amount was paid for says how much arrived and how much was due', async () => {
    const { id, path } = await newLink({ rail: 'BRE_B' })
    await page(path)
    await world.work()
    const [attempt] = (await world.client('GET', `/payins?paymentLinkId=${id}`)).json.data
    const simulated = { outcome: 'confirmed', amountInCents: 10_000_000 }
    const answer = await world.client('POST', `/sandbox/payins/${attempt.id}/simulate`, simulated)
    assert.equal(answer.status, 200, answer.text)
    await world.passTime(0)
    assert.match((await page(path)).text, /Llegaron \$\u00a0100\.000 y el cobro es de \$\u00a0128\.900\./)
  })

  it('a link of a payment page leads back to that page as long as it is not paid', async () => {
    const terms = {
      name: 'Tea',
      amountType: 'FIXED',
      amountInCents: 450_000,
      reference: 'tea',
      rail: 'BRE_B',
    }
    const { paymentPageUrl } = (await world.client('POST', '/payment-pages', terms)).json
    const begun = await fetch(paymentPageUrl, {
      method: 'POST',
      body: new URLSearchParams(),
      redirect: 'manual',
    })
    const path = begun.headers.get('location') ?? ''
    await page(path)
    const [attempt] = (await world.client('GET', '/payins?reference=tea')).json.data
    await world.client('POST', `/payins/${attempt.id}/cancel`)
    await world.work()
    assert.ok((await page(path)).text.includes(`href="${paymentPageUrl}"`))
  })

  it('the picture of a receipt says in staging that nothing was paid, as its page does', async () => {
    const { id } = (await world.client('POST', '/payins', brebPayin())).json
    await endPayin(world, world.client, id, 'confirmed')
    const { url, imageUrl } = (await world.client('GET', `/payins/${id}/receipt`)).json
    for (const shown of [url, imageUrl])
      assert.ok((await page(new URL(shown).pathname)).text.includes(RECEIPT_WORDS.es.ribbon), shown)
  })

  it('the evidence of a payout shows how each question was answered, and what the network said in the end', async () => {
    const inlineCustomer = { ...CUSTOMER, idNumber: '1000000003' }
    const { id } = (await world.client('POST', '/payouts', newPayout({ inlineCustomer }))).json
    world.advance(HOUR_MS)
    const { url, evidence } = await eventually(
      async () => {
        await world.passTime(2_000)
        return (await world.client('GET', `/payouts/${id}/evidence`)).json
      },
      (signed) => signed.evidence.outcome.status === 'DECLINED',
    )
    const { outcome, network } = evidence
    assert.ok(outcome.networkCode !== null && outcome.networkCode !== outcome.errorCode)
    const { text } = await page(new URL(url).pathname)
    const { labels } = RECEIPT_WORDS.es
    assert.ok(text.includes(`<dt>${labels.networkCode}</dt><dd>${outcome.networkCode}</dd>`))
    const when = (at: string) => dateAndClockText(Date.parse(at), 'es')
    assert.notEqual(when(evidence.requested.at), when(outcome.at))
    assert.ok(text.includes(`<dt>${labels.asked}</dt><dd>${when(evidence.requested.at)}</dd>`))
    assert.ok(text.includes(`<dt>${labels.date}</dt><dd>${when(outcome.at)}</dd>`))
    const asked = network.answers.filter(({ how }: { how: string }) => how === 'asked')
    assert.ok(asked.length > 0)
    for (const { what, httpStatus } of asked) assert.ok(text.includes(`${what} · ${httpStatus}</li>`), what)
  })

  it('a link that the merchant ends says who ended it, for ever; one that runs out does not', async () => {
    const ended = await newLink()
    const left = await newLink()
    assert.equal((await world.client('POST', `/payment-links/${ended.id}/expire`)).status, 200)
    const title = /<h1>([^<]+ cerró este cobro)<\/h1>/
    assert.match((await page(ended.path)).text, title)
    world.advance(HOUR_MS + 1)
    const expired = /<h1>Este cobro venció<\/h1>/
    assert.match((await page(left.path)).text, expired, 'before a worker has seen it')
    await world.passTime(0)
    assert.match((await page(ended.path)).text, title)
    assert.match((await page(left.path)).text, expired)
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
      '/page/%zz',
      '/refund/%zz',
    ])
      assert.deepEqual(await page(path), unknown, path.slice(0, 30))
  })
})
