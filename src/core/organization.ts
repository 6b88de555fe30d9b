// A merchant, and the choices it has made about its money.

import type { Instant } from './instant.ts'
import { RAILS, type Rail } from './rail.ts'

export type Organization = {
  readonly organizationId: string
  readonly name: string
  readonly logoUrl: string | null
  readonly accentColor: string | null
  readonly rails: readonly Rail[]
  readonly onAmountMismatch: 'decline' | 'accept'
  readonly requireKeyLookup: boolean
  readonly payinExpiryMinutes: number
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

export type OrganizationSettings = Omit<Organization, 'organizationId' | 'createdAt' | 'updatedAt'>

export const PAYIN_EXPIRY_MINUTES = { minimum: 5, default: 15, maximum: 24 * 60 } as const

export function newOrganization(organizationId: string, name: string, now: Instant): Organization {
  return {
    organizationId,
    name,
    logoUrl: null,
    accentColor: null,
    rails: RAILS,
    onAmountMismatch: 'decline',
    requireKeyLookup: false,
    payinExpiryMinutes: PAYIN_EXPIRY_MINUTES.default,
    createdAt: now,
    updatedAt: now,
  }
}
