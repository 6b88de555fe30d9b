// Besides the pages: their Markdown, the index for programs, the search, the diagrams, and the guides.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EVENT_NAMES } from '../../src/api/events/schema.ts'
import { REFUSALS } from '../../src/core/refusal.ts'
import { readApi } from '../../src/docs/open-api.ts'
import { drawLifecycle, layOut, STATE_BOX, WIDTH } from '../../src/docs/pages/lifecycle-drawing.ts'
import { LIFECYCLE_DOCS, transitionsOf } from '../../src/docs/pages/lifecycle-tables.ts'
import { createMarkdown } from '../../src/docs/print/markdown.ts'
import { MAX_RESULTS } from '../../src/docs/search.ts'
import { linksIn, PUBLIC_URL, site, textAt } from './reading.ts'

const staging = site()

describe('the Markdown', () => {
  const markdownLinks = (text: string) =>
    [...withoutCode(text).matchAll(/\]\((\S+?)\)/g)].map(([, href]) => href as string)

  it('exists at every address of a page, starts with its title, and is linked in its head and above its title', () => {
    for (const { path, title } of staging.pages)
      assert.ok(textAt(staging, `${path}.md`).startsWith(`# ${title}\n`), path)
    for (const address of staging.addresses) {
      const html = textAt(staging, address)
      assert.ok(html.includes(`<link rel="alternate" type="text/markdown" href="${address}.md">`), address)
      assert.ok(html.includes(`<a href="${address}.md" lang="en">Markdown</a>`), address)
    }
  })

  it('of a page without a translation says so at its Spanish address, and leads on in Spanish', () => {
    for (const path of ['/docs/payment-pages', '/docs/webhooks', '/docs/in-depth/payment-pages']) {
      const english = textAt(staging, `${path}.md`)
      const spanish = textAt(staging, `${path.replace('/docs', '/docs/es')}.md`)
      const [title, empty, note, ...rest] = spanish.split('\n')
      assert.match(note as string, /^> Esta página está en inglés\./)
      const others = markdownLinks(spanish).filter((href) => href.startsWith(`${PUBLIC_URL}/docs`))
      assert.ok(others.length > 0, path)
      for (const href of others) assert.match(href, /\/docs\/(?:guides\/)?es[/.]/, path)
      const withoutLinks = (text: string) => text.replaceAll(/\]\(\S+?\)/g, ']')
      assert.equal(
        withoutLinks([title, empty, ...rest.slice(1)].join('\n')),
        withoutLinks(english),
        'otherwise the same text',
      )
    }
    assert.doesNotMatch(textAt(staging, '/docs/es/errors.md'), /^> Esta página/m)
    assert.doesNotMatch(textAt(staging, '/llms-full.txt'), /^> Esta página/m)
  })

  it('has every operation, field and code that the pages have', () => {
    const all = textAt(staging, '/llms-full.txt')
    for (const { method, path, parameters } of readApi(PUBLIC_URL, 'staging').operations) {
      assert.ok(all.includes(`\`${method} ${path}\``), path)
      for (const { name } of parameters) assert.ok(all.includes(`\`${name}\``), name)
    }
    for (const code of Object.keys(REFUSALS)) assert.ok(all.includes(`### \`${code}\``), code)
    for (const { path } of staging.pages)
      assert.ok(all.includes(textAt(staging, `${path}.md`).slice(0, 200)), path)
  })

  it('links to Markdown, by absolute addresses that exist', () => {
    const known = new Set(staging.addresses.map((path) => `${PUBLIC_URL}${path}.md`))
    for (const other of ['/openapi.json', '/llms.txt', '/llms-full.txt']) known.add(PUBLIC_URL + other)
    const links = staging.addresses.flatMap((path) => markdownLinks(textAt(staging, `${path}.md`)))
    assert.ok(links.filter((href) => href.startsWith(PUBLIC_URL)).length > 10)
    for (const path of staging.addresses)
      for (const href of markdownLinks(textAt(staging, `${path}.md`))) {
        if (href.startsWith('#') || !href.startsWith(PUBLIC_URL))
          assert.doesNotMatch(href, /^\/|\.\.|^\w+\.md/)
        else assert.ok(known.has(href.split('#')[0] as string), `${path}: ${href}`)
      }
  })

  it('is listed in llms.txt, every page of it, after a title and a summary', () => {
    const index = textAt(staging, '/llms.txt')
    assert.match(index, /^# .+\n\n> .+\n/)
    const listed = new Set(markdownLinks(index))
    for (const { path } of staging.pages) assert.ok(listed.has(`${PUBLIC_URL}${path}.md`), path)
    assert.equal(listed.size, staging.pages.length + 2, 'and openapi.json and llms-full.txt')
  })

  it('keeps the cells of a table apart if a text has a bar in it', () => {
    const rows = textAt(staging, '/docs/payins.md')
      .split('\n')
      .filter((line) => line.startsWith('| '))
    assert.ok(rows.length > 10)
    for (const row of rows) assert.ok(row.split(/(?<!\\)\|/).length >= 4, row)
  })
})

