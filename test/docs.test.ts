// docs/errors.md matches the catalogue: the same codes, the same statuses, the same sentences.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { STATUS_OF } from '../src/api/http/errors.ts'
import { errorsMarkdown } from '../src/api/openapi/errors-markdown.ts'
import { FIELD_CODES, REFUSALS } from '../src/core/refusal.ts'

const page = readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8')

describe('docs/errors.md', () => {
  it('is printed from the catalogue; `node src/api/openapi/errors-markdown.ts > docs/errors.md` reprints it', () => {
    assert.equal(page, errorsMarkdown())
  })

  // Parsed as a reader sees it, not as the printer writes it.
  it('has a paragraph for every refusal, with its status and its sentence, and for no other', () => {
    const [, codes] = /^## Codes\n(.*?)^## /ms.exec(page) ?? assert.fail('no codes')
    const documented = (codes as string)
      .split(/^### /m)
      .slice(1)
      .map((paragraph) => {
        const [, code, status, sentence, remedy] =
          /^(\w+)\n\nStatus (\d{3})\. (.+)\n\n\*(.+)\*\s*$/.exec(paragraph) ?? assert.fail(paragraph)
        assert.ok((remedy as string).length > 0, `${code} says what to do`)
        return [code, { status: Number(status), sentence }]
      })
    const catalogue = Object.entries(REFUSALS).map(([code, sentence]) => [
      code,
      { status: STATUS_OF[code as keyof typeof STATUS_OF], sentence },
    ])
    assert.equal(documented.length, catalogue.length, 'none twice')
    assert.deepEqual(Object.fromEntries(documented), Object.fromEntries(catalogue))
  })

  it('lists every field code with its meaning, and no other', () => {
    const [, fields] = /^## Codes of a field\n(.*)$/ms.exec(page) ?? assert.fail('no field codes')
    const rows = [...(fields as string).matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, code, meaning]) => [
      code,
      meaning,
    ])
    assert.deepEqual(Object.fromEntries(rows), FIELD_CODES)
    assert.equal(rows.length, Object.keys(FIELD_CODES).length)
  })
})
