// What does not go to an operation: payers' pages and forms, networks' notifications, addresses that do not exist, and bytes that
// are not HTTP.

import { randomUUID } from 'node:crypto'
import { ID_HEADER, SIGNATURE_HEADER, signNotice, TIMESTAMP_HEADER } from '../../src/rails/signature.ts'
import type { Random } from '../random.ts'
import type { FuzzedRequest } from './fuzzed-request.ts'
import type { Subjects } from './subjects.ts'
import { HOSTILE_TEXTS, hostileValue } from './values.ts'

const FORM: Readonly<Record<string, readonly string[]>> = {
  rail: ['BRE_B', 'PSE', 'breb'],
  bank: ['CO_BANCOLOMBIA', 'CO_NOBODY'],
  name: ['Ana María Gómez'],
  idType: ['CO_CC', 'CO_NIT', 'XX'],
  idNumber: ['1000000001', '1000000007', '890903938-7'],
  phone: ['+573001234567', '3001234567'],
  email: ['ana@example.com', 'ana'],
}
const PAGE_STEPS = ['', '', '', '/recheck', '/leave', '/return', '/status', '/stream', '/qr', '/nothing']

export function pageRequest(random: Random, subjects: Subjects): FuzzedRequest {
  const page = subjects.pagePath(random)
  const token = page === undefined || random.oneIn(8) ? `/pay/${brokenToken(random, page?.path)}` : page.path
  const step = random.pick(PAGE_STEPS)
  const method = random.oneIn(2) ? 'GET' : 'POST'
  const form = Object.entries(FORM)
    .filter(() => !random.oneIn(6))
    .map(([name, values]): [string, string] => [
      name,
      random.oneIn(5) ? random.pick(HOSTILE_TEXTS).toWellFormed() : random.pick(values),
    ])
  const query = random.oneIn(4)
    ? `?${random.pick(['lang=en', 'lang=xx', 'step=retry', 'version=x', '__proto__=1', '%'])}`
    : ''
  return {
    kind: 'page',
    merchant: page?.merchant ?? null,
    method,
    path: token + step + query,
    headers: {
      ...(method === 'POST' && {
        'content-type': random.oneIn(10) ? 'application/json' : 'application/x-www-form-urlencoded',
      }),
      ...(random.oneIn(4) && {
        'accept-language': random.pick(['en', 'es-CO,es;q=0.9', '*', 'x'.repeat(900), ';;q=']),
      }),
    },
    body: method === 'POST' ? Buffer.from(new URLSearchParams(form).toString()) : undefined,
    isStream: step === '/stream',
  }
}

function brokenToken(random: Random, path: string | undefined): string {
  const token = (path ?? '/pay/x').slice('/pay/'.length)
  const at = random.below(token.length)
  return random.pick([
    `${token.slice(0, at)}A${token.slice(at + 1)}`,
    token.slice(0, at),
    `${token}A`,
    '%zz',
    '..%2f..',
    'x'.repeat(900),
  ])
}

export type NotificationKeys = { readonly breb: string; readonly pse: string }

const NOTICES = {
  breb: [
    'collection.paid',
    'collection.rejected',
    'collection.chargeback',
    'transfer.completed',
    'nothing.known',
  ],
  pse: ['session.ok', 'session.not_authorized', 'session.chargeback', 'nothing.known'],
} as const

