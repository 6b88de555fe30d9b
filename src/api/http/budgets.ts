// How many requests are worked on at once. Each kind has a budget of its own, so that a flood of one costs no other anything. A
// request counts once its body is there, and a merchant's once it is authenticated: what somebody has begun to send costs
// nobody but himself.

import type { FastifyRequest } from 'fastify'

// What is not a merchant's: tokens, the payers' pages, the networks' notifications, the documentation and unknown addresses. The
// pages of its people have a budget of their own too, and count whoever has not signed in by themselves.
export type RequestKind =
  | 'merchants'
  | 'console'
  | 'tokens'
  | 'pages'
  | 'notifications'
  | 'documents'
  | 'probes'

// By the route that the router found, never by the address as it was written: the router decodes it first.
export function kindOf({ routeOptions }: FastifyRequest): RequestKind {
  const { url = '', config } = routeOptions
  if (PAGES.test(url)) return 'pages'
  if (url.startsWith('/console')) return 'console'
  if (config.operation !== undefined || config.stream === true) return 'merchants'
  if (url.startsWith('/notifications/')) return 'notifications'
  if (url === '/oauth/token' || url.startsWith('/.well-known/')) return 'tokens'
  return PROBES.includes(url) ? 'probes' : 'documents'
}

// What a payer or whoever holds a receipt opens.
const PAGES = /^\/(?:pay|page|refund|receipts|evidence|verify)(?:\/|$)/

// Load balancers and monitors ask often, always from the same place, and must not be told that we are dead.
const PROBES = ['/healthz', '/readyz', '/metrics']

export type Budgets = {
  // False if the budget of this kind is used up. Otherwise the request holds its part until `release`.
  enter: (kind: RequestKind) => boolean
  release: (kind: RequestKind) => void
}

export function createBudgets(maxInFlight: number): Budgets {
  const inFlight = new Map<RequestKind, number>()
  return {
    enter: (kind) => {
      const count = inFlight.get(kind) ?? 0
      if (count >= maxInFlight && kind !== 'probes') return false
      inFlight.set(kind, count + 1)
      return true
    },
    release: (kind) => void inFlight.set(kind, (inFlight.get(kind) ?? 1) - 1),
  }
}
