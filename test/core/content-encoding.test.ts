import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import {
  compressPage,
  encodingFor,
  type PageEncoding,
  quickEncodingFor,
} from '../../src/core/content-encoding.ts'

const OPENED: Readonly<Record<PageEncoding, (bytes: Buffer) => Buffer>> = {
  zstd: zstdDecompressSync,
  br: brotliDecompressSync,
  gzip: gunzipSync,
  identity: (bytes) => bytes,
}

describe('the encoding of an answer', () => {
  const cases: [accepted: string | undefined, chosen: string, quick: string][] = [
    [undefined, 'identity', 'identity'],
    ['gzip, deflate, br, zstd', 'br', 'zstd'],
    ['gzip, deflate, br', 'br', 'br'],
    ['gzip, deflate', 'gzip', 'gzip'],
    ['GZIP ; q=0.5', 'gzip', 'gzip'],
    ['zstd;q=0, br;q=0.0, gzip', 'gzip', 'gzip'],
    ['br ;q=0 , gzip ; q=1', 'gzip', 'gzip'],
    ['br;q=0.01', 'br', 'br'],
    ['*', 'br', 'zstd'],
    ['*, zstd;q=0', 'br', 'br'],
    ['deflate', 'identity', 'identity'],
  ]
  for (const [accepted, chosen, quick] of cases)
    it(`is ${chosen}, of a page ${quick}, where the client says ${accepted ?? 'nothing'}`, () => {
      assert.equal(encodingFor(accepted), chosen)
      assert.equal(quickEncodingFor(accepted), quick)
    })
})

describe('a compressed page', () => {
  const text = '<p>Café La Palma recibió $ 50.000</p>'.repeat(200)
  for (const encoding of ['zstd', 'br', 'gzip'] as const)
    it(`is small, and the same when it is opened: ${encoding}`, () => {
      const bytes = compressPage(text, encoding, 2)
      assert.ok(bytes.length < 200, `${bytes.length} bytes`)
      assert.equal(OPENED[encoding](bytes).toString(), text)
    })

  it('is itself for whoever accepts no encoding', () => {
    assert.equal(compressPage(text, 'identity', 2).toString(), text)
  })
})
