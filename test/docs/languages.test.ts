// The documentation in Spanish: nothing of it is left in English by mistake. Every text of a Spanish page that its English
// twin has too is a name, or is marked as English.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { preferredLanguage } from '../../src/docs/language.ts'
import { GUIDE_ORDER } from '../../src/docs/pages/guides.ts'
import { linksIn, site, textAt, unescapeHtml } from './reading.ts'

const staging = site()
const production = site({ environment: 'production' })

// Elements that have no end tag.
const VOID = new Set(['meta', 'link', 'input', 'br', 'img', 'hr', 'path', 'rect'])
// Not text of ours, or the same in every language.
const SKIPPED = new Set(['pre', 'code', 'style', 'script', 'svg'])
const READ_ATTRIBUTES = ['aria-label', 'placeholder', 'content', 'data-suggestions']
// What both languages write alike.
const NAMES = new Set([
  ...['Recaudo', 'docs', 'Markdown', 'openapi.json', 'llms.txt', 'llms-full.txt', 'staging', 'production'],
  ...['Bre-B', 'PSE', 'Webhooks', 'Error', 'English', 'Español', 'Express', 'Fastify', 'Hono', 'Next.js'],
  ...['Banco de Pruebas', 'App de Pruebas', 'Entrar', 'Continuar', 'Aprobar el pago', 'TypeScript', 'CLI'],
  ...['width=device-width,initial-scale=1', 'light dark', 'sh', 'json', 'ts', 'bash', 'no', 'noindex'],
  ...['Recaudo docs', 'webhook', 'webhooks', 'proxy', 'Roles', 'roles', 'https:', '20 GB', '197 GB', '20 TB'],
  ...['compose', 'systemd', 'Kubernetes', 'macOS', 'WSL'],
  // Providers, and what they call their products.
  ...['Wompi', 'Mono', 'PlacetoPay', 'Pagos a Terceros', 'Desarrollo', 'Programadores'],
  ...['Bre-B Participant', 'Gateway'],
])

type Text = { readonly text: string; readonly isEnglish: boolean }

/** Every text of a page, as it is seen or read aloud, with the language that it is marked with. */
function textsOf(html: string): Text[] {
  const texts: Text[] = []
  const stack: { name: string; language: string }[] = [{ name: '', language: 'en' }]
  const add = (text: string, language: string) => {
    const plain = unescapeHtml(text).replaceAll(/\s+/g, ' ').trim()
    // By sentence, because one that was forgotten may stand between two that were not.
    for (const sentence of plain.split(/(?<=[.:;!?])\s+| · /))
      if (/\p{L}{2}/u.test(sentence) && !/^https?:\S+$/.test(sentence))
        texts.push({ text: sentence, isEnglish: language === 'en' })
  }
  for (const { groups } of html.matchAll(
    /<(?<end>\/?)(?<name>[a-z][\w-]*)(?<attributes>(?:"[^"]*"|[^>"])*)>|(?<text>[^<]+)/g,
  )) {
    const { name = '', end, attributes = '', text } = groups ?? {}
    const { language } = stack.at(-1) ?? { language: 'en' }
    const isSkipped = stack.some((one) => SKIPPED.has(one.name))
    if (text !== undefined) {
      if (!isSkipped) add(text, language)
      continue
    }
    if (end === '/') {
      while (stack.length > 1 && stack.pop()?.name !== name);
      continue
    }
    const [, own = language] = /\slang="(\w+)"/.exec(attributes) ?? []
    if (!isSkipped && !SKIPPED.has(name))
      for (const attribute of READ_ATTRIBUTES) {
        const [, value] = new RegExp(`\\s${attribute}="([^"]*)"`).exec(attributes) ?? []
        if (value !== undefined) add(value, own)
      }
    if (!VOID.has(name) && !attributes.endsWith('/')) stack.push({ name, language: own })
  }
  return texts
}

function untranslated(spanish: string, english: string): string[] {
  const known = new Set(textsOf(english).map(({ text }) => text))
  return textsOf(spanish)
    .filter(({ text, isEnglish }) => !isEnglish && known.has(text) && !NAMES.has(text))
    .map(({ text }) => text)
}

