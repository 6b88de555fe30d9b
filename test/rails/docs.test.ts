// The tables in docs/rails.md match how the code treats each network code.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as breb from '../../src/rails/breb/codes.ts'
import {
  CANCELATION_CODES,
  COLLECTION_CODES,
  DIRECTORY_CODES,
  TRANSFER_CODES,
  UNDECIDED_CODES,
} from '../../src/rails/breb/wire.ts'
import { LIMITS } from '../../src/rails/limits.ts'
import * as pse from '../../src/rails/pse/codes.ts'
import { CAUSE_CODES, CREATE_CODES } from '../../src/rails/pse/wire.ts'

const GUIDE = readFileSync(join(import.meta.dirname, '../../docs/rails.md'), 'utf8')

const code = (word: string): string => `\`${word}\``
const reason = (word: string | null | undefined): string => (word ? code(word) : 'settles nothing')
const end = ({ how, reason }: breb.PayinEnd): string =>
  how === 'declined' ? code(reason) : `${how}: ${code(reason)}`

function directory(word: string): string {
  const meaning = breb.directoryMeaning(word)
  return 'refusal' in meaning ? code(meaning.refusal) : `unknown (${meaning.trouble})`
}

const ROWS = [
  ...Object.entries({ ...TRANSFER_CODES, ...UNDECIDED_CODES }).map(
    ([word, text]) => `| ${code(word)} | ${text} | ${reason(breb.payoutReason(word))} |`,
  ),
  ...Object.entries(CANCELATION_CODES).map(
    ([word, text]) => `| ${code(word)} | ${text} | canceled: ${reason(breb.payoutReason(word))} |`,
  ),
  ...Object.entries(COLLECTION_CODES).map(
    ([word, text]) => `| ${code(word)} | ${text} | ${end(breb.payinEnd(word))} |`,
  ),
  ...Object.entries(DIRECTORY_CODES).map(
    ([word, text]) => `| ${code(word)} | ${text} | ${directory(word)} |`,
  ),
  ...Object.entries(CAUSE_CODES).map(
    ([word, text]) => `| ${code(word)} | ${text} | ${end(pse.payinEnd(word))} |`,
  ),
  ...Object.entries(CREATE_CODES).map(
    ([word, text]) => `| ${code(word)} | ${text} | ${reason(pse.payinReason(word))} |`,
  ),
]

test('the guide to the rails has a row for every code, as the code treats it', () => {
  const missing = ROWS.filter((row) => !GUIDE.includes(row))
  assert.deepEqual(missing, [])
})

test('the guide to the rails says the deadlines and tries that are in force', () => {
  const said = GUIDE.replaceAll(/\s+/g, ' ')
  const seconds = (ms: number): string => `${ms / 1_000} s`
  const sentences = [
    `${seconds(LIMITS.submitMs)} for a submit or a return, ${seconds(LIMITS.queryMs)} for a query, a cancelation or a lookup, a minute for a page of a statement`,
    `gets a pause of ${seconds(LIMITS.breakMs)}`,
  ]
  for (const sentence of sentences) assert.ok(said.includes(sentence), sentence)
  assert.deepEqual(
    [LIMITS.lookUpMs, LIMITS.statementMs, LIMITS.tries, LIMITS.breakAfterFailures],
    // A minute; the first attempt and two more; five calls in a row.
    [LIMITS.queryMs, 60_000, 3, 5],
  )
})
