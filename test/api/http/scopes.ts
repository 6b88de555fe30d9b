// Which scope each route needs. Written out here and not read from the operations: a route with the wrong scope must differ
// from something.

import type { Scope } from '../../../src/core/organizations/scope.ts'

export const SCOPE_BY_ROUTE: Readonly<Record<string, Scope>> = {
  'POST /payins': 'payins:write',
  'GET /payins': 'payins:read',
  'GET /payins/{payinId}': 'payins:read',
  'POST /payins/{payinId}/cancel': 'payins:write',
  'GET /payins/{payinId}/receipt': 'payins:read',
  'GET /pse/banks': 'payins:read',
  'GET /breb/keys/{keyString}': 'keys:read',
  'POST /payment-links': 'links:write',
  'GET /payment-links': 'links:read',
  'GET /payment-links/{paymentLinkId}': 'links:read',
  'POST /payment-links/{paymentLinkId}/expire': 'links:write',
  'POST /payouts': 'payouts:write',
  'GET /payouts': 'payouts:read',
  'GET /payouts/{payoutId}': 'payouts:read',
  'POST /payouts/{payoutId}/cancel': 'payouts:write',
  'GET /payouts/{payoutId}/evidence': 'payouts:read',
  'GET /balance': 'ledger:read',
  'GET /ledger/transfers': 'ledger:read',
  'GET /reconciliations': 'ledger:read',
  'GET /reconciliations/{reconciliationId}': 'ledger:read',
  'GET /events': 'events:read',
  'GET /events/stream': 'events:read',
  'GET /events/{eventId}': 'events:read',
  'GET /events/{eventId}/deliveries': 'events:read',
  'POST /events/{eventId}/redeliver': 'webhooks:write',
  'POST /webhook-endpoints': 'webhooks:write',
  'GET /webhook-endpoints': 'webhooks:read',
  'GET /webhook-endpoints/{endpointId}': 'webhooks:read',
  'PATCH /webhook-endpoints/{endpointId}': 'webhooks:write',
  'DELETE /webhook-endpoints/{endpointId}': 'webhooks:write',
  'POST /webhook-endpoints/{endpointId}/rotate-secret': 'webhooks:write',
  'POST /webhook-endpoints/{endpointId}/verify': 'webhooks:write',
  'POST /webhook-endpoints/{endpointId}/test': 'webhooks:write',
  'POST /webhook-endpoints/{endpointId}/recover': 'webhooks:write',
  'GET /organization': 'organization:read',
  'PATCH /organization': 'organization:write',
  'POST /sandbox/payins/{payinId}/simulate': 'sandbox:write',
  'POST /sandbox/payouts/{payoutId}/simulate': 'sandbox:write',
  'POST /sandbox/clock/advance': 'sandbox:write',
}

// What these tell of needs the scopes that read it, beside their own.
const READS: readonly Scope[] = ['payins:read', 'payouts:read', 'links:read']
export const ALSO_NEEDED: Readonly<Record<string, readonly Scope[]>> = {
  'GET /events': READS,
  'GET /events/stream': READS,
  'GET /events/{eventId}': READS,
  'POST /events/{eventId}/redeliver': READS,
  'POST /webhook-endpoints': READS,
  'PATCH /webhook-endpoints/{endpointId}': READS,
  'POST /webhook-endpoints/{endpointId}/recover': READS,
}
