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

describe('the language', () => {
  const SPANISH = { accept: 'text/html', 'accept-language': 'es-CO,es;q=0.9,en;q=0.5' }

  it('of a page is the browser’s, by a way to its Spanish address', async () => {
    for (const [path, spanish] of [
      ['/docs', '/docs/es'],
      ['/docs/errors', '/docs/es/errors'],
      ['/docs/payins', '/docs/es/payins'],
      ['/docs/guides/pse', '/docs/guides/es/pse'],
      ['/docs/in-depth/rails', '/docs/es/in-depth/rails'],
    ] as const) {
      const led = await get(path, SPANISH)
      assert.deepEqual([led.statusCode, led.headers.location], [302, spanish], path)
      assert.match(String(led.headers.vary), /accept-language, cookie/)
      const page = await get(spanish, SPANISH)
      assert.equal(page.statusCode, 200)
      assert.match(page.body, /<html lang="es">/)
      const english = await get(path, { 'accept-language': 'en' })
      assert.equal(english.statusCode, 200)
      assert.match(english.body, /<html lang="en">/)
      assert.match(String(english.headers.vary), /accept-language, cookie/)
      // Who opens a Spanish address gets it in Spanish.
      assert.equal((await get(spanish, { 'accept-language': 'en' })).statusCode, 200)
    }
  })

  it('is remembered once the switch was used, in a cookie of these pages alone', async () => {
    const chosen = await get('/docs/payins?lang=en', SPANISH)
    assert.equal(chosen.statusCode, 200)
    const cookie = String(chosen.headers['set-cookie'])
    assert.match(cookie, /^recaudo_docs_language=en; Path=\/docs; Max-Age=\d+; HttpOnly; SameSite=Lax$/)
    const stays = await get('/docs/errors', { ...SPANISH, cookie: cookie.split(';')[0] as string })
    assert.equal(stays.statusCode, 200)
    assert.equal(stays.headers['set-cookie'], undefined)
    const back = await get('/docs/payins?lang=es', { 'accept-language': 'en' })
    assert.deepEqual([back.statusCode, back.headers.location], [302, '/docs/es/payins?lang=es'])
    assert.match(String(back.headers['set-cookie']), /^recaudo_docs_language=es;/)
    assert.equal((await get('/docs/es/payins?lang=es')).statusCode, 200)
    const unknown = await get('/docs/payins?lang=fr')
    assert.deepEqual([unknown.statusCode, unknown.headers['set-cookie']], [200, undefined])
  })

  it('is the address’s for programs: neither Markdown nor scripts nor openapi.json lead elsewhere', async () => {
    for (const path of ['/docs/payins.md', '/docs.md', '/docs/copy.js', '/openapi.json', '/llms.txt'])
      assert.equal((await get(path, SPANISH)).statusCode, 200, path)
    assert.equal((await get('/docs/es/payins.md', { 'accept-language': 'en' })).statusCode, 200)
  })

  it('of search results and unknown pages is the address’s, else the reader’s', async () => {
    assert.match((await get('/docs/es/search?q=cobro')).body, /<html lang="es">/)
    assert.match((await get('/docs/es/nope', { accept: 'text/html' })).body, /Esta página no existe/)
    assert.match((await get('/docs/nope', SPANISH)).body, /Esta página no existe/)
  })
})

describe('the bare address', () => {
  it('sends a browser to the documentation, and tells a program that there is nothing', async () => {
    const browser = await get('/', { accept: 'text/html,application/xhtml+xml' })
    assert.deepEqual([browser.statusCode, browser.headers.location], [302, '/docs'])
    const program = await get('/', { accept: 'application/json' })
    assert.deepEqual([program.statusCode, program.json().code], [404, 'NOT_FOUND'])
    const below = Fastify()
    routeDocs(below, { publicUrl: 'https://example.com/money', environment: 'production' })
    const led = await below.inject({ method: 'GET', url: '/', headers: { accept: 'text/html' } })
    assert.equal(led.headers.location, '/money/docs')
    const asked = await below.inject({ method: 'GET', url: '/docs?lang=en' })
    assert.match(String(asked.headers['set-cookie']), /; Path=\/money\/docs; .*; Secure$/)
    await below.close()
  })
})

describe('the documentation', () => {
  it('answers at the address of every page and of its Markdown, without a credential', async () => {
    for (const path of site().addresses) {
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
      '/docs/search.js',
      '/docs/search-index.en.js',
      '/docs/search-index.es.js',
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
