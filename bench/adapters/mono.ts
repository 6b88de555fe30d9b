// Mono's calls. Its objects are those of its documentation.

import { openMono } from '../../src/rails/mono/mono.ts'
import { monoSignature } from '../../src/rails/mono/signature.ts'
import type { PayinRail, PayoutRail } from '../../src/rails/rail.ts'
import {
  attempt,
  COLLECTION_ID,
  collection,
  page,
  paidCollection,
  resolution,
  TRANSFER_ID,
  transfer,
} from '../../test/rails/mono/answers.ts'
import {
  customer,
  handle,
  NOW,
  ORGANIZATION,
  PAYIN,
  PAYOUT,
  payinOrder,
  payoutOrder,
} from '../../test/rails/mono/opened.ts'
import {
  clientId,
  clientSecret,
  tenantAccountId,
  webhookSecret,
} from '../../test/sandbox/providers/mono-caller.ts'
import { type Adapter, accepted, asking, DEPENDENCIES } from './adapter.ts'

const PAID_ID = 'bbcol_paidPaidPaidPaidPaid00'
const COLLECTIONS = '/api/v1/collections'
const TRANSFERS = '/api/v1/outgoing_transfers'
const LINES = 500

const listed = (name: string, entries: readonly unknown[]) => ({ status: 200, json: page(name, entries) })
const statementPage = Array.from({ length: LINES }, (_, number) => ({
  ...attempt,
  id: `bbcolat_${String(number).padStart(22, '0')}`,
}))

function signedNotice(type: string, data: unknown): { headers: Record<string, string>; body: Buffer } {
  const body = Buffer.from(JSON.stringify({ timestamp: new Date(NOW).toISOString(), event: { type, data } }))
  const at = String(NOW / 1_000)
  return { headers: { 'mono-signature': `t=${at},v1=${monoSignature(webhookSecret, at, body)}` }, body }
}

export const mono: Adapter = {
  provider: 'mono',
  answers: {
    'POST /api/v1/oauth/token': { status: 200, json: { access_token: 't'.repeat(800), expires_in: 86_400 } },
    [`POST ${COLLECTIONS}`]: { status: 201, json: { created: [collection], duplicated: [], rejected: [] } },
    [`GET ${COLLECTIONS}/${COLLECTION_ID}`]: { status: 200, json: collection },
    [`GET ${COLLECTIONS}/${PAID_ID}`]: { status: 200, json: { ...paidCollection, id: PAID_ID } },
    [`GET ${COLLECTIONS}/${PAID_ID}/attempts`]: listed('attempts', [{ ...attempt, collection_id: PAID_ID }]),
    [`GET ${COLLECTIONS}`]: listed('collections', [collection]),
    [`DELETE ${COLLECTIONS}/${COLLECTION_ID}`]: { status: 200 },
    [`GET ${COLLECTIONS}/attempts`]: listed('attempts', statementPage),
    [`POST ${TRANSFERS}`]: { status: 202, json: { accepted_transfers: [transfer], rejected_transfers: [] } },
    [`GET ${TRANSFERS}/${TRANSFER_ID}`]: { status: 200, json: transfer },
    [`GET ${TRANSFERS}`]: listed('transfers', [transfer]),
    'POST /api/v1/targets/resolve': { status: 200, json: resolution },
  },
  open: (url) => {
    const rails = openMono(
      {
        organizationId: ORGANIZATION,
        environment: 'test',
        uses: ['BRE_B_IN', 'BRE_B_OUT'],
        credentials: {
          clientId,
          clientSecret,
          webhookSecret,
          accountId: tenantAccountId,
          keys: 'ours',
          url,
        },
        previousCredentials: null,
        notificationUrl: 'https://recaudo.example/notifications/1',
      },
      DEPENDENCIES,
    )
    const breb = rails.payins.BRE_B as PayinRail
    const payouts = rails.payouts as PayoutRail
    const order = payinOrder()
    const payout = payoutOrder({ customer })
    const ofPayin = signedNotice('collection.paid', paidCollection)
    const ofPayout = signedNotice('outgoing_transfer.successful', transfer)
    const day = [NOW - 86_400_000, NOW + 86_400_000] as const
    return {
      calls: [
        { name: 'open a Bre-B payin', run: accepted(() => breb.submit(order)) },
        { name: 'ask for a payin', run: accepted(() => breb.query(handle(PAYIN, COLLECTION_ID))) },
        { name: 'ask for a paid payin', run: accepted(() => breb.query(handle(PAYIN, PAID_ID))) },
        { name: 'search for a payin', run: accepted(() => breb.query(handle(PAYIN))) },
        { name: 'cancel a payin', run: accepted(() => breb.cancel(handle(PAYIN, COLLECTION_ID))) },
        {
          name: 'look up a key',
          run: accepted(() => rails.directory?.lookUp('3001234567', 'PHONE') as never),
        },
        { name: 'send a payout', run: accepted(() => payouts.submit(payout)) },
        { name: 'ask for a payout', run: accepted(() => payouts.query(handle(PAYOUT, TRANSFER_ID))) },
        { name: 'search for a payout', run: accepted(() => payouts.query(handle(PAYOUT))) },
        {
          name: `a page of its list, ${LINES} lines`,
          lines: LINES,
          run: accepted(() => rails.statement.BRE_B?.(...day, null) as never),
        },
        {
          name: 'read a notice of a payin',
          run: asking(() => rails.readHint(ofPayin.headers, ofPayin.body, NOW)),
        },
        {
          name: 'read a notice of a payout',
          run: asking(() => rails.readHint(ofPayout.headers, ofPayout.body, NOW)),
        },
      ],
      close: rails.close,
    }
  },
}
