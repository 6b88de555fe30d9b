// CBOR is read as far as authenticators write it, and no further.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readCbor } from '../../../src/core/team/cbor.ts'
import { cbor } from './authenticator.ts'

const hex = (text: string): Buffer => Buffer.from(text, 'hex')

describe('CBOR', () => {
  it('reads what it writes', () => {
    for (const value of [
      0,
      23,
      24,
      255,
      256,
      65_536,
      -1,
      -257,
      'text',
      Buffer.from('bytes'),
      true,
      [1, ['a']],
    ]) {
      const bytes = cbor(value)
      assert.deepEqual(readCbor(bytes), { value, end: bytes.length })
    }
  })

  // From the appendix of RFC 8949.
  it('reads the examples of its specification', () => {
    const examples: [string, unknown][] = [
      ...[
        ['00', 0],
        ['01', 1],
        ['0a', 10],
        ['17', 23],
        ['1818', 24],
        ['1864', 100],
        ['1903e8', 1_000],
      ],
      ...[
        ['1a000f4240', 1_000_000],
        ['20', -1],
        ['29', -10],
        ['3863', -100],
        ['3903e7', -1_000],
      ],
      ...[
        ['f4', false],
        ['f5', true],
        ['f6', null],
        ['40', hex('')],
        ['4401020304', hex('01020304')],
      ],
      ...[
        ['60', ''],
        ['6161', 'a'],
        ['6449455446', 'IETF'],
        ['62c3bc', 'ü'],
        ['80', []],
        ['83010203', [1, 2, 3]],
      ],
      ...[
        ['8301820203820405', [1, [2, 3], [4, 5]]],
        ['a0', new Map()],
      ],
      [
        'a201020304',
        new Map([
          [1, 2],
          [3, 4],
        ]),
      ],
      [
        'a26161016162820203',
        new Map<string, unknown>([
          ['a', 1],
          ['b', [2, 3]],
        ]),
      ],
    ] as [string, unknown][]
    for (const [text, value] of examples) {
      const bytes = hex(text)
      assert.deepEqual(readCbor(bytes), { value, end: bytes.length }, text)
      const behind = Buffer.concat([hex('ff'), bytes, hex('00')])
      assert.deepEqual(readCbor(behind, 1), { value, end: bytes.length + 1 }, text)
      for (let length = 0; length < bytes.length; length += 1)
        assert.equal(readCbor(bytes.subarray(0, length)), undefined, `${text} cut at ${length}`)
    }
    const nested = (depth: number) => Buffer.concat([Buffer.alloc(depth, 0x81), hex('00')])
    assert.deepEqual([readCbor(nested(8)) === undefined, readCbor(nested(9)) === undefined], [false, true])
  })

  it('refuses what authenticators do not write: open lengths, floats, tags, double keys, depth, lies about length', () => {
    const deep = Buffer.concat([Buffer.alloc(20, 0x81), Buffer.from([0])])
    const refused = [
      '5f',
      '9fff',
      'f93c00',
      'fb3ff0000000000000',
      'c100',
      'a201000100',
      'a1f500',
      '1b0000000000000001',
      '9affffffff',
      '5affffffff00',
      'f7',
      'd4',
      'd5',
      'd6',
      'e0',
      'f97e00',
      '',
    ]
    for (const bytes of [...refused.map(hex), deep])
      assert.equal(readCbor(bytes), undefined, bytes.toString('hex'))
  })
})
