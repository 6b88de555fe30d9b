// Mono's notices: what is signed, what is asked because of it, and what is not about us.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { railReference } from '../../../src/core/connections/reference.ts'
import { isSignedByMono, monoSignature } from '../../../src/rails/mono/signature.ts'
import type { Hint } from '../../../src/rails/rail.ts'
import { FORMER_WEBHOOK_SECRET } from '../../../src/sandbox/providers/mono/credentials.ts'
import { OUTCOME_DELAY_MS, simulateMono, webhookSecret } from '../../sandbox/providers/mono-caller.ts'
import {
  handle,
  NOW,
  type OpenChanges,
  ORGANIZATION,
  OUR_KEY,
  openAt,
  PAYIN,
  PAYOUT,
  payinOrder,
  payoutOrder,
} from './opened.ts'

const AT = String(NOW / 1_000)
const signed = (body: string, secret = webhookSecret, at = AT) =>
  `t=${at},v1=${monoSignature(secret, at, Buffer.from(body))}`

function read(
  body: string,
  header: string | string[] | null = signed(body),
  changes: OpenChanges = {},
): Hint {
  const { readHint } = openAt('http://127.0.0.1:9', changes)
  return readHint({ 'mono-signature': header ?? undefined }, Buffer.from(body), NOW)
}
const event = (type: string, data: unknown) =>
  JSON.stringify({ timestamp: '2026-11-16T15:00:00.000Z', event: { type, data } })
const colId = `bbcol_${'c'.repeat(22)}`
const otId = `bbot_${'o'.repeat(22)}`

test('the published vector is signed as Mono signs', () => {
  const body = Buffer.from('{"a":1}')
  const signature = '6b536c54671d62a128e20201c80175ba62ac8adf71e9d0caf0dad9bf2c029897'
  assert.equal(monoSignature('whsec_EXAMPLE', '1767225600', body), signature)
  const at = 1_767_225_600_000
  assert.ok(isSignedByMono(['whsec_EXAMPLE'], `t=1767225600,v1=${signature}`, body, at))
  assert.ok(!isSignedByMono(['whsec_ANOTHER'], `t=1767225600,v1=${signature}`, body, at))
})

test('a notice of a collection asks for its payin, and one of a transfer for its payout', () => {
  const cases: [string, unknown, Hint][] = [
    [
      'collection.paid',
      { id: colId, external_id: PAYIN },
      { ask: [{ kind: 'payin', reference: PAYIN }], kind: 'collection.paid' },
    ],
    [
      'collection.attempt_successful',
      { id: `bbcolat_${'a'.repeat(22)}`, collection_id: colId },
      { ask: [{ kind: 'payin', providerId: colId }], kind: 'collection.attempt_successful' },
    ],
    [
      'collection.new_word',
      { id: colId },
      { ask: [{ kind: 'payin', providerId: colId }], kind: 'collection.new_word' },
    ],
    [
      'outgoing_transfer.failed',
      { id: otId, external_id: PAYOUT },
      { ask: [{ kind: 'payout', reference: PAYOUT }], kind: 'outgoing_transfer.failed' },
    ],
    [
      'outgoing_transfer.held',
      { id: otId, external_id: null },
      { ask: [{ kind: 'payout', providerId: otId }], kind: 'outgoing_transfer.held' },
    ],
  ]
  for (const [type, data, hint] of cases) assert.deepEqual(read(event(type, data)), hint, type)
})

test('what is signed but not about our payments is ignored', () => {
  const another = railReference('payin', '019a8f3e-0000-7000-8000-00000000000b', ORGANIZATION)
  for (const [type, data] of [
    ['collection.paid', { id: colId, external_id: 'invoice-12345' }],
    ['collection.paid', { id: colId, external_id: another }],
    ['collection.paid', { id: colId, external_id: PAYOUT }],
    ['outgoing_transfer.failed', { id: otId, external_id: PAYIN }],
    ['target_resolution.resolved', { id: `bbtgr_${'r'.repeat(22)}` }],
    ['card.stolen', { id: 'card' }],
  ] as const) {
    const hint = read(event(type, data))
    assert.ok(hint !== undefined && 'ignored' in hint, `${type} ${JSON.stringify(data)}`)
    assert.ok(hint.ignored.startsWith(type))
  }
})

