// Organizations as rows.

import type { ApprovalRule, ApprovalTier } from '../../core/approvals/rule.ts'
import type { Route } from '../../core/connections/connection.ts'
import type { Rail } from '../../core/connections/rail.ts'
import type { Instant } from '../../core/instant.ts'
import { isoInstant } from '../../core/instant.ts'
import { type Accounting, NO_ACCOUNTING } from '../../core/ledger/accounting.ts'
import { type Charges, readCharges, type StoredCharges, writtenCharges } from '../../core/ledger/charges.ts'
import {
  type AlarmLanguage,
  type Organization,
  UNATTRIBUTED_ORGANIZATION,
} from '../../core/organizations/organization.ts'
import type { Queryable } from '../db.ts'
import { isDistributed } from '../distribute.ts'
import { storedRules } from '../present-rules.ts'
import { ensureAnchor } from '../scoped-statement.ts'

export const ORGANIZATION_COLUMNS = `o.organization_id, o.name, o.logo_url, o.accent_color, o.rails, o.on_amount_mismatch,
  o.require_key_lookup, o.payin_expiry_minutes, o.tax_id, o.contact_email, o.contact_phone,
  o.payouts_per_day, o.payout_sum_per_day, o.quiet_hours, o.created_at, o.updated_at,
  o.routes, o.alarm_emails, o.alarm_language, o.approval_rules, o.minimum_balance_cents, o.accounting, o.charges,
  o.alarm_webhook_url`

export type OrganizationRow = {
  organization_id: string
  name: string
  logo_url: string | null
  accent_color: string | null
  rails: Rail[]
  on_amount_mismatch: 'decline' | 'accept'
  require_key_lookup: boolean
  payin_expiry_minutes: number
  tax_id: string | null
  contact_email: string | null
  contact_phone: string | null
  payouts_per_day: number | null
  // A number where the row came as JSON.
  payout_sum_per_day: bigint | number | null
  quiet_hours: string | null
  routes: StoredRoute[]
  alarm_emails: string[]
  alarm_language: AlarmLanguage
  approval_rules: StoredRule[]
  minimum_balance_cents: bigint | number | null
  accounting: Partial<Accounting>
  charges: StoredCharges
  alarm_webhook_url: string | null
  created_at: Instant
  updated_at: Instant
}

