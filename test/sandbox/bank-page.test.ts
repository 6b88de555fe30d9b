// The simulated bank: pages without script, on which whoever signs in decides.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CAUSE_CODES } from '../../src/rails/pse/wire.ts'
import { DELAY_MS, type Harness, session, startHarness } from './harness.ts'

const LIFE_MS = 15 * 60_000
const GIVEN_UP_MS = LIFE_MS + 10 * 60_000
const SIGN_IN = { step: 'sign-in', user: 'quien sea', password: 'lo que sea' }
const AT_LAST = { step: 'decision', user: 'quien sea', account: '4821' }
const BACK = 'http://127.0.0.1:4000/pse/back?a=1&b=2'

type Page = { status: number; headers: Headers; text: string }

async function opened(stage: Harness, changes: object = {}) {
  const { json } = await stage.pse('PUT', '/sessions/P1', session(null, { returnUrl: BACK, ...changes }))
  return { bankUrl: json.bankUrl as string, cus: json.cus as string }
}

async function look(bankUrl: string): Promise<Page> {
  const response = await fetch(bankUrl)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

async function press(bankUrl: string, fields: Record<string, string>): Promise<Page> {
  const body = new URLSearchParams(fields)
  const response = await fetch(bankUrl, { method: 'POST', body, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const decide = (bankUrl: string, decision: string, more: Record<string, string> = {}) =>
  press(bankUrl, { ...AT_LAST, decision, ...more })

async function standing(stage: Harness): Promise<[string, string | null]> {
  const { json } = await stage.pse('GET', '/sessions/P1')
  return [json.status, json.causeCode]
}

describe('the bank’s page', () => {
  it('says what is paid and that it is no bank, and escapes what it shows', async () => {
    await using stage = await startHarness()
    const { bankUrl, cus } = await opened(stage, { description: 'Pago a <b>"Ana"</b>' })
    const { status, text } = await look(bankUrl)
    assert.equal(status, 200)
    assert.match(text, /Banco de Pruebas: no es un banco real/)
    assert.match(text, /Simulación/)
    assert.match(text, /<dd>\$\s80\.000<\/dd>/)
    assert.ok(text.includes(cus))
    assert.ok(text.includes('Pago a &lt;b&gt;&quot;Ana&quot;'))
    assert.ok(!text.includes('"Ana"') && !text.includes('<script'))
    const echoed = await press(bankUrl, { ...SIGN_IN, user: '<i>yo</i>' })
    assert.ok(echoed.text.includes('&lt;i&gt;yo') && !echoed.text.includes('<i>'))
  })

  it('is never a real bank’s, whichever was chosen', async () => {
    await using stage = await startHarness()
    const { bankUrl } = await opened(stage, { bank: 'CO_BANCOLOMBIA', achCode: '1007' })
    const { text } = await look(bankUrl)
    assert.match(text, /<h1>Entra al Banco de Pruebas<\/h1>/)
    assert.match(text, /Elegiste Bancolombia: en esta simulación/)
  })

  it('lets nothing in, is not kept, not indexed, and sets no cookie', async () => {
    await using stage = await startHarness()
    const { bankUrl } = await opened(stage)
    const everyPage = [
      await look(bankUrl),
      await press(bankUrl, SIGN_IN),
      await decide(bankUrl, 'leave'),
      await look(`${stage.sandbox.url}/bank/AAAA`),
      await look(stage.sandbox.appUrl),
    ]
    for (const { headers } of everyPage) {
      const policy = headers.get('content-security-policy') ?? ''
      assert.match(policy, /^default-src 'none'; style-src 'sha256-[\w+/]+='; /)
      assert.match(policy, /form-action 'self';.*frame-ancestors 'none'/)
      assert.doesNotMatch(policy, /unsafe|script-src|http/)
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.equal(headers.get('referrer-policy'), 'no-referrer')
      assert.match(headers.get('x-robots-tag') ?? '', /noindex/)
      assert.equal(headers.get('set-cookie'), null)
    }
  })

  it('that is only looked at changes nothing: the timer decides', async () => {
    await using stage = await startHarness()
    const { bankUrl } = await opened(stage)
    await look(bankUrl)
    assert.deepEqual(await standing(stage), ['CREATED', null])
    await stage.sandbox.advance(DELAY_MS)
    assert.deepEqual(await standing(stage), ['OK', null])
    assert.match((await look(bankUrl)).text, /la simulación decidió sola/)
  })

  it('once signed in to keeps the timer away', async () => {
    await using stage = await startHarness()
    const { bankUrl } = await opened(stage)
    const accounts = await press(bankUrl, SIGN_IN)
    assert.equal(accounts.status, 200)
    assert.match(accounts.text, /Hola, quien sea/)
    await stage.sandbox.advance(DELAY_MS)
    assert.deepEqual(await standing(stage), ['PENDING', null])
    assert.deepEqual(stage.listener.heard, [])
  })

  it('leads from step to step by what its forms carry', async () => {
    await using stage = await startHarness()
    const { bankUrl } = await opened(stage)
    const accounts = await press(bankUrl, fieldsOf((await look(bankUrl)).text))
    assert.equal([...accounts.text.matchAll(/type="radio"/g)].length, 2)
    const decision = await press(bankUrl, { ...fieldsOf(accounts.text), account: '9036' })
    assert.match(decision.text, /Cuenta corriente terminada en 9036/)
    const outcome = await press(bankUrl, { ...fieldsOf(decision.text), decision: 'approve' })
    assert.match(outcome.text, /<h1>Pago aprobado<\/h1>/)
  })

  it('says at once what is missing, and keeps what was typed', async () => {
    await using stage = await startHarness()
    const { bankUrl } = await opened(stage)
    const noPassword = await press(bankUrl, { ...SIGN_IN, password: ' ' })
    assert.equal(noPassword.status, 422)
    assert.match(noPassword.text, /<title>Error: /)
    assert.match(noPassword.text, /Escribe una clave/)
    assert.match(noPassword.text, /name="user" value="quien sea"/)
    const noUser = await press(bankUrl, { ...SIGN_IN, user: '' })
    assert.match(noUser.text, /Escribe un usuario/)
    assert.match(noUser.text, /name="password" value="lo que sea"/)
    const noAccount = await press(bankUrl, { ...AT_LAST, step: 'account', account: '' })
    assert.equal(noAccount.status, 422)
    assert.match(noAccount.text, /Elige una de las dos cuentas/)
    assert.match(noAccount.text, /name="user" value="quien sea"/)
    const noCause = await decide(bankUrl, 'decline', { cause: '99999' })
    assert.equal(noCause.status, 422)
    assert.match(noCause.text, /Elige una causa/)
    assert.match(noCause.text, /name="account" value="4821"/)
    assert.deepEqual(await standing(stage), ['PENDING', null])
  })
})

describe('a decision at the bank', () => {
  const decisions = [
    { decision: 'approve', title: 'Pago aprobado', standing: ['OK', null], types: ['session.ok'] },
    {
      decision: 'cancel',
      title: 'Pago cancelado',
      standing: ['NOT_AUTHORIZED', '00001'],
      types: ['session.not_authorized'],
    },
    { decision: 'leave', title: 'El pago quedó abierto', standing: ['PENDING', null], types: [] },
    { decision: 'approve-late', title: 'El dinero llegará tarde', standing: ['PENDING', null], types: [] },
  ]
  for (const { decision, title, standing: expected, types } of decisions)
    it(`to ${decision} is shown, with a link back to the merchant`, async () => {
      await using stage = await startHarness()
      const { bankUrl } = await opened(stage)
      const { status, text, headers } = await decide(bankUrl, decision)
      assert.equal(status, 200)
      assert.equal(headers.get('location'), null)
      assert.match(text, new RegExp(`<h1>${title}</h1>`))
      assert.ok(text.includes(`href="${BACK.replace('&', '&amp;')}"`))
      assert.deepEqual(await standing(stage), expected)
      await stage.sandbox.advance(DELAY_MS)
      assert.deepEqual(stage.types('P1'), types)
    })

  for (const cause of Object.keys(CAUSE_CODES))
    it(`to decline for ${cause} is told with that cause`, async () => {
      await using stage = await startHarness()
      const { bankUrl } = await opened(stage)
      const choices = await press(bankUrl, { ...AT_LAST, step: 'account' })
      assert.ok(choices.text.includes(`<option value="${cause}"`))
      const { text } = await decide(bankUrl, 'decline', { cause })
      assert.match(text, /<h1>Pago rechazado<\/h1>\s*<p>No se movió dinero simulado.<\/p><p>Causa: \p{L}/u)
      assert.deepEqual(await standing(stage), ['NOT_AUTHORIZED', cause])
      await stage.sandbox.advance(0)
      assert.equal(stage.listener.heard[0]?.notice.causeCode, cause)
      assert.deepEqual(stage.sandbox.log(), [])
    })

  it('is made once: a second press changes nothing, and the page says so', async () => {
    await using stage = await startHarness()
    const { bankUrl } = await opened(stage)
    await decide(bankUrl, 'approve')
    for (const decision of ['cancel', 'approve', 'approve-late'])
      assert.match((await decide(bankUrl, decision)).text, /ya fue aprobado/)
    assert.deepEqual(await standing(stage), ['OK', null])
    assert.ok(!(await look(bankUrl)).text.includes('<form'))
    assert.equal(stage.sandbox.log().length, 1)
  })

  it('that was left open can still be made', async () => {
    await using stage = await startHarness()
    const { bankUrl } = await opened(stage)
    await decide(bankUrl, 'leave')
    await stage.sandbox.advance(LIFE_MS)
    await decide(bankUrl, 'approve')
    assert.deepEqual(await standing(stage), ['OK', null])
  })
})

describe('money after the end', () => {
  it('comes when PSE has given up on the session, if the payer chose so', async () => {
    await using stage = await startHarness()
    const { bankUrl } = await opened(stage)
    await decide(bankUrl, 'approve-late')
    await stage.sandbox.advance(GIVEN_UP_MS)
    assert.deepEqual(await standing(stage), ['NOT_AUTHORIZED', '00014'])
    assert.deepEqual(stage.sandbox.log(), [])
    await stage.sandbox.advance(60_000)
    assert.deepEqual(await standing(stage), ['OK', null])
    assert.deepEqual(stage.types('P1'), ['session.not_authorized', 'session.ok'])
  })

  it('comes once, though the payer said it twice or changed their mind', async () => {
    await using stage = await startHarness()
    const { bankUrl } = await opened(stage)
    await decide(bankUrl, 'approve-late')
    await decide(bankUrl, 'approve-late')
    await decide(bankUrl, 'approve')
    await stage.sandbox.advance(2 * GIVEN_UP_MS)
    assert.deepEqual(stage.types('P1'), ['session.ok'])
    assert.equal(stage.sandbox.log().length, 1)
  })

  it('can be sent at once for a session that is over, and only once', async () => {
    await using stage = await startHarness()
    const { bankUrl } = await opened(stage)
    await stage.pse('DELETE', '/sessions/P1')
    assert.match((await look(bankUrl)).text, /Aprobar de todos modos/)
    assert.match((await press(bankUrl, { decision: 'approve-late' })).text, /Dinero tardío enviado/)
    assert.match((await press(bankUrl, { decision: 'approve-late' })).text, /ya fue aprobado/)
    assert.deepEqual(await standing(stage), ['OK', null])
    assert.equal(stage.sandbox.log().length, 1)
  })
})

describe('the bank’s address', () => {
  it('is nowhere for a token that nobody was given', async () => {
    await using stage = await startHarness()
    assert.equal((await fetch(`${stage.sandbox.url}/bank/AAAA`)).status, 404)
    assert.equal((await fetch(`${stage.sandbox.url}/bank`)).status, 404)
  })

  it('is where browsers reach it', async () => {
    await using stage = await startHarness({ publicUrl: 'https://pay.example/sandbox/' })
    const { json } = await stage.pse('PUT', '/sessions/P1', session())
    assert.match(json.bankUrl, /^https:\/\/pay\.example\/sandbox\/bank\/[\w-]{32}$/)
    assert.equal(stage.sandbox.appUrl, 'https://pay.example/sandbox/app')
  })
})

/** What a form would send as it stands, but for radios and buttons. */
function fieldsOf(text: string): Record<string, string> {
  const fields = text.matchAll(/<input (?:type="hidden"|id="\w+") name="(\w+)" value="([^"]*)"/g)
  return Object.fromEntries([...fields].map(([, name, value]) => [name, value]))
}
