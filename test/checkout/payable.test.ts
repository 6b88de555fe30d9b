// When a payer's form may start an attempt, over which rails, and what a page allows into itself.

import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { liveBackend } from '../../src/checkout/live-backend.ts'
import { isPayable, stateOf } from '../../src/checkout/state.ts'
import { maximumInCents } from '../../src/core/connections/rail.ts'
import { MINUTE_MS } from '../../src/core/instant.ts'
import { brebPayin, CUSTOMER, createWorld, psePayin as psePayinBody } from '../world.ts'
import { startHarness, TOKEN } from './harness.ts'
import { brebPayin as brebPayinShown, EVERY_STATE, link, NOW, psePayin } from './subjects.ts'

describe('a payment link', () => {
  it('may be tried again after each failed attempt, until the moment it expires', () => {
    const failed = [
      { status: 'DECLINED', errorCode: 'INSUFFICIENT_FUNDS' },
      { status: 'CANCELED', errorCode: 'CANCELED_BY_PAYER' },
      { status: 'CANCELED', errorCode: 'EXPIRED' },
    ] as const
    for (const outcome of failed) {
      const subject = link({ payin: psePayin({ ...outcome, resultAt: NOW }) })
      const seen = [-1, 0, 1].map((ms) => isPayable(subject, subject.expiresAt + ms))
      assert.deepEqual(seen, [true, false, false], outcome.errorCode)
      assert.equal(stateOf(subject, subject.expiresAt), 'expired')
    }
    const withoutRail = link({ rails: [], payin: psePayin({ ...failed[0], resultAt: NOW }) })
    assert.equal(isPayable(withoutRail, NOW), false, 'the merchant has switched off its last rail')
    for (const status of ['COMPLETED', 'EXPIRED'] as const)
      assert.equal(isPayable(link({ status, payin: psePayin({ ...failed[0], resultAt: NOW }) }), NOW), false)
  })

  it('that was paid ten minutes ago is not said to be paid just now', () => {
    const seen = [-1, 0].map((ms) => {
      const payin = psePayin({ status: 'CONFIRMED', resultAt: NOW - 10 * MINUTE_MS - ms })
      return stateOf(link({ status: 'COMPLETED', payin }), NOW)
    })
    assert.deepEqual(seen, ['approved', 'already-paid'])
  })

  it('offers only the rails that can carry its amount, each up to its maximum', async () => {
    await using world = await createWorld({ env: { PSE_MAXIMUM_PESOS: '20000000' } })
    const breb = Number(maximumInCents('BRE_B', world.ctx.clock.now(), 0n))
    const railsOf = async (amountInCents: number): Promise<readonly string[] | undefined> => {
      const { json, text } = await world.client('POST', '/payment-links', {
        amountType: 'FIXED',
        amountInCents,
        reference: randomUUID(),
        callbackUrl: 'https://shop.example/',
      })
      assert.ok(json.paymentLinkUrl, text)
      return (await liveBackend(world.ctx).load(json.paymentLinkUrl.split('/').at(-1)))?.rails
    }
    assert.deepEqual(await railsOf(breb), ['BRE_B', 'PSE'])
    assert.deepEqual(await railsOf(breb + 1), ['PSE'])
    assert.deepEqual(await railsOf(2_000_000_000), ['PSE'])
  })
})

describe('an attempt on a payment link', () => {
  it('is begun once, and is too late to begin anew while one that the merchant canceled may still be paid', async () => {
    await using world = await createWorld()
    const { json } = await world.client('POST', '/payment-links', {
      amountType: 'FIXED',
      amountInCents: 5_000_000,
      reference: 'order',
      callbackUrl: 'https://shop.example/',
    })
    const token = json.paymentLinkUrl.split('/').at(-1)
    const backend = liveBackend(world.ctx)
    const begin = () =>
      backend.begin(token, { rail: 'BRE_B', customer: CUSTOMER, bank: null, personType: null })
    assert.equal(await begin(), 'begun')
    assert.equal(await begin(), 'already-begun')
    await world.work()
    const [payin] = (await world.client('GET', '/payins')).json.data
    assert.equal((await world.client('POST', `/payins/${payin.id}/cancel`)).status, 200)
    assert.equal(await begin(), 'too-late')
    await world.work()
    assert.equal(await begin(), 'begun', 'its network has ended it')
  })
})

