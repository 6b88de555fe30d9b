// What statements about webhooks tell that only read: how an endpoint does.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { healthOfEndpoints } from '../../../src/store/webhooks/endpoint-views.ts'
import { ORGANIZATION_ID, twinOf } from '../after-changes.ts'
import { IDS } from '../twins.ts'

describe('of an endpoint', () => {
  const { readAfter } = twinOf()

  it('the slowest answers are told, and not how long those took that never came', async () => {
    const took = (eventId: string, set: string) =>
      `update delivery_attempts set ${set} where event_id = '${eventId}'`
    const health = await readAfter(
      [
        took(IDS.event, 'latency_ms = 10'),
        took(IDS.delivered, 'latency_ms = 20'),
        took(IDS.acknowledged, 'latency_ms = 30'),
        took(IDS.failed, `latency_ms = 15000, status = null, failure = 'TIMEOUT'`),
      ],
      (tx) => healthOfEndpoints(tx, ORGANIZATION_ID, IDS.payin),
    )
    assert.deepEqual(health, [{ endpointId: IDS.endpoint, attempts: 4, failures: 2, p95Ms: 30 }])
  })
})
