// What each page says, how it is sent, and its size.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import type { CheckoutSubject } from '../../src/checkout/backend.ts'
import { SCRIPT } from '../../src/checkout/pages/script.ts'
import { en } from '../../src/checkout/words/en.ts'
import { MINUTE_MS } from '../../src/core/instant.ts'
import { startHarness, TOKEN } from './harness.ts'
import { BANK_URL, brebPayin, CALLBACK_URL, CUSTOMER, EVERY_STATE, link, NOW, psePayin } from './subjects.ts'

const PAGE_BUDGET_BYTES = 10 * 1_024
const SCRIPT_BUDGET_BYTES = 2 * 1_024

async function visit(subject: CheckoutSubject, query = '', headers: Record<string, string> = {}) {
  const { app } = startHarness(subject)
  const response = await app.inject({ url: `/pay/${TOKEN}${query}`, headers })
  return { response, text: withoutOurs(response.body) }
}

// Style and script are the same on every page and mention elements that a page may not have.
const withoutOurs = (text: string): string =>
  text.replaceAll(/<(style|script type)[\s\S]*?<\/(style|script)>/g, '')

const words = (text: string): string => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/[\s\u00a0]+/g, ' ')

describe('the page of a Bre-B payment', () => {
  it('names what is to be copied, and shows the key and the amount beside their names', async () => {
    const payin = brebPayin()
    const { text } = await visit(link({ payin }), '?lang=en')
    assert.match(words(text), new RegExp(`Key ${payin.keyString} `))
  })
})

describe('the preview of a page in a chat', () => {
  it('names the amount and who is paid', async () => {
    const subject = link()
    const { name } = subject.merchant
    for (const [language, title] of [
      ['es', `Pago de $ 80.000 a ${name}`],
      ['en', `Payment of COP 80,000 to ${name}`],
    ]) {
      const { text } = await visit(subject, `?lang=${language}`)
      const shown = /property="og:title" content="([^"]*)"/.exec(text)?.[1] ?? ''
      assert.equal(shown.replaceAll(/\s/g, ' '), title)
    }
  })
})

