// What is made of a body, by its type and before any operation sees it, and of bytes that never became a request.

import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { describe, it } from 'node:test'
import Fastify from 'fastify'
import { addBodyParsers, answerClientError } from '../../../src/api/http/body-parsers.ts'
import { canonicalJson, readJsonBody } from '../../../src/api/http/json-body.ts'
import type { Operation } from '../../../src/api/http/operation.ts'
import { isRefusal, type Refusal } from '../../../src/core/refusal.ts'

const FORM = 'application/x-www-form-urlencoded'
const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

// Answers with what a handler would get, or with the refusal.
async function received(url: string, type: string, body: string | Buffer): Promise<unknown> {
  const app = Fastify()
  addBodyParsers(app)
  const echo = (request: { body: unknown }) => ({
    body: Buffer.isBuffer(request.body) ? `bytes: ${request.body}` : (request.body ?? 'nothing'),
  })
  app.post('/plain', echo)
  app.post('/raw', { config: { rawBody: true } }, echo)
  app.post('/oauth/token', echo)
  const operation = { operationId: 'createPayoutBatch' } as Operation
  app.post('/payout-batches', { config: { operation } }, echo)
  app.setErrorHandler((error, _, reply) => {
    const { refused, detail } = error as unknown as Refusal
    return reply.send({ body: `${refused}: ${detail}` })
  })
  const answer = await app.inject({ method: 'POST', url, headers: { 'content-type': type }, payload: body })
  return answer.json().body
}

const ASK_JSON = 'UNSUPPORTED_MEDIA_TYPE: Send the body as content-type: application/json.'

describe('a body', () => {
  it('of JSON is read as UTF-8, whatever its type says beside that', async () => {
    for (const type of [
      'application/json',
      'Application/JSON ; charset=utf-8',
      'application/json;charset="UTF8"',
    ])
      assert.deepEqual(await received('/plain', type, '{"a":"ñ"}'), { a: 'ñ' }, type)
    assert.equal(
      await received('/plain', 'application/json; charset=latin1', '{}'),
      'UNSUPPORTED_MEDIA_TYPE: JSON must be UTF-8, not latin1.',
    )
    assert.equal(await received('/plain', 'application/json', ''), 'nothing')
    assert.equal(
      await received('/plain', 'application/json', '{'),
      'INVALID_JSON: The body is not valid JSON.',
    )
  })

  it('that was signed stays the bytes that it is', async () => {
    assert.equal(await received('/raw', 'application/json', ' {"a": 1}'), 'bytes:  {"a": 1}')
    assert.equal(await received('/raw', 'application/json', '{'), 'bytes: {')
  })

  it('that is a file becomes what its operation takes in JSON, and is none anywhere else', async () => {
    const file = Buffer.from('llave;valor').toString('base64')
    const sent = (type: string, query = '') => received(`/payout-batches${query}`, type, 'llave;valor')
    assert.deepEqual(await sent('text/csv'), { file, fileName: 'pagos.csv' })
    assert.deepEqual(await sent('text/csv; charset=utf-8'), { file, fileName: 'pagos.csv' })
    assert.deepEqual(await sent(WORKBOOK), { file, fileName: 'pagos.xlsx' })
    assert.deepEqual(await sent('text/csv', '?fileName=nomina.csv&repeat=true'), {
      file,
      fileName: 'nomina.csv',
      repeat: true,
    })
    assert.deepEqual(await sent('text/csv', '?repeat=false'), { file, fileName: 'pagos.csv' })
    assert.equal(await received('/plain', 'text/csv', 'a'), ASK_JSON)
    assert.equal(await received('/plain', WORKBOOK, 'a'), ASK_JSON)
  })

  it('that is a form is read where a token is asked for, and nowhere else', async () => {
    const fields = (count: number) => Array.from({ length: count }, (_, index) => `f${index}=1`).join('&')
    assert.deepEqual(await received('/oauth/token', FORM, 'a=1&b=%C3%B1+x'), { a: '1', b: 'ñ x' })
    assert.equal(Object.keys((await received('/oauth/token', FORM, fields(100))) as object).length, 100)
    assert.equal(
      await received('/oauth/token', FORM, fields(101)),
      'INVALID_INPUT: The form has more than 100 fields.',
    )
    assert.equal(await received('/plain', FORM, 'a=1'), ASK_JSON)
  })
})