export function toOrganization(row: OrganizationRow): Organization {
  return {
    organizationId: row.organization_id,
    name: row.name,
    taxId: row.tax_id,
    contactEmail: row.contact_email,
    contactPhone: row.contact_phone,
    logoUrl: row.logo_url,
    accentColor: row.accent_color,
    rails: row.rails,
    onAmountMismatch: row.on_amount_mismatch,
    requireKeyLookup: row.require_key_lookup,
    payinExpiryMinutes: row.payin_expiry_minutes,
    alarmEmails: row.alarm_emails,
    alarmLanguage: row.alarm_language,
    minimumBalanceInCents: row.minimum_balance_cents === null ? null : BigInt(row.minimum_balance_cents),
    accounting: { ...NO_ACCOUNTING, ...row.accounting },
    charges: readCharges(row.charges),
    alarmWebhookUrl: row.alarm_webhook_url,
    limits: {
      payoutsPerDay: row.payouts_per_day,
      payoutSumPerDay: row.payout_sum_per_day === null ? null : BigInt(row.payout_sum_per_day),
      quietHours: row.quiet_hours,
    },
    routes: row.routes.map(toRoute),
    approvalRules: row.approval_rules.map(toRule),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

// Amounts are numbers in JSON.
type StoredRoute = Omit<Route, 'minimumInCents' | 'maximumInCents'> & {
  minimumInCents: number
  maximumInCents: number | null
}

function toRoute({ minimumInCents, maximumInCents, ...route }: StoredRoute): Route {
  return {
    ...route,
    minimumInCents: BigInt(minimumInCents),
    maximumInCents: maximumInCents === null ? null : BigInt(maximumInCents),
  }
}

type StoredRule = Omit<ApprovalRule, 'tiers'> & {
  tiers: (Omit<ApprovalTier, 'fromInCents'> & { fromInCents: number })[]
}

function toRule({ kind, tiers }: StoredRule): ApprovalRule {
  return {
    kind,
    tiers: tiers.map(({ fromInCents, approvers }) => ({ fromInCents: BigInt(fromInCents), approvers })),
  }
}

// Under the organization's lock.
export async function updateApprovalRules(
  tx: Queryable,
  organizationId: string,
  rules: readonly ApprovalRule[],
  at: Instant,
): Promise<void> {
  await tx.query({
    text: 'update organizations set approval_rules = $2, updated_at = $3 where organization_id = $1',
    values: [organizationId, JSON.stringify(storedRules(rules)), isoInstant(at)],
  })
}

// Under the organization's lock: the connections and what is kept of them here change together.
export async function updateRoutes(
  tx: Queryable,
  organizationId: string,
  routes: readonly Route[],
): Promise<void> {
  const stored = routes.map((route) => ({
    ...route,
    minimumInCents: Number(route.minimumInCents),
    maximumInCents: route.maximumInCents === null ? null : Number(route.maximumInCents),
  }))
  await tx.query({
    text: 'update organizations set routes = $2 where organization_id = $1',
    values: [organizationId, JSON.stringify(stored)],
  })
}

// Under the organization's lock.
export async function updateCharges(tx: Queryable, organizationId: string, charges: Charges): Promise<void> {
  await tx.query({
    text: 'update organizations set charges = $2 where organization_id = $1',
    values: [organizationId, JSON.stringify(writtenCharges(charges))],
  })
}

export async function insertOrganization(db: Queryable, organization: Organization): Promise<void> {
  await db.query({
    text: `insert into organizations (organization_id, name, logo_url, accent_color, rails, on_amount_mismatch,
                                      require_key_lookup, payin_expiry_minutes, tax_id, contact_email,
                                      contact_phone, alarm_emails, alarm_language, minimum_balance_cents, accounting,
                                      alarm_webhook_url, created_at, updated_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $17)`,
    values: [organization.organizationId, ...settingValues(organization), isoInstant(organization.createdAt)],
  })
  if (await isDistributed(db)) await ensureAnchor(db, organization.organizationId)
}

export async function updateOrganization(db: Queryable, organization: Organization): Promise<void> {
  await db.query({
    text: `update organizations
              set name = $2, logo_url = $3, accent_color = $4, rails = $5, on_amount_mismatch = $6,
                  require_key_lookup = $7, payin_expiry_minutes = $8, tax_id = $9, contact_email = $10,
                  contact_phone = $11, alarm_emails = $12, alarm_language = $13, minimum_balance_cents = $14,
                  accounting = $15,
                  -- Another minimum is another question.
                  below_minimum_since = case when minimum_balance_cents is not distinct from $14 then below_minimum_since end,
                  alarm_webhook_url = $16, updated_at = $17
            where organization_id = $1`,
    values: [organization.organizationId, ...settingValues(organization), isoInstant(organization.updatedAt)],
  })
}

function settingValues(organization: Organization): unknown[] {
  return [
    organization.name,
    organization.logoUrl,
    organization.accentColor,
    organization.rails,
    organization.onAmountMismatch,
    organization.requireKeyLookup,
    organization.payinExpiryMinutes,
    organization.taxId,
    organization.contactEmail,
    organization.contactPhone,
    organization.alarmEmails,
    organization.alarmLanguage,
    organization.minimumBalanceInCents,
    JSON.stringify(organization.accounting),
    organization.alarmWebhookUrl,
  ]
}

// A change of settings waits for another. It does not hold up writers whose foreign keys point here: these take a share of
// the key, and the key never changes.
export async function lockOrganization(
  tx: Queryable,
  organizationId: string,
): Promise<Organization | undefined> {
  const result = await tx.query<OrganizationRow>({
    text: `select ${ORGANIZATION_COLUMNS} from organizations o where o.organization_id = $1 for no key update`,
    values: [organizationId],
  })
  return result.rows[0] && toOrganization(result.rows[0])
}

// All but the organization that is reserved for money whose owner is unknown.
export async function listMerchants(db: Queryable): Promise<Organization[]> {
  const organizations = await listOrganizations(db)
  return organizations.filter(({ organizationId }) => organizationId !== UNATTRIBUTED_ORGANIZATION)
}

export async function listOrganizations(db: Queryable): Promise<Organization[]> {
  const result = await db.query<OrganizationRow>({
    text: `select ${ORGANIZATION_COLUMNS} from organizations o order by o.organization_id`,
  })
  return result.rows.map(toOrganization)
}

export async function getOrganization(
  db: Queryable,
  organizationId: string,
): Promise<Organization | undefined> {
  const result = await db.query<OrganizationRow>({
    name: 'get-organization',
    text: `select ${ORGANIZATION_COLUMNS} from organizations o where o.organization_id = $1`,
    values: [organizationId],
  })
  return result.rows[0] && toOrganization(result.rows[0])
}

export async function isOnlyOrganization(db: Queryable, organizationId: string): Promise<boolean> {
  const result = await db.query({
    name: 'another-organization',
    text: 'select from organizations where organization_id not in ($1, $2) limit 1',
    values: [organizationId, UNATTRIBUTED_ORGANIZATION],
  })
  return result.rowCount === 0
}
