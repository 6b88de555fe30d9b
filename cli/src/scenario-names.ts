// The scenario names of `trigger`, without their code, so that help and completion need not load it.

export { EVENT_NAMES } from './event-names.ts'

// What the simulated networks do for each document number.
export const DOCUMENTS = {
  '1000000001': 'confirmed',
  '1000000003': 'declined',
  '1000000005': 'canceled by the payer; a payout by the network',
  '1000000007': 'stays open until told',
  '1000000011': 'confirmed, and notified three times',
  '1000000013': 'another amount arrives (Bre-B); PSE and payouts are declined',
  '1000000015': 'the network goes silent; asked later, it says confirmed',
  '1000000017': 'confirmed, and charged back later',
} as const

export type DocumentNumber = keyof typeof DOCUMENTS

export const DOCUMENT_PREFIX = 'document:'
export const DOCUMENT_NAMES = Object.keys(DOCUMENTS).map((number) => DOCUMENT_PREFIX + number)
