// What Mono's adapter asks about payouts and keys, for the shared contract: good answers, and answers that contradict themselves or are
// about somebody else.

import type { ProviderRails } from '../../../src/rails/rail.ts'
import type { Operation } from '../conformance/operations.ts'
import { offered } from '../port.ts'
import { COLLECTION_ID, money, page, resolution, TRANSFER_ID, target, transfer } from './answers.ts'
import { AMOUNT, handle, PAYOUT, payoutOrder } from './opened.ts'
import {
  each,
  isPost,
  ok,
  ordered,
  REFUSED_ORDERS,
  REFUSED_QUESTIONS,
  strange,
  withMoney,
} from './strange-answers.ts'

const STRANGE_TRANSFERS: Readonly<Record<string, object>> = {
  'another reference': { external_id: 'transfer_001' },
  'another amount': { amount: money(1) },
  'an unknown state': { state: 'settled' },
  'an id of something else': { id: COLLECTION_ID },
  ...withMoney('amount'),
}

const processing = { providerId: TRANSFER_ID, state: 'processing' }

const taken = (changes: object) => ({
  accepted_transfers: [{ ...transfer, ...changes }],
  rejected_transfers: [],
})

export const payoutOperations: readonly Operation<ProviderRails>[] = [
  {
    ability: 'payout submit',
    use: 'BRE_B_OUT',
    call: (rails) => offered(rails.payouts).submit(payoutOrder()),
    good: ordered({ status: 202, json: taken({}) }, 'transfers'),
    isBroken: isPost,
    accepted: processing,
    mayAskAgain: false,
    answers: {
      ...each(STRANGE_TRANSFERS, taken),
      ...strange({
        'two transfers': { accepted_transfers: [transfer, transfer] },
        'one under each name': { accepted_transfers: [transfer], transfers: [transfer] },
        'a rejection of another one': { rejected_transfers: [{ external_id: 'other', reason: 'no' }] },
        'taken and rejected': { ...taken({}), rejected_transfers: [{ external_id: PAYOUT, reason: 'no' }] },
      }),
      ...REFUSED_ORDERS,
      'a rejection inside 200': [
        ok({ rejected_transfers: [{ external_id: PAYOUT, reason: 'amount_exceeds_max_limit' }] }),
        { rejected: 'AMOUNT_ABOVE_MAXIMUM', networkCode: 'amount_exceeds_max_limit' },
      ],
    },
  },
  {
    ability: 'payout query',
    use: 'BRE_B_OUT',
    call: (rails) => offered(rails.payouts).query(handle(PAYOUT, TRANSFER_ID)),
    good: ok({ ...transfer, state: 'successful' }),
    accepted: {
      providerId: TRANSFER_ID,
      state: 'completed',
      traceId: `mono:${TRANSFER_ID}`,
      amountInCents: AMOUNT,
    },
    mayAskAgain: true,
    answers: {
      ...each(STRANGE_TRANSFERS, (changes) => ({ ...transfer, state: 'successful', ...changes })),
      ...strange({ 'another transfer': { ...transfer, id: 'bbot_anotherTransferAnother' } }),
      ...REFUSED_QUESTIONS,
    },
  },
  {
    ability: 'payout search',
    use: 'BRE_B_OUT',
    call: (rails) => offered(rails.payouts).query(handle(PAYOUT)),
    good: ok(page('transfers', [transfer])),
    accepted: processing,
    mayAskAgain: true,
    answers: {
      ...each(STRANGE_TRANSFERS, (changes) => page('transfers', [{ ...transfer, ...changes }])),
      ...strange({
        'another page': page('transfers', [], { page_number: 2 }),
        'fewer than it counts': page('transfers', [], { total_items: 1 }),
        'no page': { transfers: [] },
        'a list of another name': page('collections', []),
        'only another one': page('transfers', [{ ...transfer, external_id: 'other' }]),
      }),
      ...REFUSED_QUESTIONS,
      nothing: [ok(page('transfers', [])), { accepted: { state: 'absent' } }],
    },
  },
  {
    ability: 'look-up',
    use: null,
    call: (rails) => offered(rails.directory).lookUp('3001234567', 'PHONE'),
    good: ok(resolution),
    accepted: {
      keyString: '3001234567',
      keyType: 'PHONE',
      holder: { name: 'Canaria S.A.S.', personType: 'BUSINESS', idType: 'CO_NIT', idNumber: '900123456' },
      participant: { name: 'NIT 900123456', code: '900123456' },
      account: { type: 'ORDINARY_DEPOSIT', lastFour: '3132' },
    },
    // The directory counts look-ups.
    mayAskAgain: false,
    answers: {
      ...strange({
        'no target': { ...resolution, target: null },
        'another key': { ...resolution, target: { ...target, key_value: '3007654321' } },
        'another type of key': { ...resolution, target: { ...target, key_type: 'email' } },
        'an unknown state': { ...resolution, state: 'guessed' },
        'a name that nobody can see': {
          ...resolution,
          target: { ...target, creditor: { ...target.creditor, full_name: 'a\u202eb' } },
        },
      }),
      ...REFUSED_QUESTIONS,
    },
  },
]