describe('JSON', () => {
  const read = (text: string | Buffer): unknown => {
    const answer = readJsonBody(Buffer.from(text as string))
    return isRefusal(answer) ? `${answer.refused}: ${answer.detail}` : answer.value
  }
  const lists = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

  it('nests sixteen levels, of lists, objects or both, and no more', () => {
    const tooDeep = 'INVALID_JSON: The body nests deeper than 16 levels.'
    for (const nested of [lists, objects]) {
      assert.deepEqual(read(nested(16)), JSON.parse(nested(16)))
      assert.equal(read(nested(17)), tooDeep)
    }
    assert.equal(read(`[${objects(16)}]`), tooDeep)
    const beside = `[${Array(20).fill(lists(15)).join(',')}]`
    assert.deepEqual(read(beside), JSON.parse(beside), 'levels that have ended do not count')
    const besides = `[${Array(20).fill(objects(15)).join(',')}]`
    assert.deepEqual(read(besides), JSON.parse(besides))
  })

  it('holds two thousand values, and no more', () => {
    const numbers = (count: number) => JSON.stringify(Array(count).fill(1))
    assert.deepEqual(read(numbers(1_999)), Array(1_999).fill(1))
    assert.equal(read(numbers(2_000)), 'INVALID_JSON: The body holds more than 2000 values.')
  })

  it('counts nothing of what stands in a text', () => {
    const text = ',[{"\\'.repeat(1_000)
    for (const value of [
      { text, more: ['\\', '"', '\\"'] },
      ',[{'.repeat(1_000),
      { [',[{'.repeat(1_000)]: 1 },
    ])
      assert.deepEqual(read(JSON.stringify(value)), value)
    assert.equal(read('"'), 'INVALID_JSON: The body is not valid JSON.')
    assert.equal(read(Buffer.of(0x22, 0xff, 0x22)), 'INVALID_JSON: The body is not valid UTF-8.')
  })

  it('has no key that changes what an object is', () => {
    const forbidden = 'INVALID_JSON: The body holds the forbidden key __proto__.'
    for (const text of ['{"__proto__":1}', '[{"a":[{"__proto__":{}}]}]']) assert.equal(read(text), forbidden)
    assert.deepEqual(read('{"a":null,"b":["__proto__"]}'), { a: null, b: ['__proto__'] })
  })

  it('is the same whatever the order of its keys, and another with any other value', () => {
    const value = { b: [2, { d: null, c: 'x' }], a: true, 'ñ"': 1.5, gone: undefined }
    assert.equal(canonicalJson(value), '{"a":true,"b":[2,{"c":"x","d":null}],"gone":null,"ñ\\"":1.5}')
    assert.deepEqual([null, undefined, 'x', 7, [], {}].map(canonicalJson), [
      'null',
      'null',
      '"x"',
      '7',
      '[]',
      '{}',
    ])
  })
})

describe('bytes that never became a request', () => {
  const answered = (code: string | undefined, writable = true) => {
    const done: string[] = []
    const socket = {
      writable,
      destroy: () => done.push('destroyed'),
      end: (text: string) => done.push(text),
    }
    const answer = answerClientError('https://api.recaudo.example', () => 'the-id', {
      'x-frame-options': 'DENY',
    })
    answer(code === undefined ? {} : { code }, socket as unknown as Socket)
    return done
  }

  it('are told what is wrong with them, whatever it is, and their connection ends', () => {
    const told = {
      HPE_HEADER_OVERFLOW: [
        '431 Request Header Fields Too Large',
        'HEADERS_TOO_LARGE',
        'Request line and headers may have 16 KiB together.',
      ],
      ERR_HTTP_REQUEST_TIMEOUT: [
        '408 Request Timeout',
        'REQUEST_TIMEOUT',
        'The request did not arrive in time.',
      ],
      HPE_INVALID_METHOD: ['405 Method Not Allowed', 'METHOD_NOT_ALLOWED', 'HTTP knows no such method.'],
      HPE_INVALID_CONSTANT: [
        '400 Bad Request',
        'INVALID_INPUT',
        'This is not a well-formed HTTP/1.1 request.',
      ],
    }
    for (const [error, [status, code, detail]] of Object.entries(told)) {
      const [text = '', ...others] = answered(error)
      assert.deepEqual(others, [])
      const [head = '', body = ''] = text.split('\r\n\r\n')
      assert.deepEqual(head.split('\r\n'), [
        `HTTP/1.1 ${status}`,
        'x-frame-options: DENY',
        'content-type: application/json; charset=utf-8',
        'x-request-id: the-id',
        'connection: close',
        `content-length: ${Buffer.byteLength(body)}`,
      ])
      const problem = JSON.parse(body)
      assert.deepEqual(
        [problem.code, problem.detail, problem.requestId, problem.type],
        [code, detail, 'the-id', `https://api.recaudo.example/docs/errors#${code}`],
      )
    }
  })

  it('of whoever has gone, or has had an answer, are answered with nothing', () => {
    assert.deepEqual(answered('ECONNRESET'), ['destroyed'])
    assert.deepEqual(answered('HPE_INVALID_METHOD', false), ['destroyed'])
    assert.equal(answered(undefined).length, 1)
  })
})
