// The archive in which a spreadsheet comes: its files are read, and what is no archive, or is broken, is no file rather than a wrong one.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { zipEntries } from '../../../src/core/payout-batches/zip-entries.ts'

const TEXT = Buffer.from('a;b;c\n'.repeat(50))

// One file, deflated.
function archive(name = 'rows.csv'): Buffer {
  const packed = deflateRawSync(TEXT)
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(8, 8)
  local.writeUInt32LE(packed.length, 18)
  local.writeUInt16LE(name.length, 26)
  const central = Buffer.alloc(46)
  central.writeUInt32LE(0x02014b50, 0)
  central.writeUInt16LE(8, 10)
  central.writeUInt32LE(packed.length, 20)
  central.writeUInt16LE(name.length, 28)
  const centralAt = local.length + name.length + packed.length
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(centralAt, 16)
  return Buffer.concat([local, Buffer.from(name), packed, central, Buffer.from(name), end])
}
const centralAt = (bytes: Buffer) => bytes.readUInt32LE(bytes.length - 22 + 16)

describe('the files of an archive', () => {
  it('are read, up to the size that is wanted', () => {
    const read = zipEntries(archive())?.get('rows.csv')
    assert.deepEqual(read?.(TEXT.length), TEXT)
    assert.equal(read?.(TEXT.length - 1), undefined)
  })

  it('are none where its directory is broken', () => {
    const broken = archive()
    broken.writeUInt32LE(0x02014b51, centralAt(broken))
    assert.equal(zipEntries(broken), undefined)
    assert.equal(zipEntries(Buffer.from('no archive at all, and longer than an end')), undefined)
  })

  it('are not there where the file itself is broken', () => {
    const broken = archive()
    broken.fill(0xff, 38, 46)
    assert.equal(zipEntries(broken)?.get('rows.csv')?.(TEXT.length), undefined)
    const cut = archive()
    cut.writeUInt32LE(1_000_000, centralAt(cut) + 20)
    assert.equal(zipEntries(cut)?.get('rows.csv')?.(TEXT.length), undefined)
  })
})
