// Reads files out of a zip archive that somebody sent. It is not trusted: how many files it has, how large each may grow and how much
// it says of itself are limited, and what it says of a size is not believed.

import { inflateRawSync } from 'node:zlib'

export type ZipEntries = ReadonlyMap<string, (maxBytes: number) => Buffer | undefined>

const END_OF_ARCHIVE = 0x06054b50
const CENTRAL_HEADER = 0x02014b50
const LOCAL_HEADER = 0x04034b50
const END_BYTES = 22
const CENTRAL_BYTES = 46
const LOCAL_BYTES = 30
const MAX_COMMENT_BYTES = 65_535
// A workbook has about a dozen files, and one for each sheet and picture.
const MAX_ENTRIES = 500
const STORED = 0
const DEFLATED = 8
const ENCRYPTED = 0x0001

// Undefined if it is no archive that can be read. Each file is inflated when it is asked for, and undefined if it is larger than
// `maxBytes` or broken.
export function zipEntries(archive: Buffer): ZipEntries | undefined {
  const end = endOf(archive)
  if (end === undefined) return undefined
  const count = archive.readUInt16LE(end + 10)
  if (count > MAX_ENTRIES) return undefined
  const entries = new Map<string, (maxBytes: number) => Buffer | undefined>()
  let at = archive.readUInt32LE(end + 16)
  for (let index = 0; index < count; index += 1) {
    if (at + CENTRAL_BYTES > archive.length || archive.readUInt32LE(at) !== CENTRAL_HEADER) return undefined
    const flags = archive.readUInt16LE(at + 8)
    const method = archive.readUInt16LE(at + 10)
    const packedBytes = archive.readUInt32LE(at + 20)
    const nameBytes = archive.readUInt16LE(at + 28)
    const afterName = at + CENTRAL_BYTES + nameBytes
    const name = archive.toString('utf8', at + CENTRAL_BYTES, afterName)
    const localAt = archive.readUInt32LE(at + 42)
    const isReadable = (flags & ENCRYPTED) === 0 && (method === STORED || method === DEFLATED)
    entries.set(name, (maxBytes) =>
      isReadable ? contentOf(archive, { localAt, packedBytes, method, maxBytes }) : undefined,
    )
    at = afterName + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return entries
}

function endOf(archive: Buffer): number | undefined {
  const first = Math.max(0, archive.length - END_BYTES - MAX_COMMENT_BYTES)
  for (let at = archive.length - END_BYTES; at >= first; at -= 1)
    if (archive.readUInt32LE(at) === END_OF_ARCHIVE) return at
  return undefined
}

function contentOf(
  archive: Buffer,
  entry: { localAt: number; packedBytes: number; method: number; maxBytes: number },
): Buffer | undefined {
  const { localAt, packedBytes, method, maxBytes } = entry
  if (localAt + LOCAL_BYTES > archive.length || archive.readUInt32LE(localAt) !== LOCAL_HEADER)
    return undefined
  const from = localAt + LOCAL_BYTES + archive.readUInt16LE(localAt + 26) + archive.readUInt16LE(localAt + 28)
  const packed = archive.subarray(from, from + packedBytes)
  if (packed.length !== packedBytes) return undefined
  if (method === STORED) return packed.length > maxBytes ? undefined : packed
  try {
    return inflateRawSync(packed, { maxOutputLength: maxBytes })
  } catch {
    return undefined
  }
}
