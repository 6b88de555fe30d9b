// What reading and refusing one body may cost: for every operation, the dearest of many bodies of 64 KiB, each made to be wrong in
// as many places or as slowly as its schema allows. While one is validated, nobody else is answered.

import { problemBody } from '../src/api/http/errors.ts'
import { readJsonBody } from '../src/api/http/json-body.ts'
import { BODY_LIMIT_BYTES } from '../src/api/http/server.ts'
import { bodyValidator, type Validate } from '../src/api/http/validation.ts'
import { operationsOf } from '../src/api/operations.ts'
import { isRefusal, refuseFields } from '../src/core/refusal.ts'
import { atMost, type Row, UNTIMED } from './report.ts'

const MAX_MS = 20
const ROUNDS = 5
// A beginning that a format may take for its own, and what is repeated after it.
const TEXTS = [
  ['', 'a'],
  ['', '1'],
  ['', ' '],
  ['', '\u0085'],
  ['', '\\u0000'],
  ['', 'ñ.'],
  ['a@', 'a.'],
  ['a@', 'a-'],
  ['+57', '3'],
  ['', '1.1-'],
  ['https://', 'a.'],
  ['https://a/', '%41'],
  ['data:image/png;base64,', 'A'],
  ['data:image/png;base64,', '='],
  ['2026-11-16T00:00:00.', '0'],
  ['@', 'A1'],
] as const
const VALUES = ['0', '"x"', 'null', '[]', '{}', '{"a":0}', '"\\u0000"', '1e400', '[0,1]']

type Schema = { properties?: Record<string, Schema>; items?: Schema; type?: string | string[] }

export async function validation(): Promise<Row[]> {
  return operationsOf('staging').flatMap(({ body, method, path }) => {
    if (body === undefined) return []
    const validate = bodyValidator(body.schema)
    const dearest = Math.max(...hostileBodies(body.schema as Schema).map((text) => costMs(validate, text)))
    const label = `${method} ${path}: the dearest body of 64 KiB`
    return [{ label, measured: UNTIMED, bars: [atMost(dearest, MAX_MS, 'ms to read and refuse it')] }]
  })
}

function costMs(validate: Validate, text: string): number {
  const bytes = Buffer.from(text)
  const times = Array.from({ length: ROUNDS }, () => {
    const startedAtMs = performance.now()
    const read = readJsonBody(bytes)
    const refusal = isRefusal(read) ? read : refuseFields(validate(read.value))
    problemBody('https://recaudo.example', refusal, 'x')
    return performance.now() - startedAtMs
  })
  return times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN
}

// Every field in turn holds the worst, beside what an allowed body holds nothing of.
function hostileBodies(schema: Schema): string[] {
  const unknownFields = Array.from({ length: 7_000 }, (_, at) => `"${at}":0`).join()
  const whole = [`{${unknownFields}}`, `{${unknownFields.slice(0, 13_000).replace(/,[^,]*$/, '')}}`]
  const worst = [...TEXTS.map(longText), ...VALUES.flatMap(longLists), '['.repeat(16) + ']'.repeat(16)]
  return [
    ...whole,
    ...worst,
    ...pathsOf(schema).flatMap((path) => worst.map((value) => nested(path, value))),
  ].map(fitting)
}

function longText([beginning, repeated]: readonly [string, string]): string {
  return `"${beginning}${repeated.repeat(Math.floor(63_000 / Buffer.byteLength(repeated)))}"`
}

// One that is refused for its length alone, and the longest that is not.
function longLists(value: string): string[] {
  const most = Math.floor(1_900 / (value.split(/[,[{]/).length || 1))
  return [Math.floor(63_000 / (value.length + 1)), most].map(
    (count) => `[${Array(count).fill(value).join()}]`,
  )
}

function pathsOf(schema: Schema, path: string[] = []): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, one]) => [
    [...path, name],
    ...pathsOf(one, [...path, name]),
  ])
}

function nested(path: string[], value: string): string {
  return path.reduceRight((inner, name) => `{"${name}":${inner}}`, value)
}

function fitting(text: string): string {
  if (Buffer.byteLength(text) > BODY_LIMIT_BYTES)
    throw new Error(`a body has ${Buffer.byteLength(text)} bytes`)
  return text
}