test('a signed body that is no notice is a fault', () => {
  for (const body of [
    '',
    'hello',
    'null',
    '[]',
    '{}',
    '{"event":{}}',
    '{"event":{"type":1,"data":{}}}',
    '{"event":{"type":"<b>","data":{}}}',
    event('collection.paid', null),
    event('collection.paid', {}),
    event('collection.paid', { id: otId }),
    event('collection.paid', { id: 7, external_id: 7, collection_id: 7 }),
    event('outgoing_transfer.failed', { id: colId }),
  ]) {
    const hint = read(body)
    assert.ok(hint !== undefined && 'fault' in hint, body)
  }
})

test('only a notice that one of our secrets signed within five minutes is read', () => {
  const body = event('collection.paid', { id: colId, external_id: PAYIN })
  const before = (seconds: number) => signed(body, webhookSecret, String(NOW / 1_000 - seconds))
  const good = signed(body)
  const forgeries: Record<string, string | string[] | null> = {
    'no header': null,
    'an empty header': '',
    'two headers': [good, good],
    'another secret': signed(body, 'whsec_another'),
    'another body': signed(`${body} `),
    'another time': good.replace(`t=${AT}`, `t=${Number(AT) - 1}`),
    'too old': before(301),
    'too new': before(-301),
    'no time': good.replace(/^t=\d+,/, ''),
    'two times': `t=${AT},${good}`,
    'a time that is no number': good.replace(AT, 'now'),
    'another version': good.replace('v1=', 'v0='),
    'a signature that is no hex': `t=${AT},v1=${'z'.repeat(64)}`,
    'half a signature': good.slice(0, -32),
    'a header without end': `${good},${'v1=0,'.repeat(1_000)}`,
  }
  for (const [what, header] of Object.entries(forgeries)) assert.equal(read(body, header), undefined, what)
  for (const header of [
    good,
    before(300),
    before(-300),
    `${good},v1=${'0'.repeat(64)}`,
    good.replace(',', ', '),
  ])
    assert.notEqual(read(body, header), undefined, header)
})

test('a notice with the secret before is read while the secret is changed, and not after', () => {
  const body = event('collection.paid', { id: colId, external_id: PAYIN })
  const header = signed(body, FORMER_WEBHOOK_SECRET)
  const previousCredentials = { webhookSecret: FORMER_WEBHOOK_SECRET }
  assert.notEqual(read(body, header, { previousCredentials }), undefined)
  assert.notEqual(read(body, signed(body), { previousCredentials }), undefined)
  assert.equal(read(body, header), undefined)
})

test('no bytes and no header make it throw', () => {
  const { readHint } = openAt('http://127.0.0.1:9')
  fc.assert(
    fc.property(fc.uint8Array(), fc.string({ unit: 'binary' }), fc.json(), (bytes, text, json) => {
      const body = Buffer.from(bytes)
      assert.equal(readHint({ 'mono-signature': text }, body, NOW), undefined)
      for (const raw of [body, Buffer.from(json)])
        readHint({ 'mono-signature': `t=${AT},v1=${monoSignature(webhookSecret, AT, raw)}` }, raw, NOW)
    }),
  )
})

test('whatever the simulated Mono tells of our payments, it makes us ask for them', async () => {
  await using mono = await simulateMono()
  await using rails = openAt(mono.url, { now: mono.now })
  await rails.payin.submit(payinOrder())
  await rails.payout.submit(payoutOrder())
  await mono.advance(OUTCOME_DELAY_MS)
  await mono.pay(OUR_KEY)
  await mono.advance(OUTCOME_DELAY_MS)
  await mono.collect({ external_id: 'the merchant’s own sale' })
  await mono.advance(OUTCOME_DELAY_MS)
  const { id } = (await mono.read(`/collections?external_id=${PAYIN}`)).collections[0]
  const asked = new Map<string, number>()
  for (const { headers, body } of mono.received) {
    const hint = rails.readHint(headers, Buffer.from(body), mono.now())
    assert.ok(hint !== undefined && !('fault' in hint), body)
    const subject = 'ignored' in hint ? 'ignored' : JSON.stringify(hint.ask)
    asked.set(subject, (asked.get(subject) ?? 0) + 1)
  }
  assert.deepEqual(
    [...asked.keys()].sort(),
    [
      'ignored',
      JSON.stringify([{ kind: 'payin', providerId: id }]),
      JSON.stringify([{ kind: 'payin', reference: PAYIN }]),
      JSON.stringify([{ kind: 'payout', reference: PAYOUT }]),
    ].sort(),
  )
  assert.ok(
    mono.received.some(({ headers }) => headers['mono-signature']?.split('v1=').length === 3),
    'some bear two signatures',
  )
  assert.equal((await rails.payin.query(handle(PAYIN, id))).outcome, 'accepted')
})