describe('every page', () => {
  for (const [name, { subject, step }] of Object.entries(EVERY_STATE))
    for (const language of ['es', 'en'])
      it(`${name} in ${language} keeps its budget, headers and policy`, async () => {
        const query = `?lang=${language}${step === undefined ? '' : `&step=${step}`}`
        const { response } = await visit(subject, query, { 'accept-encoding': 'gzip, br' })
        assert.equal(response.statusCode, 200)
        assert.equal(response.headers['content-encoding'], 'br')
        assert.ok(response.rawPayload.length <= PAGE_BUDGET_BYTES, `${response.rawPayload.length} bytes`)
        const text = brotliDecompressSync(response.rawPayload).toString()
        assert.ok(text.includes(`<html lang="${language === 'es' ? 'es-CO' : 'en'}">`))

        assert.equal(response.headers['cache-control'], 'no-store')
        assert.equal(response.headers['referrer-policy'], 'no-referrer')
        assert.equal(response.headers['x-frame-options'], 'DENY')
        assert.match(String(response.headers['x-robots-tag']), /noindex/)
        assert.equal(response.headers.vary, 'accept-encoding, accept-language')
        assert.equal(response.headers['set-cookie'], undefined)

        const policy = String(response.headers['content-security-policy'])
        assert.match(policy, /default-src 'none'/)
        assert.match(policy, /form-action 'self'/)
        assert.match(policy, /frame-ancestors 'none'/)
        assert.doesNotMatch(policy, /unsafe|https?:/)
        for (const [, tag, inline] of text.matchAll(/<(style|script)[^>]*>([\s\S]*?)<\/\1>/g)) {
          const hash = createHash('sha256')
            .update(inline as string)
            .digest('base64')
          assert.ok(policy.includes(`'sha256-${hash}'`), `the ${tag} is in the policy`)
        }
        assert.doesNotMatch(text, / style="| on\w+="|<iframe/)
        // Only what a payer reads before accepting opens elsewhere, and learns nothing of this page.
        for (const [link] of text.matchAll(/<[^>]*target=[^>]*>/g))
          assert.match(link, /^<a href="https:\/\/wompi\.example\/[^"]+" target="_blank" rel="noopener">$/)
      })

  it('has a script within its budget', () => {
    assert.ok(gzipSync(SCRIPT).length <= SCRIPT_BUDGET_BYTES)
  })

  it('is sent as brotli, gzip or plain, as the browser accepts', async () => {
    const asked = async (accept: string) =>
      (await visit(link(), '', { 'accept-encoding': accept })).response.headers['content-encoding']
    assert.equal(await asked('gzip, deflate, br, zstd'), 'br')
    assert.equal(await asked('gzip;q=1.0, br;q=0'), 'gzip')
    assert.equal(await asked('*'), 'br')
    assert.equal(await asked('identity'), undefined)
    const { response } = await visit(link(), '', { 'accept-encoding': 'gzip' })
    assert.match(gunzipSync(response.rawPayload).toString(), /Café La Palma/)
  })

  it('speaks Spanish unless the browser or the address asks for English', async () => {
    const locale = async (query: string, accept?: string) => {
      const { text } = await visit(link(), query, accept === undefined ? {} : { 'accept-language': accept })
      return /<html lang="([^"]+)"/.exec(text)?.[1]
    }
    assert.equal(await locale(''), 'es-CO')
    assert.equal(await locale('', 'de-DE,fr;q=0.8'), 'es-CO')
    assert.equal(await locale('', 'es-CO,es;q=0.9,en;q=0.8'), 'es-CO')
    assert.equal(await locale('', 'fr,en-GB;q=0.7,es;q=0.3'), 'en')
    assert.equal(await locale('?lang=es', 'en'), 'es-CO')
    assert.equal(await locale('?lang=en', 'es'), 'en')
    assert.equal(await locale('?lang=xx&lang=en', 'es'), 'es-CO')
  })

  it('keeps the language that the payer chose in every address', async () => {
    const { text } = await visit(link({ payin: brebPayin() }), '?lang=en')
    for (const [, action] of text.matchAll(/action="([^"]+)"/g)) assert.match(action as string, /\?lang=en$/)
    const approved = (EVERY_STATE['approved-breb'] as { subject: CheckoutSubject }).subject
    assert.match((await visit(approved, '?lang=en')).text, /href="\/receipts\/[\w-]{43}\?lang=en"/)
    assert.match((await visit(approved)).text, /href="\/receipts\/[\w-]{43}"/, 'and none that nobody chose')
  })

  it('tells once that the time is over', async () => {
    const { subject } = EVERY_STATE.lapsed as { subject: CheckoutSubject }
    const { text } = await visit(subject, '?lang=en')
    assert.ok(!words(text).includes(en.reasons.EXPIRED), words(text))
  })

  it('shows a test ribbon in staging and none in production', async () => {
    assert.match((await visit(link())).text, /class="ribbon"/)
    const { app } = startHarness(link(), { environment: 'production' })
    const { body } = await app.inject(`/pay/${TOKEN}`)
    assert.doesNotMatch(body, /class="ribbon"|Banco de Pruebas/)
  })

  it('prefixes every address with the path of its public address', async () => {
    const { app } = startHarness(link({ payin: brebPayin() }), {
      publicUrl: 'https://pagos.example/recaudo/',
    })
    const { body } = await app.inject(`/pay/${TOKEN}`)
    assert.ok(body.includes(`action="/recaudo/pay/${TOKEN}/recheck"`))
  })

  it('escapes what merchants and payers wrote', async () => {
    const evil = `"'><script>alert(1)</script>`
    const merchant = { name: evil, taxId: evil, email: evil, phone: evil, logoUrl: evil, accentColor: evil }
    const subjects = [
      link({ merchant, reference: evil }),
      ...['CONFIRMED', 'DECLINED', 'PROCESSING'].map((status) =>
        link({
          merchant,
          reference: evil,
          callbackUrl: `https://x.example/?${evil}`,
          payin: psePayin({
            status: status as 'CONFIRMED',
            errorCode: status === 'DECLINED' ? 'BANK_DECLINED' : null,
            traceId: evil,
            bank: evil,
            bankUrl: `https://y.example/?${evil}`,
          }),
        }),
      ),
      link({ merchant, reference: evil, payin: brebPayin({ keyString: evil }) }),
    ]
    for (const subject of subjects)
      for (const query of ['', '?step=go', '?step=back']) {
        const { text } = await visit(subject, query)
        assert.ok(!text.includes('<script'))
      }
  })

  it('links to no address but http and https', async () => {
    const payin = psePayin({ bankUrl: 'javascript:alert(1)' })
    for (const query of ['', '?step=go', '?step=back']) {
      const { text } = await visit(link({ payin, callbackUrl: 'javascript:alert(2)' }), query)
      assert.ok(!text.includes('javascript:'))
    }
  })

  it('shows a logo only if it is inlined in the page, else the initial', async () => {
    const shown = async (logoUrl: string | null) => {
      const { text } = await visit(link({ merchant: { ...link().merchant, logoUrl } }))
      return /<img[^>]+>|<span class="logo"[^>]*>(.)/.exec(text)
    }
    const inline = 'data:image/png;base64,iVBORw0KGgo='
    assert.ok((await shown(inline))?.[0].includes(inline))
    for (const logoUrl of [
      null,
      'https://shop.example/logo.png',
      'data:text/html;base64,AAAA',
      `data:image/png;base64,${'A'.repeat(6_000)}`,
    ])
      assert.equal((await shown(logoUrl))?.[1], 'C')
  })

  it('names the charge: whom, how much, what for', async () => {
    const amounts = {
      8000000: '$ 80.000',
      125000050: '$ 1.250.000,50',
      1: '$ 0,01',
      78880000000: '$ 788.800.000',
    }
    for (const [cents, written] of Object.entries(amounts)) {
      const { text } = await visit(link({ amountInCents: BigInt(cents) }))
      const said = words(text)
      assert.ok(said.includes(`${written} `), written)
      assert.match(said, /Café La Palma/)
      assert.match(said, /Pedido 1042/)
    }
    assert.match(words((await visit(link(), '?lang=en')).text), /COP 80,000 /)
  })
})