describe('the search', () => {
  const hrefs = (query: string) => staging.results(query).map(({ href }) => href)

  it('finds operations, fields, errors, events and headings of guides', () => {
    assert.equal(hrefs('create a payin')[0], '/docs/payins#createPayin')
    assert.ok(
      hrefs('payinExpiryMinutes').includes('/docs/organization#changeOrganization.payinExpiryMinutes'),
    )
    for (const code of Object.keys(REFUSALS)) assert.equal(hrefs(code)[0], `/docs/errors#${code}`)
    for (const name of EVENT_NAMES) assert.equal(hrefs(name)[0], `/docs/event-types#${name}`)
    const guided = site({
      documents: new Map([
        ['docs/guides/en/pse.md', '# PSE\n\nBanks.\n\n## The payer’s way back\n\nText.\n'],
      ]),
    })
    assert.equal(guided.results('way back')[0]?.href, '/docs/guides/pse#the-payer-s-way-back')
  })

  it('finds the words of guides, in their text, their tables and their code, at the section that has them', () => {
    const guided = site({
      documents: new Map([
        [
          'docs/guides/en/pse.md',
          '# PSE\n\nA quokka pays.\n\n## Do\n\nThe *wombat* [leaps](pse.md).\n\n| a | numbat |\n|---|---|\n\n```sh\n# dingo\n## echidna\n```\n\n## After\n\nbilby\n',
        ],
      ]),
    })
    for (const [word, href] of [
      ['quokka', '/docs/guides/pse'],
      ['wombat leaps', '/docs/guides/pse#do'],
      ['numbat', '/docs/guides/pse#do'],
      ['dingo', '/docs/guides/pse#do'],
      ['echidna', '/docs/guides/pse#do'],
      ['bilby', '/docs/guides/pse#after'],
    ] as const)
      assert.equal(guided.results(word)[0]?.href, href, word)
    assert.ok(hrefs('pgBackRest').includes('/docs/guides/operating#back-to-any-second'))
  })

  it('has an index for what is typed: every entry, and of fields each name once', async () => {
    for (const language of ['en', 'es'] as const) {
      const { text } = staging.documentAt(`/docs/search-index.${language}.js`) ?? assert.fail('no index')
      const { entries } = await import(`data:text/javascript,${encodeURIComponent(text)}`)
      const all = entries as [string, string, string, string, string][]
      assert.ok(all.length > 300, `${all.length} entries`)
      for (const code of Object.keys(REFUSALS))
        assert.ok(
          all.some(([title]) => title === code),
          code,
        )
      const fields = all.filter(([, kind]) => kind === 'Field' || kind === 'Campo').map(([title]) => title)
      assert.equal(new Set(fields).size, fields.length)
      for (const [, , , href] of all)
        assert.ok(staging.addressIn(href.split('#')[0] as string, language), href)
    }
  })

  it('ranks matching titles before matching text', () => {
    const [first, ...rest] = staging.results('balance')
    assert.match(first?.title ?? '', /balance/i)
    const kinds = rest.map(({ title }) => /balance/i.test(title))
    assert.ok(
      kinds.lastIndexOf(true) < (kinds.indexOf(false) === -1 ? kinds.length : kinds.indexOf(false)) + 1,
    )
  })

  it('ignores case and accents, requires every word, and is limited', () => {
    assert.deepEqual(hrefs('CREATE PÁYIN'), hrefs('create payin'))
    assert.deepEqual(hrefs('payin zzzzzz'), [])
    assert.deepEqual(hrefs('  '), [])
    assert.equal(hrefs('a').length, MAX_RESULTS)
    assert.deepEqual(hrefs('x'.repeat(100_000)), [])
  })

  it('shows the query as text and marks the matches', () => {
    const { text } = staging.search('<b>"payin')
    assert.ok(text.includes('value="&lt;b&gt;&quot;payin"'))
    assert.doesNotMatch(text, /<b>"payin/)
    assert.match(staging.search('cancel').text, /<mark>Cancel<\/mark> a payin/)
    assert.match(staging.search('zzzzzz').text, /Nothing found/)
    assert.match(
      staging.search('verifyWebhookEndpoint').text,
      /<p role="status">(?:\d+ results|1 result|Nothing found)</,
    )
    assert.match(staging.search('payinExpiryMinutes').text, /<p role="status">\d+ results</)
    assert.match(staging.search('payin').text, /<p role="status">First 40 results</)
  })
})

describe('the diagrams', () => {
  for (const story of LIFECYCLE_DOCS)
    it(`${story.title}: every state a box, every transition an arrow, none over another, all on a phone`, () => {
      const transitions = transitionsOf(story.lifecycle)
      const { places, height } = layOut(story.lifecycle, transitions)
      assert.deepEqual([...places.keys()].sort(), Object.keys(story.lifecycle).sort())
      const boxes = [...places.values()]
      for (const [index, { x, y }] of boxes.entries()) {
        assert.ok(x - STATE_BOX.width / 2 >= 0 && x + STATE_BOX.width / 2 <= WIDTH)
        assert.ok(y - STATE_BOX.height / 2 >= 0 && y + STATE_BOX.height / 2 <= height)
        for (const other of boxes.slice(index + 1))
          assert.ok(Math.abs(other.x - x) >= STATE_BOX.width || Math.abs(other.y - y) >= STATE_BOX.height)
      }
      const drawing = drawLifecycle(story, story.id).html
      // A phone of 360 pixels has 16 on each side that stay empty, and the box around the drawing has a line of one.
      const [, width] = /^<svg [^>]* width="(\d+)"/.exec(drawing) ?? []
      assert.ok(Number(width) <= 360 - 2 * 16 - 2 * 1, `${width} pixels`)
      assert.equal(drawing.match(/class="arrow"/g)?.length, transitions.length)
      for (const { from, action, to } of transitions) {
        assert.ok(drawing.includes(`${from} becomes ${to} by ${action}`))
        assert.ok((places.get(from)?.y ?? 0) < (places.get(to)?.y ?? 0), 'arrows go down')
      }
      assert.match(drawing, /role="img" aria-labelledby="(\S+) (\S+)"><title id="\1">[\s\S]*<desc id="\2">/)
    })

  it('are on the page of their resource and on the page of all, each with a table beside it', () => {
    for (const { tag, title, id, lifecycle } of LIFECYCLE_DOCS)
      for (const path of [`/docs/${tag.toLowerCase().replaceAll(' ', '-')}`, '/docs/lifecycles']) {
        const html = textAt(staging, path)
        assert.ok(html.includes(`<title id="${id}-title">`), `${title} on ${path}`)
        for (const { from, to } of transitionsOf(lifecycle))
          assert.match(html, new RegExp(`<td><code>${from}</code></td>[^\\n]*?<td><code>${to}</code></td>`))
      }
  })
})

describe('a guide', () => {
  const documents = new Map([
    [
      'docs/guides/en/pse.md',
      '# PSE\n\nBanks, [webhooks](webhooks.md).\n\n## Do\n\n[es](../es/pse.md) [deep](../../rails.md#deep) [code](../../../src/main.ts) [err](../../errors.md#INVALID_INPUT)\n\n```sh\necho "<b>[x](y.md)"\n```\n\n<script>alert(1)</script>\n\n## Do\n',
    ],
    ['docs/guides/es/pse.md', '# PSE en Colombia\n\nBancos.\n'],
    ['docs/guides/en/webhooks.md', '# Webhooks\n\nEvents.\n'],
    ['docs/guides/en/zebra.md', '# Zebra\n\nNot in the list.\n'],
    ['docs/rails.md', '# Rails\n\nNetworks.\n\n## Deep\n'],
  ])
  const guided = site({ documents })
  const html = textAt(guided, '/docs/guides/pse')

  it('has links to pages, ids for its headings, and shows HTML as text', () => {
    const links = linksIn(html.slice(html.indexOf('<article')))
    for (const href of [
      '/docs/guides/webhooks',
      '/docs/guides/es/pse',
      '/docs/in-depth/rails#deep',
      '/docs/errors#INVALID_INPUT',
    ])
      assert.ok(links.includes(href), href)
    assert.doesNotMatch(html, /main\.ts|y\.md"/)
    assert.match(html, /<h2 id="do">[\s\S]*<h2 id="do-2">/)
    assert.match(html, /&lt;b&gt;\[x\]\(y\.md\)/)
    assert.doesNotMatch(html, /<script>/)
    assert.match(html, /<pre class="code" tabindex="0"/)
  })

  it('has names that are not broken, or only after a sign if they are long', () => {
    const { inline, whole } = createMarkdown((href) => href)
    for (const print of [inline, whole]) {
      assert.ok(print('`paymentlink.completed`').html.includes('<code>paymentlink.completed</code>'))
      assert.ok(
        print('`recaudo_http_request_seconds`').html.includes(
          '<code>recaudo_<wbr>http_<wbr>request_<wbr>seconds</code>',
        ),
      )
      assert.ok(print('`<b>_____________________&amp;x`').html.includes('<code>&lt;b&gt;_'))
    }
  })

  it('links to its other language if there is one', () => {
    assert.match(html, /<link rel="alternate" hreflang="es" href="\/docs\/guides\/es\/pse">/)
    assert.match(html, /<a href="\/docs\/guides\/es\/pse\?lang=es" hreflang="es" lang="es">Español<\/a>/)
    const spanish = textAt(guided, '/docs/guides/es/pse')
    assert.match(spanish, /^<!doctype html>\n<html lang="es">/)
    assert.match(spanish, /<link rel="alternate" hreflang="en" href="\/docs\/guides\/pse">/)
    assert.doesNotMatch(textAt(guided, '/docs/guides/webhooks'), /hreflang/)
  })

  it('shows the addresses of the server that shows it, except in what an operator writes for a proxy', () => {
    const source =
      '# PSE\n\nA http://127.0.0.1:4001/app.\n\n```sh\ncurl http://127.0.0.1:4000/payins\ncurl http://127.0.0.1:40001/\n```\n\n```nginx\nproxy_pass http://127.0.0.1:4000;\n```\n\nhttp://127.0.0.1:4000/docs\n'
    const elsewhere = site({
      publicUrl: 'http://127.0.0.1:4100',
      sandboxUrl: 'http://127.0.0.1:4101',
      documents: new Map([['docs/guides/en/pse.md', source]]),
    })
    const shown = textAt(elsewhere, '/docs/guides/pse.md')
    assert.ok(shown.includes('A http://127.0.0.1:4101/app.'))
    assert.ok(shown.includes('curl http://127.0.0.1:4100/payins\ncurl http://127.0.0.1:40001/\n'))
    assert.ok(shown.includes('proxy_pass http://127.0.0.1:4000;'))
    assert.ok(shown.includes('\nhttp://127.0.0.1:4100/docs'))
    const real = site({ publicUrl: 'https://pay.example.com', environment: 'production' })
    for (const { path } of real.pages.filter(({ section }) => section === 'Guides'))
      assert.doesNotMatch(
        textAt(real, `${path}.md`).replaceAll(/^```nginx[\s\S]*?^```/gm, ''),
        /127\.0\.0\.1:4000/,
        path,
      )
  })

  it('comes in the order of the list, unlisted ones last', () => {
    const order = guided.pages.filter(({ section, language }) => section === 'Guides' && language === 'en')
    assert.deepEqual(
      order.map(({ path }) => path),
      ['/docs/guides', '/docs/guides/pse', '/docs/guides/webhooks', '/docs/guides/zebra'],
    )
  })

  it('is optional: the reference works without', () => {
    const bare = site({ documents: new Map() })
    assert.ok(textAt(bare, '/docs/payins').length > 0)
    assert.ok(textAt(bare, '/docs/guides').length > 0)
  })
})

function withoutCode(text: string): string {
  return text.replaceAll(/^(`{3,4})[\s\S]*?^\1/gm, '').replaceAll(/`[^`\n]*`/g, '')
}