describe('a payer’s page', () => {
  it('of a payin knows the customer whom the merchant named', async () => {
    await using world = await createWorld()
    const { json } = await world.client('POST', '/payins', brebPayin())
    const subject = await liveBackend(world.ctx).load(json.sourceData.checkoutUrl.split('/').at(-1))
    assert.deepEqual(subject?.customer, CUSTOMER)
  })

  it('of a PSE payin asks a company for its NIT, and a person for another document', async () => {
    await using world = await createWorld()
    for (const [personType, isNit] of [
      ['BUSINESS', true],
      ['INDIVIDUAL', false],
    ] as const) {
      const pse = { bank: 'CO_BANCOLOMBIA', personType }
      const { json } = await world.client('POST', '/payins', psePayinBody({ inlineCustomer: undefined, pse }))
      const page = await (await fetch(json.sourceData.pseUrl)).text()
      const offered = [...page.matchAll(/<option value="(CO_\w+|PASSPORT)"/g)].map(([, idType]) => idType)
      assert.ok(offered.length > 0)
      assert.ok(
        offered.every((idType) => (idType === 'CO_NIT') === isNit),
        offered.join(),
      )
    }
  })

  it('is streamed to those who read it, not to those who ask for its head', async () => {
    await using world = await createWorld()
    const { json } = await world.client('POST', '/payins', brebPayin())
    const answer = await fetch(`${json.sourceData.checkoutUrl}/stream`, { method: 'HEAD' })
    assert.equal(answer.status, 404)
  })

  it('is kept by nobody, shown in no other page, found by no search, and reaches no camera or place', async () => {
    const { app } = startHarness(link())
    const { headers } = await app.inject(`/pay/${TOKEN}`)
    const expected = {
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    }
    const said = Object.keys(expected).map((name) => [name, headers[name]])
    assert.deepEqual(Object.fromEntries(said), expected)
    for (const below of ['/status', '/qr', '/return', '/nothing']) {
      const answer = await app.inject(`/pay/${TOKEN}${below}`)
      assert.equal(answer.headers['cache-control'], 'no-store', below)
      assert.equal(answer.headers['x-robots-tag'], 'noindex, nofollow, noarchive', below)
    }
  })

  it('has its code as an attached picture, which a phone keeps under a name', async () => {
    const { app } = startHarness(link({ payin: brebPayinShown() }))
    const { headers } = await app.inject(`/pay/${TOKEN}/qr`)
    assert.equal(headers['content-disposition'], 'attachment; filename="bre-b.png"')
    const overdue = startHarness(link({ payin: brebPayinShown({ expiresAt: NOW }) }))
    assert.equal((await overdue.app.inject(`/pay/${TOKEN}/qr`)).statusCode, 404, 'nobody pays it any more')
  })

  it('has a policy that names each of its styles and its script, with a merchant’s colour and without', async () => {
    const { merchant } = link()
    for (const accentColor of [null, '#0b6e4f']) {
      const { app } = startHarness(link({ merchant: { ...merchant, accentColor } }))
      const { headers, body } = await app.inject(`/pay/${TOKEN}`)
      const hashesOf = (element: string) =>
        [...body.matchAll(new RegExp(`<${element}\\b[^>]*>(.*?)</${element}>`, 'gs'))].map(
          ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
        )
      const [styles, scripts] = [hashesOf('style'), hashesOf('script')]
      assert.deepEqual([styles.length, scripts.length], [accentColor === null ? 1 : 2, 1])
      const policy = String(headers['content-security-policy'])
      assert.ok(policy.includes(`style-src ${styles.join(' ')}; script-src ${scripts.join(' ')};`), policy)
      await app.close()
    }
  })

  it('has a policy that names every directive and allows nothing else', async () => {
    for (const [name, { subject, step }] of Object.entries(EVERY_STATE)) {
      const { app } = startHarness(subject)
      const { headers } = await app.inject(`/pay/${TOKEN}${step === undefined ? '' : `?step=${step}`}`)
      const directives = String(headers['content-security-policy'])
        .replaceAll(/'sha256-[^']+'/g, 'HASH')
        .replaceAll(/HASH( HASH)+/g, 'HASH')
        .split('; ')
      assert.deepEqual(
        directives,
        [
          "default-src 'none'",
          'style-src HASH',
          'script-src HASH',
          'img-src data:',
          "connect-src 'self'",
          "form-action 'self'",
          "base-uri 'none'",
          "frame-ancestors 'none'",
        ],
        name,
      )
      await app.close()
    }
  })
})
