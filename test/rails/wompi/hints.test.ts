// Wompi's events, as its simulators send them and as anybody else might.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { railReference } from '../../../src/core/connections/reference.ts'
import { wompi } from '../../../src/sandbox/providers/wompi/payments.ts'
import { wompiPayouts } from '../../../src/sandbox/providers/wompi/payouts.ts'
import { type Received, simulate } from '../../sandbox/providers/simulated.ts'
import { OUTCOME_DELAY_MS } from '../../sandbox/providers/wompi-payouts.ts'
import {
  accepted,
  idAt,
  NOW,
  type Opened,
  OTHER_ORGANIZATION,
  open,
  PAYMENTS,
  PAYOUTS,
  payinOrder,
  payinReference,
  payoutOrder,
  payoutReference,
} from './wompi.ts'

const NOWHERE = 'http://127.0.0.1:1'
const EVENTS = PAYMENTS.eventsSecret as string
const PAYOUT_EVENTS = PAYOUTS.payoutsEventsSecret as string
const sha256 = (value: string) => createHash('sha256').update(value).digest('hex')

type Told = Record<string, unknown>
type Changes = {
  event?: string
  properties?: unknown
  checksum?: unknown
  timestamp?: unknown
  what?: string
}

function eventOf(told: Told, secret: string, changes: Changes = {}): Record<string, unknown> {
  const what = changes.what ?? 'transaction'
  const properties = changes.properties ?? [`${what}.id`, `${what}.status`, `${what}.amount_in_cents`]
  const timestamp = changes.timestamp ?? 1_794_841_202
  const values = (properties as string[]).map((path) => told[path.slice(what.length + 1)])
  const checksum = changes.checksum ?? sha256(values.join('') + timestamp + secret)
  return {
    event: changes.event ?? `${what}.updated`,
    data: { [what]: told },
    environment: 'test',
    signature: { properties, checksum },
    timestamp,
    sent_at: '2026-11-16T15:00:02.000Z',
  }
}
const payment = (changes: Told = {}): Told => ({
  id: '1292-1602113476-10985',
  status: 'APPROVED',
  amount_in_cents: 2_490_000,
  reference: payinReference(),
  currency: 'COP',
  ...changes,
})
const payout = (changes: Told = {}): Told => ({
  id: 'payout-1',
  payoutId: 'batch-1',
  status: 'APPROVED',
  amount_in_cents: 2_490_000,
  ...changes,
})
const read = (rails: Opened, event: unknown, headers: Record<string, string | string[] | undefined> = {}) =>
  rails.readHint(headers, Buffer.from(typeof event === 'string' ? event : JSON.stringify(event)), NOW)
const asks = (kind: string, asked: object) => ({ ask: [asked], kind })
const ofPayin = asks('transaction.updated', { kind: 'payin', reference: payinReference() })
const isIgnored = (hint: unknown): boolean => typeof hint === 'object' && hint !== null && 'ignored' in hint
const isFault = (hint: unknown): boolean => typeof hint === 'object' && hint !== null && 'fault' in hint

