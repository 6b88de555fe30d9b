// When an event is sent again, and what a portal shows of it and to whom.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SCOPES, type Scope } from '../../../src/core/organizations/scope.ts'
import { isRefusal } from '../../../src/core/refusal.ts'
import { type AttemptResult, afterAttempt } from '../../../src/core/webhooks/delivery.ts'
import { ownershipProblem } from '../../../src/core/webhooks/ownership.ts'
import {
  MAX_FRAME_ANCESTORS,
  PORTAL_LINK_MINUTES,
  type PortalLink,
  portalEndpointId,
  portalLinkEnd,
  portalScopes,
} from '../../../src/core/webhooks/portal-link.ts'

const result = (changes: Partial<AttemptResult> = {}): AttemptResult => ({
  ...{ status: 500, latencyMs: 1, response: '', failure: null, retryAfterSeconds: null },
  ...{ delivered: false, gone: false, ...changes },
})

describe('an attempt', () => {
  const after = (changes: Partial<AttemptResult>, before = 0, random = 0.5) =>
    afterAttempt(result(changes), before, [1_000, 60_000], random, 5_000_000)

  it('that was taken is the last', () => {
    assert.deepEqual(after({ delivered: true }), { state: 'DELIVERED', dueAt: null })
    assert.deepEqual(after({ delivered: true, gone: true }, 9), { state: 'DELIVERED', dueAt: null })
  })

  it('that was not is followed by another, a tenth sooner or later', () => {
    assert.deepEqual(after({}), { state: 'PENDING', dueAt: 5_001_000 })
    assert.deepEqual([after({}, 1, 0).dueAt, after({}, 1, 0.5).dueAt], [5_054_000, 5_060_000])
    assert.equal(after({}, 1, 0.99999).dueAt, 5_066_000)
    assert.deepEqual(after({}, 2), { state: 'FAILED', dueAt: null })
    assert.deepEqual(after({ gone: true }), { state: 'FAILED', dueAt: null })
  })

  it('comes no sooner than the receiver asks for', () => {
    assert.equal(after({ retryAfterSeconds: 2 }).dueAt, 5_002_000)
    assert.equal(after({ retryAfterSeconds: 0 }).dueAt, 5_001_000)
    assert.equal(after({ retryAfterSeconds: 2 }, 1).dueAt, 5_060_000)
  })
})

describe('the proof of who receives', () => {
  it('says which answer was wrong', () => {
    const said = (isGenuine: boolean, changes: Partial<AttemptResult>) =>
      ownershipProblem([isGenuine], [result(changes)])
    const none = { status: null, failure: 'TIMEOUT' }
    assert.equal(said(true, { delivered: true }), undefined)
    assert.equal(said(true, none), 'It did not answer a request with a right signature (TIMEOUT).')
    assert.equal(
      said(true, { status: 404 }),
      "It answered 404 to a request with a right signature. Does it know this endpoint's secret?",
    )
    assert.deepEqual([said(false, { status: 400 }), said(false, { status: 499 })], [undefined, undefined])
    assert.equal(said(false, none), 'It did not answer a request with a wrong signature (TIMEOUT).')
    for (const status of [399, 500])
      assert.equal(
        said(false, { status }),
        `It answered ${status} to a request with a wrong signature. It must verify signatures, and answer 400 to a wrong one.`,
      )
  })
})

describe('a portal', () => {
  const needed: Scope[] = ['webhooks:read', 'webhooks:write', 'events:read']
  const reads: Scope[] = ['payins:read', 'payouts:read', 'links:read']

  it('holds of the scopes that it needs those of whoever made it', () => {
    assert.deepEqual(portalScopes(null), [...needed, ...reads])
    assert.deepEqual(portalScopes(SCOPES), [...needed, ...reads])
    assert.deepEqual(portalScopes(needed), needed)
    assert.deepEqual(portalScopes(['links:read', 'team:read', ...needed]), [...needed, 'links:read'])
  })

  it('is made by nobody who lacks one of them', () => {
    for (const scope of needed) {
      const refusal = portalScopes([...reads, ...needed.filter((one) => one !== scope)])
      assert.ok(isRefusal(refusal))
      assert.deepEqual(refusal, {
        refused: 'INSUFFICIENT_SCOPE',
        detail: `What a portal shows and does needs ${scope} too.`,
      })
    }
    const none = portalScopes(reads)
    assert.ok(isRefusal(none) && none.detail.includes('webhooks:read, webhooks:write, events:read too'))
  })

  it('ends after so many minutes, and shows the endpoints that it names', () => {
    assert.equal(portalLinkEnd(5, 3), 180_005)
    assert.deepEqual(PORTAL_LINK_MINUTES, { minimum: 1, default: 60, maximum: 1_440 })
    assert.equal(MAX_FRAME_ANCESTORS, 5)
    const [one, other] = ['0199a0b0-0000-7000-8000-00000000000a', '0199a0b0-0000-7000-8000-00000000000b']
    const link = { endpointIds: [one] } as unknown as PortalLink
    assert.equal(portalEndpointId(link, one), one)
    assert.equal(portalEndpointId(link, one.toUpperCase()), one)
    assert.equal(portalEndpointId(link, other), undefined)
    assert.equal(portalEndpointId({ ...link, endpointIds: ['x'] }, 'x'), undefined)
  })
})
