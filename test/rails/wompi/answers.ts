// Wompi's answers as its documentation prints them, for a scripted Wompi: payments first, then payouts.

import type { Answer } from '../fake-network.ts'
import { CONDITIONS, idAt, NOW, PERSONAL_DATA, payinOrder } from './wompi.ts'

export const TRANSACTION_ID = '1292-1602113476-10985'
export const PAGE = 'https://sandbox.wompi.co/v1/pse/redirect?ticket_id=1292160211347610985'

export const transaction = {
  id: TRANSACTION_ID,
  status: 'PENDING',
  status_message: null,
  reference: payinOrder().reference,
  amount_in_cents: 2_490_000,
  currency: 'COP',
  payment_method_type: 'PSE',
  payment_method: { type: 'PSE', user_type: 0 },
  customer_data: { full_name: 'Canaria del Campo' },
}
export const withPage = (url: unknown) => ({
  payment_method: { type: 'PSE', extra: { async_payment_url: url } },
})
export const ok = (changes: object = {}, status = 200): Answer => ({
  status,
  json: { data: { ...transaction, ...changes }, meta: {} },
})
export const list = (...data: object[]): Answer => ({
  status: 200,
  json: { data, meta: { total_results: data.length } },
})
export const merchant = (changes: object = {}): Answer => ({
  status: 200,
  json: {
    data: {
      id: 1292,
      accepted_payment_methods: ['CARD', 'PSE'],
      presigned_acceptance: { acceptance_token: 'a.b.c', permalink: CONDITIONS, type: 'END_USER_POLICY' },
      presigned_personal_data_auth: {
        acceptance_token: 'd.e.f',
        permalink: PERSONAL_DATA,
        type: 'PERSONAL_DATA_AUTH',
      },
      ...changes,
    },
  },
})
export const refusal = (status: number, error: object): Answer => ({ status, json: { error } })
export const invalid = (messages: object) => refusal(422, { type: 'INPUT_VALIDATION_ERROR', messages })
export const used = invalid({ reference: ['La referencia ya ha sido usada'] })

export const BATCH_ID = 'batch-1'

export const created = { payoutId: BATCH_ID, transactions: 1, success: 1, failed: 0 }
export const batch = {
  id: BATCH_ID,
  reference: idAt(NOW),
  status: 'PENDING',
  amountInCents: 2_490_000,
  currency: 'COP',
}
export const payout = {
  id: 'payout-1',
  payoutId: BATCH_ID,
  reference: idAt(NOW),
  status: 'PENDING',
  amountInCents: 2_490_000,
  currency: 'COP',
  failureReason: null as unknown,
  payee: { name: 'Canaria del Campo', key: '3001234567' },
}
export const bare = (json: object): Answer => ({ status: 200, json })
export const enveloped = (data: unknown, status = 200): Answer => ({
  status,
  json: { status, code: 'OK', message: 'Operación exitosa', meta: { trace_id: 't' }, data },
})
export const page = (...records: object[]) => ({
  page: 1,
  limit: 10,
  total: records.length,
  pages: 1,
  records,
})
export const payoutRefusal = (status: number, code: string): Answer => ({
  status,
  json: { code, message: 'Canaria del Campo no tiene saldo' },
})