describe('the form', () => {
  it('asks for what is missing and for nothing else', async () => {
    const asks = async (subject: CheckoutSubject) =>
      [...(await visit(subject)).text.matchAll(/<(?:input|select)[^>]* name="(\w+)"/g)].map(
        ([, name]) => name,
      )
    const payer = ['name', 'idType', 'idNumber', 'phone', 'email']
    assert.deepEqual(await asks(link()), ['rail', 'rail', 'bank', ...payer])
    assert.deepEqual(await asks(link({ customer: CUSTOMER })), ['rail', 'rail', 'bank'])
    assert.deepEqual(await asks(link({ rails: ['PSE'], customer: CUSTOMER })), ['bank'])
    assert.deepEqual(await asks(link({ rails: ['BRE_B'] })), [])
    assert.deepEqual(await asks(link({ rails: ['PSE'], fixedBank: 'CO_NEQUI' })), payer)
    const noSession = psePayin({ status: 'PENDING', bankUrl: null })
    const payin = { kind: 'payin', rails: ['PSE'], fixedBank: 'CO_NEQUI', payin: noSession } as const
    assert.deepEqual(await asks(link(payin)), payer)
  })

  it('offers Bre-B first, whatever the order of the settings', async () => {
    const { text } = await visit(link({ rails: ['PSE', 'BRE_B'] }))
    assert.ok(text.indexOf('value="BRE_B" checked') < text.indexOf('value="PSE"'))
    assert.ok(text.includes('value="BRE_B" checked'))
  })

  it('offers the most used banks first, then the others', async () => {
    const { text } = await visit(link())
    const [, test, mostUsed, others] = text.split('<optgroup')
    assert.match(test ?? '', /Banco de Pruebas/)
    assert.match(mostUsed ?? '', /Bancolombia[\s\S]*Nequi/)
    assert.match(others ?? '', /Banco Agrario/)
    assert.doesNotMatch(others ?? '', />Nequi</)
  })

  it('offers documents that fit the type of payer, where the merchant has set it', async () => {
    const documents = async (personType: 'INDIVIDUAL' | 'BUSINESS') => {
      const payin = psePayin({ status: 'PENDING', bankUrl: null })
      const subject = link({ kind: 'payin', rails: ['PSE'], fixedBank: 'CO_NEQUI', personType, payin })
      return [...(await visit(subject)).text.matchAll(/<option value="([A-Z_]+)"/g)].map(([, value]) => value)
    }
    assert.deepEqual(await documents('BUSINESS'), ['CO_NIT'])
    assert.deepEqual(await documents('INDIVIDUAL'), ['CO_CC', 'CO_CE', 'MXN_RFC', 'PASSPORT'])
  })
})

