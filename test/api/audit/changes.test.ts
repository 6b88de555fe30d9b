// What the log says of each act of an operation: every field that it has changed, from what to what, and no other.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Act } from '../../../src/core/audit/act.ts'
import { isRefusal } from '../../../src/core/refusal.ts'
import { getOrganization } from '../../../src/store/organizations/organizations.ts'
import { createWorld, type World } from '../../world.ts'
import { exampleBody, makeSubjects, STAGING_OPERATIONS } from '../http/calls.ts'
import { auditedChangesOf } from './audited-changes.ts'
import { asPerson, entriesOf, joinAsOwner } from './entries.ts'

const ACTED = STAGING_OPERATIONS.filter(
  ({ act, refusals }) => act !== undefined && !refusals.includes('PERSON_REQUIRED'),
)

const CHANGES: Readonly<Record<string, readonly string[]>> = {
  'payin.create': [
    'amountInCents: null → 5000000',
    'rail: null → "BRE_B"',
    'reference: null → reference',
    'status: null → "PROCESSING"',
  ],
  'payin.cancel': ['status: "PROCESSING" → "CANCELED"', 'errorCode: null → "CANCELED_BY_MERCHANT"'],
  'brebkey.lookup': ['key: null → "*****OMEZ"', 'keyType: null → "ALPHANUMERIC"'],
  'paymentlink.create': [
    'amountInCents: null → 5000000',
    'reference: null → reference',
    'status: null → "PENDING"',
    'callbackUrl: null → "https://shop.example/return"',
  ],
  'paymentlink.expire': ['status: "PENDING" → "EXPIRED"'],
  'paymentpage.create': [
    'name: null → "Coffee for the month"',
    'description: null → "Two bags, roasted on Thursday, delivered on Friday."',
    'status: null → "OPEN"',
    'items: null → [{"name":"Bag of coffee, 500 g","quantity":2,"unitAmountInCents":3200000},{"name":"Delivery","quantity":1,"unitAmountInCents":800000}]',
    'amountInCents: null → 7200000',
    'reference: null → reference',
    'maxPieces: null → 40',
  ],
  'paymentpage.change': ['maxPieces: null → 60'],
  'paymentpage.close': ['status: "OPEN" → "CLOSED"'],
  'payout.create': [
    'amountInCents: null → 5000000',
    'reference: null → reference',
    'status: null → "PROCESSING"',
    'keyType: null → "ALPHANUMERIC"',
  ],
  'payout.cancel': ['status: "PROCESSING" → "CANCELED"', 'errorCode: null → "CANCELED_BY_MERCHANT"'],
  'refund.create': [
    'payinId: null → "id"',
    'amountInCents: null → 2000000',
    'reason: null → "NOT_RECEIVED"',
    'way: null → "RAIL"',
    'status: null → "PROCESSING"',
    'stage: null → "READY"',
  ],
  'refund.cancel': [
    'status: "PROCESSING" → "CANCELED"',
    'stage: "AWAITING_CLAIM" → "DONE"',
    'errorCode: null → "CANCELED_BY_MERCHANT"',
  ],
  'payoutbatch.create': [
    'status: null → "CHECKING"',
    'fileName: null → "nomina-noviembre.csv"',
    'version: null → 1',
    'reservedInCents: null → 0',
    'reservedFeesInCents: null → 0',
  ],
  'payoutbatch.change': ['version: 1 → 2', 'rowNumber: null → 2', 'state: null → "DRAFT"'],
  'payoutbatch.leaveout': ['version: 1 → 2', 'leftOut: null → 0'],
  'payoutbatch.check': ['version: 1 → 2', 'rows: null → 0'],
  'payoutbatch.submit': [
    'status: "DRAFT" → "PROCESSING"',
    'version: 2 → 3',
    'reservedInCents: 0 → 100000',
    'rows: null → 1',
  ],
  'payoutbatch.cancel': ['status: "CHECKING" → "CANCELED"', 'version: 1 → 2'],
  'payoutbatch.retry': ['retriedIn: null → "id"', 'rows: null → 1'],
  'beneficiary.write': ['verifiedAt: null → now', 'verifiedBy: null → "DOCUMENT"'],
  'beneficiary.delete': ['verifiedAt: now → null', 'verifiedBy: "DOCUMENT" → null'],
  'approvalrule.change': [
    'rules: [] → [{"kind":"payout","tiers":[{"fromInCents":500000000,"approvers":1},{"fromInCents":1000000000,"approvers":2}]},{"kind":"approval-rule","tiers":[{"fromInCents":0,"approvers":1}]}]',
  ],
  'suspense.note': ['note: null → "(secret)"'],
  'suspense.return': ['state: "OPEN" → "RETURNING"', 'state: "RETURNING" → "RETURNED"'],
  'suspense.attach': ['state: "OPEN" → "ATTACHED"', 'attachedTo: null → "id"'],
  'day.close': ['day: null → day'],
  'alarm.take': ['takenAt: null → now'],
  'alarm.resolve': ['resolvedAt: null → now', 'resolution: null → "(secret)"'],
  'event.redeliver': ['type: null → "webhook.test"', 'endpointIds: null → ["id"]'],
  'webhook.create': [
    'url: null → "https://shop.example/recaudo/events"',
    'events: null → ["payin.confirmed","payin.declined","payin.chargeback"]',
    'description: null → "Orders"',
    'state: null → "ENABLED"',
    'sealedSecret: null → "(secret)"',
  ],
  'webhook.change': ['description: null → "Orders and refunds"'],
  'webhook.delete': [
    'url: "https://shop.example/events" → null',
    'state: "ENABLED" → null',
    'sealedSecret: "(secret)" → null',
  ],
  'webhook.verify': ['verifiedAt: null → now'],
  'webhook.rotate': ['sealedSecret: "(secret)" → "(secret)"'],
  'webhook.test': ['eventId: null → "id"'],
  'webhook.recover': ['since: null → before', 'scheduled: null → 0'],
  'portallink.create': [
    'endpointIds: null → ["id"]',
    'readOnly: null → false',
    'frameAncestors: null → ["https://app.shop.example"]',
    'expiresAt: null → in 30 min',
  ],
  'connection.create': [
    'name: null → "Wompi, main account"',
    'provider: null → "wompi"',
    'environment: null → "test"',
    'uses: null → ["PSE_IN"]',
    'priority: null → 100',
    'enabled: null → false',
    'credentials: null → "(secret)"',
  ],
  'connection.change': ['priority: 100 → 10', 'minimumInCents: null → 100000000'],
  'connection.delete': [
    'name: "Wompi, main account" → null',
    'provider: "wompi" → null',
    'environment: "test" → null',
    'uses: ["PSE_IN"] → null',
    'priority: 100 → null',
    'enabled: false → null',
    'credentials: "(secret)" → null',
  ],
  'connection.test': ['checks: null → [{"what":"public key","problem":null}]'],
  'movement.deposit': [
    'connectionId: null → "id"',
    'kind: null → "DEPOSIT"',
    'amountInCents: null → 100000000',
    'reference: null → reference',
  ],
  'movement.withdraw': [
    'connectionId: null → "id"',
    'kind: null → "WITHDRAWAL"',
    'amountInCents: null → 100000000',
    'reference: null → reference',
  ],
  'organization.change': ['payinExpiryMinutes: 15 → 60'],
  'apikey.create': [
    'name: null → "Web shop"',
    'displayPrefix: null → "rk_stg_…"',
    'scopes: null → ["payins:read","payins:write"]',
    'expiresAt: null → in 525600 min',
  ],
  'apikey.change': ['allowedAddresses: null → ["203.0.113.7/32"]'],
  'apikey.roll': ['expiresAt: null → in 1440 min', 'replacedBy: null → "id"'],
  'apikey.revoke': ['revokedAt: null → now'],
  'client.create': [
    'name: null → "Web shop"',
    'scopes: null → ["payins:read","payins:write"]',
    'secretDigest: null → "(secret)"',
  ],
  'client.change': ['maxPerSecond: null → 50'],
  'client.roll': ['secretDigest: "(secret)" → "(secret)"', 'previousUntil: null → in 1440 min'],
  'client.revoke': ['revokedAt: null → now'],
  'member.role': ['role: "support" → "accountant"'],
  'member.remove': ['email: "id@example.com" → null', 'role: "support" → null'],
  'member.signout': ['endedSessions: null → 0'],
  'invitation.create': [
    'email: null → "leo@example.com"',
    'role: null → "accountant"',
    'expiresAt: null → in 4320 min',
  ],
  'invitation.revoke': ['revokedAt: null → now'],
  'payin.simulate': ['outcome: null → "confirmed"'],
  'payout.simulate': ['outcome: null → "declined"', 'errorCode: null → "RECEIVER_ACCOUNT_INVALID"'],
  'clock.advance': ['seconds: null → 1', 'now: null → now'],
}

describe('the log of an act', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  it('has what was changed, from what to what, whichever act it is', async () => {
    const found: [Act, string[]][] = []
    for (const operation of ACTED) {
      const { organization, client } = await world.newMerchant()
      const subjects = Object.entries(await makeSubjects(world, client, operation))
      const params = Object.fromEntries(subjects.map(([name, value]) => [name, decodeURIComponent(value)]))
      await joinAsOwner(world, organization)
      const { length } = await entriesOf(world, organization)
      const known = (await getOrganization(world.db, organization.organizationId)) ?? organization
      const answer = await asPerson(world, known, operation, {
        params,
        body: exampleBody(operation, params),
        ...(operation.method === 'POST' && { idempotencyKey: 'form' }),
      })
      if (isRefusal(answer)) assert.fail(answer.detail)
      const entries = (await entriesOf(world, organization)).slice(length)
      const own = entries.filter(({ act }) => act === operation.act)
      const changes = own.flatMap((entry) => auditedChangesOf(entry, world.ctx.clock.now()))
      found.push([operation.act as Act, changes])
    }
    assert.deepEqual(Object.fromEntries(found), CHANGES)
  })
})
