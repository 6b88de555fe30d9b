// What every page tells a payer, in both languages: whether money moved, and what happens next. And how it says so.

import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { CheckoutSubject } from '../../src/checkout/backend.ts'
import { DAY_MS, MINUTE_MS } from '../../src/core/instant.ts'
import { startHarness, TOKEN } from './harness.ts'
import { brebPayin, EVERY_STATE, link, NOW, psePayin } from './subjects.ts'

type Language = 'es' | 'en'

const { app, subjects } = startHarness()
after(() => app.close())

async function read(subject: CheckoutSubject, language: Language = 'es', step?: string) {
  subjects.set(TOKEN, subject)
  const query = `?lang=${language}${step === undefined ? '' : `&step=${step}`}`
  const { body } = await app.inject(`/pay/${TOKEN}${query}`)
  const main = /<main[\s\S]*<\/main>/.exec(body)?.[0] ?? ''
  const said = body
    .replaceAll(/<(style|script type)[\s\S]*?<\/(style|script)>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/[\s\u00a0]+/g, ' ')
  return { main, said }
}

const pages = Object.entries(EVERY_STATE)

// By the name of the page: whether money moved, and what happens next.
const NOT_YET = { es: /Todavía no se mueve dinero/, en: /No money moves yet/ }
const WAITS = { es: /todavía no ha llegado dinero/, en: /no money has arrived yet/ }
const NOT_MOVED_YET = { es: /Aún no se ha movido dinero/, en: /No money has moved yet/ }
const UNKNOWN = { es: /no sabemos si el dinero salió/i, en: /don’t know (yet )?whether money left/i }
const NONE = { es: /No se movió dinero/, en: /No money moved/ }
const SAFE = { es: /está a salvo, pero no se aplicó/, en: /it is safe, but it was not applied/ }
const LATE = { es: /No recibimos dinero a tiempo/, en: /No money arrived in time/ }
const MOVED = { es: /recibió tu pago de \$ 80\.000/, en: /received your payment of COP 80,000/ }
const WAS_PAID = { es: /Se pagó el 5 de noviembre/, en: /It was paid on November 5/ }

const SUBMIT = {
  es: /Continuar|Pagar con PSE|Ver la llave y el QR/,
  en: /Continue|Pay with PSE|Show the key/,
}
const ON_TO_BANK = { es: /Continuar en Bancolombia/, en: /Continue at Bancolombia/ }
const UPDATES = { es: /se actualiza sola/, en: /updates by itself/ }
const TO_BANK = { es: /te llevamos a la página de tu banco/, en: /take you to your bank’s page/ }
const SOON = { es: /En unos segundos podrás pagar/, en: /able to pay in a few seconds/ }
const HERE = { es: /en unos minutos verás aquí/, en: /see the result here in a few minutes/ }
const BACK = { es: /Volver a Café La Palma/, en: /Back to Café La Palma/ }
const NO_MORE = { es: /No tienes que pagar otra vez/, en: /don’t need to pay again/ }
const AGAIN = { es: /Intentar de nuevo/, en: /Try again/ }
const MERCHANT = { es: /vuelve a Café La Palma/, en: /go back to Café La Palma/ }
const NEW_LINK = { es: /Pídele a Café La Palma un enlace nuevo/, en: /Ask Café La Palma for a new link/ }
const WRITE = { es: /Escríbele/, en: /Contact/ }