describe('an open attempt', () => {
  it('by Bre-B shows code, key, amount and whose name the payer will see', async () => {
    const { text } = await visit(link({ payin: brebPayin() }))
    assert.match(text, /role="img" aria-label="Código QR[^"]+"><svg/)
    assert.match(text, /data-copy="@RC7K2M9QX4TB5N"/)
    assert.match(text, /data-copy="80000"/)
    assert.match(words(text), /verás que le pagas a: Café La Palma/)
    assert.match(words(text), /hasta las 3:48 p. m. \(hora de Colombia\)/)
  })

  it('also has its code as an image, while it can be paid', async () => {
    const harness = startHarness(link({ payin: brebPayin() }))
    const image = await harness.app.inject(`/pay/${TOKEN}/qr`)
    assert.equal(image.headers['content-type'], 'image/png')
    assert.equal(image.rawPayload.subarray(1, 4).toString(), 'PNG')
    harness.become(link({ payin: brebPayin({ status: 'CONFIRMED' }) }))
    assert.equal((await harness.app.inject(`/pay/${TOKEN}/qr`)).statusCode, 404)
  })

  it('by PSE goes on to the bank straight from the form, and never by itself again', async () => {
    const forwards = async (subject: CheckoutSubject, query: string) =>
      (await visit(subject, query)).text.includes('data-forward')
    const ofLink = link({ payin: psePayin() })
    assert.equal(await forwards(ofLink, '?step=go'), true)
    assert.equal(await forwards(ofLink, ''), false)
    assert.equal(await forwards(ofLink, '?step=back'), false)
    const ofApi = link({ kind: 'payin', payin: psePayin() })
    assert.equal(await forwards(ofApi, ''), true)
    assert.equal(await forwards(ofApi, '?step=back'), false)
  })

  it('refreshes without script until the bank is known, and then goes on', async () => {
    const refresh = (text: string) => /<noscript><meta http-equiv="refresh" content="([^"]+)"/.exec(text)?.[1]
    const preparing = link({ payin: psePayin({ status: 'PENDING', bankUrl: null }) })
    assert.equal(refresh((await visit(preparing, '?step=go')).text), '3')
    const url = BANK_URL.replace('&', '&amp;')
    assert.equal(refresh((await visit(link({ payin: psePayin() }), '?step=go')).text), `0;url=${url}`)
    const approved = link({ status: 'COMPLETED', payin: psePayin({ status: 'CONFIRMED', resultAt: NOW }) })
    assert.equal(refresh((await visit(approved)).text), undefined)
  })

  it('that has expired shows no way to pay and warns against paying twice', async () => {
    for (const payin of [brebPayin({ expiresAt: NOW }), psePayin({ expiresAt: NOW - MINUTE_MS })]) {
      const { text } = await visit(link({ payin }))
      assert.match(words(text), /No pagues otra vez/)
      assert.doesNotMatch(text, /data-copy|bank\.example|<svg/)
    }
  })

  it('offers another method only where there is one', async () => {
    const offers = async (subject: CheckoutSubject) => (await visit(subject)).text.includes('/leave"')
    assert.equal(await offers(link({ payin: brebPayin() })), true)
    assert.equal(await offers(link({ rails: ['BRE_B'], payin: brebPayin() })), false)
    assert.equal(await offers(link({ rails: ['PSE'], payin: psePayin() })), true)
    assert.equal(await offers(link({ rails: ['PSE'], fixedBank: 'CO_NEQUI', payin: psePayin() })), false)
    assert.equal(await offers(link({ kind: 'payin', payin: brebPayin() })), false)
  })
})

describe('a page that waits', () => {
  // The payer has nothing to fill in, and what comes next is decided elsewhere.
  const WAITING = /^(breb|preparing|registering|at-bank|confirming|canceled-still-closing)/

  it('is shown with the version that its status has, and is loaded again by itself; every other page is left alone', async () => {
    for (const [name, { subject, step }] of Object.entries(EVERY_STATE)) {
      const { app } = startHarness(subject)
      const { body } = await app.inject(`/pay/${TOKEN}${step === undefined ? '' : `?step=${step}`}`)
      const { version } = (await app.inject(`/pay/${TOKEN}/status`)).json()
      const shown = /<main data-version="([^"]+)"/.exec(body)?.[1]
      const isReloaded = /<noscript><meta http-equiv="refresh" content="\d+"/.test(body)
      assert.deepEqual([shown, isReloaded], WAITING.test(name) ? [version, true] : [undefined, false], name)
    }
  })
})

