// The committed openapi.json is what the operations say. By itself, because it takes no database and finds the smallest change.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { openApiDocument } from '../../../src/api/openapi/document.ts'

it('the committed openapi.json matches the operations; `npm run openapi` rewrites it', () => {
  const committed = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')
  assert.equal(committed, `${JSON.stringify(openApiDocument(), null, 2)}\n`)
})
