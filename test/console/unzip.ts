// Reads a zip archive as other programs do: by the directory at its end.

import assert from 'node:assert/strict'
import { crc32, inflateRawSync } from 'node:zlib'

export function unzip(archive: Buffer): Map<string, string> {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  const count = archive.readUInt16LE(end + 10)
  const files = new Map<string, string>()
  let at = archive.readUInt32LE(end + 16)
  for (let index = 0; index < count; index += 1) {
    assert.equal(archive.readUInt32LE(at), 0x02014b50)
    const [crc, packed, size] = [16, 20, 24].map((offset) => archive.readUInt32LE(at + offset)) as [
      number,
      number,
      number,
    ]
    const nameLength = archive.readUInt16LE(at + 28)
    const begin = archive.readUInt32LE(at + 42)
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    assert.equal(archive.readUInt32LE(begin), 0x04034b50, name)
    const data = begin + 30 + archive.readUInt16LE(begin + 26) + archive.readUInt16LE(begin + 28)
    const content = inflateRawSync(archive.subarray(data, data + packed))
    assert.deepEqual([content.length, crc32(content)], [size, crc], name)
    files.set(name, content.toString())
    at += 46 + nameLength
  }
  return files
}
