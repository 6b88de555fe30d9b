// Whatever a request sets is in its audit entry, or is named here as what is not: a field that nobody thought of is neither kept
// from the log nor lost from it unseen.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { OPERATIONS } from '../../../src/api/operations.ts'
import { objectKindOf } from '../../../src/core/audit/act.ts'
import { AUDITED_FIELDS } from '../../../src/core/audit/fields.ts'

const NOTE = ['description', 'metadata']
const PROOF = ['code', 'digest', 'passkey']
const PERSON = ['idNumber', 'idType', 'name']

// People, keys and notes; proofs; what there is one of; and what the entry says in another field.
const NOT_IN_THE_LOG: Readonly<Record<string, readonly string[]>> = {
  createPayin: ['breb', 'currency', 'inlineCustomer', 'pse', ...NOTE],
  createPaymentLink: ['amountType', 'inlineCustomer', 'pse', ...NOTE],
  createPaymentPage: ['amountType'],
  createPayout: ['breb', 'currency', 'inlineCustomer', 'rail', ...NOTE],
  createRefund: ['breb'],
  createPayoutBatch: ['file', 'repeat'],
  changePayoutBatchRow: ['amount', 'email', 'key', 'reference', ...PERSON],
  submitPayoutBatch: ['acceptWarnings'],
  writeBeneficiary: ['email', 'key', ...PERSON],
  approveApproval: PROOF,
  refuseApproval: PROOF,
  resolveAlarm: ['word'],
  redeliverEvent: ['endpointId'],
  createWebhookEndpoint: ['ed25519'],
  changeWebhookEndpoint: ['ed25519', 'status'],
  createWebhookPortalLink: ['expiresInMinutes', 'language'],
  createApiKey: ['expiresInDays', 'payoutSumPerDayInCents'],
  changeApiKey: ['payoutSumPerDayInCents'],
  rollApiKey: ['overlapHours'],
  createOAuthClient: ['payoutSumPerDayInCents'],
  changeOAuthClient: ['payoutSumPerDayInCents'],
  rollOAuthClient: ['overlapHours'],
  createTeamInvitation: ['name'],
}

it('the log has every field that a request sets, but for those named here', () => {
  const found = OPERATIONS.flatMap(({ operationId, act, body }) => {
    if (act === undefined || body === undefined) return []
    const { properties = {} } = body.schema as { properties?: object }
    const audited = AUDITED_FIELDS[objectKindOf(act)]
    const left = Object.keys(properties).filter((field) => !(field in audited))
    return left.length === 0 ? [] : [[operationId, left.sort()]]
  })
  const named = Object.entries(NOT_IN_THE_LOG).map(([operation, fields]) => [operation, fields.toSorted()])
  assert.deepEqual(Object.fromEntries(found), Object.fromEntries(named))
})
