// A merchant, and its choices about its money.

import type { ApprovalRule } from '../approvals/rule.ts'
import type { Route } from '../connections/connection.ts'
import { RAILS, type Rail } from '../connections/rail.ts'
import type { Instant } from '../instant.ts'
import { type Accounting, NO_ACCOUNTING } from '../ledger/accounting.ts'
import { type Charges, NO_CHARGES } from '../ledger/charges.ts'
import { type OrganizationLimits, UNLIMITED_ORGANIZATION } from './limits.ts'

// Staging's own organization, there from the first start. Fixed, so that processes that start at the same time use the same one.
export const DEMO_ORGANIZATION_ID = '01900000-0000-7000-8000-000000000001'

export type Organization = {
  readonly organizationId: string
  readonly name: string
  // Shown on receipts beside the name.
  readonly taxId: string | null
  readonly contactEmail: string | null
  readonly contactPhone: string | null
  readonly logoUrl: string | null
  readonly accentColor: string | null
  readonly rails: readonly Rail[]
  readonly onAmountMismatch: 'decline' | 'accept'
  readonly requireKeyLookup: boolean
  readonly payinExpiryMinutes: number
  // Whoever of its staff is told of alarms by e-mail. Empty: nobody.
  readonly alarmEmails: readonly string[]
  readonly alarmLanguage: AlarmLanguage
  // Whoever is told of alarms is told when less than this is available. Null: never.
  readonly minimumBalanceInCents: bigint | null
  readonly accounting: Accounting
  // What its payins cost. Set by the operator.
  readonly charges: Charges
  // An incoming webhook, as chats have, that is told of alarms too.
  readonly alarmWebhookUrl: string | null
  // Its connections that take new payments, in the order of preference.
  readonly routes: readonly Route[]
  // Who must approve what before it happens. Empty: nobody is asked.
  readonly approvalRules: readonly ApprovalRule[]
  // Set by the operator, not by the merchant.
  readonly limits: OrganizationLimits
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

export type OrganizationSettings = Omit<
  Organization,
  'organizationId' | 'routes' | 'approvalRules' | 'limits' | 'charges' | 'createdAt' | 'updatedAt'
>

// 4 KB in base64. It does not compress, and a payment page has a budget of 10 KB.
export const LOGO_MAX_LENGTH = 5_500
// The logo is embedded in the page. At the merchant's own URL it would reveal to a third party who pays whom, and cost
// a request.
export const LOGO_PATTERN = '^data:image/(png|jpeg|gif|webp|svg\\+xml);base64,[A-Za-z0-9+/=]+$'

export const MAX_ALARM_EMAILS = 10
export const ALARM_LANGUAGES = ['es', 'en'] as const
export type AlarmLanguage = (typeof ALARM_LANGUAGES)[number]

export const PAYIN_EXPIRY_MINUTES = { minimum: 5, default: 15, maximum: 24 * 60 } as const

// Reserved: owns the money that names no organization of ours, and what operators did to the installation as a whole. It has no
// credentials, and no merchant sees it.
export const UNATTRIBUTED_ORGANIZATION = '00000000-0000-0000-0000-000000000000'

export function newOrganization(organizationId: string, name: string, now: Instant): Organization {
  return {
    organizationId,
    name,
    taxId: null,
    contactEmail: null,
    contactPhone: null,
    logoUrl: null,
    accentColor: null,
    rails: RAILS,
    onAmountMismatch: 'decline',
    requireKeyLookup: false,
    payinExpiryMinutes: PAYIN_EXPIRY_MINUTES.default,
    alarmEmails: [],
    alarmLanguage: 'es',
    minimumBalanceInCents: null,
    accounting: NO_ACCOUNTING,
    charges: NO_CHARGES,
    alarmWebhookUrl: null,
    routes: [],
    approvalRules: [],
    limits: UNLIMITED_ORGANIZATION,
    createdAt: now,
    updatedAt: now,
  }
}
