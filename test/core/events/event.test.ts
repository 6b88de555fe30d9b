// Whom an event goes to, and the text that is sent.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  CONTRACT_EVENTS,
  EVENT_TYPES,
  envelopeText,
  matchesSubscription,
  OPTIONAL_EVENTS,
} from '../../../src/core/events/event.ts'

describe('an event', () => {
  it('of the contract goes to every endpoint that lists none, any other to those that list it', () => {
    for (const type of CONTRACT_EVENTS) assert.equal(matchesSubscription(type, null), true, type)
    for (const type of OPTIONAL_EVENTS) assert.equal(matchesSubscription(type, null), false, type)
    for (const type of EVENT_TYPES) {
      assert.equal(matchesSubscription(type, [type]), true, type)
      assert.equal(
        matchesSubscription(
          type,
          EVENT_TYPES.filter((one) => one !== type),
        ),
        false,
        type,
      )
    }
    assert.deepEqual(CONTRACT_EVENTS, [
      ...['payin.confirmed', 'payin.canceled', 'payin.declined', 'payout.confirmed', 'payout.canceled'],
      ...['payout.declined', 'paymentlink.completed', 'paymentlink.expired'],
    ])
  })

  it('is sent with its place, its version and its time around its data', () => {
    const envelope = {
      ...{ id: 'i', event: 'payin.confirmed', resource: 'payin', sequence: 7, version: 3 },
      createdAt: '2026-11-17T15:00:00.000Z',
    }
    assert.equal(
      envelopeText(envelope, '{"a":1}'),
      '{"id":"i","event":"payin.confirmed","resource":"payin","sequence":7,"version":3,' +
        '"createdAt":"2026-11-17T15:00:00.000Z","data":{"a":1}}',
    )
  })
})