describe('a final page', () => {
  const back = `href="${CALLBACK_URL.replace('&', '&amp;')}"`

  it('has a way back, exactly as the merchant gave it', async () => {
    for (const [name, { subject, step }] of Object.entries(EVERY_STATE)) {
      if (!/paid|approved|declined|canceled|lapsed|expired|ended|unavailable/.test(name)) continue
      const { text } = await visit(subject, step === undefined ? '' : `?step=${step}`)
      assert.ok(text.includes(back), name)
    }
  })

  it('sends the payer back by itself only where nothing is left to do', async () => {
    const returns = async (name: string) =>
      (await visit((EVERY_STATE[name] as { subject: CheckoutSubject }).subject)).text.includes('data-return')
    for (const name of ['approved-pse', 'approved-breb', 'declined-payin', 'canceled-by-merchant', 'expired'])
      assert.equal(await returns(name), true, name)
    for (const name of ['declined-link', 'canceled', 'lapsed', 'already-paid', 'at-bank'])
      assert.equal(await returns(name), false, name)
  })

  it('has a receipt with the fields that PSE requires', async () => {
    const { text } = await visit((EVERY_STATE['approved-pse'] as { subject: CheckoutSubject }).subject)
    const rows = Object.fromEntries(
      [...text.matchAll(/<dt>([^<]+)<\/dt><dd[^>]*>(.+?)<\/dd>/g)].map(([, name, value]) => [
        name,
        words(value as string).trim(),
      ]),
    )
    assert.deepEqual(rows, {
      Comercio: 'Café La Palma',
      NIT: '900.123.456-8',
      Referencia: 'Pedido 1042',
      Valor: '$ 80.000',
      Estado: 'Aprobada',
      Fecha: '5 de noviembre de 2026, 3:34 p. m.',
      'Medio de pago': 'PSE',
      Banco: 'Bancolombia',
      CUS: '1234567890',
      'Número de transacción': '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90',
      'Contacto del comercio': 'pagos@lapalma.example +57 300 123 4567 WhatsApp',
    })
  })

  it('calls a provider’s own number so, and not a CUS', async () => {
    const paid = { status: 'CONFIRMED', resultAt: NOW } as const
    const subject = link({ payin: psePayin({ ...paid, traceId: 'wompi:1292-1602113476-10985' }) })
    const names = { es: 'Número en Wompi', en: 'Wompi number' }
    for (const [language, name] of Object.entries(names)) {
      const { text } = await visit(subject, `?lang=${language}`)
      assert.ok(text.includes(`<dt>${name}</dt><dd>1292-1602113476-10985</dd>`), name)
      assert.doesNotMatch(text, /CUS/)
    }
  })

  it('says whether money moved', async () => {
    const said = async (payin: CheckoutSubject['payin']) => words((await visit(link({ payin }))).text)
    const ended = { status: 'DECLINED', resultAt: NOW } as const
    assert.match(await said(psePayin({ ...ended, errorCode: 'INSUFFICIENT_FUNDS' })), /No se movió dinero/)
    // A failure after the bank was called may have debited the payer.
    assert.match(await said(psePayin({ ...ended, errorCode: 'RAIL_ERROR' })), /verificar si el débito/)
    const afterwards = psePayin({ ...ended, errorCode: 'BANK_UNAVAILABLE' })
    assert.match(await said(afterwards), /verificar si el débito/)
    const atCreation = psePayin({ ...ended, errorCode: 'BANK_UNAVAILABLE', traceId: null })
    assert.match(await said(atCreation), /No se movió dinero/)
    assert.match(
      await said(brebPayin({ ...ended, errorCode: 'AMOUNT_MISMATCH' })),
      /está a salvo, pero no se aplicó/,
    )
    const late = brebPayin({ ...ended, status: 'CANCELED', errorCode: 'EXPIRED' })
    assert.match(await said(late), /Si pagaste tarde, no pagues otra vez/)
  })

  it('shows the amount paid where another amount was accepted', async () => {
    const payin = brebPayin({ status: 'CONFIRMED', confirmedAmountInCents: 7_950_000n, resultAt: NOW })
    const { text } = await visit(link({ kind: 'payin', status: 'COMPLETED', payin }))
    assert.match(words(text), /recibió tu pago de \$ 79\.500/)
  })

  it('of a link that expired shows no way to pay', async () => {
    for (const subject of [link({ status: 'EXPIRED' }), link({ expiresAt: NOW })]) {
      const { text } = await visit(subject, '?step=retry')
      assert.match(words(text), /Este cobro venció/)
      assert.doesNotMatch(text, /<form|Bre-B|PSE/)
    }
  })

  it('offers another attempt as long as the link is open', async () => {
    const declined = psePayin({ status: 'DECLINED', errorCode: 'BANK_DECLINED', resultAt: NOW })
    const alive = await visit(link({ payin: declined }))
    assert.ok(alive.text.includes(`href="/pay/${TOKEN}?step=retry"`))
    const again = await visit(link({ payin: declined }), '?step=retry')
    assert.match(again.text, /<form/)
    assert.match(words(again.text), /no autorizó el pago[^.]*\.[^.]*\. No se movió dinero/)
    const ofApi = await visit(link({ kind: 'payin', status: 'DECLINED', payin: declined }), '?step=retry')
    assert.doesNotMatch(ofApi.text, /<form/)
  })
})
