// docs/errors.md and its Spanish twin match the catalogue: the same codes, the same statuses, the same sentences.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { STATUS_OF } from '../src/api/http/errors.ts'
import { ERROR_TEXTS, errorsMarkdown } from '../src/api/openapi/errors-markdown.ts'
import { FIELD_CODES, REFUSALS } from '../src/core/refusal.ts'

for (const [language, name] of [
  ['en', 'errors.md'],
  ['es', 'errors.es.md'],
] as const)
  describe(`docs/${name}`, () => {
    const page = readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8')
    const texts = ERROR_TEXTS[language]

    it('is printed from the catalogue; `node src/api/openapi/errors-markdown.ts` reprints it', () => {
      assert.equal(page, errorsMarkdown(language))
    })

    // Parsed as a reader sees it, not as the printer writes it.
    it('has a paragraph for every refusal, with its status and its sentence, and for no other', () => {
      const [, codes] =
        new RegExp(`^## ${texts.codes}\\n(.*?)^## `, 'ms').exec(page) ?? assert.fail('no codes')
      const documented = (codes as string)
        .split(/^### /m)
        .slice(1)
        .map((paragraph) => {
          const [, code, status, sentence, remedy] =
            /^(\w+)\n\n(?:Status|Estado) (\d{3})\. (.+)\n\n\*(.+)\*\s*$/.exec(paragraph) ??
            assert.fail(paragraph)
          assert.ok((remedy as string).length > 0, `${code} says what to do`)
          return [code, { status: Number(status), sentence }]
        })
      const catalogue = Object.keys(REFUSALS).map((code) => [
        code,
        {
          status: STATUS_OF[code as keyof typeof STATUS_OF],
          sentence: texts.refusals[code as keyof typeof REFUSALS],
        },
      ])
      assert.equal(documented.length, catalogue.length, 'none twice')
      assert.deepEqual(Object.fromEntries(documented), Object.fromEntries(catalogue))
    })

    it('lists every field code with its meaning, and no other', () => {
      const [, fields] =
        new RegExp(`^## ${texts.fieldCodes}\\n(.*)$`, 'ms').exec(page) ?? assert.fail('no field codes')
      const rows = [...(fields as string).matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, code, meaning]) => [
        code,
        meaning,
      ])
      assert.deepEqual(Object.fromEntries(rows), texts.fields)
      assert.equal(rows.length, Object.keys(FIELD_CODES).length)
    })
  })

describe('README.md', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

  it('uses no variable in its commands that it has not set', () => {
    const commands = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text]) => text).join('\n')
    const set = [...commands.matchAll(/^export (\w+)=/gm)].map(([, name]) => name)
    const used = [...commands.matchAll(/\$(\w+)/g)].map(([, name]) => name)
    assert.ok(used.length > 0)
    assert.deepEqual(
      used.filter((name) => !set.includes(name)),
      [],
    )
  })

  it('says on its first screen what it is, the one command, and what one sees', () => {
    const [what = '', ...rest] = readme.split('\n').slice(2)
    assert.match(what, /^Recaudo collects and sends money in Colombia\./)
    const screen = rest.slice(0, 16).join('\n')
    for (const said of [/^npm ci && npm start$/m, /^curl -s \S+\/payins /m, /^You see /m])
      assert.match(screen, said)
  })

  it('has a map that names every document once, and none that is missing', () => {
    const [, map = ''] = /^## Map\n(.*)$/ms.exec(readme) ?? []
    const targets = [...map.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target as string)
    for (const target of targets) assert.ok(existsSync(new URL(`../${target}`, import.meta.url)), target)
    assert.equal(new Set(targets).size, targets.length, 'none twice')
    const documents = readdirSync(new URL('../docs', import.meta.url)).filter((name) => name.endsWith('.md'))
    assert.ok(documents.length > 4)
    for (const name of documents) assert.ok(targets.includes(`docs/${name}`), name)
  })
})

describe('the catalogue', () => {
  it('in English is what the API answers with', () => {
    assert.deepEqual([ERROR_TEXTS.en.refusals, ERROR_TEXTS.en.fields], [REFUSALS, FIELD_CODES])
  })

  it('in Spanish repeats no English sentence, and names the same fields, headers and operations', () => {
    const { en, es } = ERROR_TEXTS
    const named = (text: string) => [...new Set(text.match(/`[^`]+`/g))].sort()
    for (const kind of ['refusals', 'fields', 'remedies'] as const)
      for (const [code, text] of Object.entries(es[kind])) {
        const english = (en[kind] as Record<string, string>)[code] ?? assert.fail(code)
        assert.notEqual(text, english, code)
        const known = [...named(english), '`Idempotency-Key`']
        for (const name of named(text)) assert.ok(known.includes(name), `${code} ${name}`)
        for (const name of named(english)) assert.ok(text.includes(name), `${code} ${name}`)
      }
    assert.equal(es.points.length, en.points.length)
  })
})
