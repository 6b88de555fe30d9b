// The sections of the console, in the order of the navigation, and what one must be allowed to see of each.

import type { Scope } from '../core/organizations/scope.ts'
import type { Environment } from '../flows/context.ts'

export const SECTIONS = [
  'home',
  'payins',
  'payouts',
  'refunds',
  'suspense',
  'links',
  'approvals',
  'reports',
  'events',
  'webhooks',
  'alarms',
  'settings',
  'sandbox',
] as const
export type Section = (typeof SECTIONS)[number]

type SectionPlace = {
  readonly path: string
  readonly scope: Scope | null
  // `g` and then this key.
  readonly key: string
  readonly group: 'money' | 'messages' | 'house'
  readonly only?: Environment
}

export const PLACES: Readonly<Record<Section, SectionPlace>> = {
  home: { path: '', scope: null, key: 'h', group: 'money' },
  payins: { path: '/payins', scope: 'payins:read', key: 'c', group: 'money' },
  payouts: { path: '/payouts', scope: 'payouts:read', key: 'p', group: 'money' },
  refunds: { path: '/refunds', scope: 'payins:read', key: 'd', group: 'money' },
  suspense: { path: '/suspense', scope: 'ledger:read', key: 'i', group: 'money' },
  links: { path: '/links', scope: 'links:read', key: 'l', group: 'money' },
  approvals: { path: '/approvals', scope: 'approvals:read', key: 'o', group: 'money' },
  reports: { path: '/reports', scope: 'ledger:read', key: 'r', group: 'money' },
  events: { path: '/events', scope: 'events:read', key: 'e', group: 'messages' },
  webhooks: { path: '/webhooks', scope: 'webhooks:read', key: 'w', group: 'messages' },
  alarms: { path: '/alarms', scope: 'ledger:read', key: 'a', group: 'messages' },
  settings: { path: '/settings', scope: 'organization:read', key: 's', group: 'house' },
  sandbox: { path: '/sandbox', scope: 'sandbox:write', key: 't', group: 'house', only: 'staging' },
}

export function sectionsIn(environment: Environment): Section[] {
  return SECTIONS.filter((section) => (PLACES[section].only ?? environment) === environment)
}
