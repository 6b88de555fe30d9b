// Draws a QR code with half blocks, two rows per line of text. With colours it is black on white, whatever the terminal's
// own colours. Without colours, light blocks mean white, as on a dark terminal.

import { inflateSync } from 'node:zlib'
import encodeQR from 'qr'
import { isColoured } from './terminal.ts'

// The quiet zone that scanners need.
const BORDER = 4
const BLACK_ON_WHITE = '\x1b[30;107m'
const PLAIN = '\x1b[0m'

export function qrInTerminal(text: string): string {
  return drawn(encodeQR(text, 'raw', { border: BORDER, ecc: 'low' }))
}

/** The QR code of an image that the API sent. Undefined for an image that is not drawn as ours are. */
export function qrImageInTerminal(dataUri: string): string | undefined {
  try {
    const dark = modulesOf(dataUri)
    return dark && drawn(dark)
  } catch {
    // The payin was created all the same, and its key is shown.
    return undefined
  }
}

function drawn(dark: readonly boolean[][]): string {
  const coloured = isColoured()
  const lines: string[] = []
  for (let y = 0; y < dark.length; y += 2) {
    const upper = dark[y] as boolean[]
    // If the number of rows is odd, a white row is added below the last.
    const lower = dark[y + 1] ?? upper.map(() => false)
    const line = upper.map((isDark, x) => halfBlocks(isDark === coloured, lower[x] === coloured)).join('')
    lines.push(coloured ? BLACK_ON_WHITE + line + PLAIN : line)
  }
  return lines.join('\n')
}

function halfBlocks(isUpper: boolean, isLower: boolean): string {
  if (isUpper) return isLower ? '█' : '▀'
  return isLower ? '▄' : ' '
}

const PNG_DATA_URI = 'data:image/png;base64,'
const PNG_SIGNATURE_BYTES = 8
// Each chunk has its length and its name before its content, and a checksum behind it.
const CHUNK_BYTES = { head: 8, foot: 4 }
const IHDR_AT = PNG_SIGNATURE_BYTES + CHUNK_BYTES.head
// One bit a pixel, greyscale; and every module a square of this many pixels.
const DEPTH_AND_COLOUR = '0100'
const PIXELS = 4

// The service's images are the simplest PNGs there are: one bit a pixel, no filter. So a few lines read them.
function modulesOf(dataUri: string): boolean[][] | undefined {
  if (!dataUri.startsWith(PNG_DATA_URI)) return undefined
  const png = Buffer.from(dataUri.slice(PNG_DATA_URI.length), 'base64')
  const width = png.readUInt32BE(IHDR_AT)
  if (png.toString('hex', IHDR_AT + 8, IHDR_AT + 10) !== DEPTH_AND_COLOUR || width % PIXELS !== 0)
    return undefined
  const rowBytes = 1 + Math.ceil(width / 8)
  const pixels = inflateSync(Buffer.concat(imageChunks(png)))
  const side = width / PIXELS
  return Array.from({ length: side }, (_, y) => {
    const row = y * PIXELS * rowBytes + 1
    return Array.from({ length: side }, (_, x) => {
      const pixel = x * PIXELS
      return ((pixels[row + (pixel >> 3)] ?? 0) & (0x80 >> (pixel & 7))) === 0
    })
  })
}

function imageChunks(png: Buffer): Buffer[] {
  const parts: Buffer[] = []
  for (let at = PNG_SIGNATURE_BYTES; at + CHUNK_BYTES.head < png.length; ) {
    const from = at + CHUNK_BYTES.head
    const to = from + png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, from) === 'IDAT') parts.push(png.subarray(from, to))
    at = to + CHUNK_BYTES.foot
  }
  return parts
}