describe('events of Wompi', () => {
  it('make us ask about a payment, by our reference', async () => {
    await using simulated = await simulate(wompi)
    await using rails = open({ payments: `${simulated.url}/v1` })
    const terms = accepted(await (rails.terms as NonNullable<Opened['terms']>)())
    accepted(await rails.pse.submit(payinOrder({ acceptedTerms: terms.map(({ url }) => url) })))
    await simulated.advance(OUTCOME_DELAY_MS)
    const { headers, body } = simulated.received[0] as Received
    assert.deepEqual(read(rails, body, headers), ofPayin)
    // Again, a day later, and without its header: it only makes us ask.
    assert.deepEqual(read(rails, body), ofPayin)
    assert.equal(read(rails, body.replace('APPROVED', 'DECLINED'), headers), undefined)
  })

  it('make us ask about a payout, by its reference or by the batch’s id', async () => {
    await using simulated = await simulate(wompiPayouts)
    await using rails = open({ payouts: simulated.url })
    const { providerId } = accepted(await rails.out.submit(payoutOrder()))
    await simulated.advance(OUTCOME_DELAY_MS)
    assert.ok(simulated.received.length >= 3)
    for (const { headers, body } of simulated.received) {
      const { event } = JSON.parse(body) as { event: string }
      assert.deepEqual(read(rails, body, headers), asks(event, { kind: 'payout', providerId }))
    }
    const named = (what: string, reference: string) => {
      const event = eventOf({ ...payout(), id: 'batch-1', reference }, PAYOUT_EVENTS, { what })
      return read(rails, event)
    }
    for (const what of ['transaction', 'payout']) {
      const ours = { kind: 'payout', reference: payoutReference() }
      assert.deepEqual(named(what, idAt(NOW)), asks(`${what}.updated`, ours))
      assert.deepEqual(named(what, idAt(NOW).toUpperCase()), asks(`${what}.updated`, ours))
      assert.ok(isIgnored(named(what, 'nomina-noviembre')), what)
    }
  })

  it('are told apart by their secret, and read with that of before', async () => {
    await using rails = open(
      { payments: NOWHERE, payouts: NOWHERE },
      {
        previousCredentials: { eventsSecret: 'test_events_before', payoutsEventsSecret: 'payouts_before' },
      },
    )
    for (const secret of [EVENTS, 'test_events_before'])
      assert.deepEqual(read(rails, eventOf(payment(), secret)), ofPayin, secret)
    for (const secret of [PAYOUT_EVENTS, 'payouts_before'])
      assert.deepEqual(
        read(rails, eventOf(payout(), secret)),
        asks('transaction.updated', { kind: 'payout', providerId: 'batch-1' }),
      )
    for (const secret of ['', 'test_events_else', PAYMENTS.integritySecret as string])
      assert.equal(read(rails, eventOf(payment(), secret)), undefined)
    const none = { previousCredentials: { eventsSecret: '', payoutsEventsSecret: '' } }
    await using without = open({ payments: NOWHERE, payouts: NOWHERE }, none)
    assert.equal(read(without, eventOf(payment(), '')), undefined, 'what is not set signs nothing')
    // With the secret of payments, a payout's event is about no payin of ours.
    assert.ok(isFault(read(rails, eventOf(payout(), EVENTS))))
    assert.ok(isIgnored(read(rails, eventOf(payout(), EVENTS, { what: 'payout' }))))
    await using payoutsOnly = open({ payouts: NOWHERE })
    assert.equal(read(payoutsOnly, eventOf(payment(), EVENTS)), undefined)
  })

  it('of one secret for both are read as what they look like', async () => {
    await using rails = open(
      { payments: NOWHERE, payouts: NOWHERE },
      { credentials: { eventsSecret: 'same', payoutsEventsSecret: 'same' } },
    )
    assert.deepEqual(read(rails, eventOf(payment(), 'same')), ofPayin)
    assert.deepEqual(
      read(rails, eventOf(payout(), 'same')),
      asks('transaction.updated', { kind: 'payout', providerId: 'batch-1' }),
    )
  })

  it('of other sales, or of another kind, are ignored', async () => {
    await using rails = open({ payments: NOWHERE, payouts: NOWHERE })
    for (const reference of [
      'order-7',
      railReference('payin', OTHER_ORGANIZATION, idAt(NOW)),
      payoutReference(),
      '',
    ])
      assert.ok(isIgnored(read(rails, eventOf(payment({ reference }), EVENTS))), reference)
    const token = eventOf({ id: 'n1', status: 'APPROVED' }, EVENTS, {
      what: 'nequi_token',
      properties: ['nequi_token.id'],
    })
    assert.deepEqual(read(rails, token), { ignored: 'nequi_token.updated is nothing that we ask about' })
    assert.ok(isIgnored(read(rails, eventOf(payout(), PAYOUT_EVENTS, { event: 'account.updated' }))))
  })

  it('that are signed and lack what they are about are faults', async () => {
    await using rails = open({ payments: NOWHERE, payouts: NOWHERE })
    for (const reference of [undefined, null, 7])
      assert.ok(isFault(read(rails, eventOf(payment({ reference }), EVENTS))))
    assert.ok(isFault(read(rails, eventOf(payout({ payoutId: undefined }), PAYOUT_EVENTS))))
    assert.ok(isFault(read(rails, eventOf(payout({ payoutId: 'a b' }), PAYOUT_EVENTS))))
    assert.ok(isFault(read(rails, eventOf(payout({ id: 7 }), PAYOUT_EVENTS, { what: 'payout' }))))
  })

  it('prove nothing without a signature over id and status', async () => {
    await using rails = open({ payments: NOWHERE, payouts: NOWHERE })
    for (const properties of [
      ['transaction.id'],
      ['transaction.status'],
      ['transaction.amount_in_cents'],
      ['transaction.id', 'transaction.amount_in_cents'],
    ]) {
      assert.equal(read(rails, eventOf(payment(), EVENTS, { properties })), undefined)
      assert.equal(read(rails, eventOf(payout(), PAYOUT_EVENTS, { properties })), undefined)
    }
    const batchOnly = { what: 'payout', properties: ['payout.id'] }
    assert.equal(read(rails, eventOf(payout(), PAYOUT_EVENTS, batchOnly)), undefined)
    assert.equal(read(rails, eventOf(payment(), EVENTS, { properties: [] })), undefined)
    // Wompi may sign more than it does now.
    const more = ['transaction.reference', 'transaction.status', 'transaction.id']
    assert.deepEqual(read(rails, eventOf(payment(), EVENTS, { properties: more })), ofPayin)
  })

  it('are compared without regard to case, also with their header', async () => {
    await using rails = open({ payments: NOWHERE })
    const event = eventOf(payment(), EVENTS)
    const { checksum } = event.signature as { checksum: string }
    const loud = eventOf(payment(), EVENTS, { checksum: checksum.toUpperCase() })
    assert.deepEqual(read(rails, loud), ofPayin)
    assert.deepEqual(read(rails, loud, { 'x-event-checksum': checksum }), ofPayin)
    assert.deepEqual(read(rails, event, { 'x-event-checksum': checksum.toUpperCase() }), ofPayin)
    for (const header of ['', 'x', sha256('x'), [checksum, checksum], `${checksum}, ${checksum}`])
      assert.equal(read(rails, event, { 'x-event-checksum': header }), undefined, String(header))
  })

  it('that are altered are nobody’s', async () => {
    await using rails = open({ payments: NOWHERE, payouts: NOWHERE })
    const { checksum } = eventOf(payment(), EVENTS).signature as { checksum: string }
    for (const forged of [
      eventOf(payment({ id: '1292-1602113476-10986' }), EVENTS, { checksum }),
      eventOf(payment({ status: 'DECLINED' }), EVENTS, { checksum }),
      eventOf(payment({ amount_in_cents: 1 }), EVENTS, { checksum }),
      eventOf(payment(), EVENTS, { checksum, timestamp: 1_794_841_203 }),
      eventOf(payment(), EVENTS, { checksum: '' }),
      eventOf(payment(), EVENTS, { checksum: 7 }),
      eventOf(payment(), EVENTS, { checksum: checksum.slice(1) }),
      eventOf(payment(), EVENTS, { timestamp: '1794841202' }),
      eventOf(payment(), EVENTS, {
        properties: ['transaction.id', 'transaction.status', 'transaction.nothing'],
      }),
      eventOf(payment({ id: { toString: 'x' } }), EVENTS, { checksum }),
      eventOf(payment({ id: ['1292'] }), EVENTS),
      eventOf(payment({ status: null }), EVENTS),
      { ...eventOf(payment(), EVENTS), data: null },
      { ...eventOf(payment(), EVENTS), data: [payment()] },
      { ...eventOf(payment(), EVENTS), event: 'transaction updated' },
      { ...eventOf(payment(), EVENTS), signature: undefined },
    ])
      assert.equal(read(rails, forged), undefined, JSON.stringify(forged))
    // What an object has from the language is nothing that Wompi has signed.
    const signed = `1292-1602113476-10985APPROVEDObject1794841202${EVENTS}`
    const inherited = ['transaction.id', 'transaction.status', 'constructor.name']
    const event = eventOf(payment(), EVENTS, { properties: inherited, checksum: sha256(signed) })
    assert.equal(read(rails, event), undefined)
  })

  it('may be any bytes', async () => {
    await using rails = open({ payments: NOWHERE, payouts: NOWHERE })
    for (const text of ['', '{', 'null', '[]', '7', '"x"', '['.repeat(50_000), '{"data":'.repeat(10_000)])
      assert.equal(read(rails, text), undefined, text.slice(0, 20))
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        assert.equal(rails.readHint({}, Buffer.from(bytes), NOW), undefined)
      }),
    )
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (data, properties, timestamp) => {
        const event = {
          event: 'transaction.updated',
          data,
          signature: { properties, checksum: sha256('') },
          timestamp,
        }
        assert.equal(read(rails, event), undefined)
      }),
    )
  })
})
