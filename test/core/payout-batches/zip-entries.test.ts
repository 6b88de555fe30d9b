// The archive in which a spreadsheet comes: its files are read, and what is no archive, or is broken, is no file rather than a wrong one.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { zipEntries } from '../../../src/core/payout-batches/zip-entries.ts'

const TEXT = Buffer.from('a;b;c\n'.repeat(50))

type Form = { method?: number; flags?: number; extra?: number; comment?: number; endComment?: number }

// The same text under each name. What stands between the parts, as other programs write it, is nothing to us.
function archiveOf(names: readonly string[], form: Form = {}): Buffer {
  const { method = 8, flags = 0, extra = 0, comment = 0, endComment = 0 } = form
  const packed = method === 0 ? TEXT : deflateRawSync(TEXT)
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const name of names) {
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(method, 8)
    local.writeUInt32LE(packed.length, 18)
    local.writeUInt16LE(name.length, 26)
    local.writeUInt16LE(extra, 28)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50, 0)
    central.writeUInt16LE(flags, 8)
    central.writeUInt16LE(method, 10)
    central.writeUInt32LE(packed.length, 20)
    central.writeUInt16LE(name.length, 28)
    central.writeUInt16LE(extra, 30)
    central.writeUInt16LE(comment, 32)
    central.writeUInt32LE(at, 42)
    const file = Buffer.concat([local, Buffer.from(name), Buffer.alloc(extra, 1), packed])
    files.push(file)
    directory.push(central, Buffer.from(name), Buffer.alloc(extra, 2), Buffer.alloc(comment, 3))
    at += file.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(names.length, 10)
  end.writeUInt32LE(at, 16)
  end.writeUInt16LE(endComment, 20)
  return Buffer.concat([...files, ...directory, end, Buffer.alloc(endComment)])
}
const archive = (): Buffer => archiveOf(['rows.csv'])
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

  it('are all found, whatever else their directory says of them', () => {
    for (const form of [{}, { extra: 7 }, { comment: 9 }, { extra: 7, comment: 9, endComment: 65_535 }]) {
      const entries = zipEntries(archiveOf(['a', 'other', 'c'], form))
      assert.deepEqual([...(entries?.keys() ?? [])], ['a', 'other', 'c'], JSON.stringify(form))
      for (const read of entries?.values() ?? []) assert.deepEqual(read(TEXT.length), TEXT)
    }
    assert.equal(zipEntries(archiveOf([]))?.size, 0)
  })

  it('may be packed or not, and are not there in another form or behind a password', () => {
    const read = (form: Form, maxBytes = TEXT.length) =>
      zipEntries(archiveOf(['a'], form))?.get('a')?.(maxBytes)
    assert.deepEqual(read({ method: 0 }), TEXT)
    assert.equal(read({ method: 0 }, TEXT.length - 1), undefined)
    assert.equal(read({ method: 9 }), undefined)
    assert.equal(read({ flags: 1 }), undefined)
    assert.equal(read({ flags: 9, method: 0 }), undefined)
    assert.deepEqual(read({ flags: 8 }), TEXT)
  })

  it('are five hundred at most', () => {
    const names = Array.from({ length: 501 }, (_, at) => `${at}`)
    assert.equal(zipEntries(archiveOf(names.slice(1)))?.size, 500)
    assert.equal(zipEntries(archiveOf(names)), undefined)
  })

  it('are not there where they begin elsewhere', () => {
    const moved = (to: number) => {
      const bytes = archive()
      bytes.writeUInt32LE(to, centralAt(bytes) + 42)
      return zipEntries(bytes)?.get('rows.csv')?.(TEXT.length)
    }
    assert.deepEqual(moved(0), TEXT)
    for (const to of [1, archive().length - 29, archive().length, 0xffffffff])
      assert.equal(moved(to), undefined)
    const away = archive()
    away.writeUInt32LE(away.length - 45, away.length - 22 + 16)
    assert.equal(zipEntries(away), undefined)
  })
})
