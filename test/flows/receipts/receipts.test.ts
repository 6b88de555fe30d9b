// Receipts that nobody can forge: what they hold and what not, what verifies them, and what does not.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import jsQR from 'jsqr'
import { PNG } from 'pngjs'
import { railReference } from '../../../src/core/connections/reference.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import { qrPngDataUri } from '../../../src/core/qr-image.ts'
import { checkStatement } from '../../../src/core/receipts/check.ts'
import {
  payinStatementFields,
  qrTextOf,
  readReceiptId,
  receiptIdOf,
} from '../../../src/core/receipts/statement.ts'
import { eraseCustomer } from '../../../src/operator/customers.ts'
import { rotateSigningKeys } from '../../../src/operator/signing-keys.ts'
import { brebPayin, CUSTOMER, createWorld, endPayin, eventually, psePayin, type World } from '../../world.ts'
import { shownVerdictOf } from './shown-verdict.ts'

// The package's types are those of another module system.
const decodeQr = jsQR as unknown as (
  data: Uint8ClampedArray,
  width: number,
  height: number,
) => { data: string } | null
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_FORM = { ...FORM, accept: 'application/json' }
const SPANISH = { accept: 'text/html', 'accept-language': 'es-CO' }

describe('a receipt', () => {
  let world: World
  before(async () => {
    world = await createWorld({ env: { SECRETS_KEY: randomBytes(32).toString('hex') } })
    await world.client('PATCH', '/organization', { name: 'Café <La> Palma', taxId: '900123456-8' })
  })
  after(() => world[Symbol.asyncDispose]())

  const paid = async (body = brebPayin()) => {
    const { json } = await world.client('POST', '/payins', body)
    await endPayin(world, world.client, json.id, 'confirmed')
    return json as { id: string; reference: string }
  }
  const receiptOf = async (id: string) => (await world.client('GET', `/payins/${id}/receipt`)).json
  const verify = async (statement: string) =>
    (await world.anonymous('POST', '/verify', `${new URLSearchParams({ statement })}`, JSON_FORM)).json
  const pathOf = (url: string) => url.slice(world.config.checkoutUrl.length)

  it('that there is not is said on a page to a browser, and in JSON to a program', async () => {
    for (const path of ['/receipts/nothing', '/evidence/nothing']) {
      const page = await world.anonymous('GET', path, undefined, SPANISH)
      assert.deepEqual([page.status, page.json], [404, undefined], path)
      assert.match(page.text, /^<!doctype html>/i)
      const { status, json } = await world.anonymous('GET', path, undefined, { accept: 'application/json' })
      assert.deepEqual([status, json.code], [404, 'NOT_FOUND'], path)
    }
  })

  it('states who was paid, how much, when, for what and under which trace, and nothing of the payer', async () => {
    for (const body of [brebPayin(), psePayin()]) {
      const payin = await paid(body)
      const receipt = await receiptOf(payin.id)
      const shown = (await world.client('GET', `/payins/${payin.id}`)).json
      const { verdict, facts, since } = await verify(receipt.qrText)
      assert.equal(verdict, 'genuine')
      assert.deepEqual(since, { chargebackAt: null, chargebackAmountInCents: null, statusNow: null })
      assert.ok(facts.trace)
      assert.deepEqual(facts, {
        kind: 'payin',
        merchant: 'Café <La> Palma',
        taxId: '900123456-8',
        amountInCents: 5_000_000,
        currency: 'COP',
        at: `${shown.resultAt.slice(0, 19)}.000Z`,
        reference: payin.reference,
        rail: shown.rail,
        trace: receipt.trace,
        status: null,
        key: null,
        evidence: null,
      })
      const page = await world.anonymous('GET', pathOf(receipt.url), undefined, SPANISH)
      const image = await world.anonymous('GET', pathOf(receipt.imageUrl))
      const asJson = await world.anonymous('GET', pathOf(receipt.url), undefined, {
        accept: 'application/json',
      })
      assert.deepEqual([page.status, image.status, asJson.status], [200, 200, 200])
      assert.match(page.text, /Café &lt;La&gt; Palma/)
      assert.match(image.text, /^<svg [^>]*>.*Café &lt;La&gt; Palma/s)
      assert.deepEqual(asJson.json, receipt)
      for (const { headers } of [page, image, asJson])
        assert.deepEqual(
          [headers['cache-control'], headers['x-robots-tag'], headers['cross-origin-resource-policy']],
          ['no-store', 'noindex, nofollow, noarchive', 'same-origin'],
        )
      const everything = [page.text, image.text, asJson.text, JSON.stringify(facts)].join('\n')
      for (const secret of [CUSTOMER.name, CUSTOMER.idNumber, CUSTOMER.email, CUSTOMER.phone])
        assert.ok(!everything.includes(secret), secret)
    }
  })

  it('speaks the visitor’s language', async () => {
    const { url } = await receiptOf((await paid()).id)
    const ask = async (path: string, language: string) =>
      (await world.anonymous('GET', path, undefined, { accept: 'text/html', 'accept-language': language }))
        .text
    assert.match(await ask(pathOf(url), 'es-CO'), /<html lang="es-CO">.*Pago recibido por/s)
    assert.match(await ask(pathOf(url), 'en'), /<html lang="en">.*Payment received by/s)
    assert.match(await ask(`${pathOf(url)}?lang=en`, 'es'), /COP\u00a050,000/)
  })

  it('as a picture has its lines one below the other and its code between them, all of it within the frame', async () => {
    const { imageUrl } = await receiptOf((await paid()).id)
    const { text } = await world.anonymous('GET', pathOf(imageUrl))
    const numbers = (pattern: RegExp) =>
      [...text.matchAll(pattern)].map((found) => found.slice(1).map(Number))
    const [[width = 0, height = 0] = []] = numbers(/^<svg [^>]*width="(\d+)" height="(\d+)"/g)
    const [[x = 0, y = 0, side = 0] = []] = numbers(/<svg x="(-?\d+)" y="(\d+)" width="(\d+)"/g)
    assert.ok(side > 0 && x > 0 && x + side < width, `a code of ${side} at ${x} in ${width}`)
    const lines = numbers(/<text x="\d+" y="(\d+)" font-size="(\d+)"/g)
    const above = lines.filter(([at = 0]) => at <= y)
    const below = lines.filter(([at = 0, size = 0]) => at - size >= y + side && at <= height)
    assert.equal(above.length + below.length, lines.length, 'no line runs through the code')
    assert.ok(below.length > 1)
    for (const part of [above, below])
      for (const [index, [at = 0, size = 0]] of part.entries()) {
        const apart = at - (part[index - 1]?.[0] ?? at)
        assert.ok(apart === 0 || (apart > size && apart < 2.5 * size), `${apart} between lines of ${size}`)
      }
  })

  it('has a QR code that other readers read, and it fits however long the texts are', async () => {
    const { qrText, statement } = await receiptOf((await paid()).id)
    assert.equal(qrText, `${world.config.checkoutUrl}/verify#${statement}`)
    const read = (text: string) => {
      const { data, width, height } = PNG.sync.read(
        Buffer.from(qrPngDataUri(text).split(',')[1] ?? '', 'base64'),
      )
      return decodeQr(new Uint8ClampedArray(data), width, height)?.data
    }
    assert.equal(read(qrText), qrText)
    const long = await paid(brebPayin({ reference: `${'"ñ\\'.repeat(80)}${Date.now()}` }))
    const longest = await receiptOf(long.id)
    assert.equal(read(longest.qrText), longest.qrText)
    const { verdict, facts } = await verify(longest.qrText)
    assert.equal(verdict, 'genuine')
    assert.match(facts.reference, /^"ñ\\.*…$/)
    assert.equal(qrTextOf(`https://${'a'.repeat(600)}.example/verify`, statement), statement)
  })

  it('is altered or unknown, never genuine, whichever character is changed, left out or cut', async () => {
    const { statement } = await receiptOf((await paid()).id)
    const keys = await world.ctx.statements.keys()
    const wrong: string[] = []
    for (let at = 0; at < statement.length; at += 1) {
      const isEven = statement.charCodeAt(at) % 2 === 0
      const [before, letter, rest] = [statement.slice(0, at), isEven ? 'B' : 'A', statement.slice(at + 1)]
      const changed = [`${before}${letter}${rest}`, before + rest, before]
      for (const text of changed.filter((one) => one !== statement))
        if ((await checkStatement(text, keys)).verdict === 'genuine') wrong.push(`${at}: ${text}`)
    }
    // The four letters that mean the same last bits.
    const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const same = [...last].filter((one) => one !== statement.at(-1))
    for (const letter of same)
      if ((await checkStatement(statement.slice(0, -1) + letter, keys)).verdict === 'genuine')
        wrong.push(letter)
    assert.deepEqual(wrong, [])
    for (const [text, verdict] of [
      [statement.replace(/\.[^.]+$/, ''), 'altered'],
      [statement.slice(0, 60), 'altered'],
      [statement.replace(/(recaudo1\.).{8}/, '$100000000'), 'unknown'],
      ['order-1001 paid, thank you', 'unknown'],
      ['', 'unknown'],
      [`Mira: ${world.config.checkoutUrl}/verify#\n${statement}. `, 'genuine'],
    ] as const)
      assert.equal((await verify(text)).verdict, verdict, text)
  })

  it('is no access token, and an access token is no receipt', async () => {
    const { statement } = await receiptOf((await paid()).id)
    const { clientId, secret } = await world.oauthClient()
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret }
    const { access_token: token } = (await world.anonymous('POST', '/oauth/token', form)).json
    assert.equal((await verify(token)).verdict, 'unknown')
    const [, keyId, receiptId, facts, signature] = statement.split('.')
    const header = Buffer.from(JSON.stringify({ alg: 'EdDSA', kid: keyId })).toString('base64url')
    const [tokenHeader, tokenPayload, tokenSignature] = token.split('.')
    const pretended = [
      statement,
      `${header}.${facts}.${signature}`,
      `${tokenHeader}.${tokenPayload}.${signature}`,
    ]
    for (const one of pretended) {
      const answer = await world.anonymous('GET', '/balance', undefined, { authorization: `Bearer ${one}` })
      assert.equal(answer.status, 401)
    }
    for (const payload of [facts, tokenPayload])
      assert.equal(
        (await verify(`recaudo1.${keyId}.${receiptId}.${payload}.${tokenSignature}`)).verdict,
        'altered',
      )
  })

  it('is told by the books too: a right signature over a payment that never was is unknown', async () => {
    const payin = await paid()
    const address = { organizationId: world.organization.organizationId, payinId: payin.id }
    const stored = await world.ctx.batched.getPayin(address)
    assert.ok(stored)
    const receiptId = receiptIdOf(address.organizationId, payin.id)
    const sign = (changes: object) =>
      world.ctx.statements.sign(
        receiptId,
        payinStatementFields(world.organization, { ...stored, ...changes }),
      )
    assert.equal((await verify(await sign({}))).verdict, 'genuine')
    for (const changes of [
      { confirmedAmountInCents: 9_000_000n },
      { reference: 'another' },
      { source: { rail: 'PSE', bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' } },
      { resultAt: (stored.resultAt ?? 0) + MINUTE_MS },
    ])
      assert.equal(
        (await verify(await sign(changes))).verdict,
        'unknown',
        JSON.stringify(Object.keys(changes)),
      )
  })

  it('says that the payment was charged back since, and is not signed again', async () => {
    const payin = await paid()
    const before = await receiptOf(payin.id)
    await endPayin(world, world.client, payin.id, 'chargeback')
    const { verdict, since } = await verify(before.statement)
    assert.equal(verdict, 'genuine')
    assert.equal(since.chargebackAmountInCents, 5_000_000)
    const now = await receiptOf(payin.id)
    assert.deepEqual([now.statement, now.qrText, now.imageUrl], [null, null, null])
    assert.equal(now.chargebackAt, since.chargebackAt)
    const page = await world.anonymous('GET', pathOf(before.url), undefined, SPANISH)
    assert.match(
      page.text,
      /Este pago fue devuelto: \$\s50\.000(,00)? el \d{1,2} de \w+ de \d{4}.*El comprobante ya no sirve/,
    )
    assert.ok(!page.text.includes('recaudo1.'))
    assert.equal((await world.anonymous('GET', pathOf(before.imageUrl))).status, 404)
    const form = await world.anonymous('POST', '/verify', `statement=${before.statement}`, {
      ...FORM,
      ...SPANISH,
    })
    assert.match(shownVerdictOf(form.text), /Auténtico, pero el pago fue devuelto/)
  })

  it('is only there for a payment that was confirmed, at an address that nobody guesses', async () => {
    const { json: open } = await world.client('POST', '/payins', brebPayin())
    assert.equal((await world.client('GET', `/payins/${open.id}/receipt`)).status, 404)
    const payin = await paid()
    const { id } = await receiptOf(payin.id)
    assert.deepEqual(readReceiptId(id), {
      organizationId: world.organization.organizationId,
      paymentId: payin.id,
    })
    const other = await world.newMerchant()
    const { organizationId } = other.organization
    assert.equal((await other.client('GET', `/payins/${payin.id}/receipt`)).status, 404)
    const wrong = [
      receiptIdOf(organizationId, payin.id),
      receiptIdOf(organizationId, open.id),
      payin.id,
      'x',
      `${id}A`,
    ]
    for (const one of [...wrong, receiptIdOf(world.organization.organizationId, open.id)])
      for (const path of [`/receipts/${one}`, `/receipts/${one}/image.svg`, `/evidence/${one}`])
        assert.equal((await world.anonymous('GET', path, undefined, SPANISH)).status, 404, path)
  })

  it('is read with a decoder of ours that travels compressed', async () => {
    for (const [name, most] of [
      ['decode.js', 40_000],
      ['index.js', 15_000],
    ] as const) {
      const answer = await fetch(`${world.baseUrl}/verify/reader/${name}`, {
        headers: { 'accept-encoding': 'br' },
      })
      assert.deepEqual([answer.status, answer.headers.get('content-encoding')], [200, 'br'], name)
      const length = Number(answer.headers.get('content-length'))
      assert.ok(length > 0 && length < most, `${name} ${length}`)
      assert.match(await answer.text(), /^export /m)
    }
  })

  it('without a script is checked by the server, in both languages, and bad input gets a page', async () => {
    const { statement } = await receiptOf((await paid()).id)
    const send = (body: string, headers: Record<string, string>) =>
      world.anonymous('POST', '/verify', body, { ...FORM, ...headers })
    const shown = shownVerdictOf((await send(`statement=${statement}`, SPANISH)).text)
    assert.match(shown, /Comprobante auténtico/)
    const english = { accept: 'text/html', 'accept-language': 'en' }
    assert.match((await send(`statement=${statement.slice(0, -3)}`, english)).text, /Altered receipt/)
    assert.match((await send('statement=%3Cscript%3E', english)).text, /Unknown receipt/)
    assert.match((await send('statement=+', SPANISH)).text, /Pega el texto del comprobante/)
    const hostile = await send(
      `statement=${encodeURIComponent('</textarea><script>alert(1)</script>')}`,
      english,
    )
    assert.ok(!hostile.text.includes('<script>alert'))
    const huge = await send(`statement=${'a'.repeat(40_000)}`, english)
    assert.deepEqual([huge.status, huge.headers['content-type']], [413, 'text/html; charset=utf-8'])
    assert.match(huge.text, /could not read what you sent/)
  })
})

describe('a rotated key', () => {
  it('leaves receipts genuine, also when it was retired at once, but signs nothing new', async () => {
    await using world = await createWorld({ env: { SECRETS_KEY: randomBytes(32).toString('hex') } })
    const paid = async () => {
      const { json } = await world.client('POST', '/payins', brebPayin())
      await endPayin(world, world.client, json.id, 'confirmed')
      return (await world.client('GET', `/payins/${json.id}/receipt`)).json
    }
    const verdictOf = async (statement: string) =>
      (await world.anonymous('POST', '/verify', `statement=${statement}`, JSON_FORM)).json.verdict
    const keyOf = ({ statement }: { statement: string }) => statement.split('.')[1]
    const published = async (name: string) =>
      (await world.anonymous('GET', `/.well-known/${name}.json`)).json.keys as {
        kid: string
        retiredAt?: string
      }[]

    const first = await paid()
    await rotateSigningKeys(world.ctx, {})
    await world.passTime(2 * HOUR_MS)
    const second = await paid()
    assert.notEqual(keyOf(first), keyOf(second))
    const tokenKeys = (await published('jwks')).map(({ kid }) => kid)
    assert.ok(tokenKeys.includes(keyOf(second) ?? '') && !tokenKeys.includes(keyOf(first) ?? ''))
    assert.equal(await verdictOf(first.statement), 'genuine')

    // Whoever took the key may sign with it later, for what comes later.
    const stolen = await world.ctx.statements.sign(second.id, [
      ...['payin', 'Café La Palma', null, 5_000_000],
      Math.floor((world.ctx.clock.now() + HOUR_MS) / 1_000),
      ...['forged', 'BRE_B', 'trace'],
    ])
    await rotateSigningKeys(world.ctx, { now: true })
    await world.passTime(2_000)
    const third = await paid()
    assert.notEqual(keyOf(second), keyOf(third))
    for (const { statement } of [first, second, third]) assert.equal(await verdictOf(statement), 'genuine')
    const keys = await published('receipt-keys')
    assert.equal(keys.length, 3)
    assert.deepEqual(
      keys.map(({ kid, retiredAt }) => [kid, typeof retiredAt]).sort(),
      [first, second, third].map((one) => [keyOf(one), one === third ? 'object' : 'string']).sort(),
    )
    // Nobody reads the keys for tokens more than once a second.
    const forTokens = await eventually(
      async () => (await published('jwks')).map(({ kid }) => kid),
      (kids) => kids.includes(keyOf(third) ?? ''),
    )
    assert.deepEqual(forTokens, [keyOf(third)])
    assert.ok(
      keys.every((key) => !('d' in key)),
      'only public halves',
    )
    const verdict = (await checkStatement(stolen, await world.ctx.statements.keys())).verdict
    assert.equal(verdict, 'unknown', 'a retired key does not count for what came after')
  })
})

describe('evidence of a payout', () => {
  let world: World
  before(async () => {
    world = await createWorld()
    await world.client('PATCH', '/organization', { taxId: '900123456-8' })
  })
  after(() => world[Symbol.asyncDispose]())

  const payoutBody = (idNumber = CUSTOMER.idNumber) => ({
    amountInCents: 100_000,
    currency: 'COP',
    rail: 'BRE_B',
    reference: 'supplier-7',
    inlineCustomer: { ...CUSTOMER, idNumber },
    breb: { keyString: '@proveedor1' },
  })
  const verify = async (statement: string) =>
    (await world.anonymous('POST', '/verify', `${new URLSearchParams({ statement })}`, JSON_FORM)).json

  const endsAs = (id: string, status: string, turn: () => Promise<void>) =>
    eventually(
      async () => {
        await turn()
        return (await world.client('GET', `/payouts/${id}`)).json.status
      },
      (now) => now === status,
    )

  it('says what was asked by whom and what the network answered, signed as a whole and as a QR code', async () => {
    const { json: payout } = await world.client('POST', '/payouts', payoutBody())
    await endsAs(payout.id, 'CONFIRMED', () => world.passTime(60_000))
    const { json: signed, status } = await world.client('GET', `/payouts/${payout.id}/evidence`)
    assert.equal(status, 200)
    const { requested, network, outcome, payer } = signed.evidence
    assert.equal(outcome.status, 'CONFIRMED')
    assert.ok(outcome.trace)
    assert.deepEqual(payer, { name: world.organization.name, taxId: '900123456-8' })
    const { resultAt } = (await world.client('GET', `/payouts/${payout.id}`)).json
    assert.deepEqual([outcome.at, outcome.errorCode, outcome.networkCode], [resultAt, null, null])
    const { organizationId } = world.organization
    assert.equal(network.reference, railReference('payout', organizationId, payout.id))
    assert.ok(signed.evidence.issuedAt > outcome.at, 'it is of the moment in which it was asked for')
    assert.deepEqual(
      [requested.amountInCents, requested.reference, requested.key, requested.receiver, requested.at],
      [100_000, 'supplier-7', '@proveedor1', CUSTOMER.name, payout.createdAt],
    )
    assert.deepEqual(requested.by, { kind: 'apiKey', name: 'test', shownAs: requested.by.shownAs })
    assert.ok(world.apiKey.startsWith(requested.by.shownAs.replace(/…$/, '')))
    assert.ok(
      network.answers.some(
        (one: { how: string; httpStatus?: number }) => one.how === 'asked' && one.httpStatus,
      ),
    )
    assert.ok(
      network.answers.some(
        (one: { what: string; trace?: string }) =>
          one.what === 'payout.completed' && one.trace === outcome.trace,
      ),
    )
    assert.ok(!JSON.stringify(signed).includes(CUSTOMER.idNumber), 'the document is not in it')

    const whole = await verify(signed.statement)
    assert.equal(whole.verdict, 'genuine')
    assert.deepEqual(whole.facts.evidence, signed.evidence)
    const short = await verify(signed.qrText)
    assert.deepEqual(
      [
        short.verdict,
        short.facts.kind,
        short.facts.status,
        short.facts.key,
        short.facts.trace,
        short.since.statusNow,
      ],
      ['genuine', 'payout', 'CONFIRMED', '@proveedor1', outcome.trace, 'CONFIRMED'],
    )
    const page = await world.anonymous('GET', new URL(signed.url).pathname, undefined, SPANISH)
    assert.equal(page.status, 200)
    for (const text of ['Constancia de transferencia', '@proveedor1', outcome.trace, requested.by.shownAs])
      assert.ok(page.text.includes(text), text)
    const other = await world.newMerchant()
    assert.equal((await other.client('GET', `/payouts/${payout.id}/evidence`)).status, 404)
  })

  it('names the client that asked, is there before the end, and does not bring back who was erased', async () => {
    const { clientId, secret } = await world.oauthClient()
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret }
    const { access_token: token } = (await world.anonymous('POST', '/oauth/token', form)).json
    const { json: payout } = await world.anonymous('POST', '/payouts', payoutBody('1000000007'), {
      authorization: `Bearer ${token}`,
    })
    const evidenceOf = async () => (await world.client('GET', `/payouts/${payout.id}/evidence`)).json
    const early = await evidenceOf()
    assert.deepEqual(early.evidence.requested.by, { kind: 'client', name: 'test', shownAs: clientId })
    assert.equal(early.evidence.outcome.status, 'PROCESSING')
    assert.equal((await verify(early.qrText)).verdict, 'genuine')
    await world.work()
    await world.client('POST', `/sandbox/payouts/${payout.id}/simulate`, { outcome: 'declined' })
    await endsAs(payout.id, 'DECLINED', world.work)
    assert.equal((await verify(early.qrText)).since.statusNow, 'DECLINED')
    const shown = await world.anonymous(
      'POST',
      '/verify',
      `${new URLSearchParams({ statement: early.qrText })}`,
      {
        ...FORM,
        ...SPANISH,
      },
    )
    assert.match(
      shown.text,
      /class="verdict reversed"><h2>Constancia auténtica, pero la transferencia no está pagada/,
    )
    await world.passTime(2 * MINUTE_MS)
    const { organizationId } = world.organization
    await eraseCustomer(world.ctx, {
      org: organizationId,
      document: 'CO_CC:1000000007',
      yes: true,
      by: 'test',
    })
    const { evidence, statement } = await evidenceOf()
    const { errorCode } = (await world.client('GET', `/payouts/${payout.id}`)).json
    const { answers } = evidence.network
    const told = answers.find(({ how }: { how: string }) => how === 'told')
    assert.deepEqual([answers[0].what, answers[0].httpStatus], ['PUT /transfers', 202])
    assert.deepEqual(
      [evidence.outcome.errorCode, evidence.outcome.networkCode],
      [errorCode, told.networkCode],
    )
    assert.deepEqual([evidence.requested.key, evidence.requested.receiver], [null, null])
    assert.equal((await verify(statement)).verdict, 'genuine')
  })
})
