// Reads the environment into one frozen Config. No other file reads process.env. All mistakes are reported at once.

import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import type { Rail } from './core/connections/rail.ts'
import { isThisMachine, reachableHost } from './core/network-address.ts'
import { isMailSender } from './core/receipts/mail.ts'
import { RETENTION_DAYS, type RetentionDays } from './core/retention.ts'
import { weaknessOf, weaknessOfKey } from './core/secret-strength.ts'
import {
  hostsNamed,
  isPercentEncoded,
  namesOf,
  type OidcSettings,
  railsNamed,
  rangesNamed,
  readOidc,
  readSecretsKey,
  SECRET_LENGTHS,
  tooWeak,
} from './core/setting-values.ts'
import { readTracing, type TracingSettings } from './core/tracing/settings.ts'
import { RETRY_AFTER_MS } from './core/webhooks/delivery.ts'
import { CRASH_POINTS, type CrashPoint, type Environment } from './flows/context.ts'
import { hostsWithoutTls, readDatabaseUrl } from './store/database-url.ts'

export type Config = Readonly<{
  environment: Environment
  publicUrl: string
  checkoutUrl: string
  host: string
  port: number
  databaseUrl: string | null
  databasePool: number
  dataDir: string
  migrateOnStart: boolean
  bootstrapApiKey: string | null
  secretsKey: Buffer | null
  // What SECRETS_KEY was before, while it is being changed.
  previousSecretsKey: Buffer | null
  rateLimitPerSecond: number
  pseMaximumInCents: bigint
  settlementDelayMs: number
  // The rails that the installation has networks of its own for. Organizations use their connections for the others.
  installationRails: readonly Rail[]
  // How long a new payin waits for a key that its provider names.
  keyWaitMs: number
  // Hosts that connections may call besides their provider's own. Null: any, as in staging.
  connectionHosts: readonly string[] | null
  retention: RetentionDays
  breb: RailSettings
  pse: RailSettings
  // The simulated networks. Null if real ones are configured, and always in production.
  sandbox: SandboxSettings | null
  // Whether webhooks may go to private and loopback addresses.
  webhookAllowPrivate: boolean
  webhookConcurrency: number
  // Whether a receiver must show that it holds the secret before events are sent to it.
  webhookVerification: boolean
  // An HTTP proxy that webhooks go through. Null: none.
  webhookProxy: string | null
  webhookRetryMs: readonly number[]
  // The server that receipts are sent by. Null: none are sent.
  smtp: Readonly<{ url: string; from: string; requiresTls: boolean }> | null
  // The company's own accounts, by which people may sign in. Null: none.
  oidc: Readonly<OidcSettings> | null
  groupCommitLanes: number
  maxInFlight: number
  // The proxies whose word about their clients' addresses is believed, as ranges.
  trustedProxies: readonly string[]
  maxConnectionsPerAddress: number
  unauthenticatedPerSecond: number
  payerActionsPerMinute: number
  metricsToken: string | null
  // The port for health and metrics of a process that serves no API. Null: none.
  workersMetricsPort: number | null
  logLevel: string
  tracing: TracingSettings | null
  shutdownGraceMs: number
  // For tests, staging only: the process kills itself when it reaches this point for the nth time.
  crashAt: CrashAt | null
}>

export type CrashAt = Readonly<{ point: CrashPoint; nth: number }>
export type RailSettings = Readonly<{
  baseUrl: string
  clientId: string
  clientSecret: string
  notificationKey: string
  // The one before it, while the network changes over.
  previousNotificationKey: string | null
}>
export type SandboxSettings = Readonly<{
  port: number
  delayMs: number
  seed: number
  // Whether every organization may move the clock of all.
  sharedClock: boolean
}>

export class ConfigMistakes extends Error {
  override name = 'ConfigMistakes'
  readonly mistakes: readonly string[]
  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.mistakes = mistakes
  }
}

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>

const SECRET_VARIABLES = new Set(['DATABASE_URL', 'BOOTSTRAP_API_KEY', 'WEBHOOK_PROXY', 'SMTP_URL'])
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']
const RAIL_SETTINGS = ['BASE_URL', 'CLIENT_ID', 'CLIENT_SECRET', 'NOTIFICATION_KEY'] as const
// Required in production, which never uses the simulated networks.
const railCredentials = (rails: readonly Rail[]) =>
  RAIL_SETTINGS.flatMap((name) => rails.map((rail) => `${rail.replace('_', '')}_${name}`))
// A proxy that stands beside the service.
const THIS_MACHINE: readonly string[] = Object.freeze(['127.0.0.0/8', '::1/128'])
// The simulated networks listen on this machine only and hold no money, so these values are not secret.
const SIMULATED = { clientId: 'staging', clientSecret: 'staging-only-secret' }

