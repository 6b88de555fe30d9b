// Whoever is told of a payment sees what the payment's own address shows. So an event needs the scope that reads what it is
// about, whichever way it comes: to a webhook endpoint, from the log, or in a stream. A test event is about nobody.

import { isScopeGranted, type Scope } from '../organizations/scope.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { CONTRACT_EVENTS, EVENT_TYPES, type EventResource } from './event.ts'

const READ_SCOPE: Readonly<Record<EventResource, Scope | null>> = {
  payin: 'payins:read',
  payout: 'payouts:read',
  paymentlink: 'links:read',
  // A page is a way to make links.
  paymentpage: 'links:read',
  // A refund is of a payin.
  refund: 'payins:read',
  payoutbatch: 'payouts:read',
  // Whoever reads the whole log has this scope already, and approvals are of payouts most of all.
  approval: 'payouts:read',
  webhook: null,
}

// The refusal of a credential that may not read what these events tell. Null: the events of an endpoint that names none.
export function refuseUnreadable(
  granted: readonly Scope[] | null,
  types: readonly string[] | null,
): Refusal | undefined {
  const needed = new Set((types ?? CONTRACT_EVENTS).map(readScopeOf))
  const missing = [...needed].filter((scope) => scope !== null && !isScopeGranted(granted, scope))
  if (missing.length === 0) return undefined
  const scopes = missing.length === 1 ? `the scope ${missing[0]}` : `the scopes ${missing.join(', ')}`
  return refuse('INSUFFICIENT_SCOPE', `What these events tell needs ${scopes} too.`)
}

// Of a list or a stream of events. Without a name it holds all there are.
export function refuseUnreadableLog(
  granted: readonly Scope[] | null,
  type: string | undefined,
): Refusal | undefined {
  return refuseUnreadable(granted, type === undefined ? EVENT_TYPES : [type])
}

function readScopeOf(type: string): Scope | null {
  return READ_SCOPE[type.slice(0, type.indexOf('.')) as EventResource]
}
