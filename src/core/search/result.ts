// What a search can find, what one must be allowed to read for it, and in which order.

import type { Scope } from '../organizations/scope.ts'
import type { SearchField } from './fact.ts'

export const FOUND_KINDS = [
  'payin',
  'payout',
  'paymentlink',
  'paymentpage',
  'event',
  'webhookendpoint',
  'transfer',
] as const
export type FoundKind = (typeof FOUND_KINDS)[number]

export const KIND_SCOPES: Readonly<Record<FoundKind, Scope>> = {
  payin: 'payins:read',
  payout: 'payouts:read',
  paymentlink: 'links:read',
  paymentpage: 'links:read',
  event: 'events:read',
  webhookendpoint: 'webhooks:read',
  transfer: 'ledger:read',
}

// Why something was found. An endpoint is found by its address, a page by its name.
export const FOUND_BY = [
  'id',
  'trace',
  'reference',
  'key',
  'document',
  'email',
  'phone',
  'name',
  'url',
  'amount',
] as const
export type FoundBy = (typeof FOUND_BY)[number] & (SearchField | 'id' | 'url')

// What names one thing comes before what many share.
const LAST_RANK = FOUND_BY.length
export function rankOf(by: FoundBy, isWhole: boolean): number {
  return isWhole ? FOUND_BY.indexOf(by) : LAST_RANK
}
