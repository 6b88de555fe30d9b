// The parts of the settings, in their order, and what one must be allowed to see of each.

import type { Scope } from '../../core/organizations/scope.ts'
import type { IconName } from '../icons.ts'

export const SETTINGS_PARTS = [
  'business',
  'look',
  'connections',
  'keys',
  'webhooks',
  'notifications',
  'approvals',
  'balance',
  'accounting',
  'team',
  'audit',
] as const
export type Part = (typeof SETTINGS_PARTS)[number]

type PartPlace = { readonly path: string; readonly scope: Scope; readonly icon: IconName }

export const PART_PLACES: Readonly<Record<Part, PartPlace>> = {
  business: { path: '/settings/business', scope: 'organization:read', icon: 'bank' },
  look: { path: '/settings/look', scope: 'organization:read', icon: 'eye' },
  connections: { path: '/settings/connections', scope: 'connections:read', icon: 'links' },
  keys: { path: '/settings/keys', scope: 'credentials:read', icon: 'key' },
  webhooks: { path: '/webhooks', scope: 'webhooks:read', icon: 'webhooks' },
  notifications: { path: '/settings/notifications', scope: 'organization:read', icon: 'alarms' },
  approvals: { path: '/settings/approvals', scope: 'organization:read', icon: 'approvals' },
  balance: { path: '/settings/balance', scope: 'organization:read', icon: 'payins' },
  accounting: { path: '/settings/accounting', scope: 'organization:read', icon: 'book' },
  team: { path: '/settings/team', scope: 'team:read', icon: 'user' },
  audit: { path: '/settings/audit', scope: 'audit:read', icon: 'clock' },
}
