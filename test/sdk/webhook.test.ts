// verifyWebhook accepts the service's signatures, and nothing else.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import {
  Recaudo,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from '../../sdk/src/recaudo.ts'
import { newWebhookSecret, secretBytes, webhookHeaders } from '../../src/webhooks/sign.ts'
import { type Receiver, startReceiver } from '../api/webhooks/receiver.ts'
import { createWorld, type World } from '../world.ts'
import { newPayin } from './bodies.ts'

const ID = '019a5c41-2b3c-7d4e-8f50-617283940a1b'
const EVENT = {
  id: ID,
  event: 'payin.confirmed',
  resource: 'payin',
  sequence: 1,
  data: { reference: '“ñ” \u2028 🥭' },
}
const BODY = JSON.stringify(EVENT)
const secret = newWebhookSecret(randomBytes)
const nowSeconds = () => Math.floor(Date.now() / 1_000)
const signed = (secrets = [secret], at = nowSeconds(), body = BODY) =>
  webhookHeaders(ID, at, body, secrets.map(secretBytes))

const problem = async (verified: Promise<unknown>): Promise<WebhookVerificationError> => {
  const error = await verified.then(
    () => assert.fail('it was taken'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof WebhookVerificationError, String(error))
  return error
}
const code = async (verified: Promise<unknown>) => (await problem(verified)).code

describe('verifyWebhook', () => {
  it('accepts our signature, over text or bytes, with headers of any kind', async () => {
    const headers = signed()
    const bytes = Buffer.from(`xx${BODY}`).subarray(2)
    for (const body of [BODY, bytes, new Uint8Array(bytes), Uint8Array.from(bytes).buffer])
      assert.deepEqual(await verifyWebhook(body, headers, secret), EVENT)
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    )
    for (const kind of [new Headers(headers), new Map(Object.entries(headers)) as unknown as Headers, upper])
      assert.deepEqual(await verifyWebhook(BODY, kind as WebhookHeaders, secret), EVENT)
  })

  it('accepts any of several secrets, and any of several signatures, as during a rotation', async () => {
    const next = newWebhookSecret(randomBytes)
    for (const [used, known] of [
      [[secret], [next, secret]],
      [[next, secret], [secret]],
      [[next, secret], [next]],
    ] as const)
      assert.deepEqual(await verifyWebhook(BODY, signed([...used]), known), EVENT)
    assert.equal(await code(verifyWebhook(BODY, signed([next]), [secret])), 'SIGNATURE_MISMATCH')
  })

  it('refuses an altered body, id, time or signature', async () => {
    const headers = signed()
    const altered: [string, WebhookHeaders][] = [
      [BODY.replace('confirmed', 'declined'), headers],
      [JSON.stringify(EVENT, null, 2), headers],
      ['', headers],
      [BODY, { ...headers, 'webhook-id': `${ID}1` }],
      [BODY, { ...headers, 'webhook-timestamp': String(nowSeconds() + 1) }],
      ...['v1,', 'v2,', 'nothing', `v1,${'_'.repeat(43)}=`, `v1,${'A'.repeat(43)}=`].map(
        (signature): [string, WebhookHeaders] => [BODY, { ...headers, 'webhook-signature': signature }],
      ),
      [BODY, { ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1,', 'v1a,') }],
    ]
    for (const [body, sent] of altered) {
      const error = await problem(verifyWebhook(body, sent, secret))
      assert.equal(error.code, 'SIGNATURE_MISMATCH', `${body} ${JSON.stringify(sent)}`)
      assert.equal(error.message, 'No signature fits: another endpoint’s secret, or not the raw body.')
    }
  })

  it('refuses an old or future time, and says that a clock may be wrong', async () => {
    for (const [off, said] of [
      [-400, 400],
      [400, 400],
    ] as const) {
      const error = await problem(verifyWebhook(BODY, signed([secret], nowSeconds() + off), secret))
      assert.equal(error.code, 'TIMESTAMP_OUT_OF_TOLERANCE')
      assert.match(
        error.message,
        new RegExp(
          `^The event is (?:${said - 1}|${said}|${said + 1}) s off our clock, 300 s are allowed: a replay, or this machine’s clock is wrong\\.$`,
        ),
      )
      await verifyWebhook(BODY, signed([secret], nowSeconds() + off), secret, { toleranceSeconds: 500 })
    }
    await verifyWebhook(BODY, signed([secret], nowSeconds() - 290), secret)
  })

  it('says that a body was parsed, that a header is missing, that a secret is invalid', async () => {
    const headers = signed()
    for (const parsed of [EVENT, null, undefined, 5, [BODY]]) {
      const error = await problem(verifyWebhook(parsed as unknown as string, headers, secret))
      assert.equal(error.code, 'BODY_PARSED')
      assert.equal(
        error.message,
        'The body was parsed: give the raw one, as `await request.text()` or `express.raw({ type: "*/*" })` gives it.',
      )
    }
    for (const name of Object.keys(headers)) {
      const { [name as 'webhook-id']: _, ...rest } = headers
      const error = await problem(verifyWebhook(BODY, rest, secret))
      assert.equal(error.code, 'HEADERS_MISSING')
      assert.ok(error.message.startsWith(`${name} is missing`))
    }
    for (const wrong of ['', 'whsec_', 'whsec_short', `whsec_${'*'.repeat(44)}`, 'rk_stg_x', undefined]) {
      assert.equal(await code(verifyWebhook(BODY, headers, wrong as string)), 'SECRET_INVALID', String(wrong))
      assert.equal(await code(verifyWebhook(BODY, headers, [secret, wrong as string])), 'SECRET_INVALID')
    }
  })
})

describe('a webhook of the service', () => {
  let world: World
  let receiver: Receiver
  before(async () => {
    world = await createWorld()
    receiver = await startReceiver()
  })
  after(async () => {
    await receiver[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  it('is verified unchanged, also during a rotation of its secret', async () => {
    const recaudo = new Recaudo({ apiKey: world.apiKey }, { baseUrl: world.baseUrl })
    const endpoint = await recaudo.webhookEndpoints.create({ url: receiver.url })
    const cancel = async () => {
      const { id } = await recaudo.payins.create(newPayin())
      await recaudo.payins.cancel(id)
      await world.work()
      const { body, headers } = receiver.got.at(-1) ?? assert.fail('nothing came')
      return { id, body, headers }
    }
    const first = await cancel()
    const event = await verifyWebhook(first.body, first.headers, endpoint.secret)
    assert.ok(event.resource === 'payin')
    assert.deepEqual([event.event, event.data.id], ['payin.canceled', first.id])
    const { secret: replaced } = await recaudo.webhookEndpoints.rotateSecret(endpoint.id)
    const second = await cancel()
    for (const known of [endpoint.secret, replaced]) await verifyWebhook(second.body, second.headers, known)
  })
})
