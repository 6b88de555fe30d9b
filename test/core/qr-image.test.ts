import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { encodeQR } from 'qr'
import { singleUseKey } from '../../src/core/directory/breb-key.ts'
import { emvPayload } from '../../src/core/emv-qr.ts'
import { qrGrid } from '../../src/core/qr-code.ts'
import { qrPngDataUri, qrSvg } from '../../src/core/qr-image.ts'

// Both readers are CommonJS, and pngjs has no types.
const require = createRequire(import.meta.url)
type Picture = { width: number; height: number; data: Buffer }
const { PNG } = require('pngjs') as { PNG: { sync: { read(png: Buffer): Picture } } }
const readQr = require('jsqr') as (
  data: Uint8ClampedArray,
  width: number,
  height: number,
) => { data: string } | null

const PREFIX = 'data:image/png;base64,'
const pngOf = (text: string): Buffer => {
  const uri = qrPngDataUri(text)
  assert.ok(uri.startsWith(PREFIX))
  return Buffer.from(uri.slice(PREFIX.length), 'base64')
}
const readBack = (text: string): string | undefined => {
  const { data, width, height } = PNG.sync.read(pngOf(text))
  return readQr(new Uint8ClampedArray(data), width, height)?.data
}
/** The rows of a code as text, dark modules as #. */
const rowsOf = (text: string): string[] => {
  const { side, modules } = qrGrid(text)
  return Array.from({ length: side }, (_, y) =>
    Array.from(modules.subarray(y * (side + 1), y * (side + 1) + side), (dark) => (dark ? '#' : '.')).join(
      '',
    ),
  )
}
const printable = (minLength: number, maxLength: number) =>
  fc.string({ unit: 'grapheme-ascii', minLength, maxLength })

test('every size is drawn module for module as a general encoder draws it', () => {
  const sizes = new Set<number>()
  for (let length = 1; length <= 666; length += 5) {
    const text = Array.from({ length }, (_, i) => String.fromCharCode(33 + ((i * i + length) % 90))).join('')
    const expected = encodeQR(text, 'raw', { ecc: 'medium', mask: 2, border: 4, encoding: 'byte' })
    assert.deepEqual(
      rowsOf(text),
      expected.map((row) => row.map((dark) => (dark ? '#' : '.')).join('')),
    )
    sizes.add(expected.length)
  }
  assert.equal(sizes.size, 20)
})

test('any text is drawn as a general encoder draws it', () => {
  fc.assert(
    fc.property(printable(1, 666), (text) => {
      const expected = encodeQR(text, 'raw', { ecc: 'medium', mask: 2, border: 4, encoding: 'byte' })
      assert.deepEqual(
        rowsOf(text),
        expected.map((row) => row.map((dark) => (dark ? '#' : '.')).join('')),
      )
    }),
  )
})

test('a text fits its size to the last byte', () => {
  const side = (bytes: number) => qrGrid('x'.repeat(bytes)).side
  assert.deepEqual([side(14), side(15)], [29, 33])
  assert.deepEqual([side(180), side(181), side(213), side(214)], [61, 65, 65, 69])
  assert.equal(side(666), 105)
  assert.throws(() => side(667), RangeError)
  assert.throws(() => qrPngDataUri('ñ'.repeat(334)), RangeError)
})

test('a reader finds the text in the PNG', () => {
  fc.assert(
    fc.property(printable(1, 300), (text) => assert.equal(readBack(text), text)),
    { numRuns: 60 },
  )
})

test('a reader finds a long text in the PNG', () => {
  for (const length of [300, 400, 666]) {
    const text = Array.from({ length }, (_, i) => String.fromCharCode(33 + ((i * 7) % 90))).join('')
    assert.equal(readBack(text), text)
  }
})

test('a reader finds letters outside ASCII', () => {
  assert.equal(readBack('Bogotá, señor ☕ 😀'), 'Bogotá, señor ☕ 😀')
})

test('a reader finds every payment payload', () => {
  const anyPayload = fc
    .record({
      payinId: fc.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      amountInCents: fc.bigInt(1n, 1_211_000_000n),
      merchantName: fc.string({ minLength: 0, maxLength: 40 }),
    })
    .map(({ payinId, amountInCents, merchantName }) => {
      const key = singleUseKey(payinId)
      const merchantCity = 'Bogotá'
      return emvPayload({ key, amountInCents, merchantName, merchantCity, transactionId: key.slice(1) })
    })
  fc.assert(
    fc.property(anyPayload, (payload) => assert.equal(readBack(payload), payload)),
    { numRuns: 60 },
  )
})

test('every pixel of the PNG is the module it stands for', () => {
  for (const length of [1, 50, 250, 666]) {
    const text = 'R'.repeat(length)
    const rows = rowsOf(text)
    const { data, width, height } = PNG.sync.read(pngOf(text))
    assert.deepEqual([width, height], [rows.length * 4, rows.length * 4])
    for (let y = 0; y < height; y++) {
      const row = Array.from({ length: width }, (_, x) => (data[(y * width + x) * 4] === 0 ? '#' : '.')).join(
        '',
      )
      assert.equal(row, rows[y >> 2]?.replace(/./g, '$&$&$&$&'))
    }
  }
})

test('zlib accepts the checksum of the pixels in every size', () => {
  for (let length = 1; length <= 666; length += 7) {
    const png = pngOf('@'.repeat(length))
    const pixels = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)))
    const side = png.readUInt32BE(16)
    assert.equal(pixels.length, side * (1 + Math.ceil(side / 8)))
  }
})

test('the SVG draws the same modules', () => {
  fc.assert(
    fc.property(printable(1, 300), (text) => {
      const rows = rowsOf(text)
      const side = rows.length
      const svg = qrSvg(text)
      assert.ok(svg.startsWith(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}"`))
      const drawn = rows.map(() => Array.from({ length: side }, () => '.'))
      const path = /<path stroke="#000" d="([^"]*)"\/><\/svg>$/.exec(svg)?.[1] ?? ''
      let x = 0
      let y = 0
      for (const [, move, toX, toY, run] of path.matchAll(/([Mm])(\d+) ([\d.]+)h(\d+)/g)) {
        x = move === 'M' ? Number(toX) : x + Number(toX)
        y = move === 'M' ? Number(toY) - 0.5 : y
        drawn[y]?.fill('#', x, x + Number(run))
        x += Number(run)
      }
      assert.deepEqual(
        drawn.map((row) => row.join('')),
        rows,
      )
    }),
  )
})

test('the SVG contains nothing of the text but its modules', () => {
  assert.doesNotMatch(qrSvg('<script>alert(1)</script>"&'), /script|alert|&/)
})
