// What statements about webhooks tell that only read: how an endpoint does.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isoInstant } from '../../../src/core/instant.ts'
import { recoverDeliveries } from '../../../src/store/webhooks/deliveries.ts'
import { deliveriesOfEvent, listBacklog } from '../../../src/store/webhooks/delivery-views.ts'
import { healthOfEndpoints } from '../../../src/store/webhooks/endpoint-views.ts'
import { ORGANIZATION_ID, openOneOrganizationDatabase } from '../one-organization.ts'
import { IDS, LATER, LEASE, TWINS_CREATED_AT } from '../twins.ts'

describe('of an endpoint', () => {
  const { readAfter } = openOneOrganizationDatabase()

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

  it('who is longest behind comes first', async () => {
    const behindSince = (dueAt: string) =>
      readAfter(
        [
          `insert into webhook_endpoints (organization_id, endpoint_id, url, state, sealed_secret, created_at, updated_at)
           values ('${ORGANIZATION_ID}', '${IDS.fresh}', 'https://other.example', 'ENABLED', '', now(), now())`,
          `insert into deliveries (organization_id, endpoint_id, event_id, sequence, state, attempts, schedule_from, due_at, created_at)
           values ('${ORGANIZATION_ID}', '${IDS.fresh}', '${IDS.event}', 1, 'PENDING', 1, 0, '${dueAt}', now())`,
        ],
        async (tx) => (await listBacklog(tx, LATER)).map(({ endpointId }) => endpointId),
      )
    assert.deepEqual(await behindSince(isoInstant(TWINS_CREATED_AT - 1)), [IDS.fresh, IDS.endpoint])
    assert.deepEqual(await behindSince(isoInstant(LATER)), [IDS.endpoint, IDS.fresh])
  })

  it('an event that its first batch has yet to send is not recovered', async () => {
    const recovered = async (...changes: string[]) => {
      const address = { organizationId: ORGANIZATION_ID, endpointId: IDS.endpoint }
      const types = ['payin.confirmed', 'payin.canceled', 'payin.declined']
      const found = await readAfter(changes, (tx) =>
        recoverDeliveries(tx, address, types, 0, IDS.payin, 100, LATER),
      )
      return found.scheduled
    }
    const waits = await recovered()
    assert.equal(await recovered('delete from first_attempt_batches'), waits + 1)
    const elsewhere = `update first_attempt_batches set event_ids = array['${IDS.fresh}'::uuid]`
    assert.equal(await recovered(elsewhere), waits + 1)
  })

  it('a delivery has no next attempt while it is being sent', async () => {
    const nextAttempt = (...changes: string[]) =>
      readAfter(changes, async (tx) => {
        const { deliveries } = await deliveriesOfEvent(tx, ORGANIZATION_ID, IDS.event)
        return deliveries.map(({ state, nextAttemptAt }) => [state, nextAttemptAt])
      })
    assert.deepEqual(await nextAttempt(), [['PENDING', null]])
    const released = `update deliveries set lease_token = null where event_id = '${IDS.event}'`
    assert.deepEqual(await nextAttempt(released), [['PENDING', LEASE.until]])
  })

  it('the newest twenty attempts at an event are shown, the oldest of them first', async () => {
    const many = `insert into delivery_attempts (organization_id, attempt_id, endpoint_id, event_id, number, at, latency_ms, response)
      select '${ORGANIZATION_ID}', ('ffffffff-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, '${IDS.endpoint}', '${IDS.event}',
             100 + n, now(), 1, ''
        from generate_series(1, 21) as n`
    const { attempts } = await readAfter([many], (tx) => deliveriesOfEvent(tx, ORGANIZATION_ID, IDS.event))
    assert.deepEqual(
      attempts.map(({ number }) => number),
      Array.from({ length: 20 }, (_, at) => 102 + at),
    )
  })
})
