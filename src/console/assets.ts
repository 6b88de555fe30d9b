// The files that pages load: two style sheets, one script, one typeface, two marks. Each has its digest in its name and is kept by
// the browser for good. The script is what stands in client/, as it is: each file there is one improvement, knows nothing of the
// others, and is put in a block of its own.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { type ContentEncoding, encodingFor } from '../core/content-encoding.ts'

// A list needs no more than the first sheet, so that it is seen sooner on a slow line. What has to win stands at the end of both.
const LAST = ['live', 'print']
const STYLES = ['base', 'shell', 'parts', 'form', 'list', ...LAST]
const MORE_STYLES = ['object', 'home', 'person', 'settings', 'create', 'search', 'portal', 'reports', ...LAST]
const SCRIPTS = ['start', 'menus', 'passkeys', 'preview', 'logo', 'live', 'keys']

type Asset = { readonly address: string; readonly type: string; readonly bytes: Buffer }

const font = assetOf('geist', 'woff2', 'font/woff2', readFile('assets/geist-latin.woff2'))
const style = assetOf('style', 'css', 'text/css; charset=utf-8', styleText(STYLES))
const moreStyle = assetOf('more', 'css', 'text/css; charset=utf-8', styleText(MORE_STYLES))
const script = assetOf('script', 'js', 'text/javascript; charset=utf-8', scriptText())
const mark = assetOf('mark', 'svg', 'image/svg+xml', markOf('#0b5c4a', '#ffffff'))
const testMark = assetOf('test-mark', 'svg', 'image/svg+xml', markOf('#f6c445', '#2b2100'))

// As they follow /console/assets/.
export const ASSETS = {
  font: font.address,
  style: style.address,
  moreStyle: moreStyle.address,
  script: script.address,
  mark: mark.address,
  testMark: testMark.address,
} as const

export function routeAssets(app: FastifyInstance): void {
  const served = new Map(
    [font, style, moreStyle, script, mark, testMark].map((asset) => [asset.address, asset]),
  )
  const ofName = new Map([...served].map(([address, asset]) => [nameOf(address), asset]))
  app.get('/assets/:file', async (request, reply) => {
    const { file } = request.params as { file: string }
    const asset = served.get(file)
    // A page of another release, while both run, gets ours, and does not keep it.
    const found = asset ?? ofName.get(nameOf(file))
    if (found === undefined) return reply.callNotFound()
    const encoding = encodingFor(request.headers['accept-encoding'])
    const bytes = await bytesOf(found, encoding)
    reply.headers({
      'cache-control': asset === undefined ? 'no-store' : 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    })
    if (bytes !== found.bytes) reply.header('content-encoding', encoding)
    return reply.type(found.type).send(bytes)
  })
}

const encoded = new Map<string, Promise<Buffer>>()

// As small as can be, which takes long: made when somebody first wants it, beside the service's work, and then kept.
function bytesOf(asset: Asset, encoding: ContentEncoding): Promise<Buffer> {
  // A typeface is compressed already.
  if (encoding === 'identity' || asset.type.startsWith('font/')) return Promise.resolve(asset.bytes)
  const key = `${asset.address} ${encoding}`
  const made = encoded.get(key) ?? compress(asset.bytes, encoding)
  encoded.set(key, made)
  return made
}

function compress(bytes: Buffer, encoding: 'br' | 'gzip'): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(bytes, { level: 9 })
  return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })
}

function assetOf(name: string, ending: string, type: string, bytes: Buffer): Asset {
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  return { address: `${name}.${digest}.${ending}`, type, bytes }
}

function nameOf(file: string): string {
  const parts = file.split('.')
  return `${parts[0]}.${parts.at(-1)}`
}

function readFile(path: string): Buffer {
  return readFileSync(join(import.meta.dirname, path))
}

// Comments and indentation stay here.
function styleText(names: readonly string[]): Buffer {
  const text = names
    .map((name) => readFile(`assets/${name}.css`).toString())
    .join('\n')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\n\s*/g, '\n')
    .replaceAll('url(geist.woff2)', `url(${font.address})`)
  return Buffer.from(text)
}

function scriptText(): Buffer {
  const blocks = SCRIPTS.map((name) => {
    const text = readFile(`client/${name}.js`).toString()
    return `{\n${text
      .replaceAll(/\/\*\*.*?\*\/ ?/gs, '')
      .replaceAll(/^\s*(?:\/\/.*)?\n/gm, '')
      .replaceAll(/^\s+/gm, '')}}\n`
  })
  return Buffer.from(blocks.join(''))
}

function markOf(ground: string, figure: string): Buffer {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${ground}"/><path d="M16 7.5a8.5 8.5 0 1 0 8.5 8.5" fill="none" stroke="${figure}" stroke-width="3.4" stroke-linecap="round"/><circle cx="22.6" cy="9.4" r="2.6" fill="${figure}"/></svg>`
  return Buffer.from(svg)
}
