// Mono's adapter against a scripted Mono and the simulated one: the shared contract. What it makes of answers that leave doubt is in
// scripted.test.ts.

import type { Credentials } from '../../../src/core/connections/connection.ts'
import { openMono } from '../../../src/rails/mono/mono.ts'
import { monoSignature } from '../../../src/rails/mono/signature.ts'
import {
  clientId,
  clientSecret,
  tenantAccountId,
  webhookSecret,
} from '../../sandbox/providers/mono-caller.ts'
import { NOW } from '../conformance/bench.ts'
import type { Notification } from '../conformance/hints.ts'
import { providerConformance } from '../conformance.ts'
import { ATTEMPT_ID, COLLECTION_ID, page, TRANSFER_ID } from './answers.ts'
import { monoLives } from './lives.ts'
import { AMOUNT, ORGANIZATION, PAYIN, PAYOUT, PERSONAL } from './opened.ts'
import { payinOperations } from './payin-operations.ts'
import { payoutOperations } from './payout-operations.ts'
import { ok } from './strange-answers.ts'

const credentials = (url: string): Credentials => ({
  clientId,
  clientSecret,
  webhookSecret,
  accountId: tenantAccountId,
  keys: 'ours',
  url,
})

const notice =
  (type: string, data: object) =>
  ({ webhookSecret: secret = '' }: Credentials): Notification => {
    const body = JSON.stringify({ timestamp: '2026-11-15T13:00:00.000Z', event: { type, data } })
    const at = String(NOW / 1_000)
    const signature = monoSignature(secret, at, Buffer.from(body))
    return { headers: { 'mono-signature': `t=${at},v1=${signature}` }, body }
  }

providerConformance({
  provider: 'mono',
  open: openMono,
  organizationId: ORGANIZATION,
  credentials,
  previousCredentials: { ...credentials('http://127.0.0.1:1'), webhookSecret: 'whsec_before_0001' },
  personal: PERSONAL,
  amounts: [Number(AMOUNT)],
  operations: [...payinOperations, ...payoutOperations],
  check: ({ path }) => ok(path.includes('/tenant/accounts') ? [{ id: tenantAccountId }] : page('x', [])),
  hints: {
    signed: {
      'a collection': {
        sign: notice('collection.paid', { id: COLLECTION_ID, external_id: PAYIN }),
        about: { kind: 'payin', reference: PAYIN },
      },
      'an attempt, by its collection': {
        sign: notice('collection.attempt_successful', { id: ATTEMPT_ID, collection_id: COLLECTION_ID }),
        about: { kind: 'payin', providerId: COLLECTION_ID },
      },
      'a transfer': {
        sign: notice('outgoing_transfer.failed', { id: TRANSFER_ID, external_id: PAYOUT }),
        about: { kind: 'payout', reference: PAYOUT },
      },
      'in a word nobody knows': {
        sign: notice('outgoing_transfer.dreaming', { id: TRANSFER_ID }),
        about: { kind: 'payout', providerId: TRANSFER_ID },
      },
    },
    ignored: {
      'a sale that is not ours': notice('collection.paid', { id: COLLECTION_ID, external_id: 'invoice-1' }),
      'what is no payment': notice('target_resolution.resolved', { id: 'bbtgr_5tgliBmzjZ6mpQPRbQjfKj' }),
    },
  },
  lives: monoLives,
})
