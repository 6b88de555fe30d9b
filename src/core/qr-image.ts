// The images of a QR code: a PNG for the merchant's screen, an SVG for our own pages. We deflate the PNG by hand. A row
// of pixels consists of four different bytes, two modules each, and comes four times. So two or three bits a byte and
// "repeat that row three times" describe it all. That is smaller than zlib's output and takes a quarter of the time,
// and every response about a payin with a QR code waits for it.
import { crc32 } from 'node:zlib'
import { type QrGrid, qrGrid } from './qr-code.ts'

/** A one-bit greyscale PNG, four pixels to a module. */
export function qrPng(text: string): Buffer {
  return pngOf(qrGrid(text))
}

/** The same as a data URI. */
export function qrPngDataUri(text: string): string {
  return `data:image/png;base64,${qrPng(text).toString('base64')}`
}

/** An inline SVG, one unit to a module; the caller sets its size and accessible name. */
export function qrSvg(text: string): string {
  const { side, modules } = qrGrid(text)
  let path = ''
  for (let y = 0; y < side; y++) {
    let pen = 0
    for (let x = 0; x < side; x++) {
      const from = x
      while (modules[y * (side + 1) + x]) x++
      if (x === from) continue
      path += pen === 0 ? `M${from} ${y}.5h${x - from}` : `m${from - pen} 0h${x - from}`
      pen = x
    }
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path stroke="#000" d="${path}"/></svg>`
  )
}

const SCALE = 4

function pngOf({ side, modules }: QrGrid): Buffer {
  const prefix = prefixes[side] ?? makePrefix(side)
  prefixes[side] = prefix
  const { head, repeatRow, repeatRowBitCount, rowLength } = prefix
  // A row takes at most three bits for each of its bytes.
  const png = Buffer.allocUnsafe(head.length + side * rowLength + PNG_END.length + 16)
  let at = head.copy(png)
  let bits = prefix.partialBits
  let count = prefix.partialBitCount
  // The sums of Adler-32. What a row adds depends only on the sums before it.
  let low = 1
  let high = 0
  for (let place = 0; place < modules.length; ) {
    let sum = 0
    let weighted = 0
    // A row begins with the filter byte 0, whose code is 00.
    count += 2
    for (let left = rowLength - 1; left > 0; left--, place += 2) {
      const pair = ((modules[place] as number) << 1) | (modules[place + 1] as number)
      const byte = PAIR_BYTE[pair] as number
      sum += byte
      weighted += left * byte
      bits |= (PAIR_CODE[pair] as number) << count
      count += PAIR_CODE_LENGTH[pair] as number
      if (count >= 8) {
        png[at++] = bits
        bits >>>= 8
        count -= 8
      }
    }
    bits |= repeatRow << count
    count += repeatRowBitCount
    for (; count >= 8; count -= 8, bits >>>= 8) png[at++] = bits
    for (let time = 0; time < SCALE; time++) {
      high = (high + rowLength * low + weighted) % ADLER_BASE
      low = (low + sum) % ADLER_BASE
    }
  }
  bits |= END_CODE << count
  for (count += 4; count > 0; count -= 8, bits >>>= 8) png[at++] = bits
  at = png.writeUInt16BE(high, at)
  at = png.writeUInt16BE(low, at)
  png.writeUInt32BE(at - IDAT_AT - 8, IDAT_AT)
  at = png.writeUInt32BE(crc32(png.subarray(IDAT_AT + 4, at)), at)
  at += PNG_END.copy(png, at)
  return png.subarray(0, at)
}

const ADLER_BASE = 65_521
// By pair of modules, 1 for dark: the byte that paints them, and its Huffman code, which is sent from its right end.
const PAIR_BYTE = Uint8Array.of(0xff, 0xf0, 0x0f, 0x00)
const PAIR_CODE = Uint8Array.of(0b01, 0b011, 0b10, 0b00)
const PAIR_CODE_LENGTH = Uint8Array.of(2, 3, 2, 2)
const END_CODE = 0b0111
const REPEAT_ROW_CODE = '1111'

/** What all images of one size begin with, and their code for "repeat that row". */
type PngPrefix = {
  head: Buffer
  /** The last bits of the prefix, too few for a byte. */
  partialBits: number
  partialBitCount: number
  repeatRow: number
  repeatRowBitCount: number
  rowLength: number
}

const prefixes: PngPrefix[] = []
const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const IDAT_AT = 33
const PNG_END = chunk('IEND', Buffer.alloc(0))

function makePrefix(side: number): PngPrefix {
  const rowLength = 1 + (side + 1) / 2
  // Deflate's symbols for "go back one row, copy three": a class, and the offset in it as extra bits.
  const copied = rowLength * (SCALE - 1) - 3
  const copiedExtra = Math.max(0, 29 - Math.clz32(copied))
  const copiedSymbol = 257 + 4 * copiedExtra + (copied >> copiedExtra)
  const back = rowLength - 1
  const backExtra = Math.max(0, 30 - Math.clz32(back))
  const backSymbol = 2 * backExtra + (back >> backExtra)
  const repeatRow = `${REPEAT_ROW_CODE}${lowBits(copied, copiedExtra)}0${lowBits(back, backExtra)}`
  const bits = huffmanHeader(copiedSymbol, backSymbol)

  const imageHeader = Buffer.alloc(13)
  imageHeader.writeUInt32BE(side * SCALE, 0)
  imageHeader.writeUInt32BE(side * SCALE, 4)
  imageHeader[8] = 1
  const bytes = bits.match(/.{8}/g) ?? []
  const idat = Buffer.from('\0\0\0\0IDAT\x78\x01', 'latin1')
  const partialBitCount = bits.length % 8
  return {
    head: Buffer.concat([SIGNATURE, chunk('IHDR', imageHeader), idat, Buffer.from(bytes.map(fromRight))]),
    partialBits: fromRight(bits.slice(bits.length - partialBitCount)),
    partialBitCount,
    repeatRow: fromRight(repeatRow),
    repeatRowBitCount: repeatRow.length,
    rowLength,
  }
}

/** Deflate's description of the codes above: the code length of each symbol, itself in a Huffman code. */
function huffmanHeader(copiedSymbol: number, backSymbol: number): string {
  const codeOfLength = { 0: '00', 2: '01', 4: '110', 1: '1110', 3: '1111' } as const
  const codeOfZeros = '10'
  const lengthOfCode: Record<number, number> = { 18: 2, 0: 2, 4: 3, 3: 4, 2: 2, 1: 4 }
  const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1]
  const unused = (symbols: number): string => {
    if (symbols < 11) return codeOfLength[0].repeat(symbols)
    const run = Math.min(symbols, 138)
    return codeOfZeros + lowBits(run - 11, 7) + unused(symbols - run)
  }
  return [
    // The last block, with its own codes.
    '101',
    lowBits(copiedSymbol - 256, 5),
    lowBits(backSymbol, 5),
    lowBits(order.length - 4, 4),
    ...order.map((symbol) => lowBits(lengthOfCode[symbol] ?? 0, 3)),
    // The bytes 00, 0f, f0 and ff, the end (256) and the copy; then the one distance.
    codeOfLength[2],
    unused(0x0f - 0x01),
    codeOfLength[2],
    unused(0xf0 - 0x10),
    codeOfLength[3],
    unused(0xff - 0xf1),
    codeOfLength[2],
    codeOfLength[4],
    unused(copiedSymbol - 257),
    codeOfLength[4],
    unused(backSymbol),
    codeOfLength[1],
  ].join('')
}

/** The low bits of a number, lowest first, as deflate sends numbers. */
const lowBits = (value: number, count: number): string =>
  Array.from({ length: count }, (_, bit) => (value >> bit) & 1).join('')

const fromRight = (bits: string): number => Number.parseInt([...bits].reverse().join('') || '0', 2)

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), content])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}
