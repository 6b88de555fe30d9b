// Requests to the operations of openapi.json: as documented, nearly so, and hostile.

import type { Random } from '../random.ts'
import type { ApiDocument, DocumentedOperation } from './document.ts'
import type { FuzzedRequest, Kind } from './fuzzed-request.ts'
import type { Subjects } from './subjects.ts'
import { edgeValue, HOSTILE_TEXTS, hostileValue, placesIn } from './values.ts'

export type ApiKind = Extract<Kind, 'valid' | 'near-valid' | 'hostile'>

let made = 0

export function apiRequest(
  random: Random,
  document: ApiDocument,
  subjects: Subjects,
  kind: ApiKind,
): FuzzedRequest {
  const operation = random.pick(document.operations)
  const merchant = random.pick([0, 1] as const)
  const body = bodyOf(random, document, subjects, operation, merchant, kind)
  const headers = {
    ...(body !== undefined && { 'content-type': typeOf(random, operation, kind) }),
    ...credential(random, subjects, merchant, kind),
    ...(random.oneIn(4) && { 'idempotency-key': idempotencyKey(random, kind) }),
    ...(kind === 'hostile' && random.oneIn(3) && oddHeader(random)),
  }
  return {
    kind,
    merchant,
    method: operation.method,
    path: addressOf(random, document, subjects, operation, merchant, kind),
    headers,
    body,
    operation,
    isStream: operation.path === '/events/stream',
  }
}

function addressOf(
  random: Random,
  document: ApiDocument,
  subjects: Subjects,
  operation: DocumentedOperation,
  merchant: 0 | 1,
  kind: ApiKind,
): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    kind === 'hostile' && random.oneIn(3)
      ? encodeURIComponent(random.pick(HOSTILE_TEXTS).toWellFormed()) || '%20'
      : subjects.idFor(random, merchant, name),
  )
  const query = operation.queryParameters
    .filter(({ schema }) => random.oneIn(4) && (kind !== 'valid' || Array.isArray(schema.enum)))
    .map(({ name, schema }) => {
      const value =
        kind === 'valid'
          ? String(random.pick(schema.enum as unknown[]))
          : kind === 'hostile'
            ? random.pick(HOSTILE_TEXTS)
            : String(edgeValue(random, document, schema))
      return `${name}=${encodeURIComponent(value.slice(0, 2_000).toWellFormed())}`
    })
  if (kind === 'hostile' && random.oneIn(5))
    query.push(random.pick(['__proto__=1', 'a[b]=c', '=', '&&', 'pageSize=1&pageSize=2']))
  return query.length === 0 ? path : `${path}?${query.join('&')}`
}

function credential(
  random: Random,
  { merchants }: Subjects,
  merchant: 0 | 1,
  kind: ApiKind,
): Record<string, string> {
  const { apiKey } = merchants[merchant]
  if (kind === 'valid' || !random.oneIn(12)) return { 'x-api-key': apiKey }
  return random.pick([
    {},
    { 'x-api-key': `${apiKey}x` },
    { 'x-api-key': apiKey.slice(0, -1) },
    { authorization: 'Bearer x.y.z' },
    { authorization: `Bearer ${apiKey}` },
    { 'x-api-key': apiKey, authorization: 'Bearer x' },
  ]) as Record<string, string>
}

function idempotencyKey(random: Random, kind: ApiKind): string {
  made += 1
  if (kind === 'hostile') return random.pick(['', ' ', 'x'.repeat(256), 'x'.repeat(3_000), '\xff', 'same'])
  return random.oneIn(5) ? 'same' : `key-${made}`
}

const ODD_HEADERS: readonly (readonly [string, string])[] = [
  ['x-forwarded-for', '1.2.3.4, unknown'],
  ['x-http-method-override', 'DELETE'],
  ['accept', 'text/html'],
  ['accept-encoding', 'gzip;q=2, br, *;q=0'],
  ['range', 'bytes=0-1,-5'],
  ['expect', '200-maybe'],
  ['x-request-id', 'x'.repeat(500)],
  ['cookie', 'a=b; __proto__=1'],
  ['if-none-match', '*'],
  ['content-encoding', 'gzip'],
  ['last-event-id', '99999999999999999999'],
]

const oddHeader = (random: Random): Record<string, string> => Object.fromEntries([random.pick(ODD_HEADERS)])

