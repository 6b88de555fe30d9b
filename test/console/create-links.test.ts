// The forms that make payment links and payment pages.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createWorld, type World } from '../world.ts'
import { type Person, signIn } from './person.ts'
import { assertHarmless, formAt, HOSTILE, shows, wrongAt } from './typed.ts'

let world: World
let owner: Person
before(async () => {
  world = await createWorld()
  owner = await signIn(world, 'owner')
})
after(() => world[Symbol.asyncDispose]())

const linkTyped = {
  '/amountInCents': '128.500',
  '/reference': 'Pedido 2001',
  '/description': 'Dos bolsas de café',
  '/callbackUrl': 'https://tienda.example/gracias',
}

describe('the form of a payment link', () => {
  it('makes the link that was typed, and shows its address, its code and its chat', async () => {
    const form = formAt((await owner.get('/links/new')).text, '/links/new')
    const sent = await owner.post('/links/new', {
      ...form,
      ...linkTyped,
      '/rail': 'PSE',
      '/pse/bank': 'CO_BANCOLOMBIA',
    })
    assert.equal(sent.status, 303)
    const [, id] = /\/links\/([0-9a-f-]{36})\?done=createPaymentLink/.exec(sent.location ?? '') ?? []
    const { json } = await world.client('GET', `/payment-links/${id}`)
    assert.deepEqual(
      [json.amountInCents, json.reference, json.description, json.rail, json.pse.bank],
      [12_850_000, 'Pedido 2001', 'Dos bolsas de café', 'PSE', 'CO_BANCOLOMBIA'],
    )
    const page = await owner.get(sent.location ?? '')
    shows(page.text, /El enlace está listo/)
    assert.ok(page.text.includes(json.paymentLinkUrl))
    shows(page.text, /class="share-qr"[^>]*><svg/)
    shows(page.text, /https:\/\/wa\.me\/\?text=/)
  })

  it('remembers where payers of the last link went, and offers the merchant’s chat before there is one', async () => {
    const other = await world.newMerchant()
    const theirs = await signIn(world, 'owner', { organization: other.organization })
    assert.equal(formAt((await theirs.get('/links/new')).text, '/links/new')['/callbackUrl'], '')
    await other.client('PATCH', '/organization', { contactPhone: '+573001234567' })
    assert.equal(
      formAt((await theirs.get('/links/new')).text, '/links/new')['/callbackUrl'],
      'https://wa.me/573001234567',
    )
    const form = formAt((await theirs.get('/links/new')).text, '/links/new')
    await theirs.post('/links/new', { ...form, ...linkTyped })
    assert.equal(
      formAt((await theirs.get('/links/new')).text, '/links/new')['/callbackUrl'],
      linkTyped['/callbackUrl'],
    )
  })

  it('says at each field what is wrong with it, and keeps what was typed', async () => {
    const form = formAt((await owner.get('/links/new')).text, '/links/new')
    const sent = await owner.post('/links/new', {
      ...form,
      '/amountInCents': '1.2.3',
      '/reference': '',
      '/callbackUrl': 'tienda',
      '/pse/bank': 'CO_BANCOLOMBIA',
      '/inlineCustomer/name': 'Ana',
      '/inlineCustomer/phone': '12',
    })
    assert.equal(sent.status, 400)
    assert.equal(wrongAt(sent.text, '/amountInCents'), 'Escríbelo en pesos, como 1.250.000 o 1250000,50.')
    assert.equal(wrongAt(sent.text, '/reference'), 'Escribe este dato.')
    assert.match(wrongAt(sent.text, '/callbackUrl') ?? '', /dirección completa/)
    assert.equal(wrongAt(sent.text, '/pse/bank'), 'Solo si se paga por PSE.')
    assert.match(wrongAt(sent.text, '/inlineCustomer/phone') ?? '', /300 123 4567/)
    shows(sent.text, /<details class="more-fields" open>/)
    const kept = formAt(sent.text, '/links/new')
    assert.deepEqual(
      [kept['/amountInCents'], kept['/callbackUrl'], kept['/inlineCustomer/name'], kept._key],
      ['1.2.3', 'tienda', 'Ana', form._key],
    )
    const above = await owner.post('/links/new', { ...form, ...linkTyped, '/amountInCents': '99000000000' })
    assert.match(wrongAt(above.text, '/amountInCents') ?? '', /^El máximo es \$\u00a0[\d.]+\.$/)
  })

  it('makes one link, however often its button is pressed', async () => {
    const form = formAt((await owner.get('/links/new')).text, '/links/new')
    const typed = { ...form, ...linkTyped, '/reference': 'dos veces' }
    const [first, second] = await Promise.all([
      owner.post('/links/new', typed),
      owner.post('/links/new', typed),
    ])
    assert.equal(first.location, second.location)
    const { json } = await world.client('GET', '/payment-links?reference=dos+veces')
    assert.equal(json.data.length, 1)
  })

  it('shows the call and the page as far as they were typed, without making anything', async () => {
    const form = formAt((await owner.get('/links/new')).text, '/links/new')
    const typed = { ...form, ...linkTyped, '/reference': 'solo mirar' }
    const curl = await owner.post('/links/new', { ...typed, _show: 'curl' })
    assert.equal(curl.status, 200)
    shows(curl.text, /curl \S*\/payment-links/)
    shows(curl.text, /&quot;amountInCents&quot;: 12850000/)
    const preview = await owner.post('/links/new', { ...typed, _show: 'preview' })
    shows(preview.text, /data-preview="amount"[^>]*>\$\u00a0128\.500</)
    shows(preview.text, /data-preview="about"[^>]*>Dos bolsas de café</)
    assert.equal((await world.client('GET', '/payment-links?reference=solo+mirar')).json.data.length, 0)
  })

  it('lets somebody without the right look, says who could, and does nothing for them', async () => {
    const accountant = await signIn(world, 'accountant')
    const page = await accountant.get('/links/new')
    assert.equal(page.status, 200)
    shows(page.text, /<button class="button main" disabled>/)
    shows(page.text, /Para crear y vencer enlaces de pago necesitas el rol/)
    const sent = await accountant.post('/links/new', linkTyped)
    assert.equal(sent.status, 403)
    shows((await accountant.get('/links')).text, /aria-disabled="true"[^>]*>.*Crear enlace/s)
  })

  it('shows markup as text, on the form and on the page', async () => {
    const form = formAt((await owner.get('/links/new')).text, '/links/new')
    const typed = { ...form, ...linkTyped, '/reference': HOSTILE, '/description': HOSTILE }
    for (const _show of ['curl', 'preview'])
      assertHarmless((await owner.post('/links/new', { ...typed, _show })).text)
    const sent = await owner.post('/links/new', typed)
    assert.equal(sent.status, 303)
    assertHarmless((await owner.get(sent.location ?? '')).text)
  })
})

