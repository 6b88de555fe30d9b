// How single settings are read and judged.

import { RAILS, type Rail } from './connections/rail.ts'
import { isThisMachine, parseAddressRange } from './network-address.ts'

// What production asks of a secret, by its shortest length. A client's secret is made by its network.
export const SECRET_LENGTHS = {
  BREB_CLIENT_SECRET: 1,
  BREB_NOTIFICATION_KEY: 32,
  BREB_NOTIFICATION_KEY_PREVIOUS: 32,
  PSE_CLIENT_SECRET: 1,
  PSE_NOTIFICATION_KEY: 32,
  PSE_NOTIFICATION_KEY_PREVIOUS: 32,
  METRICS_TOKEN: 16,
} as const

export function isPercentEncoded(text: string): boolean {
  return !/%(?![\da-f]{2})/i.test(text)
}

export function tooWeak(name: string, weakness: string): string {
  return `${name} is too weak for production: ${weakness}. \`openssl rand -hex 32\` makes a good one; a key that a network or a reader of metrics shares is changed there too.`
}

// A database's host is no secret; its user and password are.
export function namesOf(hosts: readonly string[]): string {
  return `what goes to ${hosts.map((host) => host || 'a host that it does not name').join(' and ')} could be read and changed on the way`
}

export function readSecretsKey(name: string, value: string | null, mistakes: string[]): Buffer | null {
  if (value === null) return null
  const bytes = /^[0-9a-fA-F]{64}$/.test(value) ? Buffer.from(value, 'hex') : Buffer.from(value, 'base64')
  if (bytes.length !== 32)
    mistakes.push(
      `${name} must be 32 random bytes as 64 hex digits or base64: openssl rand -hex 32 makes one.`,
    )
  return bytes
}

// All of them if nothing is said. Undefined: one that there is not.
export function railsNamed(value: string | null): readonly Rail[] | undefined {
  if (value === null) return RAILS
  const named = value === 'none' ? [] : value.split(',').map((part) => part.trim())
  if (named.some((part) => !RAILS.includes(part as Rail))) return undefined
  return RAILS.filter((rail) => named.includes(rail))
}

export function hostsNamed(value: string): readonly string[] | undefined {
  const named = value === '' ? [] : value.split(',').map((part) => part.trim().toLowerCase())
  return named.every((part) => /^[a-z0-9.-]{1,253}$/.test(part)) ? named : undefined
}

export function rangesNamed(
  value: string | null,
  fallback: readonly string[],
): { ranges: readonly string[]; wrong: readonly string[] } {
  if (value === null) return { ranges: fallback, wrong: [] }
  const parts = value === 'none' ? [] : value.split(',')
  const ranges = parts.map((part) => parseAddressRange(part.trim()))
  return {
    ranges: ranges.filter((range) => range !== null),
    wrong: parts.filter((_, index) => ranges[index] === null),
  }
}

export type OidcSettings = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

// All three or none. Without encryption only on this machine, and never in production: whoever listens could be anybody.
export function readOidc(
  text: (name: string) => string | null,
  isProduction: boolean,
  mistakes: string[],
): OidcSettings | null {
  const names = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']
  const [issuer = null, clientId = null, clientSecret = null] = names.map(text)
  if (issuer === null && clientId === null && clientSecret === null) return null
  const missing = names.filter((name) => text(name) === null)
  if (missing.length > 0)
    mistakes.push(
      `${missing.join(', ')} must be set as well: ${names.find((name) => text(name) !== null)} is.`,
    )
  const url = issuer === null ? null : URL.parse(issuer)
  const isLocal = url?.protocol === 'http:' && isThisMachine(url.hostname) && !isProduction
  if (issuer !== null && url?.protocol !== 'https:' && !isLocal)
    mistakes.push(`OIDC_ISSUER must be an address that begins with https://, not ${JSON.stringify(issuer)}.`)
  return { issuer: issuer ?? '', clientId: clientId ?? '', clientSecret: clientSecret ?? '' }
}
