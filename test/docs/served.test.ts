// How the documentation is served: to everybody, compressed, revalidated at no cost, and closed to outside content.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { routeDocs } from '../../src/docs/routes.ts'
import { PUBLIC_URL, site } from './reading.ts'

let app: FastifyInstance
before(async () => {
  app = Fastify()
  routeDocs(app, { publicUrl: PUBLIC_URL, environment: 'staging' })
  await app.ready()
})
after(() => app.close())

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers })

describe('the documentation', () => {
  it('answers at the address of every page and of its Markdown, without a credential', async () => {
    for (const { path } of site().pages) {
      const page = await get(path)
      assert.equal(page.statusCode, 200, path)
      assert.match(String(page.headers['content-type']), /^text\/html/)
      const markdown = await get(`${path}.md`)
      assert.equal(markdown.statusCode, 200, path)
      assert.match(String(markdown.headers['content-type']), /^text\/markdown/)
    }
    for (const path of [
      '/llms.txt',
      '/llms-full.txt',
      '/openapi.json',
      '/docs/copy.js',
      '/docs/playground.js',
      '/docs/search?q=payin',
    ])
      assert.equal((await get(path)).statusCode, 200, path)
  })

  it('is compressed as the reader accepts', async () => {
    const plain = await get('/docs/payins')
    const brotli = await get('/docs/payins', { 'accept-encoding': 'gzip, br;q=0.9' })
    const gzip = await get('/docs/payins', { 'accept-encoding': 'gzip, br;q=0' })
    assert.equal(brotli.headers['content-encoding'], 'br')
    assert.equal(brotliDecompressSync(brotli.rawPayload).toString(), plain.body)
    assert.equal(gzip.headers['content-encoding'], 'gzip')
    assert.equal(gunzipSync(gzip.rawPayload).toString(), plain.body)
    assert.equal(plain.headers['content-encoding'], undefined)
    assert.ok(brotli.rawPayload.length < 20_000, 'the largest page')
  })

  it('is revalidated each time, and sent again only when it has changed', async () => {
    const { headers } = await get('/docs/errors')
    assert.equal(headers['cache-control'], 'no-cache')
    const again = await get('/docs/errors', { 'if-none-match': `"other", ${headers.etag}` })
    assert.equal(again.statusCode, 304)
    assert.equal(again.body, '')
    assert.equal((await get('/docs/errors', { 'if-none-match': '"other"' })).statusCode, 200)
    const compressed = await get('/docs/errors', { 'accept-encoding': 'br' })
    assert.notEqual(compressed.headers.etag, headers.etag)
  })

  it('allows only its own style and scripts, which may connect only where there is a playground', async () => {
    for (const [path, scripts] of [
      ['/docs', "script-src 'self'; form-action"],
      ['/docs/guides', "script-src 'self'; form-action"],
      ['/docs/search?q=x', 'img-src data:; form-action'],
      ['/docs/payins', "script-src 'self'; connect-src 'self'; form-action"],
    ] as const) {
      const { headers, body } = await get(path)
      const policy = String(headers['content-security-policy'])
      const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(body) ?? []
      const hash = createHash('sha256').update(style).digest('base64')
      assert.ok(policy.includes(`style-src 'sha256-${hash}'`), path)
      assert.match(policy, /^default-src 'none';.*frame-ancestors 'none'/)
      assert.ok(policy.includes(scripts), policy)
      assert.doesNotMatch(policy, /unsafe|https?:|\*/)
    }
  })

  it('shows a browser a helpful page for an unknown address, and gives a program a problem', async () => {
    for (const path of ['/docs/nope', '/docs/guides/nope', '/docs/a/b/c/d', '/docs/', '/docs/payins/']) {
      const page = await get(path, { accept: 'text/html,*/*' })
      assert.equal(page.statusCode, 404, path)
      assert.match(page.body, /There is no such page/)
      const refusal = await get(path)
      assert.equal(refusal.statusCode, 404, path)
      assert.equal(refusal.json().code, 'NOT_FOUND')
    }
    const posted = await app.inject({ method: 'POST', url: '/docs/payins' })
    assert.equal(posted.statusCode, 405)
    assert.equal(posted.headers.allow, 'GET, HEAD')
    assert.equal((await app.inject({ method: 'POST', url: '/docs/nope' })).statusCode, 404)
    assert.equal((await app.inject({ method: 'HEAD', url: '/docs/payins' })).statusCode, 200)
  })

  it('accepts any search query', async () => {
    for (const q of ['', '%00', '%F0%9F%92%B8', '%22%3E%3Cscript%3E', '(((', 'a'.repeat(5_000)]) {
      const found = await get(`/docs/search?q=${q}`)
      assert.equal(found.statusCode, 200, q)
      assert.equal(found.headers['cache-control'], 'no-store')
      assert.doesNotMatch(found.body, /<script>/)
    }
    assert.equal((await get('/docs/search')).statusCode, 200)
    assert.equal((await get('/docs/search?q=a&q=b')).statusCode, 200)
  })
})