describe('the form of a payment page', () => {
  const pageTyped = { '/name': 'Café del mes', '/reference': 'cafe-nov', '/amountInCents': '72.000' }

  it('makes the page that was typed', async () => {
    const form = formAt((await owner.get('/pages/new')).text, '/pages/new')
    const sent = await owner.post('/pages/new', {
      ...form,
      ...pageTyped,
      '/maxPieces': '40',
      '/validUntil': '2099-11-30',
    })
    assert.equal(sent.status, 303)
    const [, id] = /\/pages\/([0-9a-f-]{36})\?done=createPaymentPage/.exec(sent.location ?? '') ?? []
    const { json } = await world.client('GET', `/payment-pages/${id}`)
    assert.deepEqual(
      [json.name, json.amountInCents, json.maxPieces, json.validUntil],
      ['Café del mes', 7_200_000, 40, '2099-12-01T05:00:00.000Z'],
    )
    assert.ok((await owner.get(sent.location ?? '')).text.includes(json.paymentPageUrl))
  })

  it('says what does not go together', async () => {
    const form = formAt((await owner.get('/pages/new')).text, '/pages/new')
    const open = await owner.post('/pages/new', {
      ...form,
      ...pageTyped,
      '/amountType': 'OPEN',
      '/maxPieces': '3',
    })
    assert.equal(open.status, 400)
    assert.equal(wrongAt(open.text, '/amountInCents'), 'Con valor abierto, déjalo vacío.')
    assert.equal(wrongAt(open.text, '/maxPieces'), 'Con valor abierto, déjalo vacío.')
    const fixed = await owner.post('/pages/new', {
      ...form,
      ...pageTyped,
      '/minAmountInCents': '100',
      '/validUntil': '2020-01-01',
    })
    assert.equal(wrongAt(fixed.text, '/minAmountInCents'), 'Solo va con valor abierto. Déjalo vacío.')
    assert.equal(wrongAt(fixed.text, '/validUntil'), 'Elige un día que no haya pasado.')
  })
})