function typeOf(
  random: Random,
  { bodyType = 'application/json' }: DocumentedOperation,
  kind: ApiKind,
): string {
  if (kind !== 'hostile' || !random.oneIn(6)) return bodyType
  return random.pick([
    'text/plain',
    'application/json; charset=latin1',
    'multipart/form-data',
    'application/xml',
    'x',
  ])
}

function bodyOf(
  random: Random,
  document: ApiDocument,
  subjects: Subjects,
  operation: DocumentedOperation,
  merchant: 0 | 1,
  kind: ApiKind,
): Buffer | undefined {
  if (operation.bodySchema === undefined)
    return operation.method === 'GET' || kind !== 'hostile' || random.oneIn(2)
      ? undefined
      : Buffer.from('{"a":1}')
  if (operation.path === '/oauth/token') return tokenBody(random, subjects, merchant, kind)
  const body = structuredClone(random.pick(operation.bodyExamples)) as Record<string, unknown>
  personalize(random, subjects, merchant, body)
  const changes = kind === 'valid' ? 0 : 1 + random.below(3)
  for (let change = 0; change < changes; change += 1) damage(random, document, operation, body, kind)
  // Time is everybody's, so it stands still.
  if ('seconds' in body && typeof body.seconds === 'number') body.seconds = 0
  // No provider answers here, so no payment goes there.
  if (operation.path.startsWith('/connections')) body.enabled = false
  const text = JSON.stringify(body)
  if (kind !== 'hostile' || !random.oneIn(4)) return Buffer.from(text)
  return brokenText(random, text)
}

function damage(
  random: Random,
  document: ApiDocument,
  operation: DocumentedOperation,
  body: Record<string, unknown>,
  kind: ApiKind,
): void {
  const places = placesIn(document, body, operation.bodySchema)
  if (places.length === 0 || random.oneIn(8)) {
    body[random.pick(['extra', '__proto__x', 'constructor', 'id', 'organizationId'])] = hostileValue(random)
    return
  }
  const { holder, key, schema } = random.pick(places)
  if (random.oneIn(5)) delete holder[key]
  else if (kind === 'hostile' || schema === undefined) holder[key] = hostileValue(random)
  else holder[key] = edgeValue(random, document, schema)
}

// Names that are used once, with the merchant's canary wherever text is kept.
function personalize(
  random: Random,
  subjects: Subjects,
  merchant: 0 | 1,
  body: Record<string, unknown>,
): void {
  made += 1
  const { canary } = subjects.merchants[merchant]
  if ('reference' in body) body.reference = `${canary}-${made}`
  if ('url' in body) body.url = `http://localhost:1/${canary}`
  if ('description' in body) body.description = canary
  if ('provider' in body) body.name = canary
  const customer = body.inlineCustomer as Record<string, unknown> | undefined
  if (customer === undefined || customer === null) return
  customer.name = `Ana ${canary}`
  customer.email = `${canary}@example.com`
  // The simulated networks decide by the document what becomes of the payment.
  customer.idNumber = `100000000${random.below(10)}`
}

function tokenBody(random: Random, { merchants }: Subjects, merchant: 0 | 1, kind: ApiKind): Buffer {
  const { clientId, clientSecret } = merchants[merchant]
  const fields: Record<string, string> = {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  }
  if (kind !== 'valid') {
    const name = random.pick(Object.keys(fields))
    if (random.oneIn(3)) delete fields[name]
    else fields[name] = random.pick(HOSTILE_TEXTS).toWellFormed()
  }
  return Buffer.from(new URLSearchParams(fields).toString())
}

function brokenText(random: Random, text: string): Buffer {
  const bytes = Buffer.from(text)
  switch (random.below(5)) {
    case 0:
      return bytes.subarray(0, random.below(bytes.length))
    case 1:
      return Buffer.concat([bytes, Buffer.from(',')])
    case 2:
      return Buffer.from(text.replace(/\d+/, '1e400'))
    case 3:
      return Buffer.alloc(random.pick([65_536, 65_537, 200_000]), 0x20)
    default: {
      // Not within an address: what it says is called.
      if (text.includes('http')) return Buffer.from('{"a":')
      bytes[random.below(bytes.length)] = random.below(256)
      return bytes
    }
  }
}
