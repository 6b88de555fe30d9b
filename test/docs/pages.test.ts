// The pages match the service: every operation, code and event once, and no broken link.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EVENT_NAMES } from '../../src/api/events/schema.ts'
import { openApiDocument } from '../../src/api/openapi/document.ts'
import { FIELD_CODES, REFUSALS } from '../../src/core/refusal.ts'
import { readApi, readDocument } from '../../src/docs/open-api.ts'
import { fieldsOf } from '../../src/docs/pages/fields.ts'
import { resourcePage } from '../../src/docs/pages/resource.ts'
import { printHtml } from '../../src/docs/print/html.ts'
import { createMarkdown } from '../../src/docs/print/markdown.ts'
import { formsIn, idsIn, linksIn, PUBLIC_URL, site, textAt } from './reading.ts'

const staging = site()
const HTML = new Map(staging.pages.map((page) => [page.path, textAt(staging, page.path)]))
// Also those that show an English page in a Spanish frame.
const EVERY_ADDRESS = new Map(staging.addresses.map((path) => [path, textAt(staging, path)]))
const OTHERS = new Set([...staging.addresses.map((path) => `${path}.md`), '/llms.txt', '/llms-full.txt'])
const api = readApi(PUBLIC_URL, 'staging')

describe('the pages', () => {
  it('are there, with operations, links and ids to look at', () => {
    assert.ok(api.operations.length > 30 && HTML.size > 10 && EVENT_NAMES.length >= 8)
    for (const [path, html] of HTML) assert.ok(linksIn(html).length > 5 && idsIn(html).length > 0, path)
    assert.ok([...HTML.values()].flatMap(formsIn).length > 0)
    for (const codes of [REFUSALS, FIELD_CODES]) assert.ok(Object.keys(codes).length > 5)
  })

  it('have every operation of openapi.json on exactly one of them, with its method, path and scope', () => {
    for (const { operationId, method, path, scope, description } of api.operations) {
      const pages = [...HTML].filter(([, html]) => idsIn(html).includes(operationId))
      assert.equal(pages.length, 1, operationId)
      const [, html] = pages[0] as [string, string]
      const [, section = ''] = html.split(`id="${operationId}"`)
      assert.ok(
        section.includes(`<span class="method ${method}">${method}</span> <code>${path}</code>`),
        operationId,
      )
      assert.ok(
        section.includes(scope === undefined ? 'Needs no API key' : `<code>${scope}</code>`),
        operationId,
      )
      assert.ok(section.includes((description.split('`')[0] as string).replaceAll("'", '&#39;')), operationId)
    }
  })

  it('have a sample in curl and in TypeScript of every operation', () => {
    const samples = staging.pages
      .flatMap((page) => page.blocks.flatMap((block) => (block.kind === 'split' ? block.code : [])))
      .filter((block) => block.kind === 'samples')
    assert.ok(samples.length >= api.operations.length)
    for (const block of samples)
      assert.deepEqual(
        block.samples.slice(0, 2).map(({ label }) => label),
        ['curl', 'TypeScript'],
        block.id,
      )
  })

  it('list every parameter and every field of every body, down to the last', () => {
    const ids = new Set([...HTML.values()].flatMap(idsIn))
    for (const { operationId, parameters, body } of api.operations) {
      for (const parameter of parameters)
        assert.ok(
          ids.has(`${operationId}.${parameter.in}.${parameter.name}`),
          `${operationId} ${parameter.name}`,
        )
      const walk = (value: unknown, at: string): void => {
        if (typeof value !== 'object' || value === null || Array.isArray(value)) return
        for (const [name, inner] of Object.entries(value)) {
          assert.ok(ids.has(`${at}.${name}`), `${at}.${name}`)
          walk(inner, `${at}.${name}`)
        }
      }
      for (const { value } of body?.examples ?? []) walk(value, operationId)
    }
  })

  it('link every error of an operation to its paragraph', () => {
    for (const { tag, operationId, refusals } of api.operations) {
      const html = HTML.get(`/docs/${tag.toLowerCase().replaceAll(' ', '-')}`) ?? ''
      const [, section = ''] = html.split(`id="${operationId}-errors"`)
      const links = linksIn(section.split('<h2')[0] as string)
      for (const code of refusals.flatMap(({ codes }) => codes))
        assert.ok(links.includes(`/docs/errors#${code}`), `${operationId} ${code}`)
    }
  })

  it('have the paragraph of every refusal and of every field code', () => {
    const ids = idsIn(HTML.get('/docs/errors') ?? '')
    for (const code of [...Object.keys(REFUSALS), ...Object.keys(FIELD_CODES)])
      assert.ok(ids.includes(code), code)
  })

  it('have every event, with an example that has its name', () => {
    const html = HTML.get('/docs/event-types') ?? ''
    const markdown = textAt(staging, '/docs/event-types.md')
    for (const name of EVENT_NAMES) {
      assert.ok(idsIn(html).includes(name), name)
      assert.ok(markdown.includes(`"event": "${name}"`), name)
    }
  })

  it('have no duplicate id, and no broken link, anchor or form', () => {
    for (const [path, html] of EVERY_ADDRESS) {
      const ids = idsIn(html)
      assert.equal(
        new Set(ids).size,
        ids.length,
        `${path}: ${ids.filter((id, at) => ids.indexOf(id) !== at)}`,
      )
      for (const href of [...linksIn(html), ...formsIn(html)]) assertLeads(path, href)
    }
  })

  it('have one title each, headings that skip no level, and words in every link and button', () => {
    for (const [path, html] of EVERY_ADDRESS) {
      const levels = [...html.matchAll(/<h([1-6])[\s>]/g)].map(([, level]) => Number(level))
      assert.equal(levels.filter((level) => level === 1).length, 1, path)
      const steps = levels.map((level, at) => level - (levels[at - 1] ?? 0))
      assert.ok(
        steps.every((step) => step <= 1),
        `${path}: headings ${levels.join(' ')}`,
      )
      const pressed = [...html.matchAll(/<(a|button)\s(?<attributes>[^>]*)>(?<inside>[\s\S]*?)<\/\1>/g)]
      assert.ok(pressed.length > 10, path)
      for (const { 0: element, groups } of pressed)
        assert.ok(
          groups?.attributes?.includes('aria-label="') ||
            /\w/.test(groups?.inside?.replaceAll(/<[^>]*>/g, '') ?? ''),
          `${path}: ${element} has no words`,
        )
    }
  })

  it('load nothing from outside the server, and have no style or script in an attribute', () => {
    for (const [path, html] of HTML) {
      assert.doesNotMatch(html, /<(?:script|img|link|iframe)[^>]+(?:src|href)="https?:/, path)
      assert.doesNotMatch(html.replaceAll(/<pre[\s\S]*?<\/pre>/g, ''), /<[^>]+\s(?:style|on\w+)="/, path)
    }
  })

  it('say which environment this is, and its address in every sample', () => {
    for (const [path, html] of HTML) {
      assert.match(html, /<b class="staging">staging<\/b> <code>http:\/\/127\.0\.0\.1:4000<\/code>/, path)
    }
    const elsewhere = site({ publicUrl: 'https://pay.example.com', environment: 'production' })
    const payins = textAt(elsewhere, '/docs/payins')
    assert.ok(payins.includes('<b class="production">production</b> <code>https://pay.example.com</code>'))
    assert.ok(payins.includes('curl</span> https://pay.example.com/payins'))
  })

  it('of production mention neither the sandbox nor the playground', () => {
    const production = site({ environment: 'production' })
    assert.ok(production.pages.length > 10)
    for (const page of production.pages) {
      const html = textAt(production, page.path)
      assert.doesNotMatch(html, /class="try"|playground\.js/, page.path)
    }
    assert.equal(production.documentAt('/docs/sandbox'), undefined)
    assert.equal(production.documentAt('/docs/playground.js'), undefined)
  })

  it('are under the path of the public address, if it has one', () => {
    const below = site({ publicUrl: 'https://example.com/money' })
    assert.ok(below.pages.length > 10)
    for (const page of below.pages) {
      const own = linksIn(textAt(below, page.path)).filter((href) => href.startsWith('/'))
      assert.ok(own.length > 5, page.path)
      for (const href of own) assert.ok(href.startsWith('/money/'), `${page.path} ${href}`)
    }
  })

  it('escape what comes from schemas, descriptions and examples', () => {
    const evil = '<script>alert(1)</script>'
    const document = JSON.parse(
      JSON.stringify(openApiDocument(PUBLIC_URL, 'staging')).replaceAll(
        JSON.stringify('Identifier of the payin.'),
        JSON.stringify(`${evil} [x](javascript:alert(1))`),
      ),
    ) as Record<string, unknown>
    const changed = readDocument(document)
    const [create, ...rest] = changed.operations
    const operation = {
      ...(create as (typeof changed.operations)[number]),
      summary: evil,
      body: {
        required: true,
        schema: { properties: { [evil]: { type: 'string', enum: [evil], description: evil } } },
        examples: [{ key: 'x', summary: evil, value: { reference: evil } }],
      },
    }
    const page = resourcePage(
      { name: 'Payins', description: evil },
      { api: { ...changed, operations: [operation, ...rest] }, baseUrl: PUBLIC_URL, environment: 'staging' },
    )
    const markdown = createMarkdown((href) => (href.startsWith('javascript:') ? undefined : href))
    const html = printHtml(page.blocks, { markdown, base: '' })
      .map((part) => part.html)
      .join('')
    assert.ok(html.includes('&lt;script&gt;'))
    assert.doesNotMatch(html, /<script|href="javascript:/)
  })
})

describe('fields', () => {
  const none = { schemas: {}, sectionOf: () => undefined }

  it('show type, limits, values and when they are required', () => {
    const schema = {
      required: ['a'],
      properties: {
        a: { type: 'integer', minimum: 1, maximum: 9_007_199_254_740_991 },
        b: { type: ['string', 'null'], enum: ['X', 'Y', null], maxLength: 3 },
        c: { type: 'array', items: { type: 'string' }, minItems: 1, uniqueItems: true },
        d: { type: 'string', format: 'uuid', default: 'z' },
      },
      allOf: [{ if: { properties: { b: { const: 'X' } } }, then: { required: ['c'] } }],
    }
    const [a, b, c, d] = fieldsOf(schema, 'x', none, 'sent')
    assert.deepEqual([a?.presence, a?.type, a?.facts], ['required', 'integer', ['at least 1']])
    assert.deepEqual([b?.presence, b?.type, b?.values], ['optional', 'string or null', ['X', 'Y']])
    assert.equal(c?.presence, 'sometimes')
    assert.deepEqual(c?.facts, ['required where `b` is `X`', 'at least 1 entry', 'no entry twice'])
    assert.deepEqual([c?.type, d?.facts], ['array of string', ['UUID', 'default `z`']])
  })
})

// A link must lead to a page or document of the site, and its anchor must exist there.
function assertLeads(from: string, href: string): void {
  if (/^(https?:|mailto:|data:)/.test(href)) return
  const [target = '', anchor] = href.split('#')
  const path = target === '' ? from : target.replace(/\?lang=(?:en|es)$/, '')
  if (path === '/openapi.json' || path === '/docs/search' || path === '/docs/es/search') return
  assert.ok(EVERY_ADDRESS.has(path) || OTHERS.has(path), `${from} links to ${href}`)
  if (anchor === undefined || anchor === 'content') return
  assert.ok(
    idsIn(EVERY_ADDRESS.get(path) ?? '').includes(decodeURIComponent(anchor)),
    `${from} links to ${href}`,
  )
}
