// docs/rails.md has the port as it is in rail.ts, and its tables match how the code treats each network code.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from '@babel/parser'
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

// biome-ignore lint/suspicious/noExplicitAny: the nodes of a syntax tree
type Node = any

const PORT = parse(readFileSync(join(import.meta.dirname, '../../src/rails/rail.ts'), 'utf8'), {
  sourceType: 'module',
  plugins: ['typescript'],
}).program.body as Node[]

function typeOf(name: string): Node {
  const found = PORT.find(({ declaration }) => declaration?.id?.name === name)
  assert.ok(found, `rail.ts has no type ${name}`)
  return found.declaration.typeAnnotation
}

function nodesIn(node: Node, type: string): Node[] {
  if (typeof node !== 'object' || node === null) return []
  const below = Object.values(node).flatMap((child) => nodesIn(child, type))
  return node.type === type ? [node, ...below] : below
}

// The members of a type, each with the names of its parameters: `query(payment)`. A part of the port that is a type of its own is
// looked up by its name.
function callsOf(typeName: string): string[] {
  return nodesIn(typeOf(typeName), 'TSTypeLiteral')[0].members.map(({ key, typeAnnotation }: Node) => {
    const [call] = nodesIn(typeAnnotation, 'TSFunctionType').concat(
      nodesIn(typeAnnotation, 'TSTypeReference').flatMap(({ typeName: { name } }: Node) =>
        CALLABLE.includes(name) ? [typeOf(name)] : [],
      ),
    )
    const parameters = (call?.params ?? call?.parameters ?? []) as Node[]
    return call === undefined ? key.name : `${key.name}(${parameters.map(({ name }) => name).join(', ')})`
  })
}
const CALLABLE = ['ReadStatement', 'ReadNotice', 'ReadHint']

test('the guide to the rails names every call of the port, with its parameters', () => {
  const calls = ['PayinRail', 'PayoutRail', 'Directory', 'ProviderRails', 'Rails'].flatMap(callsOf)
  assert.ok(calls.includes('lookUp(keyString, keyType)') && calls.includes('readNotice(headers, body, now)'))
  const missing = calls.filter((call) => !GUIDE.includes(`\`${call}\``))
  assert.deepEqual(missing, [])
})

test('the guide to the rails names every answer of the port', () => {
  const words = ['RailPayinStatus', 'RailPayoutStatus', 'UnknownKind', 'OpenedPayin', 'Instructions']
    .map(typeOf)
    .flatMap((type) => [
      ...nodesIn(type, 'StringLiteral').map(({ value }) => value as string),
      ...nodesIn(type, 'TSPropertySignature').map(({ key }) => key.name as string),
    ])
    .filter((word) => !['state', 'how', 'reason', 'networkCode'].includes(word))
  assert.ok(words.includes('not-found') && words.includes('isReady') && words.includes('payments'))
  const missing = [...new Set(words)].filter((word) => !GUIDE.includes(`\`${word}\``))
  assert.deepEqual(missing, [])
})
