// What an adapter is opened with, and what all adapters of providers share.

import type { Credentials } from '../core/connections/connection.ts'
import type { ProviderEnvironment, Use } from '../core/connections/provider.ts'
import type { Rail } from '../core/connections/rail.ts'
import { parseRailReference, type ReferenceKind, railReference } from '../core/connections/reference.ts'
import type { Instant } from '../core/instant.ts'
import type { Tracer } from '../core/tracing/trace.ts'
import { uuidBytes, uuidText } from '../core/uuid-token.ts'
import type { ProviderAccess } from './access-watch.ts'
import type { Authorization } from './authorization.ts'
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts'
import { type Gateway, gatewayOver, type ReadRefusalCode } from './gateway.ts'
import { LIMITS, type Limits } from './limits.ts'
import type { NetworkExchange, ProviderRails } from './rail.ts'

export type ProviderSettings = {
  readonly organizationId: string
  readonly environment: ProviderEnvironment
  readonly uses: readonly Use[]
  // Every field of the provider's description that has a value, defaults included.
  readonly credentials: Credentials
  // Those before, while the provider changes over. They only check notices.
  readonly previousCredentials: Credentials | null
  // Where the provider sends its notices.
  readonly notificationUrl: string
}

export type ProviderDependencies = {
  readonly now: () => Instant
  // Real time. What a provider checks against its own clock is dated by it.
  readonly wallClock: () => Instant
  readonly randomBytes: (count: number) => Buffer
  readonly record: (exchange: NetworkExchange) => void
  readonly limits?: Partial<Limits>
  // How far staging's clock was moved.
  readonly clockOffsetMs?: () => number
  readonly tracer?: Tracer | null
  readonly onAccess?: (access: ProviderAccess) => void
}

export type OpenProvider = (settings: ProviderSettings, dependencies: ProviderDependencies) => ProviderRails

export type Opened = {
  readonly connection: Connection
  readonly gateway: Gateway
  readonly limits: Limits
}

// One address of a provider, with connections and a circuit breaker of its own.
export function openGateway(
  rail: Rail,
  baseUrl: string,
  authorization: Authorization | ((connection: Connection, options: ConnectionOptions) => Authorization),
  readRefusalCode: ReadRefusalCode,
  { now, record, limits: overrides, clockOffsetMs = () => 0, tracer = null, onAccess }: ProviderDependencies,
): Opened {
  const limits: Limits = { ...LIMITS, ...PROVIDER_LIMITS, ...overrides }
  const monotonicMs = () => performance.now()
  const onRefusal = (refusal: string | null) => onAccess?.({ url: baseUrl, refusal })
  const options: ConnectionOptions = { now, record, limits, tracer, monotonicMs, onAccess: onRefusal }
  const connection = openConnection(rail, baseUrl, options)
  const movable = { ...options, monotonicMs: () => performance.now() + clockOffsetMs() }
  const proves = typeof authorization === 'function' ? authorization(connection, options) : authorization
  return { connection, limits, gateway: gatewayOver(connection, proves, readRefusalCode, movable) }
}

// What a connection offers that is used for nothing.
export const NO_RAILS: Omit<ProviderRails, 'readHint'> = {
  payins: {},
  payouts: null,
  directory: null,
  banks: null,
  terms: null,
  statement: {},
  isAway: () => false,
  check: async () => [],
  close: async () => {},
}

// Providers answer with lists and whole objects, where a network answers with a few fields.
const PROVIDER_LIMITS = { answerBytes: 1_024 * 1_024 } as const

// Our reference in 32 letters and digits, for providers that take no more: the id without its organization, which the connection
// knows anyway.
export function shortReference(reference: string): string {
  const parsed = parseRailReference(reference)
  if (parsed === undefined) throw new Error('the reference is not one of ours')
  return uuidBytes(parsed.id).toString('hex')
}

// Undefined if a text is not such a reference. It may be of a sale that the merchant made elsewhere with the same account.
export function fromShortReference(
  kind: ReferenceKind,
  organizationId: string,
  text: string,
): string | undefined {
  const hex = text.replaceAll('-', '').toLowerCase()
  if (!/^[0-9a-f]{32}$/.test(hex)) return undefined
  return railReference(kind, organizationId, uuidText(Buffer.from(hex, 'hex')))
}

// Whether a reference that came from a provider is one of this organization's.
export function isOwnReference(kind: ReferenceKind, organizationId: string, reference: string): boolean {
  const parsed = parseRailReference(reference)
  return parsed?.kind === kind && parsed.organizationId === organizationId
}

// Every provider counts from its own one, and our books hold the payments of all.
export function paymentIdOf(provider: string, id: string | number): string {
  return `${provider}:${id}`
}