export function readConfig(variables: EnvironmentVariables = process.env): Config {
  const mistakes: string[] = []
  const text = (name: string): string | null => variables[name]?.trim() || null
  const fail = (name: string, expected: string): void => {
    // A database address or a key is secret, so its value is not printed.
    const got = SECRET_VARIABLES.has(name) ? '' : `, not ${JSON.stringify(variables[name])}`
    mistakes.push(`${name} must be ${expected}${got}.`)
  }
  const choice = <Value extends string>(name: string, values: readonly Value[], fallback: Value): Value => {
    const value = text(name) ?? fallback
    if (!values.includes(value as Value)) fail(name, `one of ${values.join(', ')}`)
    return value as Value
  }
  const integer = (name: string, fallback: number, minimum: number, maximum: number): number => {
    const value = text(name)
    if (value === null) return fallback
    const number = Number(value)
    if (/^\d+$/.test(value) && number >= minimum && number <= maximum) return number
    fail(name, `a whole number from ${minimum} to ${maximum}`)
    // Whatever is made of it must be possible, so that the other mistakes are listed too.
    return fallback
  }
  const address = (name: string, protocols: readonly string[], fallback: string | null): string | null => {
    const value = text(name)
    if (value === null) return fallback
    const url = URL.parse(value)
    if (url === null || !protocols.includes(url.protocol) || url.hostname === '')
      fail(name, `an address that begins with ${protocols.join('// or ')}//`)
    return value.replace(/\/+$/, '')
  }
  const addressWithUser = (name: string, protocols: readonly string[]): string | null => {
    const value = address(name, protocols, null)
    const { username = '', password = '' } = URL.parse(value ?? '') ?? {}
    if (!isPercentEncoded(username) || !isPercentEncoded(password))
      fail(name, 'an address whose user and password are percent-encoded')
    return value
  }
  const smtp = (): Config['smtp'] => {
    const url = addressWithUser('SMTP_URL', ['smtp:', 'smtps:'])
    const from = text('SMTP_FROM')
    if (from !== null && !isMailSender(from)) fail('SMTP_FROM', 'of the form Café <pagos@example.com>')
    if (url !== null && from === null) mistakes.push('SMTP_FROM must be set as well: SMTP_URL is.')
    if (url === null && from !== null) mistakes.push('SMTP_URL must be set as well: SMTP_FROM is.')
    const isOpen = environment === 'staging' || isThisMachine(URL.parse(url ?? '')?.hostname ?? '')
    return url === null || from === null ? null : { url, from, requiresTls: !isOpen }
  }
  // Not parsed as a URL: the address of a server on a unix socket (postgresql://user@/name?host=/run) has no host.
  const postgresAddress = (name: string): string | null => {
    const value = text(name)
    if (value === null) return null
    if (!/^postgres(?:ql)?:\/\/[^/]*\/[^/?]+(?:\?.*)?$/.test(value)) {
      fail(name, 'of the form postgresql://user:password@host:port/database')
      return value
    }
    const read = readDatabaseUrl(value)
    if ('mistake' in read) fail(name, read.mistake)
    else if (environment === 'production') {
      const open = hostsWithoutTls(value)
      if (open.length > 0)
        fail(name, `an address with sslmode=verify-full or sslmode=require: ${namesOf(open)}`)
    }
    return value
  }
  const retrySeconds = (name: string): number[] | null => {
    const value = text(name)
    if (value === null) return null
    if (!/^\d{1,7}(?:,\d{1,7}){0,29}$/.test(value))
      fail(name, 'up to 30 whole numbers of seconds, separated by commas')
    return value.split(',').map(Number)
  }
  const addressRanges = (name: string, fallback: readonly string[]): readonly string[] => {
    const { ranges, wrong } = rangesNamed(text(name), fallback)
    for (const part of wrong)
      fail(
        name,
        `ranges such as 10.0.0.0/8, separated by commas, or none (${JSON.stringify(part)} is no range)`,
      )
    return ranges
  }
  const flag = (name: string, fallback: boolean): boolean => {
    const value = text(name)
    if (value !== null && value !== 'true' && value !== 'false') fail(name, 'true or false')
    return value === null ? fallback : value === 'true'
  }
  const hostNames = (name: string, fallback: readonly string[] | null): readonly string[] | null => {
    const named = hostsNamed(text(name) ?? '')
    if (named === undefined) fail(name, 'host names such as pay.example.com, separated by commas')
    return text(name) === null ? fallback : (named ?? [])
  }
  const crashAt = (name: string): CrashAt | null => {
    const value = text(name)
    if (value === null) return null
    const [, named, times] = /^([a-z-]+):([1-9]\d{0,5})$/.exec(value) ?? []
    const point = CRASH_POINTS.find((known) => known === named)
    if (point === undefined) fail(name, `point:n with one of the points ${CRASH_POINTS.join(', ')}`)
    return point === undefined ? null : { point, nth: Number(times) }
  }

  const environment = choice('RECAUDO_ENV', ['staging', 'production'] as const, 'staging')
  const host = text('HOST') ?? '127.0.0.1'
  const port = integer('PORT', 4_000, 1, 65_535)
  const webProtocols = environment === 'production' ? ['https:'] : ['http:', 'https:']
  const publicUrl = address('PUBLIC_URL', webProtocols, `http://${reachableHost(host)}:${port}`) as string
  const installationRails = railsNamed(text('INSTALLATION_RAILS')) ?? []
  if (railsNamed(text('INSTALLATION_RAILS')) === undefined)
    fail('INSTALLATION_RAILS', 'BRE_B,PSE, one of them, or none')
  const sandboxPort = integer('SANDBOX_PORT', 4_001, 1, 65_535)
  const railSettings = (rail: 'BREB' | 'PSE'): RailSettings => {
    const names = RAIL_SETTINGS.map((name) => `${rail}_${name}`)
    const given = names.filter((name) => text(name) !== null)
    if (given.length > 0 && given.length < names.length && environment === 'staging') {
      mistakes.push(
        `${names.filter((name) => text(name) === null).join(', ')} must be set as well: ${given[0]} is.`,
      )
    }
    const baseUrl = address(
      `${rail}_BASE_URL`,
      webProtocols,
      `http://127.0.0.1:${sandboxPort}/${rail.toLowerCase()}`,
    ) as string
    return Object.freeze({
      baseUrl,
      clientId: text(`${rail}_CLIENT_ID`) ?? SIMULATED.clientId,
      clientSecret: text(`${rail}_CLIENT_SECRET`) ?? SIMULATED.clientSecret,
      // Whoever knows it can forge a notice. Processes that run with the simulated networks put the one there that both
      // sides know (operator/secrets-key.ts); any other believes nobody.
      notificationKey: text(`${rail}_NOTIFICATION_KEY`) ?? randomBytes(32).toString('hex'),
      previousNotificationKey: text(`${rail}_NOTIFICATION_KEY_PREVIOUS`),
    })
  }
  const isSimulated =
    environment === 'staging' && text('BREB_BASE_URL') === null && text('PSE_BASE_URL') === null
  const sandbox: SandboxSettings | null = isSimulated
    ? {
        port: sandboxPort,
        delayMs: integer('SANDBOX_DELAY_MS', 5_000, 0, 86_400_000),
        seed: integer('SANDBOX_SEED', 1, 0, 2_147_483_647),
        sharedClock: flag('SANDBOX_SHARED_CLOCK', false),
      }
    : null
  const config: Config = Object.freeze({
    environment,
    publicUrl,
    checkoutUrl: address('CHECKOUT_URL', webProtocols, publicUrl) as string,
    host,
    port,
    databaseUrl: postgresAddress('DATABASE_URL'),
    databasePool: integer('DATABASE_POOL', 10, 3, 200),
    dataDir: resolve(text('DATA_DIR') ?? '.recaudo'),
    migrateOnStart: flag('MIGRATE_ON_START', true),
    bootstrapApiKey: text('BOOTSTRAP_API_KEY'),
    secretsKey: readSecretsKey('SECRETS_KEY', text('SECRETS_KEY'), mistakes),
    previousSecretsKey: readSecretsKey('SECRETS_KEY_PREVIOUS', text('SECRETS_KEY_PREVIOUS'), mistakes),
    rateLimitPerSecond: integer('RATE_LIMIT_PER_SECOND', 1_000, 0, 1_000_000),
    pseMaximumInCents: BigInt(integer('PSE_MAXIMUM_PESOS', 788_800_000, 1, 10_000_000_000)) * 100n,
    settlementDelayMs: integer('SETTLEMENT_DELAY_MINUTES', 24 * 60, 0, 60 * 24 * 30) * 60_000,
    installationRails,
    keyWaitMs: integer('KEY_WAIT_MS', 3_000, 0, 10_000),
    connectionHosts: hostNames('CONNECTION_HOSTS', environment === 'staging' ? null : []),
    retention: Object.freeze({
      // A delivery is tried for three days, and a merchant looks for what was missed some time later.
      events: integer('EVENT_RETENTION_DAYS', RETENTION_DAYS.events, 30, 36_500),
      exchanges: integer('EXCHANGE_RETENTION_DAYS', RETENTION_DAYS.exchanges, 1, 3_650),
      // A network may tell a payment again that was disputed half a year later.
      notices: integer('NOTICE_RETENTION_DAYS', RETENTION_DAYS.notices, 200, 36_500),
      alarms: integer('ALARM_RETENTION_DAYS', RETENTION_DAYS.alarms, 30, 36_500),
      requests: integer('REQUEST_RETENTION_DAYS', RETENTION_DAYS.requests, 1, 3_650),
    }),
    breb: railSettings('BREB'),
    pse: railSettings('PSE'),
    sandbox,
    webhookAllowPrivate: flag('WEBHOOK_ALLOW_PRIVATE', environment === 'staging'),
    webhookConcurrency: integer('WEBHOOK_CONCURRENCY', 16, 1, 256),
    webhookVerification: flag('WEBHOOK_VERIFICATION', environment === 'production'),
    webhookProxy: addressWithUser('WEBHOOK_PROXY', ['http:']),
    webhookRetryMs:
      retrySeconds('WEBHOOK_RETRY_SECONDS')?.map((seconds) => seconds * 1_000) ?? RETRY_AFTER_MS,
    smtp: smtp(),
    oidc: readOidc(text, environment === 'production', mistakes),
    groupCommitLanes: integer('GROUP_COMMIT_LANES', 2, 1, 16),
    maxInFlight: integer('MAX_IN_FLIGHT', 2_000, 10, 100_000),
    trustedProxies: addressRanges('TRUSTED_PROXIES', THIS_MACHINE),
    maxConnectionsPerAddress: integer('MAX_CONNECTIONS_PER_ADDRESS', 1_000, 0, 1_000_000),
    unauthenticatedPerSecond: integer('UNAUTHENTICATED_PER_SECOND', 100, 0, 1_000_000),
    payerActionsPerMinute: integer('PAYER_ACTIONS_PER_MINUTE', 10, 0, 100_000),
    metricsToken: text('METRICS_TOKEN'),
    workersMetricsPort:
      text('WORKERS_METRICS_PORT') === null ? null : integer('WORKERS_METRICS_PORT', 0, 1, 65_535),
    logLevel: choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    tracing: readTracing(text, mistakes),
    shutdownGraceMs: integer('SHUTDOWN_GRACE_MS', 15_000, 0, 600_000),
    crashAt: crashAt('CRASH_AT'),
  })

  if (config.bootstrapApiKey !== null && !/^[\x21-\x7e]{16,200}$/.test(config.bootstrapApiKey)) {
    fail('BOOTSTRAP_API_KEY', '16 to 200 printable ASCII characters without spaces')
  }
  if (config.previousSecretsKey !== null) {
    if (config.secretsKey === null) mistakes.push('SECRETS_KEY must be set as well: SECRETS_KEY_PREVIOUS is.')
    else if (config.secretsKey.equals(config.previousSecretsKey))
      mistakes.push('SECRETS_KEY_PREVIOUS must be another key than SECRETS_KEY, or unset.')
  }
  if (environment === 'production') {
    for (const name of ['WEBHOOK_ALLOW_PRIVATE', 'WEBHOOK_RETRY_SECONDS', 'CRASH_AT']) {
      if (text(name) !== null && text(name) !== 'false')
        mistakes.push(`${name} is for staging only: unset it in production.`)
    }
    if (config.bootstrapApiKey !== null)
      mistakes.push('BOOTSTRAP_API_KEY is for staging only: unset it in production.')
    for (const name of ['PUBLIC_URL', 'DATABASE_URL', 'SECRETS_KEY', ...railCredentials(installationRails)]) {
      if (text(name) === null) mistakes.push(`${name} is required in production.`)
    }
    for (const [name, length] of Object.entries(SECRET_LENGTHS)) {
      const value = text(name)
      const weakness = value === null ? undefined : weaknessOf(value, length)
      if (weakness !== undefined) mistakes.push(tooWeak(name, weakness))
    }
    const weakKey = config.secretsKey?.length === 32 ? weaknessOfKey(config.secretsKey) : undefined
    if (weakKey !== undefined) mistakes.push(tooWeak('SECRETS_KEY', weakKey))
    if (text('NODE_TLS_REJECT_UNAUTHORIZED') === '0')
      mistakes.push(
        'NODE_TLS_REJECT_UNAUTHORIZED=0 lets anybody pose as a network or as the database: unset it.',
      )
  }
  if (mistakes.length > 0) throw new ConfigMistakes(mistakes)
  return config
}
