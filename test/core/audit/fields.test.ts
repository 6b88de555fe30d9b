// Which fields of each kind of thing an entry of the log holds, and in which form.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ObjectKind } from '../../../src/core/audit/act.ts'
import { changesBetween } from '../../../src/core/audit/entry.ts'

const LIMITS = 'maxPerSecond allowedAddresses payoutsPerDay payoutSumPerDay'

// Written out again. Fields without a form stand as they are.
const FIELDS: Readonly<Record<ObjectKind, string>> = {
  payin: 'amountInCents rail reference status callbackUrl:url outcome errorCode',
  payout: 'amountInCents reference status keyType outcome errorCode heldSince:time',
  refund: 'payinId amountInCents reason way status stage errorCode heldSince:time',
  payoutbatch:
    'status fileName retryOf retriedIn version reservedInCents reservedFeesInCents rows rowNumber leftOut state heldSince:time',
  beneficiary: 'verifiedAt:time verifiedBy',
  paymentlink: 'amountInCents rail reference status bank callbackUrl:url',
  paymentpage:
    'name description status items image:digest metadata:digest amountInCents minAmountInCents maxAmountInCents ' +
    'reference callbackUrl:url rail validUntil:time maxPayments maxPieces',
  approval: 'kind subjectId amountInCents approvers status digestHex proof publicKey:digest reason',
  approvalrule: 'rules',
  brebkey: 'key keyType',
  event: 'type endpointIds',
  webhook:
    'url:url events description state disabledReason maxPerSecond verifiedAt:time sealedSecret:secret ' +
    'sealedSigningKey:secret eventId since:time scheduled',
  portallink: 'endpointIds readOnly frameAncestors expiresAt:time',
  connection:
    'name provider environment uses priority minimumInCents maximumInCents enabled credentials:secret checks',
  movement: 'connectionId kind amountInCents reference',
  organization:
    'name taxId contactEmail contactPhone logoUrl:digest accentColor rails onAmountMismatch requireKeyLookup ' +
    'payinExpiryMinutes alarmEmails alarmLanguage minimumBalanceInCents accounting fees withholdings ' +
    'alarmWebhookUrl:secret payoutsPerDay payoutSumPerDay quietHours',
  apikey: `name displayPrefix scopes expiresAt:time revokedAt:time replacedBy ${LIMITS}`,
  client: `name scopes secretDigest:secret previousUntil:time revokedAt:time ${LIMITS}`,
  member: 'email role endedSessions',
  invitation: 'email role expiresAt:time usedAt:time revokedAt:time userId',
  user: 'method name passwordHash:secret totpEnabledAt:time recoveryCodes passkey issuer endedSessions expiresAt:time',
  suspense: 'state amountInCents paymentId payinId attachedTo note:secret',
  alarm: 'kind subjectId takenAt:time resolvedAt:time resolution:secret',
  customer: 'foundBy payins payouts paymentLinks events answers',
  reconciliation: 'rail day',
  day: 'day',
  clock: 'seconds now:time',
  signingkey: 'keyId retired',
  secretskey: 'keyId resealed unreadable',
  database: 'takenAt heldBack',
}

const AT = Date.parse('2026-11-15T13:00:00.000Z')
const GIVEN: Readonly<Record<string, unknown>> = {
  shown: 'as it is',
  time: AT,
  secret: 'hidden',
  digest: 'long',
  url: 'https://shop.example/paid?token=hidden',
}
const TOLD: Readonly<Record<string, unknown>> = {
  shown: 'as it is',
  time: '2026-11-15T13:00:00.000Z',
  secret: '(secret)',
  digest: '4 characters, SHA-256 fc66f021c67d064c1490a12b5a4d4d2f5167ca692a16ca12f1f3a4cda29a6fa9',
  url: 'https://shop.example/paid?…',
}

for (const [kind, text] of Object.entries(FIELDS))
  it(`an entry about a ${kind} holds these fields, each in its form`, () => {
    const fields = text.split(' ').map((one) => one.split(':') as [string, string?])
    const every = (values: Readonly<Record<string, unknown>>) =>
      Object.fromEntries(fields.map(([name, form = 'shown']) => [name, values[form]]))
    const changes = changesBetween(kind as ObjectKind, null, { ...every(GIVEN), other: 'not told' })
    assert.deepEqual(
      changes,
      Object.fromEntries(Object.entries(every(TOLD)).map(([name, after]) => [name, { before: null, after }])),
    )
  })
