// Mono's objects as its documentation prints them, for a scripted Mono.

import { tenantAccountId } from '../../sandbox/providers/mono-caller.ts'
import { OUR_KEY, PAYIN, PAYOUT } from './opened.ts'

export const COLLECTION_ID = 'bbcol_5tgliBmzjZ6mpQPRbQjfKj'
export const ATTEMPT_ID = 'bbcolat_5tgliBmzjZ6mpQPRbQjfKj'
export const TRANSFER_ID = 'bbot_5tgliBmzjZ6mpQPRbQjfKj'
export const money = (amount = 2_490_000) => ({ amount, currency: 'COP' })

export const collection = {
  custom_key_value: OUR_KEY,
  custom_merchant_name: null,
  enabled: true,
  expected_payers: [],
  expires_at: '2026-11-16T15:15:00Z',
  external_id: PAYIN,
  failed_attempts: 0,
  id: COLLECTION_ID,
  inserted_at: '2026-11-16T15:00:00.961428Z',
  key_pruned_at: null,
  keys: [{ name: 'Canaria del Campo', state: 'active', type: 'alphanumeric', value: OUR_KEY }],
  metadata: null,
  paid_amount: money(0),
  prune_status: null,
  state: 'ready',
  state_reason: null,
  successful_attempts: 0,
  tenant_account_id: tenantAccountId,
  total_maximum_amount: money(),
  total_minimum_amount: money(),
  updated_at: '2026-11-16T15:00:01Z',
  usage_mode: 'single_use',
}
export const paidCollection = {
  ...collection,
  state: 'paid',
  paid_amount: money(),
  successful_attempts: 1,
}

export const attempt = {
  amount: money(),
  collection_id: COLLECTION_ID,
  end_to_end_id: '20250928900406150CRB000000000000066',
  id: ATTEMPT_ID,
  inserted_at: '2026-11-16T15:01:00Z',
  key_type: 'alphanumeric',
  key_value: OUR_KEY,
  payer: {
    document_number: '1012345678',
    document_type: 'CC',
    full_name: 'Canaria del Campo',
    type: 'natural',
  },
  payer_account: { currency_code: 'COP', number: '3001234567', type: 'savings_account' },
  state: 'successful',
  state_reason: null,
  tenant_account_id: tenantAccountId,
  updated_at: '2026-11-16T15:01:01Z',
}

export const transfer = {
  amount: money(),
  description: 'Pago',
  external_id: PAYOUT,
  id: TRANSFER_ID,
  inserted_at: '2026-11-16T15:00:00Z',
  payment_id: 'PAY123456789',
  resolution_request_id: 'bbtgr_5tgliBmzjZ6mpQPRbQjfKj',
  state: 'created',
  state_reason: null,
  updated_at: '2026-11-16T15:00:00Z',
  query: { format: 'plain_key', value: '3001234567' },
}

export const target = {
  creditor: {
    document_number: '900123456',
    document_type: 'NIT',
    full_name: 'Canaria S.A.S.',
    type: 'legal',
  },
  creditor_account: { currency_code: 'COP', number: '00001213132', type: 'regular_deposit' },
  id: 'bbtgt_5tgliBmzjZ6mpQPRbQjfKj',
  key_type: 'cellphone',
  key_value: '3001234567',
  participant_nit: '900123456',
  payment_id: null,
  resolution_type: 'plain_key',
  spbvi: 'CRB',
  transaction_amount: null,
}
export const resolution = {
  id: 'bbtgr_5tgliBmzjZ6mpQPRbQjfKj',
  state: 'resolved',
  state_reason: null,
  target,
}

export const page = (name: string, entries: readonly unknown[], pagination: object = {}) => ({
  [name]: entries,
  pagination: { page_number: 1, page_size: 10, total_items: entries.length, total_pages: 1, ...pagination },
})

export const refusal = (code: string) => ({
  code: '400 Bad Request',
  errors: [{ error_code: code, message: 'Canaria del Campo said no', path: null, url: null }],
  id: 'log_7MkWaFqvfosB8fzHhb1Eql',
  message: 'Malformed request',
})
