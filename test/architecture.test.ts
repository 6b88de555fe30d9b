// ARCHITECTURE.md names files, lines and functions. Each must be where the page says. `npm run architecture` writes the lines
// anew after the code has moved.

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { referencesIn, withCurrentLines } from './architecture.ts'

const ROOT = join(import.meta.dirname, '..')
const page = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')

describe('ARCHITECTURE.md', () => {
  it('names lines on which the functions stand', () => {
    assert.ok(referencesIn(page).length >= 10, 'the walk through the files is gone')
    assert.equal(page, withCurrentLines(page, ROOT), 'run `npm run architecture`')
  })

  it('notices a line that is wrong, and a function that is not there', () => {
    const moved = page.replace(/create\.ts:(\d+)`/, (_, line) => `create.ts:${Number(line) + 1}\``)
    assert.notEqual(moved, page)
    assert.equal(withCurrentLines(moved, ROOT), page)
    const renamed = page.replace('`createPayin`', '`makePayin`')
    assert.throws(() => withCurrentLines(renamed, ROOT), /create\.ts has no makePayin/)
  })

  it('names only files that exist', () => {
    const paths = [...page.matchAll(/`((?:src|test|db|docs)\/[\w./-]+?\.\w+)(?::\d+)?`/g)].map(
      ([, path]) => path,
    )
    assert.ok(paths.length > 15)
    assert.deepEqual(
      paths.filter((path) => !existsSync(join(ROOT, path as string))),
      [],
    )
  })

  it('fits on a page, with a glossary of at most ten lines', () => {
    assert.ok(page.split('\n').length <= 80)
    const glossary = page.split('## Glossary')[1]?.split('##')[0] ?? ''
    const lines = glossary.split('\n').filter((line) => line.startsWith('- '))
    assert.ok(lines.length > 0 && lines.length <= 10)
  })
})
