// A notification is ours to read only if its headers have the form that the networks use, and its signature fits.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  ID_HEADER,
  SIGNATURE_HEADER,
  signNotice,
  TIMESTAMP_HEADER,
  verifyNotice,
} from '../../src/rails/signature.ts'

const SENT_AT = 1_800_000_000
const BODY = Buffer.from('{}')

function verified(id: string, timestamp: string): string | undefined {
  const headers = {
    [ID_HEADER]: id,
    [TIMESTAMP_HEADER]: timestamp,
    [SIGNATURE_HEADER]: signNotice('key', id, Number(timestamp), BODY),
  }
  return verifyNotice(['key'], headers, BODY, SENT_AT * 1_000)
}

describe('a notification', () => {
  it('has its seconds in digits: another spelling of the same number is refused', () => {
    assert.equal(verified('n1', String(SENT_AT)), 'n1')
    for (const spelling of [
      `${SENT_AT}.0`,
      ` ${SENT_AT}`,
      `+${SENT_AT}`,
      '18e8',
      `0x${SENT_AT.toString(16)}`,
    ])
      assert.equal(verified('n1', spelling), undefined, spelling)
  })

  it('has an id of 1 to 64 letters, digits, - and _', () => {
    assert.equal(verified('a'.repeat(64), String(SENT_AT)), 'a'.repeat(64))
    for (const id of ['', 'a'.repeat(65), 'n 1', 'n.1'])
      assert.equal(verified(id, String(SENT_AT)), undefined, id)
  })

  it('is signed whole: no part of a signature is enough, and nothing may follow it', () => {
    const signature = signNotice('key', 'n1', SENT_AT, BODY)
    const read = (presented: string) =>
      verifyNotice(
        ['key'],
        { [ID_HEADER]: 'n1', [TIMESTAMP_HEADER]: String(SENT_AT), [SIGNATURE_HEADER]: presented },
        BODY,
        SENT_AT * 1_000,
      )
    assert.equal(read(signature), 'n1')
    for (let length = 0; length < signature.length; length += 1)
      assert.equal(read(signature.slice(0, length)), undefined, `${length} characters`)
    for (const other of [`${signature}0`, `${signature} `, signature.slice(3), signature.toUpperCase()])
      assert.equal(read(other), undefined, other)
  })

  it('was sent within five minutes, before or after our clock', () => {
    for (const apart of [0, 300, -300])
      assert.equal(verified('n1', String(SENT_AT + apart)), 'n1', `${apart} s`)
    for (const apart of [301, -301, 86_400, -86_400])
      assert.equal(verified('n1', String(SENT_AT + apart)), undefined, `${apart} s`)
  })
})
