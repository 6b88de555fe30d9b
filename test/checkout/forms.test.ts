// What a payer can send, right and wrong, and the result.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CheckoutSubject } from '../../src/checkout/backend.ts'
import { type Harness, startHarness, TOKEN } from './harness.ts'
import {
  AWAY,
  awaitingPayin,
  brebPayin,
  CUSTOMER,
  link,
  NOW,
  PLACETOPAY,
  psePayin,
  TERMS,
  WOMPI,
} from './subjects.ts'

const PAYER = {
  name: '  Ana   María Gómez ',
  idType: 'CO_CC',
  idNumber: '1.000.000.001',
  phone: '300 123-4567',
  email: ' ana@example.com ',
}

function post(harness: Harness, fields: Record<string, string>, below = '') {
  return harness.app.inject({
    method: 'POST',
    url: `/pay/${TOKEN}${below}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  })
}

async function errorsOf(subject: CheckoutSubject, fields: Record<string, string>) {
  const harness = startHarness(subject)
  const { statusCode, body } = await post(harness, fields)
  return {
    harness,
    statusCode,
    body,
    wrong: [...body.matchAll(/id="(\w+)-error"/g)].map(([, field]) => field),
    focused: /id="(\w+)"[^>]* autofocus/.exec(body)?.[1],
  }
}

describe('a form', () => {
  it('begins an attempt by Bre-B without a word about the payer', async () => {
    const harness = startHarness(link())
    const answer = await post(harness, { rail: 'BRE_B' })
    assert.equal(answer.statusCode, 303)
    assert.equal(answer.headers.location, `/pay/${TOKEN}`)
    // What was typed before the payer chose Bre-B is not read, right or wrong.
    await post(harness, { rail: 'BRE_B', bank: '', ...PAYER })
    await post(harness, { rail: 'BRE_B', bank: 'CO_NADIE', ...PAYER, phone: 'x' })
    const choice = { rail: 'BRE_B', bank: null, personType: null, customer: null }
    assert.deepEqual(
      harness.asked,
      Array.from({ length: 3 }, () => ({ call: 'begin', token: TOKEN, choice })),
    )
  })

  it('by Bre-B passes on the customer whom the merchant named', async () => {
    const harness = startHarness(link({ customer: CUSTOMER }))
    await post(harness, { rail: 'BRE_B', ...PAYER, name: 'Otra Persona' })
    assert.deepEqual(harness.asked[0]?.choice?.customer, CUSTOMER)
  })

  it('begins an attempt by PSE with the payer’s input, normalized, and goes on to the bank', async () => {
    const harness = startHarness(link())
    const answer = await post(harness, { rail: 'PSE', bank: 'CO_NEQUI', ...PAYER })
    assert.equal(answer.headers.location, `/pay/${TOKEN}?step=go`)
    assert.deepEqual(harness.asked[0]?.choice, {
      rail: 'PSE',
      bank: 'CO_NEQUI',
      personType: 'INDIVIDUAL',
      customer: CUSTOMER,
    })
  })

  it('reads from the document whether a person or a business pays', async () => {
    const harness = startHarness(link({ rails: ['PSE'] }))
    await post(harness, { bank: 'CO_NEQUI', ...PAYER, idType: 'CO_NIT', idNumber: '900.123.456-8' })
    assert.equal(harness.asked[0]?.choice?.personType, 'BUSINESS')
    assert.equal(harness.asked[0]?.choice?.customer?.idNumber, '900123456-8')
  })

  it('uses the bank and the customer that the merchant fixed, whatever is sent', async () => {
    const harness = startHarness(link({ rails: ['PSE'], fixedBank: 'CO_NEQUI', customer: CUSTOMER }))
    await post(harness, { bank: 'CO_BANCOLOMBIA', ...PAYER, name: 'Otra Persona' })
    assert.deepEqual(harness.asked[0]?.choice, {
      rail: 'PSE',
      bank: 'CO_NEQUI',
      personType: 'INDIVIDUAL',
      customer: CUSTOMER,
    })
  })

  it('accepts the aliases of a bank and leaves them as the merchant wrote them', async () => {
    const harness = startHarness(link({ rails: ['PSE'], fixedBank: 'CO_COLPATRIA', customer: CUSTOMER }))
    await post(harness, {})
    assert.equal(harness.asked[0]?.choice?.bank, 'CO_COLPATRIA')
  })

  it('with every field wrong shows every error at once, focuses the first and keeps the input', async () => {
    const typed = {
      rail: 'PSE',
      bank: 'CO_NADIE',
      name: 'Ana\u0000',
      idType: 'DNI',
      idNumber: '12 34 <b>',
      phone: '12345',
      email: 'ana@',
    }
    const { harness, statusCode, body, wrong, focused } = await errorsOf(link(), typed)
    assert.equal(statusCode, 422)
    assert.deepEqual(wrong, ['bank', 'name', 'idType', 'idNumber', 'phone', 'email'])
    assert.equal(focused, 'bank')
    assert.equal(body.match(/autofocus/g)?.length, 1)
    assert.match(body, /Faltan o están mal 6 datos/)
    for (const field of wrong) assert.ok(body.includes(`<li><a href="#${field}">`), field)
    assert.match(body, /value="PSE" checked/)
    assert.doesNotMatch(body, /value="BRE_B" checked/, 'one way is chosen')
    assert.ok(body.includes('value="12 34 &lt;b&gt;"') && body.includes('value="12345"'))
    assert.deepEqual(harness.asked, [])
  })

  it('without any field asks for all of them, and without a method for that alone', async () => {
    const all = await errorsOf(link(), { rail: 'PSE' })
    assert.deepEqual(all.wrong, ['bank', 'name', 'idType', 'idNumber', 'phone', 'email'])
    const { wrong, body, statusCode } = await errorsOf(link(), {})
    assert.deepEqual([statusCode, wrong], [422, []])
    assert.match(body, /Falta o está mal un dato[\s\S]*Elige cómo quieres pagar/)
  })

  const cases: { field: keyof typeof PAYER; typed: string; fits: boolean; as?: string; idType?: string }[] = [
    { field: 'phone', typed: '+57 300 123 4567', fits: true, as: '+573001234567' },
    { field: 'phone', typed: '(601) 234 5678', fits: true, as: '+576012345678' },
    { field: 'phone', typed: '+1 415 555 2671', fits: true, as: '+14155552671' },
    { field: 'phone', typed: '+57', fits: false },
    { field: 'phone', typed: 'tres cero cero', fits: false },
    { field: 'idNumber', typed: '12', fits: false },
    { field: 'idNumber', typed: '10000000012', fits: false },
    { field: 'idNumber', typed: 'ABC12345', fits: false },
    { field: 'idNumber', typed: 'ab-123456', idType: 'PASSPORT', fits: true, as: 'ab-123456' },
    { field: 'idNumber', typed: '900123456-1', idType: 'CO_NIT', fits: false },
    { field: 'idNumber', typed: '900123456', idType: 'CO_NIT', fits: true, as: '900123456' },
    { field: 'name', typed: 'x'.repeat(120), fits: true, as: 'x'.repeat(120) },
    { field: 'name', typed: 'x'.repeat(121), fits: false },
    { field: 'name', typed: 'Ana \u202eanA', fits: false },
    { field: 'name', typed: '   ', fits: false },
    { field: 'name', typed: '<b>Ana</b>', fits: false },
    { field: 'name', typed: 'Ana ana@example.com', fits: false },
    {
      field: 'name',
      typed: 'D’Ávila-Peña & Cía. (Cali) 3M',
      fits: true,
      as: 'D’Ávila-Peña & Cía. (Cali) 3M',
    },
    { field: 'email', typed: 'ana@localhost', fits: false },
    {
      field: 'email',
      typed: `${'a'.repeat(64)}@example.com`,
      fits: true,
      as: `${'a'.repeat(64)}@example.com`,
    },
    { field: 'email', typed: `${'a'.repeat(65)}@example.com`, fits: false },
  ]
  for (const { field, typed, fits, as, idType = 'CO_CC' } of cases)
    it(`${fits ? 'takes' : 'refuses'} the ${field} ${JSON.stringify(typed.slice(0, 30))} (${idType})`, async () => {
      const { harness, wrong } = await errorsOf(link({ rails: ['PSE'] }), {
        ...PAYER,
        bank: 'CO_NEQUI',
        idType,
        [field]: typed,
      })
      assert.deepEqual(wrong, fits ? [] : [field])
      assert.equal(harness.asked[0]?.choice?.customer?.[field], as)
    })

  it('with a bank that is not enabled comes back with that error and all the input', async () => {
    const harness = startHarness(link())
    harness.answers.begin = () => 'bank-not-enabled'
    const { statusCode, body } = await post(harness, { rail: 'PSE', bank: 'CO_NEQUI', ...PAYER })
    assert.equal(statusCode, 422)
    assert.match(body, /id="bank-error">Ese banco no está disponible/)
    assert.match(body, /value="CO_NEQUI" selected/)
    assert.match(body, /value="300 123-4567"/)
  })

  it('with a fixed bank that is not enabled says so, and that no money moved', async () => {
    const harness = startHarness(link({ rails: ['PSE'], fixedBank: 'CO_NEQUI', customer: CUSTOMER }))
    harness.answers.begin = () => 'bank-not-enabled'
    const { body } = await post(harness, {})
    assert.match(body, /role="alert">Nequi no está disponible en este momento. No se movió dinero/)
  })

  it('sent twice leads to the same page twice', async () => {
    const harness = startHarness(link({ customer: CUSTOMER }))
    const fields = { rail: 'BRE_B' }
    const both = await Promise.all([post(harness, fields), post(harness, fields)])
    harness.become(link({ customer: CUSTOMER, payin: brebPayin() }))
    for (const { statusCode, headers } of [...both, await post(harness, fields)]) {
      assert.equal(statusCode, 303)
      assert.equal(headers.location, `/pay/${TOKEN}`)
    }
    // The third came when the attempt was open: nothing was begun again.
    assert.equal(harness.asked.length, 2)
  })

  it('from an old tab begins nothing: the page shows the current state', async () => {
    const confirmed = brebPayin({ status: 'CONFIRMED', resultAt: NOW })
    for (const subject of [
      link({ status: 'COMPLETED', payin: confirmed }),
      link({ status: 'EXPIRED' }),
      link({ payin: brebPayin() }),
      link({ kind: 'payin', status: 'DECLINED', payin: psePayin({ status: 'DECLINED' }) }),
    ]) {
      const harness = startHarness(subject)
      const answer = await post(harness, { rail: 'BRE_B', ...PAYER })
      assert.equal(answer.statusCode, 303)
      assert.deepEqual(harness.asked, [])
    }
  })

  it('after a failed attempt begins another', async () => {
    const harness = startHarness(
      link({ payin: psePayin({ status: 'DECLINED', errorCode: 'BANK_DECLINED' }) }),
    )
    await post(harness, { rail: 'BRE_B', ...PAYER })
    assert.equal(harness.asked[0]?.call, 'begin')
  })

  it('gives an API payin the customer it lacks', async () => {
    const payin = psePayin({ status: 'PENDING', bankUrl: null })
    const subject = link({
      kind: 'payin',
      rails: ['PSE'],
      fixedBank: 'CO_NEQUI',
      personType: 'INDIVIDUAL',
      payin,
    })
    const harness = startHarness(subject)
    await post(harness, PAYER)
    assert.deepEqual(harness.asked[0]?.choice?.customer, CUSTOMER)
    const business = await errorsOf(subject, { ...PAYER, idType: 'CO_NIT', idNumber: '900123456' })
    assert.deepEqual(business.wrong, ['idType'])
  })

  it('keeps the language that the payer chose', async () => {
    const harness = startHarness(link({ customer: CUSTOMER }))
    const answer = await post(harness, { rail: 'PSE', bank: 'CO_NEQUI' }, '?lang=en')
    assert.equal(answer.headers.location, `/pay/${TOKEN}?step=go&lang=en`)
  })
})

describe('a form with the terms of a provider', () => {
  it('begins only with the digest of those that it shows', async () => {
    const harness = startHarness(awaitingPayin())
    for (const [terms, error] of [
      [undefined, 'Marca la casilla'],
      ['', 'Los términos cambiaron'],
      [`${TERMS.digest.slice(1)}x`, 'Los términos cambiaron'],
    ] as const) {
      const { statusCode, body } = await post(harness, terms === undefined ? {} : { terms })
      assert.equal(statusCode, 422)
      assert.ok(body.includes(`id="terms-error">${error}`), error)
      assert.doesNotMatch(body, / checked/)
    }
    assert.equal(harness.asked.length, 0)
    assert.equal((await post(harness, { terms: TERMS.digest })).headers.location, `/pay/${TOKEN}?step=go`)
    assert.deepEqual(harness.asked[0]?.choice?.terms, TERMS.digest)
  })

  it('says from which browser it came', async () => {
    const clientOf = () => '2001:db8::7'
    const harness = startHarness(awaitingPayin({ pse: PLACETOPAY }), { clientOf })
    await harness.app.inject({
      method: 'POST',
      url: `/pay/${TOKEN}`,
      headers: { 'user-agent': ' Mozilla\u0007/5.0 ' },
    })
    await harness.app.inject({ method: 'POST', url: `/pay/${TOKEN}`, headers: { 'user-agent': '' } })
    assert.deepEqual(harness.devices, [
      { ipAddress: '2001:db8::7', userAgent: 'Mozilla/5.0' },
      { ipAddress: '2001:db8::7', userAgent: '' },
    ])
  })

  it('shows what has changed since it was read: the terms, and that they cannot be had', async () => {
    const harness = startHarness(awaitingPayin())
    harness.answers.begin = () => 'terms-changed'
    const changed = await post(harness, { terms: TERMS.digest })
    assert.equal(changed.statusCode, 422)
    assert.match(changed.body, /id="terms-error">Los términos cambiaron/)
    harness.answers.begin = () => {
      harness.become(awaitingPayin({ pse: AWAY }))
      return 'terms-away'
    }
    const away = await post(harness, { terms: TERMS.digest })
    assert.deepEqual([away.statusCode, away.headers['retry-after']], [503, '5'])
    assert.match(away.body, /La conexión con los bancos no está disponible/)
  })

  it('does not ask for them, nor for its provider’s banks, where the payer chose Bre-B', async () => {
    const harness = startHarness(link({ pse: WOMPI }))
    assert.equal((await post(harness, { rail: 'BRE_B' })).statusCode, 303)
    const pse = await post(harness, { rail: 'PSE', bank: 'CO_NEQUI', ...PAYER, terms: TERMS.digest })
    assert.equal(pse.statusCode, 422)
    assert.match(pse.body, /id="bank-error">Ese banco no está disponible/)
  })

  it('whose rail is gone says so, whichever rail is left', async () => {
    for (const [left, chosen] of [
      ['BRE_B', 'PSE'],
      ['PSE', 'BRE_B'],
    ] as const) {
      const harness = startHarness(link({ rails: [left], customer: CUSTOMER }))
      const { statusCode, body } = await post(harness, { rail: chosen, bank: 'CO_NEQUI' })
      assert.equal(statusCode, 422)
      assert.match(body, /role="alert">Ese medio de pago no está disponible/)
      assert.deepEqual(harness.asked, [])
    }
  })
})

describe('a link by Bre-B alone', () => {
  const opened = async (changes: Partial<CheckoutSubject>, actionWait?: () => number) => {
    const harness = startHarness(link({ rails: ['BRE_B'], ...changes }), actionWait ? { actionWait } : {})
    harness.answers.begin = () => {
      harness.become(link({ rails: ['BRE_B'], payin: brebPayin() }))
      return 'begun'
    }
    const { statusCode, body } = await harness.app.inject({
      url: `/pay/${TOKEN}`,
      headers: { 'sec-fetch-dest': 'document' },
    })
    return { statusCode, hasKey: body.includes('data-copy="@'), asked: harness.asked }
  }

  it('shows its key to the payer who opens it, in one answer', async () => {
    const { statusCode, hasKey, asked } = await opened({})
    assert.deepEqual([statusCode, hasKey], [200, true])
    const choice = { rail: 'BRE_B', bank: null, personType: null, customer: null }
    assert.deepEqual(asked, [{ call: 'begin', token: TOKEN, choice }])
  })

  it('begins nothing for whoever acts too often, who gets the button', async () => {
    const { statusCode, hasKey, asked } = await opened({}, () => 5)
    assert.deepEqual([statusCode, hasKey, asked], [200, false, []])
  })

  it('begins nothing by itself after an attempt, at its end, or where there is a choice', async () => {
    const failed = { status: 'CANCELED', errorCode: 'EXPIRED', resultAt: NOW } as const
    for (const changes of [
      { payin: brebPayin(failed) },
      { payin: brebPayin() },
      { status: 'EXPIRED' },
      { expiresAt: NOW },
      { rails: ['BRE_B', 'PSE'] },
      { rails: ['PSE'], customer: CUSTOMER, fixedBank: 'CO_NEQUI' },
      { rails: [] },
    ] as const)
      assert.deepEqual((await opened(changes)).asked, [], JSON.stringify(Object.keys(changes)))
  })
})

describe('the buttons of an open attempt', () => {
  it('“ya pagué” queries the network and comes back to the page', async () => {
    const harness = startHarness(link({ payin: brebPayin() }))
    const answer = await post(harness, {}, '/recheck')
    assert.equal(answer.statusCode, 303)
    assert.equal(answer.headers.location, `/pay/${TOKEN}?step=checked`)
    assert.deepEqual(harness.asked, [{ call: 'recheck', token: TOKEN }])
    const { body } = await harness.app.inject(`/pay/${TOKEN}?step=checked`)
    assert.match(body, /Aún no vemos tu pago/)
  })

  it('also work without a body', async () => {
    const harness = startHarness(link({ payin: brebPayin() }))
    const { statusCode } = await harness.app.inject({ method: 'POST', url: `/pay/${TOKEN}/recheck` })
    assert.equal(statusCode, 303)
  })

  it('a form that comes while the last attempt may still be paid is told that it is too late', async () => {
    const harness = startHarness(link())
    harness.answers.begin = () => 'too-late'
    assert.equal(
      (await post(harness, { ...PAYER, rail: 'BRE_B' })).headers.location,
      `/pay/${TOKEN}?step=late`,
    )
  })

  it('“another way” leads to the form, or says that it is too late', async () => {
    const harness = startHarness(link({ payin: psePayin() }))
    assert.equal((await post(harness, {}, '/leave')).headers.location, `/pay/${TOKEN}?step=retry`)
    harness.answers.leave = () => 'too-late'
    assert.equal((await post(harness, {}, '/leave')).headers.location, `/pay/${TOKEN}?step=late`)
    const { body } = await harness.app.inject(`/pay/${TOKEN}?step=late`)
    assert.match(body, /sigue en curso/)
  })
})

describe('the return from the bank', () => {
  it('trusts nothing in the address', async () => {
    const harness = startHarness(link({ payin: psePayin() }))
    const tampered = '?state=OK&status=CONFIRMED&step=go&amount=1&url=https://evil.example'
    const { statusCode, headers } = await harness.app.inject(`/pay/${TOKEN}/return${tampered}`)
    assert.equal(statusCode, 303)
    assert.equal(headers.location, `/pay/${TOKEN}?step=back`)
    const { body } = await harness.app.inject(`/pay/${TOKEN}?step=back`)
    assert.match(body, /Tu banco está confirmando el pago/)
    assert.deepEqual(harness.asked, [])
  })
})
