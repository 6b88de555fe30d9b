// The simulated bank: pages without script on which whoever signs in decides.

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

async function opened(harness: Harness, changes: object = {}) {
  const { json } = await harness.pse('PUT', '/sessions/P1', session(null, { returnUrl: BACK, ...changes }))
  return { bankUrl: json.bankUrl as string, cus: json.cus as string }
}

async function visit(bankUrl: string): Promise<Page> {
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

async function sessionStatus(harness: Harness): Promise<[string, string | null]> {
  const { json } = await harness.pse('GET', '/sessions/P1')
  return [json.status, json.causeCode]
}

describe('the bank’s page', () => {
  it('says what is being paid and that it is no bank, and escapes what it shows', async () => {
    await using harness = await startHarness()
    const { bankUrl, cus } = await opened(harness, { description: 'Pago a <b>"Ana"</b>' })
    const { status, text } = await visit(bankUrl)
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
    await using harness = await startHarness()
    const { bankUrl } = await opened(harness, { bank: 'CO_BANCOLOMBIA', achCode: '1007' })
    const { text } = await visit(bankUrl)
    assert.match(text, /<h1>Entra al Banco de Pruebas<\/h1>/)
    assert.match(text, /Elegiste Bancolombia: en esta simulación/)
    assert.match(text, /desde que abriste esta página, la simulación espera/, 'its timer stands back')
  })

  it('allows no outside content, is neither cached nor indexed, and sets no cookie', async () => {
    await using harness = await startHarness()
    const { bankUrl } = await opened(harness)
    const everyPage = [
      await visit(bankUrl),
      await press(bankUrl, SIGN_IN),
      await decide(bankUrl, 'leave'),
      await visit(`${harness.sandbox.url}/bank/AAAA`),
      await visit(harness.sandbox.appUrl),
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

  it('that nobody opens leaves the timer to decide', async () => {
    await using harness = await startHarness()
    const { bankUrl } = await opened(harness)
    await fetch(bankUrl, { method: 'HEAD' })
    assert.deepEqual(await sessionStatus(harness), ['CREATED', null])
    await harness.sandbox.advance(DELAY_MS)
    assert.deepEqual(await sessionStatus(harness), ['OK', null])
    assert.match((await visit(bankUrl)).text, /la simulación decidió sola/)
  })

  it('stops the timer as soon as it is opened', async () => {
    await using harness = await startHarness()
    const { bankUrl } = await opened(harness)
    await visit(bankUrl)
    assert.deepEqual(await sessionStatus(harness), ['PENDING', null])
    await harness.sandbox.advance(DELAY_MS)
    assert.deepEqual(await sessionStatus(harness), ['PENDING', null])
    assert.deepEqual(harness.listener.received, [])
  })

  it('once signed in to stops the timer', async () => {
    await using harness = await startHarness()
    const { bankUrl } = await opened(harness)
    const accounts = await press(bankUrl, SIGN_IN)
    assert.equal(accounts.status, 200)
    assert.match(accounts.text, /Hola, quien sea/)
    await harness.sandbox.advance(DELAY_MS)
    assert.deepEqual(await sessionStatus(harness), ['PENDING', null])
    assert.deepEqual(harness.listener.received, [])
  })

  it('leads from step to step by its form fields', async () => {
    await using harness = await startHarness()
    const { bankUrl } = await opened(harness)
    const accounts = await press(bankUrl, fieldsOf((await visit(bankUrl)).text))
    assert.equal([...accounts.text.matchAll(/type="radio"/g)].length, 2)
    const decision = await press(bankUrl, { ...fieldsOf(accounts.text), account: '9036' })
    assert.match(decision.text, /Cuenta corriente terminada en 9036/)
    const outcome = await press(bankUrl, { ...fieldsOf(decision.text), decision: 'approve' })
    assert.match(outcome.text, /<h1>Pago aprobado<\/h1>/)
  })

  it('says at once what is missing, and keeps what was typed', async () => {
    await using harness = await startHarness()
    const { bankUrl } = await opened(harness)
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
    assert.deepEqual(await sessionStatus(harness), ['PENDING', null])
  })
})

describe('a decision at the bank', () => {
  const decisions = [
    { decision: 'approve', title: 'Pago aprobado', expected: ['OK', null], types: ['session.ok'] },
    {
      decision: 'cancel',
      title: 'Pago cancelado',
      expected: ['NOT_AUTHORIZED', '00001'],
      types: ['session.not_authorized'],
    },
    { decision: 'leave', title: 'El pago quedó abierto', expected: ['PENDING', null], types: [] },
    { decision: 'approve-late', title: 'El dinero llegará tarde', expected: ['PENDING', null], types: [] },
  ]
  for (const { decision, title, expected, types } of decisions)
    it(`to ${decision} is shown, with a link back to the merchant`, async () => {
      await using harness = await startHarness()
      const { bankUrl } = await opened(harness)
      const { status, text, headers } = await decide(bankUrl, decision)
      assert.equal(status, 200)
      assert.equal(headers.get('location'), null)
      assert.match(text, new RegExp(`<h1>${title}</h1>`))
      assert.ok(text.includes(`href="${BACK.replace('&', '&amp;')}"`))
      assert.deepEqual(await sessionStatus(harness), expected)
      await harness.sandbox.advance(DELAY_MS)
      assert.deepEqual(harness.types('P1'), types)
    })

  for (const cause of Object.keys(CAUSE_CODES))
    it(`to decline for ${cause} is notified with that cause`, async () => {
      await using harness = await startHarness()
      const { bankUrl } = await opened(harness)
      const choices = await press(bankUrl, { ...AT_LAST, step: 'account' })
      assert.ok(choices.text.includes(`<option value="${cause}"`))
      const { text } = await decide(bankUrl, 'decline', { cause })
      assert.match(text, /<h1>Pago rechazado<\/h1>\s*<p>No se movió dinero simulado.<\/p><p>Causa: \p{L}/u)
      assert.deepEqual(await sessionStatus(harness), ['NOT_AUTHORIZED', cause])
      await harness.sandbox.advance(0)
      assert.equal(harness.listener.received[0]?.notice.causeCode, cause)
      assert.deepEqual(harness.sandbox.log(), [])
    })

  it('is made once: a second press changes nothing, and the page says so', async () => {
    await using harness = await startHarness()
    const { bankUrl } = await opened(harness)
    await decide(bankUrl, 'approve')
    for (const decision of ['cancel', 'approve', 'approve-late'])
      assert.match((await decide(bankUrl, decision)).text, /ya fue aprobado/)
    assert.deepEqual(await sessionStatus(harness), ['OK', null])
    assert.ok(!(await visit(bankUrl)).text.includes('<form'))
    assert.equal(harness.sandbox.log().length, 1)
  })

  it('that was left open can still be made', async () => {
    await using harness = await startHarness()
    const { bankUrl } = await opened(harness)
    await decide(bankUrl, 'leave')
    await harness.sandbox.advance(LIFE_MS)
    await decide(bankUrl, 'approve')
    assert.deepEqual(await sessionStatus(harness), ['OK', null])
  })
})

describe('money after the end', () => {
  it('comes after PSE has given up on the session, if the payer chose so', async () => {
    await using harness = await startHarness()
    const { bankUrl } = await opened(harness)
    await decide(bankUrl, 'approve-late')
    await harness.sandbox.advance(GIVEN_UP_MS)
    assert.deepEqual(await sessionStatus(harness), ['NOT_AUTHORIZED', '00014'])
    assert.deepEqual(harness.sandbox.log(), [])
    await harness.sandbox.advance(60_000)
    assert.deepEqual(await sessionStatus(harness), ['OK', null])
    assert.deepEqual(harness.types('P1'), ['session.not_authorized', 'session.ok'])
  })

  it('comes once, even if the payer sent it twice or changed their mind', async () => {
    await using harness = await startHarness()
    const { bankUrl } = await opened(harness)
    await decide(bankUrl, 'approve-late')
    await decide(bankUrl, 'approve-late')
    await decide(bankUrl, 'approve')
    await harness.sandbox.advance(2 * GIVEN_UP_MS)
    assert.deepEqual(harness.types('P1'), ['session.ok'])
    assert.equal(harness.sandbox.log().length, 1)
  })

  it('can be sent at once for a session that is over, and only once', async () => {
    await using harness = await startHarness()
    const { bankUrl } = await opened(harness)
    await harness.pse('DELETE', '/sessions/P1')
    assert.match((await visit(bankUrl)).text, /Aprobar de todos modos/)
    assert.match((await press(bankUrl, { decision: 'approve-late' })).text, /Dinero tardío enviado/)
    assert.match((await press(bankUrl, { decision: 'approve-late' })).text, /ya fue aprobado/)
    assert.deepEqual(await sessionStatus(harness), ['OK', null])
    assert.equal(harness.sandbox.log().length, 1)
  })
})

describe('the bank’s address', () => {
  it('does not exist for an unknown token', async () => {
    await using harness = await startHarness()
    assert.equal((await fetch(`${harness.sandbox.url}/bank/AAAA`)).status, 404)
    assert.equal((await fetch(`${harness.sandbox.url}/bank`)).status, 404)
  })

  it('is the one that browsers can reach', async () => {
    await using harness = await startHarness({ publicUrl: 'https://pay.example/sandbox/' })
    const { json } = await harness.pse('PUT', '/sessions/P1', session())
    assert.match(json.bankUrl, /^https:\/\/pay\.example\/sandbox\/bank\/[\w-]{32}$/)
    assert.equal(harness.sandbox.appUrl, 'https://pay.example/sandbox/app')
  })
})

/** What a form would send unchanged, without radios and buttons. */
function fieldsOf(text: string): Record<string, string> {
  const fields = text.matchAll(/<input (?:type="hidden"|id="\w+") name="(\w+)" value="([^"]*)"/g)
  return Object.fromEntries([...fields].map(([, name, value]) => [name, value]))
}