type Said = Record<Language, RegExp>
const SAYS: Record<string, readonly [Said, Said]> = {
  choose: [NOT_YET, SUBMIT],
  'choose-customer-known': [NOT_YET, SUBMIT],
  'choose-pse-only': [NOT_YET, SUBMIT],
  'choose-bank-fixed': [NOT_YET, SUBMIT],
  'choose-breb-only': [NOT_YET, SUBMIT],
  'choose-again': [NONE, SUBMIT],
  'customer-missing': [NOT_YET, SUBMIT],
  terms: [NOT_YET, ON_TO_BANK],
  'terms-customer-missing': [NOT_YET, ON_TO_BANK],
  'terms-away': [NONE, AGAIN],
  'presence-only': [NOT_YET, ON_TO_BANK],
  'choose-terms': [NOT_YET, SUBMIT],
  'choose-terms-pse-only': [NOT_YET, SUBMIT],
  'choose-terms-away': [NONE, AGAIN],
  unavailable: [NONE, WRITE],
  breb: [WAITS, UPDATES],
  'breb-checked': [WAITS, UPDATES],
  'breb-key-only': [WAITS, UPDATES],
  'breb-ending': [WAITS, UPDATES],
  'preparing-bank': [NOT_MOVED_YET, TO_BANK],
  'preparing-key': [NOT_MOVED_YET, SOON],
  'registering-key': [NOT_MOVED_YET, SOON],
  'at-bank': [UNKNOWN, HERE],
  confirming: [UNKNOWN, UPDATES],
  'confirming-overdue': [UNKNOWN, UPDATES],
  'approved-pse': [MOVED, BACK],
  'approved-breb': [MOVED, BACK],
  'already-paid': [WAS_PAID, NO_MORE],
  'declined-link': [NONE, AGAIN],
  'declined-payin': [NONE, MERCHANT],
  'declined-maybe-debited': [UNKNOWN, AGAIN],
  'declined-other-amount': [SAFE, AGAIN],
  'declined-unknown-amount': [SAFE, AGAIN],
  canceled: [NONE, AGAIN],
  'canceled-still-closing': [UNKNOWN, UPDATES],
  'canceled-by-merchant': [NONE, MERCHANT],
  'canceled-without-key': [NONE, MERCHANT],
  lapsed: [LATE, AGAIN],
  'lapsed-breb-only': [LATE, AGAIN],
  expired: [NONE, NEW_LINK],
  'ended-early': [NONE, NEW_LINK],
  'ended-early-at-bank': [UNKNOWN, NEW_LINK],
}

