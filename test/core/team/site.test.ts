// Where the console is, and which site a passkey belongs to.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { consoleUrl, invitationLink, signInLink, siteOf } from '../../../src/core/team/site.ts'

describe('the console', () => {
  it('is at PUBLIC_URL, and on this machine it has a name', () => {
    assert.equal(consoleUrl('https://pay.example'), 'https://pay.example/console')
    assert.equal(consoleUrl('https://pay.example/v1'), 'https://pay.example/v1/console')
    assert.equal(consoleUrl('https://pay.example/v1/'), 'https://pay.example/v1/console')
    assert.equal(consoleUrl('http://127.0.0.1:4000'), 'http://localhost:4000/console')
    assert.equal(consoleUrl('http://[::1]:4000'), 'http://localhost:4000/console')
    assert.equal(consoleUrl('http://10.0.0.5:4000'), 'http://10.0.0.5:4000/console')
    assert.equal(signInLink('http://127.0.0.1:4000', 'abc'), 'http://localhost:4000/console/sign-in/abc')
    assert.equal(invitationLink('https://pay.example', 'abc'), 'https://pay.example/console/invite/abc')
  })

  it('has passkeys where a page comes from it, and from nowhere else', () => {
    const site = { origin: 'https://pay.example', rpId: 'pay.example' }
    assert.deepEqual(siteOf('https://pay.example', 'https://pay.example'), site)
    const local = { origin: 'http://localhost:4000', rpId: 'localhost' }
    assert.deepEqual(siteOf('http://127.0.0.1:4000', 'http://localhost:4000'), local)
    for (const origin of [
      'http://pay.example',
      'https://pay.example:8443',
      'https://evil.example',
      'https://pay.example.evil.example',
      'https://pay.example/path',
      'http://localhost:4000',
      'null',
      '',
    ])
      assert.equal(siteOf('https://pay.example', origin), undefined, origin)
    assert.equal(siteOf('http://127.0.0.1:4000', 'http://127.0.0.1:4000'), undefined, 'no host name')
    assert.equal(siteOf('http://127.0.0.1:4000', 'http://localhost:5000'), undefined, 'another service')
  })
})
