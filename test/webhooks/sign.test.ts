// The public Standard Webhooks library accepts our signatures. Others wrote it, so both cannot be wrong in the same
// way.

import assert from 'node:assert/strict'
import { createPublicKey, randomBytes, verify } from 'node:crypto'
import { describe, it } from 'node:test'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { verifyWebhook } from '../../sdk/src/webhook.ts'
import {
  newSigningKey,
  newWebhookSecret,
  secretBytes,
  signingKeyOf,
  webhookHeaders,
} from '../../src/webhooks/sign.ts'

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

  it('is refused when it is shorter or longer than the standard allows', () => {
    const secretOf = (size: number) => `whsec_${Buffer.alloc(size, 7).toString('base64')}`
    for (const size of [24, 64]) assert.equal(secretBytes(secretOf(size)).length, size)
    for (const size of [23, 65]) assert.throws(() => secretBytes(secretOf(size)), String(size))
  })
})

describe('an Ed25519 signature', () => {
  const SECRET = [randomBytes(32)]
  const shown = (publicKey: Buffer): string => `whpk_${publicKey.toString('base64')}`

  it('is made with the key that the standard gives for a seed', () => {
    // The first test of RFC 8032, 7.1.
    const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex')
    const { publicKey } = newSigningKey(() => seed)
    assert.equal(
      publicKey.toString('hex'),
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    )
  })

  it('stands beside the usual one, over the same bytes', () => {
    const { seed } = newSigningKey(randomBytes)
    const key = signingKeyOf(seed)
    const headers = webhookHeaders('evt_1', 1_700_000_000, BODY, SECRET, [key])
    const [usual, ours] = headers['webhook-signature'].split(' ')
    assert.equal(usual, webhookHeaders('evt_1', 1_700_000_000, BODY, SECRET)['webhook-signature'])
    const signature = Buffer.from(ours?.replace(/^v1a,/, '') ?? '', 'base64')
    assert.ok(verify(null, Buffer.from(`evt_1.1700000000.${BODY}`), createPublicKey(key), signature))
  })

  it('is verified by the SDK with a public key, and with no other', async () => {
    const [one, other] = [newSigningKey(randomBytes), newSigningKey(randomBytes)]
    const headers = webhookHeaders('evt_1', nowSeconds(), BODY, SECRET, [signingKeyOf(one.seed)])
    assert.deepEqual(await verifyWebhook(BODY, headers, shown(one.publicKey)), JSON.parse(BODY))
    const refused = { code: 'SIGNATURE_MISMATCH' }
    await assert.rejects(verifyWebhook(BODY, headers, shown(other.publicKey)), refused)
    await assert.rejects(verifyWebhook(`${BODY} `, headers, shown(one.publicKey)), refused)
    await assert.rejects(verifyWebhook(BODY, headers, 'whpk_short'), { code: 'SECRET_INVALID' })
  })

  it('does not take the place of the usual one where the SDK is given a secret', async () => {
    const { seed } = newSigningKey(randomBytes)
    const secret = newWebhookSecret(randomBytes)
    const headers = webhookHeaders('evt_1', nowSeconds(), BODY, [secretBytes(secret)], [signingKeyOf(seed)])
    assert.ok(await verifyWebhook(BODY, headers, secret))
    const [, asymmetric = ''] = headers['webhook-signature'].split(' ')
    await assert.rejects(verifyWebhook(BODY, { ...headers, 'webhook-signature': asymmetric }, secret), {
      code: 'SIGNATURE_MISMATCH',
    })
  })
})
