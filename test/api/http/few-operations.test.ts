// What few operations have: a secret in their answer, and a body that may be large.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { MERCHANT_OPERATIONS } from './calls.ts'

it('each operation that answers with a secret says so, and gives the answer again to nobody but whoever got it', () => {
  const withSecret = MERCHANT_OPERATIONS.filter(({ hasSecret }) => hasSecret === true)
  assert.deepEqual(
    withSecret.map(({ operationId }) => operationId).toSorted(),
    [
      // A link that lets whoever has it in.
      'createTeamInvitation',
      ...MERCHANT_OPERATIONS.filter(({ success }) =>
        Object.keys((success.schema as { properties?: object }).properties ?? {}).includes('secret'),
      ).map(({ operationId }) => operationId),
    ].toSorted(),
  )
})

it('only a file of payouts may be larger than other bodies: four megabytes, as base64 writes them', () => {
  const larger = MERCHANT_OPERATIONS.filter(({ maxBodyBytes }) => maxBodyBytes !== undefined)
  assert.deepEqual(
    larger.map(({ operationId, maxBodyBytes }) => [operationId, maxBodyBytes]),
    [['createPayoutBatch', 5_596_704]],
  )
})
