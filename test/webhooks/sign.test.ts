// The public Standard Webhooks library accepts our signatures. Others wrote it, so both cannot be wrong in the same
// way.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { newWebhookSecret, secretBytes, webhookHeaders } from '../../src/webhooks/sign.ts'

const BODY = JSON.stringify({ event: 'payin.confirmed', data: { description: 'Café ☕ – 10 % más' } })
const nowSeconds = (): number => Math.floor(Date.now() / 1_000)

describe('a webhook signature', () => {
  it('is accepted by the public library', () => {
    const secret = newWebhookSecret(randomBytes)
    const headers = webhookHeaders('evt_1', nowSeconds(), BODY, [secretBytes(secret)])
    assert.deepEqual(new Webhook(secret).verify(BODY, headers), JSON.parse(BODY))
  })

  it('matches the library’s signature byte for byte', () => {
    const secret = newWebhookSecret(randomBytes)
    const headers = webhookHeaders('evt_1', 1_700_000_000, BODY, [secretBytes(secret)])
    const theirs = new Webhook(secret).sign('evt_1', new Date(1_700_000_000_000), BODY)
    assert.equal(headers['webhook-signature'], theirs)
  })

  it('is the same over text and over its bytes', () => {
    const secrets = [randomBytes(32)]
    assert.deepEqual(
      webhookHeaders('evt_1', 1, BODY, secrets),
      webhookHeaders('evt_1', 1, Buffer.from(BODY), secrets),
    )
  })

  it('is valid under the old and the new secret during a rotation, and under no third', () => {
    const [old, fresh, other] = [1, 2, 3].map(() => newWebhookSecret(randomBytes)) as [string, string, string]
    const headers = webhookHeaders('evt_1', nowSeconds(), BODY, [secretBytes(fresh), secretBytes(old)])
    assert.match(headers['webhook-signature'], /^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/)
    assert.ok(new Webhook(old).verify(BODY, headers))
    assert.ok(new Webhook(fresh).verify(BODY, headers))
    assert.throws(() => new Webhook(other).verify(BODY, headers), WebhookVerificationError)
  })

  it('breaks when body, id or time is altered', () => {
    const secret = newWebhookSecret(randomBytes)
    const headers = webhookHeaders('evt_1', nowSeconds(), BODY, [secretBytes(secret)])
    const library = new Webhook(secret)
    const later = String(nowSeconds() + 1)
    assert.throws(() => library.verify(`${BODY} `, headers), WebhookVerificationError)
    assert.throws(() => library.verify(BODY, { ...headers, 'webhook-id': 'evt_2' }), WebhookVerificationError)
    assert.throws(
      () => library.verify(BODY, { ...headers, 'webhook-timestamp': later }),
      WebhookVerificationError,
    )
  })

  it('is never made without a secret, for an id with a dot or a line break, or for a fractional second', () => {
    const secrets = [randomBytes(32)]
    assert.throws(() => webhookHeaders('evt_1', 1, BODY, []))
    assert.throws(() => webhookHeaders('evt.1', 1, BODY, secrets))
    assert.throws(() => webhookHeaders('evt_1\r\nx: y', 1, BODY, secrets))
    assert.throws(() => webhookHeaders('evt_1', 1.5, BODY, secrets))
  })
})

describe('a webhook secret', () => {
  it('is whsec_ and 32 random bytes in base64, and decodes to its bytes', () => {
    const bytes = randomBytes(32)
    const secret = newWebhookSecret((size) => bytes.subarray(0, size))
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.deepEqual(secretBytes(secret), bytes)
  })

  it('is refused when damaged, rather than used in part', () => {
    const secret = newWebhookSecret(randomBytes)
    for (const damaged of [
      '',
      'whsec_',
      secret.slice(6),
      secret.slice(0, 20),
      `${secret.slice(0, -2)}*=`,
      `${secret} `,
    ])
      assert.throws(() => secretBytes(damaged), damaged)
  })
})