describe('every page', () => {
  it('says whether money moved, and what happens next', async () => {
    for (const [name, { subject, step }] of pages)
      for (const language of ['es', 'en'] as const) {
        const { said } = await read(subject, language, step)
        for (const expected of SAYS[name] ?? [])
          assert.match(said, expected[language], `${name} in ${language}`)
        assert.ok(name in SAYS, name)
      }
  })

  it('has one main button at most, and one wherever there is something to do', async () => {
    for (const [name, { subject, step }] of pages) {
      const { main } = await read(subject, 'es', step)
      const buttons = [...main.matchAll(/<button[^>]*>|<a class="button[^>]*>/g)].map(([tag]) => tag)
      const count = buttons.filter((tag) => !/class="(button )?plain"/.test(tag)).length
      const expected = /^(preparing|registering|already-paid|canceled-still-closing)/.test(name) ? 0 : 1
      assert.equal(count, expected, `${name}: ${buttons.join(' ')}`)
    }
  })

  it('ends each sentence with one full stop, whatever the merchant’s name ends with', async () => {
    const merchant = { ...link().merchant, name: 'Modas del Valle S.A.S.' }
    for (const [name, { subject, step }] of pages)
      for (const language of ['es', 'en'] as const) {
        const { said } = await read({ ...subject, merchant }, language, step)
        assert.doesNotMatch(said, /\.\./, `${name} in ${language}`)
      }
  })

  it('in Spanish speaks to the payer as “tú”, and has no word of Spain or of our trade', async () => {
    // PSE prescribes these, word for word.
    const prescribed = /Por favor verificar[^.]*\.|La entidad financiera no puede ser contactada[^.]*\./g
    for (const [name, { subject, step }] of pages) {
      const { said } = await read(subject, 'es', step)
      assert.doesNotMatch(
        said.replaceAll(prescribed, ''),
        /\b(usted|su pago|escoge|link|pinch|vosotros|ordenador|móvil|payin|URL)\b/i,
        name,
      )
    }
  })
})

describe('a page names the merchant’s contact', () => {
  const ofMerchant = (email: string | null, phone: string | null) =>
    link({ rails: [], merchant: { ...link().merchant, email, phone } })
  const linksIn = (main: string) =>
    [...main.matchAll(/href="((?:mailto|tel|https:\/\/wa).*?)"/g)].map(([, url]) => url)

  it('as links: e-mail, phone, and WhatsApp for a mobile number', async () => {
    const { main, said } = await read(ofMerchant('pagos+web@lapalma.example', '+573001234567'))
    assert.deepEqual(linksIn(main), [
      'mailto:pagos%2Bweb@lapalma.example',
      'tel:+573001234567',
      'https://wa.me/573001234567',
    ])
    assert.match(said, /Escríbele a Café La Palma: pagos\+web@lapalma\.example \+57 300 123 4567 WhatsApp/)
    assert.equal(main.match(/<\/a> <a /g)?.length, 2, 'each apart from the one before')
    const landline = await read(ofMerchant(null, '+576012345678'))
    assert.deepEqual(linksIn(landline.main), ['tel:+576012345678'])
    assert.deepEqual(linksIn((await read(ofMerchant(null, '+14155552671'))).main), ['tel:+14155552671'])
    assert.doesNotMatch((await read(ofMerchant(null, null))).said, /Dudas/)
  })

  it('beside every sentence that asks the payer to write', async () => {
    for (const name of [
      'declined-other-amount',
      'lapsed',
      'expired',
      'ended-early',
      'unavailable',
      'confirming',
    ]) {
      const { subject, step } = EVERY_STATE[name] as { subject: CheckoutSubject; step?: string }
      assert.match((await read(subject, 'es', step)).main, /<p class="contact">/, name)
    }
  })
})

describe('a page of a link that was ended', () => {
  it('by the merchant says so and when, and names no deadline', async () => {
    const ended = (EVERY_STATE['ended-early'] as { subject: CheckoutSubject }).subject
    const { said } = await read(ended)
    assert.match(
      said,
      /Café La Palma cerró este cobro Lo cerró antes de su vencimiento, el 5 de noviembre de 2026, 3:32 p\. m\. /,
    )
    assert.doesNotMatch(said, /venció|hasta|4:30/)
    assert.match((await read(ended, 'en')).said, /Café La Palma closed this payment request/)
  })

  it('by its hour names the deadline that is over', async () => {
    const { said } = await read(link({ status: 'EXPIRED', expiresAt: NOW - 300_000 }))
    assert.match(said, /Este cobro venció Se podía pagar hasta el 5 de noviembre de 2026, 3:30 p\. m\./)
  })
})

describe('a page of a payment that was charged back', () => {
  it('says so and when, on the day it was paid and on every other', async () => {
    for (const resultAt of [NOW - MINUTE_MS, NOW - 3 * DAY_MS]) {
      const chargedBack = { amountInCents: 2_000_000n, at: NOW }
      const payin = brebPayin({ status: 'CONFIRMED', resultAt, chargedBack })
      const { said } = await read(link({ status: 'COMPLETED', payin }))
      assert.match(said, /\$ 20\.000 [^.]*5 de noviembre de 2026, 3:35 p\. m\./)
      assert.doesNotMatch(said, /No tienes que pagar otra vez|recibió tu pago/)
    }
  })
})

describe('a page after another amount arrived', () => {
  const other = EVERY_STATE['declined-other-amount'] as { subject: CheckoutSubject }

  it('says both amounts in one sentence, also above the form', async () => {
    for (const step of [undefined, 'retry'])
      assert.match(
        (await read(other.subject, 'es', step)).said,
        /Llegaron \$ 79\.500 y el cobro es de \$ 80\.000\./,
      )
    assert.match(
      (await read(other.subject, 'en')).said,
      /COP 79,500 arrived, but the payment is for COP 80,000\./,
    )
  })

  it('says that it was another one where the network did not say how much', async () => {
    const unknown = EVERY_STATE['declined-unknown-amount'] as { subject: CheckoutSubject }
    assert.match((await read(unknown.subject)).said, /Llegó un valor distinto al del cobro\./)
  })
})

describe('the pages of a payment at the bank', () => {
  it('tell nobody to pay on and not to pay at once', async () => {
    const open = await read(link({ payin: psePayin() }))
    assert.match(
      open.said,
      /Si no terminaste, continúa en la página de tu banco\. Si ya pagaste, no pagues otra vez/,
    )
    assert.doesNotMatch(open.said, /\. No pagues otra vez/)
    const back = await read(link({ payin: psePayin() }), 'es', 'back')
    assert.doesNotMatch(back.said, /\. No pagues otra vez/)
    assert.match(back.said, /¿No terminaste de pagar\? Continuar en Bancolombia/)
    const overdue = await read(link({ payin: psePayin({ expiresAt: NOW }) }))
    assert.match(overdue.said, /\. No pagues otra vez/)
    assert.doesNotMatch(overdue.said, /Continuar en/)
  })
})

describe('the page of a Bre-B payment', () => {
  it('has the key first, then three steps, then the code', async () => {
    const { main } = await read(link({ payin: brebPayin() }))
    const places = [
      '>@RC7K2M9QX4TB5N<',
      '>Copiar llave<',
      '<ol>',
      'class="qr"',
      '>Guardar ',
      '>Compartir ',
    ].map((part) => main.indexOf(part))
    assert.ok(places.every((place) => place > 0))
    assert.deepEqual(
      places.toSorted((a, b) => a - b),
      places,
    )
    assert.equal(main.match(/<li>/g)?.length, 3)
  })

  it('shows the reference once, and no description that repeats it', async () => {
    const { said } = await read(EVERY_STATE['approved-breb']?.subject as CheckoutSubject)
    assert.doesNotMatch(said, /Descripción/)
  })
})
