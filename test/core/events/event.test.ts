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
import { refuseUnreadable, refuseUnreadableLog } from '../../../src/core/events/read-scopes.ts'
import { SCOPES, type Scope } from '../../../src/core/organizations/scope.ts'

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

describe('whoever reads an event', () => {
  const NEEDED: Readonly<Record<string, Scope | null>> = {
    payin: 'payins:read',
    payout: 'payouts:read',
    paymentlink: 'links:read',
    paymentpage: 'links:read',
    refund: 'payins:read',
    payoutbatch: 'payouts:read',
    approval: 'payouts:read',
    webhook: null,
  }

  it('needs the scope that reads what it is about', () => {
    for (const type of [...EVENT_TYPES, 'webhook.test']) {
      const needed = NEEDED[type.split('.')[0] ?? '']
      const others = SCOPES.filter((scope) => scope !== needed)
      const refusal = refuseUnreadableLog(others, type)
      const expected = needed === null ? undefined : `What these events tell needs the scope ${needed} too.`
      assert.equal(refusal?.detail, expected, type)
      assert.equal(refuseUnreadableLog(needed ? [needed] : [], type), undefined, type)
      assert.equal(refuseUnreadableLog(null, type), undefined, type)
    }
  })

  it('of a list needs them all: of an endpoint that names none those of the contract, of the log every one', () => {
    const all = 'What these events tell needs the scopes payins:read, payouts:read, links:read too.'
    assert.equal(refuseUnreadable([], null)?.detail, all)
    assert.equal(refuseUnreadableLog([], undefined)?.detail, all)
    assert.equal(refuseUnreadable([], ['payin.confirmed', 'refund.created'])?.refused, 'INSUFFICIENT_SCOPE')
    const some: Scope[] = ['payins:read', 'payouts:read', 'links:read']
    assert.equal(refuseUnreadable(some, null), undefined)
    assert.equal(refuseUnreadable([], []), undefined)
  })
})
