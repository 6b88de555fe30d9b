// Links to the webhook portal: which pages may frame them, and that nobody can read, change or make one.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { deriveKeys, SEAL_NONCE_BYTES, sealSecret } from '../../../src/core/seal.ts'
import {
  frameOrigin,
  openPortalLink,
  type PortalLink,
  sealPortalLink,
} from '../../../src/core/webhooks/portal-link.ts'

const LINK: PortalLink = {
  linkId: '019a5c48-2b3c-7d4e-9f50-617283940a1b',
  organizationId: '019a5c48-2b3c-7d4e-9f50-617283940a1c',
  maker: { kind: 'key', id: '019a5c48-2b3c-7d4e-9f50-617283940a1d' },
  scopes: ['webhooks:read'],
  endpointIds: ['019a5c48-2b3c-7d4e-9f50-617283940a1e'],
  readOnly: true,
  expiresAt: 1_763_000_000_000,
  frameAncestors: ['https://app.shop.example'],
  language: 'es',
}

describe('a page that may frame a portal', () => {
  it('is named by its origin, as browsers spell it', () => {
    for (const [text, origin] of [
      ['https://app.shop.example', 'https://app.shop.example'],
      ['https://App.Shop.example/', 'https://app.shop.example'],
      ['https://shop.example:8443', 'https://shop.example:8443'],
      ['https://shop.example:443', 'https://shop.example'],
      ['https://ñandú.example', 'https://xn--and-6ma2c.example'],
      ['https://203.0.113.7', 'https://203.0.113.7'],
    ])
      assert.equal(frameOrigin(text as string, false), origin)
  })

  it('is on https, except where staging says so', () => {
    assert.equal(frameOrigin('http://localhost:3000', false), undefined)
    assert.equal(frameOrigin('http://localhost:3000', true), 'http://localhost:3000')
  })

  it('is one page’s origin and nothing that a policy reads as more', () => {
    for (const text of [
      '',
      '*',
      'null',
      'https:',
      'https://',
      "'self'",
      "'none'",
      'app.shop.example',
      '//app.shop.example',
      'https://*',
      'https://*.shop.example',
      'https://shop.example:*',
      'https://shop.example/orders',
      'https://shop.example?a',
      'https://shop.example#a',
      'https://user@shop.example',
      'https://a;b.example',
      'https://a;script-src',
      'https://a,b.example',
      "https://a'b.example",
      'https://a b.example',
      'https://a.example https://b.example',
      'https://a.example\nx-evil: 1',
      'https://[::1]',
      'https://shop.example.',
      'data:text/html,a',
      'blob:https://shop.example/1',
      'javascript:alert(1)',
      'ftp://shop.example',
      'file:///etc/passwd',
    ])
      assert.equal(frameOrigin(text, true), undefined, text)
  })
})

describe('the address of a portal', () => {
  const key = deriveKeys(randomBytes(32)).portal
  const sealed = () => sealPortalLink(key, LINK, randomBytes(SEAL_NONCE_BYTES))

  it('opens as it was sealed, and is another one each time', () => {
    assert.deepEqual(openPortalLink(key, sealed()), LINK)
    assert.notEqual(sealed(), sealed())
  })

  it('tells nothing of what is in it', () => {
    const bytes = Buffer.from(sealed(), 'base64url').toString('latin1')
    for (const said of [LINK.linkId, LINK.organizationId, 'shop', 'webhooks', 'expiresAt'])
      assert.ok(!bytes.includes(said), said)
  })

  it('does not open if anything in it was changed', () => {
    const token = sealed()
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === 'A' ? 'B' : 'A'
      assert.equal(openPortalLink(key, token.slice(0, at) + other + token.slice(at + 1)), undefined, `${at}`)
      assert.equal(openPortalLink(key, token.slice(0, at)), undefined)
    }
    for (const text of [`${token}A`, `${token}=`, ` ${token}`, `${token}%00`, 'A'.repeat(10_000), 'null', ''])
      assert.equal(openPortalLink(key, text), undefined)
  })

  it('does not open under another key, nor do other things that we seal', () => {
    const keys = deriveKeys(randomBytes(32))
    assert.equal(openPortalLink(keys.portal, sealed()), undefined)
    assert.equal(openPortalLink(keys.rest, sealPortalLink(keys.portal, LINK, randomBytes(12))), undefined)
    const secret = sealSecret(
      keys.portal,
      Buffer.from(JSON.stringify(LINK)),
      'another label',
      randomBytes(12),
    )
    assert.equal(openPortalLink(keys.portal, secret.toString('base64url')), undefined)
  })

  it('opens while SECRETS_KEY is being changed', () => {
    const [old, next] = [randomBytes(32), randomBytes(32)]
    const token = sealPortalLink(deriveKeys(old).portal, LINK, randomBytes(12))
    assert.deepEqual(openPortalLink(deriveKeys(next, old).portal, token), LINK)
  })
})
