// The forms that move money: a payout in three steps, and a payin at the counter.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { HOUR_MS } from '../../src/core/instant.ts'
import { newPayout } from '../api/http/calls.ts'
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

const typed = {
  '/amountInCents': '50.000',
  '/reference': 'nomina-1',
  '/inlineCustomer/name': 'Ana María Gómez',
  '/inlineCustomer/idType': 'CO_CC',
  '/inlineCustomer/idNumber': '1000000001',
  '/inlineCustomer/phone': '300 123 4567',
  '/inlineCustomer/email': 'ana@example.com',
}

const find = (person: Person, key: string) => person.post('/payouts/new/receiver', { '/breb/keyString': key })

async function toReview(person: Person, changes: Record<string, string> = {}, key = '@ANAGOMEZ') {
  const found = await find(person, key)
  assert.equal(found.status, 200)
  const details = formAt(found.text, '/payouts/new')
  const review = await person.post('/payouts/new', { ...details, ...typed, ...changes })
  assert.equal(review.status, 200)
  return review.text
}

const payoutsOf = async (reference: string) =>
  (await world.client('GET', `/payouts?reference=${encodeURIComponent(reference)}`)).json.data

describe('a payout', () => {
  it('goes from the key by its holder to a review, and is sent from there', async () => {
    shows((await owner.get('/payouts/new')).text, 'Llave Bre-B de quien recibe')
    const found = await find(owner, ' @anagomez ')
    shows(found.text, /receiver-name">[^<]+</)
    shows(found.text, '@ANAGOMEZ')
    const review = await toReview(owner)
    shows(review, /review-amount">\$\u00a050\.000/)
    shows(review, 'Ana María Gómez')
    shows(review, 'Te quedarán')
    assert.deepEqual(await payoutsOf('nomina-1'), [], 'nothing is sent before the review')
    const sent = await owner.post('/payouts/new', formAt(review, '/payouts/new'))
    assert.equal(sent.status, 303)
    const [payout] = await payoutsOf('nomina-1')
    assert.equal(sent.location, `${owner.home}/payouts/${payout.id}?done=createPayout`)
    assert.deepEqual(
      [payout.amountInCents, payout.sourceData.canonicalKeyString, payout.inlineCustomer.phone],
      [5_000_000, '@ANAGOMEZ', '+573001234567'],
    )
    shows((await owner.get(sent.location ?? '')).text, 'El pago va en camino.')
  })

  it('says at the key what is wrong with it: no key, nobody’s, suspended', async () => {
    for (const [key, said] of [
      ['@x', /no tiene forma de llave/],
      ['@NOEXISTE9', /Nadie tiene esta llave/],
      ['@SUSPENDIDA9', /suspendida: no puede recibir/],
      ['', /no tiene forma de llave/],
    ] as const) {
      const answer = await find(owner, key)
      assert.ok(answer.status >= 400, key)
      assert.match(wrongAt(answer.text, '/breb/keyString') ?? '', said, key)
      assert.equal(formAt(answer.text, '/payouts/new/receiver')['/breb/keyString'], key)
    }
  })

  it('does not come to the review while something is wrong, and keeps what was typed', async () => {
    const details = formAt((await find(owner, '@ANAGOMEZ')).text, '/payouts/new')
    const wrong = await owner.post('/payouts/new', {
      ...details,
      ...typed,
      '/amountInCents': '20000000',
      '/inlineCustomer/idNumber': '¿?',
    })
    assert.equal(wrong.status, 400)
    assert.match(wrongAt(wrong.text, '/amountInCents') ?? '', /^El máximo es/)
    assert.match(wrongAt(wrong.text, '/inlineCustomer/idNumber') ?? '', /Revisa el número/)
    const kept = formAt(wrong.text, '/payouts/new')
    assert.equal(kept['/inlineCustomer/idNumber'], '¿?')
    assert.equal(kept._key, details._key)
    shows(wrong.text, /receiver-name/)
  })

  it('tells that the balance does not reach, and cannot be sent', async () => {
    const other = await world.newMerchant()
    const poor = await signIn(world, 'owner', { organization: other.organization })
    // More than staging gives everybody, in payouts of the most that Bre-B carries.
    const { availableInCents } = (await other.client('GET', '/balance')).json
    await world.db.query({
      text: 'update ledger_balances set debit_cents = credit_cents where organization_id = $1 and account = $2',
      values: [other.organization.organizationId, 'AVAILABLE'],
    })
    assert.ok(availableInCents > 0)
    const review = await toReview(poor)
    shows(review, /Tienes para pagar \$\u00a00: faltan \$\u00a050\.000/)
    shows(review, /<button class="button main" disabled>/)
    await world.db.query({
      text: 'update ledger_balances set debit_cents = 0 where organization_id = $1 and account = $2',
      values: [other.organization.organizationId, 'AVAILABLE'],
    })
  })

  it('tells of the same payout of the last day, and of no other', async () => {
    const same = await toReview(owner, { '/reference': 'nomina-otra-vez' })
    shows(same, /Ya hiciste un pago igual/)
    shows(same, /Enviar \$\u00a050\.000 de todas formas/)
    const otherAmount = await toReview(owner, { '/amountInCents': '50.001' })
    assert.ok(!otherAmount.includes('Ya hiciste'))
    const otherKey = await toReview(owner, {}, '3001234567')
    assert.ok(!otherKey.includes('Ya hiciste'))
    const [{ id }] = await payoutsOf('nomina-1')
    assert.ok(same.includes(`/payouts/${id}"`))
    const body = newPayout({ amountInCents: 12_345_600 })
    const canceled = (await world.client('POST', '/payouts', body)).json
    assert.equal((await world.client('POST', `/payouts/${canceled.id}/cancel`)).json.status, 'CANCELED')
    assert.ok(!(await toReview(owner, { '/amountInCents': '123.456' })).includes('Ya hiciste'))
    world.advance(25 * HOUR_MS)
    assert.ok(!(await toReview(owner)).includes('Ya hiciste'), 'a day later')
  })

  it('is sent once, however often its button is pressed', async () => {
    const form = formAt(await toReview(owner, { '/reference': 'una-vez' }), '/payouts/new')
    const [first, second] = await Promise.all([
      owner.post('/payouts/new', form),
      owner.post('/payouts/new', form),
    ])
    assert.equal(first.location, second.location)
    const third = await owner.post('/payouts/new', form)
    assert.equal(third.location, first.location)
    assert.equal((await payoutsOf('una-vez')).length, 1)
  })

  it('asks whoever has not proved lately that it is them, and keeps what they typed', async () => {
    const form = formAt(await toReview(owner, { '/reference': 'sin-prueba' }), '/payouts/new')
    await world.db.query({
      text: "update sessions set proved_at = proved_at - interval '6 minutes' where user_id = $1",
      values: [owner.userId],
    })
    const asked = await owner.post('/payouts/new', form)
    assert.equal(asked.status, 403)
    shows(asked.text, 'Falta confirmar que eres tú')
    shows(asked.text, `/console/prove?to=${encodeURIComponent(`${owner.home}/proved`)}`)
    assert.equal(formAt(asked.text, '/payouts/new')['/reference'], 'sin-prueba')
    assert.deepEqual(await payoutsOf('sin-prueba'), [])
    await world.db.query({
      text: 'update sessions set proved_at = now() where user_id = $1',
      values: [owner.userId],
    })
    const sent = await owner.post('/payouts/new', formAt(asked.text, '/payouts/new'))
    assert.equal(sent.status, 303)
    assert.equal((await payoutsOf('sin-prueba')).length, 1)
  })

  it('goes to whom the review showed: a form whose key was changed begins anew', async () => {
    const details = formAt((await find(owner, '@ANAGOMEZ')).text, '/payouts/new')
    const changed = await owner.post('/payouts/new', {
      ...details,
      ...typed,
      '/breb/keyString': '3001234567',
      '/reference': 'otra-llave',
    })
    shows(changed.text, 'Llave Bre-B de quien recibe')
    const blind = await owner.post('/payouts/new', { ...details, ...typed, _found: '{"holder":1}' })
    shows(blind.text, 'Llave Bre-B de quien recibe')
    assert.deepEqual(await payoutsOf('otra-llave'), [])
  })

  it('is closed to roles that make none, with the reason', async () => {
    const accountant = await signIn(world, 'accountant')
    const page = await accountant.get('/payouts/new')
    shows(page.text, /<button class="button main" disabled>/)
    shows(page.text, /necesitas el rol/)
    assert.equal((await find(accountant, '@ANAGOMEZ')).status, 403)
    const support = await signIn(world, 'support')
    const details = formAt((await find(support, '@ANAGOMEZ')).text, '/payouts/new')
    const sent = await support.post('/payouts/new', { ...details, ...typed, _reviewed: 'yes' })
    assert.equal(sent.status, 403)
  })

  it('shows markup as text', async () => {
    const review = await toReview(owner, { '/reference': HOSTILE, '/inlineCustomer/name': HOSTILE })
    assertHarmless(review)
    const details = formAt((await find(owner, '@ANAGOMEZ')).text, '/payouts/new')
    const found = JSON.parse(details._found ?? '')
    found.holder.name = HOSTILE
    found.participant.name = HOSTILE
    const forged = { ...details, ...typed, _found: JSON.stringify(found) }
    assertHarmless((await owner.post('/payouts/new', forged)).text)
    assertHarmless((await find(owner, HOSTILE)).text)
  })
})

describe('collecting at the counter', () => {
  it('makes a Bre-B payin and shows its code and key', async () => {
    const form = formAt((await owner.get('/payins/new')).text, '/payins/new')
    assert.match(form['/reference'] ?? '', /^mostrador-\d{8}-\d{6}$/)
    const sent = await owner.post('/payins/new', { ...form, '/amountInCents': '12.000' })
    assert.equal(sent.status, 303)
    const [, id] = /\/payins\/([0-9a-f-]{36})\?/.exec(sent.location ?? '') ?? []
    const { json } = await world.client('GET', `/payins/${id}`)
    assert.deepEqual(
      [json.amountInCents, json.rail, json.sourceData.keyType],
      [1_200_000, 'BRE_B', 'QR_CODE'],
    )
    const page = await owner.get(sent.location ?? '')
    shows(page.text, 'Muéstraselo a quien paga')
    shows(page.text, json.sourceData.keyString)
    await owner.post(`/payins/${id}/cancel`)
    assert.ok(!(await owner.get(`/payins/${id}`)).text.includes('Muéstraselo a quien paga'))
  })

  it('says that a reference is taken', async () => {
    const form = formAt((await owner.get('/payins/new')).text, '/payins/new')
    const again = formAt((await owner.get('/payins/new')).text, '/payins/new')
    const one = { '/amountInCents': '12.000', '/reference': 'mesa-7' }
    assert.equal((await owner.post('/payins/new', { ...form, ...one })).status, 303)
    const taken = await owner.post('/payins/new', { ...again, ...one })
    assert.equal(taken.status, 409)
    assert.match(wrongAt(taken.text, '/reference') ?? '', /Ya hay un cobro con esta referencia/)
  })

  it('is closed while Bre-B is off, with the reason', async () => {
    const other = await world.newMerchant()
    const theirs = await signIn(world, 'owner', { organization: other.organization })
    await other.client('PATCH', '/organization', { rails: ['PSE'] })
    const page = await theirs.get('/payins/new')
    shows(page.text, /<button class="button main" disabled>/)
    shows(page.text, 'Bre-B está apagado')
  })
})
