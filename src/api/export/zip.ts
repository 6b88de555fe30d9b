// A zip archive, written as it is made: each file is compressed on its way, and its size follows it. Nothing is held in memory but
// the list of files for the end.

import { crc32, createDeflateRaw } from 'node:zlib'

export type ZipFile = { readonly name: string; readonly text: AsyncIterable<string> | Iterable<string> }

const LOCAL_HEADER = 0x04034b50
const DATA_DESCRIPTOR = 0x08074b50
const CENTRAL_HEADER = 0x02014b50
const END_OF_ARCHIVE = 0x06054b50
const VERSION = 20
// Sizes follow the file, names are UTF-8.
const FLAGS = 0x0008 | 0x0800
const DEFLATE = 8
// The archive says nothing of when it was made: 1 January 1980.
const NO_DATE = 0x0021

type Written = {
  readonly name: Buffer
  readonly crc: number
  readonly packed: number
  readonly size: number
  readonly at: number
}

export async function* zipped(files: Iterable<ZipFile>): AsyncGenerator<Buffer> {
  const written: Written[] = []
  let at = 0
  for (const file of files) {
    const name = Buffer.from(file.name)
    const begun = at
    const header = Buffer.concat([
      numbers(LOCAL_HEADER, [VERSION, FLAGS, DEFLATE, 0, NO_DATE], [0, 0, 0], [name.length, 0]),
      name,
    ])
    at += header.length
    yield header
    let crc = 0
    let size = 0
    let packed = 0
    const plain = async function* (): AsyncGenerator<Buffer> {
      for await (const part of file.text) {
        const bytes = Buffer.from(part)
        crc = crc32(bytes, crc)
        size += bytes.length
        yield bytes
      }
    }
    for await (const part of deflated(plain())) {
      packed += part.length
      yield part
    }
    at += packed
    const descriptor = numbers(DATA_DESCRIPTOR, [], [crc, packed, size], [])
    at += descriptor.length
    yield descriptor
    written.push({ name, crc, packed, size, at: begun })
  }
  const entries = written.map(({ name, crc, packed, size, at: begun }) =>
    Buffer.concat([
      numbers(
        CENTRAL_HEADER,
        [VERSION, VERSION, FLAGS, DEFLATE, 0, NO_DATE],
        [crc, packed, size],
        [name.length, 0, 0, 0, 0],
        [0, begun],
      ),
      name,
    ]),
  )
  const directory = Buffer.concat(entries)
  yield directory
  const count = written.length
  yield numbers(END_OF_ARCHIVE, [0, 0, count, count], [directory.length, at], [0])
}

async function* deflated(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const deflate = createDeflateRaw()
  // What goes wrong while writing is thrown while reading.
  const writing = (async () => {
    try {
      for await (const part of parts)
        if (!deflate.write(part)) await new Promise((resolve) => deflate.once('drain', resolve))
      deflate.end()
    } catch (error) {
      deflate.destroy(error as Error)
    }
  })()
  yield* deflate as AsyncIterable<Buffer>
  await writing
}

// A signature, then numbers of two and of four bytes in turn.
function numbers(signature: number, ...groups: readonly (readonly number[])[]): Buffer {
  const bytes = Buffer.alloc(
    4 + groups.reduce((sum, group, index) => sum + group.length * (index % 2 === 0 ? 2 : 4), 0),
  )
  let at = bytes.writeUInt32LE(signature, 0)
  for (const [index, group] of groups.entries())
    for (const value of group)
      at = index % 2 === 0 ? bytes.writeUInt16LE(value, at) : bytes.writeUInt32LE(value, at)
  return bytes
}
