// What an error of a connection is called, as the merchant sees it.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { failureOf, SendFailure } from '../../src/webhooks/failure.ts'

const withCode = (code: string) => Object.assign(new Error('x'), { code })

it('a refusal of TLS is told apart from a connection that broke, also after the handshake', () => {
  for (const code of ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'ERR_TLS_CERT_ALTNAME_INVALID'])
    assert.equal(failureOf(withCode(code)), 'TLS', code)
  for (const error of [withCode('ECONNRESET'), withCode('NOT_ERR_SSL_X'), new Error('x'), 'x', undefined])
    assert.equal(failureOf(error), 'CONNECTION', String(error))
  assert.equal(failureOf(new SendFailure('DNS', withCode('ERR_SSL_X'))), 'DNS')
})