describe('a page in Spanish', () => {
  it('exists for every page, marked as Spanish, and leads on in Spanish', () => {
    const english = staging.pages.filter(({ language }) => language === 'en')
    assert.ok(english.length > 20)
    for (const { path } of english) {
      const address = staging.addressIn(path, 'es') ?? assert.fail(path)
      assert.notEqual(address, path)
      const html = textAt(staging, address)
      assert.match(html, /^<!doctype html>\n<html lang="es">/, address)
      const links = linksIn(html.slice(html.indexOf('<body'))).filter(
        (href) => href.startsWith('/docs') && !/\.md$|\?lang=en$/.test(href),
      )
      assert.ok(links.length > 20, address)
      for (const href of links) {
        const [target = ''] = href.split('#')
        assert.equal(staging.addressIn(target, 'es'), target, `${address} leads to ${href}`)
      }
    }
  })

  for (const [name, of] of [
    ['staging', staging],
    ['production', production],
  ] as const)
    it(`has no text of its English twin but names and what is marked as English, in ${name}`, () => {
      const english = of.pages.filter(({ language }) => language === 'en')
      const left = english.flatMap(({ path }) => {
        const address = of.addressIn(path, 'es') as string
        return untranslated(textAt(of, address), textAt(of, path)).map((text) => `${address}: ${text}`)
      })
      assert.deepEqual(left, [])
    })

  it('is found out if one sentence, label or summary of it is left in English', () => {
    const english = textAt(staging, '/docs/errors')
    const spanish = textAt(staging, '/docs/es/errors')
    for (const [before, after] of [
      ['Ir al contenido', 'Skip to the content'],
      ['aria-label="Páginas"', 'aria-label="Pages"'],
      [
        'El cuerpo pesa más de 64 KiB, o un archivo de dispersiones más de 4 MB.',
        'The body is larger than 64 KiB, or a file of payouts larger than 4 MB.',
      ],
      ['<h1>Errores</h1>', '<h1>Errors</h1>'],
    ] as const) {
      assert.ok(spanish.includes(before), before)
      assert.equal(untranslated(spanish.replace(before, after), english).length, 1, after)
    }
  })

  it('is translated where we wrote it: the first page, the guides and the errors', () => {
    const translated = staging.pages.filter(({ language }) => language === 'es').map(({ path }) => path)
    assert.deepEqual(translated.toSorted(), [
      '/docs/es',
      '/docs/es/errors',
      '/docs/guides/es',
      ...GUIDE_ORDER.map((slug) => `/docs/guides/es/${slug}`).toSorted(),
    ])
    for (const path of ['/docs/es/payins', '/docs/es/event-types', '/docs/es/in-depth/rails'])
      assert.match(
        textAt(staging, path),
        /<p class="note">Esta página está en inglés\.[^<]*<\/p><article lang="en"/,
      )
  })

  it('is searched in Spanish, and its results are at Spanish addresses', () => {
    assert.ok(staging.results('devolución', 'es').length > 0)
    assert.deepEqual(staging.results('devolución', 'en'), [])
    // What is translated is found in the reader's language alone, not once in each.
    for (const language of ['en', 'es'] as const)
      assert.deepEqual(
        staging.results('pgBackRest', language).map((result) => result.language),
        [language],
      )
    const found = staging.results('referencia', 'es')
    assert.ok(found.length > 5)
    for (const { href } of found) {
      const [path = ''] = href.split('#')
      assert.equal(staging.addressIn(path, 'es'), path, href)
    }
    assert.equal(staging.results('DUPLICATE_REFERENCE', 'es')[0]?.href, '/docs/es/errors#DUPLICATE_REFERENCE')
    assert.match(staging.search('cobro', 'es').text, /\d+ resultados/)
    assert.match(staging.search('zzzzzz', 'es').text, /No se encontró nada/)
    assert.deepEqual(untranslated(staging.notFound('es').text, staging.notFound('en').text), [])
    assert.deepEqual(untranslated(staging.search('pageSize', 'es').text, staging.search('pageSize').text), [])
  })
})

describe('the language of a reader', () => {
  it('is what the switch was set to, else what the browser prefers, else English', () => {
    const cases: [string | undefined, string | undefined, 'en' | 'es'][] = [
      [undefined, undefined, 'en'],
      [undefined, '', 'en'],
      [undefined, 'es-CO,es;q=0.9,en;q=0.8', 'es'],
      [undefined, 'en-US,en;q=0.9,es;q=0.8', 'en'],
      [undefined, 'de, es;q=0.5, en;q=0.3', 'es'],
      [undefined, 'es;q=0.5,en;q=0.5', 'en'],
      [undefined, 'fr', 'en'],
      [undefined, 'es;q=0', 'en'],
      [undefined, 'esperanto', 'en'],
      [undefined, `${'x,'.repeat(2_000)}es`, 'en'],
      ['recaudo_docs_language=en', 'es', 'en'],
      ['a=b; recaudo_docs_language=es', 'en', 'es'],
      ['recaudo_docs_language=fr', 'es', 'es'],
      ['other_recaudo_docs_language=es', 'en', 'en'],
    ]
    for (const [cookies, header, language] of cases)
      assert.equal(preferredLanguage(cookies, header), language, `${cookies} ${header?.slice(0, 40)}`)
  })
})
