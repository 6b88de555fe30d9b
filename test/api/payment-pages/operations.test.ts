// Payment pages over HTTP, and what a merchant notes on its payments.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import { isoInstant } from '../../../src/core/instant.ts'
import { termProblems } from '../../../src/core/payment-pages/terms.ts'
import { brebPayin, createWorld, psePayin, type World } from '../../world.ts'
import { newPayout } from '../http/calls.ts'
import { assertProblem } from '../http/problem.ts'

const PNG_1X1 =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const fixed = (changes: Record<string, unknown> = {}) => ({
  name: 'Coffee for the month',
  amountType: 'FIXED',
  amountInCents: 7_200_000,
  reference: 'coffee',
  ...changes,
})
const open = (changes: Record<string, unknown> = {}) => ({
  name: 'Tip jar',
  amountType: 'OPEN',
  reference: 'tips',
  ...changes,
})

describe('payment pages', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const create = (body: unknown, headers?: Record<string, string>) =>
    world.client('POST', '/payment-pages', body, headers)
  const link = (changes: Record<string, unknown>) =>
    world.client('POST', '/payment-links', {
      amountType: 'FIXED',
      amountInCents: 100_000,
      reference: 'order',
      callbackUrl: 'https://shop.example/return',
      ...changes,
    })

  it('are given back as they were sent, with an address that nobody can guess', async () => {
    const items = [
      { name: 'Bag', quantity: 2, unitAmountInCents: 3_200_000 },
      { name: 'Delivery', quantity: 1, unitAmountInCents: 800_000 },
    ]
    const body = fixed({
      description: 'Fresh <b>coffee</b>',
      items,
      image: PNG_1X1,
      metadata: { shop: '7' },
      callbackUrl: 'https://shop.example/thanks?for=72000',
      rail: 'PSE',
      maxPayments: 9,
    })
    const key = { 'idempotency-key': randomUUID() }
    const made = await create(body, key)
    assert.equal(made.status, 201, made.text)
    for (const [field, value] of Object.entries(body)) assert.deepEqual(made.json[field], value, field)
    assert.equal(made.json.amount, 72_000)
    assert.match(made.json.paymentPageUrl, /\/page\/[\w-]{43}$/)
    assert.equal((await create(body, key)).text, made.text)
    const { json } = await world.client('GET', `/payment-pages/${made.json.paymentPageId}`)
    assert.deepEqual(json, made.json)
  })

  it('are refused where the terms do not fit together, with every mistake at once', async () => {
    const items = [{ name: 'Bag', quantity: 2, unitAmountInCents: 3_200_000 }]
    const cases: [Record<string, unknown>, Record<string, string>][] = [
      [fixed({ items }), { '/items': 'NOT_ALLOWED' }],
      [fixed({ amountInCents: undefined }), { '/amountInCents': 'REQUIRED' }],
      [
        fixed({ minAmountInCents: 1, maxAmountInCents: 2 }),
        { '/minAmountInCents': 'NOT_ALLOWED', '/maxAmountInCents': 'NOT_ALLOWED' },
      ],
      [
        open({ amountInCents: 5, items, maxPieces: 3 }),
        { '/amountInCents': 'NOT_ALLOWED', '/items': 'NOT_ALLOWED', '/maxPieces': 'NOT_ALLOWED' },
      ],
      [open({ minAmountInCents: 9, maxAmountInCents: 8 }), { '/maxAmountInCents': 'OUT_OF_RANGE' }],
      [fixed({ image: 'data:image/png;base64,bm90IGFuIGltYWdl' }), { '/image': 'WRONG_FORMAT' }],
      [fixed({ image: PNG_1X1.replace('png', 'jpeg') }), { '/image': 'WRONG_FORMAT' }],
      [fixed({ image: 'https://shop.example/coffee.png' }), { '/image': 'WRONG_FORMAT' }],
      [fixed({ validUntil: '2020-01-01T00:00:00.000Z' }), { '/validUntil': 'OUT_OF_RANGE' }],
      [
        fixed({ maxPieces: 0, maxPayments: 0 }),
        { '/maxPieces': 'OUT_OF_RANGE', '/maxPayments': 'OUT_OF_RANGE' },
      ],
      [fixed({ items: [] }), { '/items': 'WRONG_LENGTH' }],
      [fixed({ name: 'Two\nlines' }), { '/name': 'WRONG_FORMAT' }],
    ]
    for (const [body, wrong] of cases) {
      const answer = await create(body)
      assertProblem(answer, 'INVALID_INPUT')
      const found = answer.json.errors.map(({ path, code }: Record<string, string>) => [path, code])
      assert.deepEqual(Object.fromEntries(found), wrong, JSON.stringify(body))
    }
    assertProblem(await create(fixed({ amountInCents: 900_000_000_000 })), 'AMOUNT_ABOVE_MAXIMUM')
    assertProblem(await create(open({ maxAmountInCents: 900_000_000_000 })), 'AMOUNT_ABOVE_MAXIMUM')
    // Exactly what a rail carries is not too much, and a page may take one amount alone.
    const { now, capInCents } = { now: world.ctx.clock.now(), capInCents: 1_000n }
    const codesAt = (amountInCents: number) =>
      termProblems({ amountType: 'FIXED', amountInCents }, { now, capInCents }).map(({ code }) => code)
    assert.deepEqual([codesAt(1_000), codesAt(1_001)], [[], ['AMOUNT_ABOVE_MAXIMUM']])
    assert.equal((await create(open({ minAmountInCents: 500_000, maxAmountInCents: 500_000 }))).status, 201)
    // What Bre-B cannot carry, a page for Bre-B alone cannot ask for.
    assert.equal((await create(fixed({ amountInCents: 2_000_000_000 }))).status, 201)
    assertProblem(
      await create(fixed({ amountInCents: 2_000_000_000, rail: 'BRE_B' })),
      'AMOUNT_ABOVE_MAXIMUM',
    )
  })

  it('take an image of each kind', async () => {
    const images = {
      gif: 'R0lGODlhAQABAAAAACw=',
      jpeg: '/9j/4AAQSkZJRg==',
      webp: 'UklGRiQAAABXRUJQVlA4',
      'svg+xml': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64'),
    }
    for (const [kind, bytes] of Object.entries(images)) {
      const answer = await create(fixed({ image: `data:image/${kind};base64,${bytes}` }))
      assert.equal(answer.status, 201, kind)
    }
  })

  it('are changed field by field, and what then does not fit is refused', async () => {
    const { json: page } = await create(
      fixed({ description: 'Fresh', validUntil: '2100-01-01T00:00:00.000Z' }),
    )
    const path = `/payment-pages/${page.paymentPageId}`
    const changed = await world.client('PATCH', path, {
      name: 'Coffee',
      description: null,
      validUntil: null,
      maxPieces: 5,
      status: 'CLOSED',
    })
    assert.equal(changed.status, 200, changed.text)
    const { updatedAt: _, ...rest } = changed.json
    const { updatedAt: __, ...before } = page
    assert.deepEqual(rest, { ...before, name: 'Coffee', description: null, validUntil: null, maxPieces: 5 })
    const items = [{ name: 'Bag', quantity: 1, unitAmountInCents: 1 }]
    assertProblem(await world.client('PATCH', path, { items }), 'INVALID_INPUT')
    assertProblem(await world.client('PATCH', path, { minAmountInCents: 5 }), 'INVALID_INPUT')
    assertProblem(
      await world.client('PATCH', path, { amountInCents: 900_000_000_000 }),
      'AMOUNT_ABOVE_MAXIMUM',
    )
    assertProblem(await world.client('PATCH', path, { callbackUrl: 'javascript:1' }), 'INVALID_INPUT')
    assert.deepEqual((await world.client('GET', path)).json, changed.json)
    // A page for Bre-B alone is not changed to what Bre-B cannot carry.
    const { json: narrow } = await create(fixed({ rail: 'BRE_B' }))
    const dearer = { amountInCents: 2_000_000_000 }
    assertProblem(
      await world.client('PATCH', `/payment-pages/${narrow.paymentPageId}`, dearer),
      'AMOUNT_ABOVE_MAXIMUM',
    )
  })

  it('whose date has passed can be renamed, and are open again with a later date', async () => {
    const validUntil = isoInstant(world.ctx.clock.now() + 60_000)
    const { json: page } = await create(fixed({ validUntil }))
    const path = `/payment-pages/${page.paymentPageId}`
    world.advance(120_000)
    const { json: renamed, text } = await world.client('PATCH', path, { name: 'Tea' })
    assert.deepEqual([renamed.name, renamed.validUntil], ['Tea', validUntil], text)
    assertProblem(await world.client('PATCH', path, { validUntil }), 'INVALID_INPUT')
    const later = isoInstant(world.ctx.clock.now() + 60_000)
    assert.equal((await world.client('PATCH', path, { validUntil: later })).json.validUntil, later)
  })

  it('that are closed stay closed, and say so by an event', async () => {
    const { json: page } = await create(open())
    const path = `/payment-pages/${page.paymentPageId}`
    const key = { 'idempotency-key': randomUUID() }
    const closed = await world.client('POST', `${path}/close`, undefined, key)
    assert.equal(closed.json.status, 'CLOSED')
    assert.equal((await world.client('POST', `${path}/close`, undefined, key)).text, closed.text)
    assertProblem(await world.client('POST', `${path}/close`), 'PAGE_CLOSED')
    assertProblem(await world.client('PATCH', path, { name: 'Other' }), 'PAGE_CLOSED')
    assertProblem(await world.client('GET', `${path}/qr.svg`), 'PAGE_CLOSED')
    await world.work()
    const { json: events } = await world.client('GET', `/events?objectId=${page.paymentPageId}`)
    const { image: _, ...told } = closed.json
    assert.deepEqual(
      events.data.map(({ event, resource, data }: Record<string, unknown>) => ({ event, resource, data })),
      [{ event: 'paymentpage.closed', resource: 'paymentpage', data: { ...told, payment: null } }],
    )
  })

  const imageOf = async (path: string): Promise<{ type: string; bytes: Buffer }> => {
    const response = await fetch(world.baseUrl + path, { headers: { 'x-api-key': world.apiKey } })
    assert.equal(response.status, 200, path)
    const type = response.headers.get('content-type') ?? ''
    return { type, bytes: Buffer.from(await response.arrayBuffer()) }
  }
  const scanned = (bytes: Buffer): string => {
    const image = PNG.sync.read(bytes)
    return jsqr.default(new Uint8ClampedArray(image.data), image.width, image.height)?.data ?? ''
  }

  it('payins and links have their QR code as images, which read back into what is paid', async () => {
    const { json: page } = await create(fixed())
    const { json: made } = await link({})
    const { json: payin } = await world.client('POST', '/payins', brebPayin({ breb: { keyType: 'QR_CODE' } }))
    const { json: keyOnly } = await world.client('POST', '/payins', brebPayin())
    assert.equal('qrPayload' in keyOnly.sourceData, false)
    for (const [path, text] of [
      [`/payment-pages/${page.paymentPageId}`, page.paymentPageUrl],
      [`/payment-links/${made.paymentLinkId}`, made.paymentLinkUrl],
      [`/payins/${payin.id}`, payin.sourceData.qrPayload],
    ] as const) {
      const png = await imageOf(`${path}/qr.png`)
      assert.equal(png.type, 'image/png')
      assert.equal(scanned(png.bytes), text)
      const svg = await imageOf(`${path}/qr.svg`)
      assert.equal(svg.type, 'image/svg+xml')
      assert.match(svg.bytes.toString(), /^<svg xmlns=.*<\/svg>$/)
      assertProblem(await world.client('GET', `${path}/qr.gif`), 'NOT_FOUND')
    }
    assert.match(scanned((await imageOf(`/payins/${keyOnly.id}/qr.png`)).bytes), /^000201/)
  })

  it('have a poster to print, of two sizes and in two languages, whose code leads to the page', async () => {
    const { json: page } = await create(
      fixed({ name: 'Café & <b>pan</b> para toda la semana, con la casa llena' }),
    )
    const path = `/payment-pages/${page.paymentPageId}/poster`
    for (const [sheet, size] of [
      ['a4', 'width="210mm" height="297mm"'],
      ['a6', 'width="105mm" height="148mm"'],
    ]) {
      const { type, bytes } = await imageOf(`${path}/${sheet}`)
      const text = bytes.toString()
      assert.equal(type, 'image/svg+xml')
      assert.ok(text.includes(size as string))
      for (const said of [
        '<title>Café La Palma: Café &amp; &lt;b&gt;pan',
        'Café La Palma',
        'Café &amp; &lt;b&gt;pan&lt;/b&gt;',
        '$ 72.000',
        'Escanea para pagar',
        page.paymentPageUrl,
      ])
        assert.ok(text.includes(said), said)
      const drawn = (svg: string) => /stroke="#000" d="([^"]+)"/.exec(svg)?.[1]
      const code = await imageOf(`/payment-pages/${page.paymentPageId}/qr.svg`)
      assert.equal(drawn(text), drawn(code.bytes.toString()))
      // Two lines of the name, however long it is, and what to do.
      assert.equal(text.match(/font-size="6\.50"/g)?.length, 3)
      // It is well formed: what was typed is text.
      assert.equal(text.includes('<b>'), false)
    }
    assert.match((await imageOf(`${path}/a6?language=en`)).bytes.toString(), /COP 72,000.*Scan to pay/s)
    assertProblem(await world.client('GET', `${path}/a6?language=fr`), 'INVALID_INPUT')
    assertProblem(await world.client('GET', `${path}/a3`), 'NOT_FOUND')
    const { json: odd } = await create(fixed({ amountInCents: 7_200_005 }))
    const oddSheet = (await imageOf(`/payment-pages/${odd.paymentPageId}/poster/a6`)).bytes.toString()
    assert.ok(oddSheet.includes('$ 72.000,05<'), oddSheet)
    const { json: tips } = await create(open())
    const sheet = (await imageOf(`/payment-pages/${tips.paymentPageId}/poster/a6`)).bytes.toString()
    assert.equal(sheet.includes('$'), false, 'whoever pays types the amount')
    await world.client('POST', `/payment-pages/${tips.paymentPageId}/close`)
    assertProblem(await world.client('GET', `/payment-pages/${tips.paymentPageId}/poster/a6`), 'PAGE_CLOSED')
  })

  it('what takes no money any more, or is paid over PSE, has no QR code', async () => {
    const { json: made } = await link({})
    await world.client('POST', `/payment-links/${made.paymentLinkId}/expire`)
    assertProblem(
      await world.client('GET', `/payment-links/${made.paymentLinkId}/qr.svg`),
      'LINK_ALREADY_FINAL',
    )
    const { json: payin } = await world.client('POST', '/payins', brebPayin())
    await world.client('POST', `/payins/${payin.id}/cancel`)
    assertProblem(await world.client('GET', `/payins/${payin.id}/qr.png`), 'PAYIN_ALREADY_FINAL')
    const { json: pse } = await world.client('POST', '/payins', psePayin())
    assertProblem(await world.client('GET', `/payins/${pse.id}/qr.png`), 'NOT_FOUND')
  })

  it('a note that is too long, has too much in it or is no text is refused, field by field', async () => {
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`key${at}`, 'x']))
    const wrong: [Record<string, unknown>, string, string][] = [
      [{ description: 'x'.repeat(256) }, '/description', 'WRONG_LENGTH'],
      [{ description: '' }, '/description', 'WRONG_LENGTH'],
      [{ description: 'two\nlines' }, '/description', 'WRONG_FORMAT'],
      [{ metadata: many }, '/metadata', 'WRONG_LENGTH'],
      [{ metadata: { 'no blanks': 'x' } }, '/metadata', 'WRONG_FORMAT'],
      [{ metadata: { ['x'.repeat(41)]: 'x' } }, '/metadata', 'WRONG_FORMAT'],
      [{ metadata: { table: 'x'.repeat(201) } }, '/metadata/table', 'WRONG_LENGTH'],
      [{ metadata: { table: 7 } }, '/metadata/table', 'WRONG_TYPE'],
      [{ metadata: { table: { sealed: 'x' } } }, '/metadata/table', 'WRONG_TYPE'],
      [{ metadata: [] }, '/metadata', 'WRONG_TYPE'],
    ]
    for (const [note, path, code] of wrong)
      for (const answer of [
        await world.client('POST', '/payins', brebPayin(note)),
        await world.client('POST', '/payouts', newPayout(note)),
        await link(note),
      ]) {
        assertProblem(answer, 'INVALID_INPUT')
        assert.deepEqual(
          answer.json.errors.map((error: Record<string, string>) => [error.path, error.code]),
          [[path, code]],
        )
      }
    const most = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`key${at}`, 'ñ'.repeat(200)]))
    const { json } = await link({ description: 'ñ'.repeat(255), metadata: most })
    assert.deepEqual([json.description, json.metadata], ['ñ'.repeat(255), most])
    const { json: none } = await link({})
    assert.deepEqual([none.description, none.metadata], [null, null])
  })

  it('a payer reads the description, as text, and not the order’s number', async () => {
    const { json } = await link({ reference: randomUUID(), description: '<script>alert(1)</script> & more' })
    const { text } = await world.anonymous('GET', new URL(json.paymentLinkUrl).pathname)
    assert.ok(text.includes('&lt;script&gt;alert(1)&lt;/script&gt; &amp; more'))
    assert.equal(text.includes('<script>alert(1)'), false)
    assert.equal(text.includes(json.reference), false)
  })
})