export function notification(
  random: Random,
  subjects: Subjects,
  keys: NotificationKeys,
  now: number,
): FuzzedRequest {
  const network = random.pick(['breb', 'pse'] as const)
  const id = random.oneIn(10) ? 'ntf_same' : `ntf_${randomUUID()}`
  const notice: Record<string, unknown> = {
    id,
    occurredAt: new Date(now - random.below(100_000)).toISOString(),
    type: random.pick(NOTICES[network]),
    reference: subjects.idFor(random, random.pick([0, 1] as const), random.pick(['payinId', 'payoutId'])),
    [network === 'breb' ? 'paymentId' : 'cus']: random.oneIn(3) ? 'pay_same' : `pay_${randomUUID()}`,
    amount: random.pick([
      '50000.00',
      '50000.00',
      '1.00',
      '0.00',
      '-1.00',
      '1e9',
      '99999999999999999.99',
      null,
    ]),
    ...(network === 'breb' ? { endToEndId: null, reasonCode: null } : { causeCode: null }),
  }
  if (random.oneIn(3)) notice[random.pick(Object.keys(notice))] = hostileValue(random)
  const text = JSON.stringify(notice)
  const body = Buffer.from(random.oneIn(8) ? text.slice(0, random.below(text.length)) : text)
  const at = Math.floor(now / 1_000) + (random.oneIn(10) ? random.pick([-301, 301, 1e9]) : 0)
  const signature = signNotice(random.oneIn(8) ? 'another key' : keys[network], id, at, body)
  return {
    kind: 'notification',
    merchant: null,
    method: 'POST',
    path: `/notifications/${network}`,
    headers: {
      'content-type': 'application/json',
      ...(!random.oneIn(20) && { [ID_HEADER]: id }),
      [TIMESTAMP_HEADER]: random.oneIn(20) ? 'yesterday' : String(at),
      [SIGNATURE_HEADER]: random.oneIn(20) ? signature.slice(0, -1) : signature,
    },
    body,
  }
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND']
const PLACES = [
  '/',
  '/healthz',
  '/readyz',
  '/metrics',
  '/docs',
  '/docs/errors',
  '/docs/',
  '/openapi.json',
  '/payins/',
  '/llms.txt',
  '/pay',
  '/.env',
]

export function unknownAddress(random: Random, subjects: Subjects): FuzzedRequest {
  const tail = random.oneIn(2)
    ? ''
    : encodeURIComponent(random.pick(HOSTILE_TEXTS).toWellFormed()).slice(0, 3_000)
  const broken = random.oneIn(6) ? random.pick(['%', '%zz', '%ff', '%c0%af', '/..', '//', '?%', ';']) : ''
  const merchant = random.pick([0, 1] as const)
  return {
    kind: 'unknown address',
    merchant,
    method: random.pick(METHODS),
    path: random.pick(PLACES) + tail + broken,
    headers: { 'x-api-key': subjects.merchants[merchant].apiKey },
    body: undefined,
  }
}

const RAW: readonly string[] = [
  'GET /payins HTTP/1.1\r\n\r\n',
  'GET /payins HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n',
  'GET /payins HTTP/0.9\r\n\r\n',
  'GET /payins HTTP/2.0\r\nhost: a\r\n\r\n',
  'get /payins HTTP/1.1\r\nhost: a\r\n\r\n',
  'GET  /payins  HTTP/1.1\r\nhost: a\r\n\r\n',
  'GET http://other.example/payins HTTP/1.1\r\nhost: a\r\n\r\n',
  'CONNECT other.example:443 HTTP/1.1\r\nhost: a\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nhost: a\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'POST /payins HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello!',
  'POST /payins HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /metrics HTTP/1.1\r\n\r\n',
  'POST /payins HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n',
  'POST /payins HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n\r\n',
  'POST /payins HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffff\r\n',
  'POST /payins HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n',
  'POST /payins HTTP/1.1\r\nhost: a\r\ncontent-length: 99999999999\r\n\r\n',
  'POST /payins HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n{}',
  'GET /payins HTTP/1.1\r\nhost: a\r\nx y: z\r\n\r\n',
  'GET /payins HTTP/1.1\r\nhost: a\r\n folded: z\r\n\r\n',
  'GET /payins HTTP/1.1\nhost: a\n\n',
  'GET /payins HTTP/1.1\r\nhost: a\r\nx-api-key: \0\r\n\r\n',
  `GET /payins HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(17_000)}\r\n\r\n`,
  `GET /${'y'.repeat(17_000)} HTTP/1.1\r\nhost: a\r\n\r\n`,
  'GET /payins HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  '\0\0\0\0\r\n\r\n',
  `${'\r\n'.repeat(50)}GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n`,
  'GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(20),
]

// The other side of a socket that ends after this always gets an answer or the end.
export function rawBytes(random: Random): FuzzedRequest {
  const bytes = Buffer.from(random.pick(RAW), 'latin1')
  if (random.oneIn(3)) bytes[random.below(bytes.length)] = random.below(256)
  const whole = random.oneIn(4) ? bytes.subarray(0, random.below(bytes.length)) : bytes
  const at = random.below(whole.length + 1)
  return {
    kind: 'raw bytes',
    merchant: null,
    method: 'RAW',
    path: '',
    headers: {},
    body: undefined,
    rawPieces: [whole.subarray(0, at), whole.subarray(at)].filter(({ length }) => length > 0),
  }
}
