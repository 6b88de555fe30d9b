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
})
