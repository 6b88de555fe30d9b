// The environment becomes one frozen Config. The only file that reads process.env; every mistake is reported at once.

import { resolve } from 'node:path'
import type { Environment } from './flows/context.ts'

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
  rateLimitPerSecond: number
  pseCapInCents: bigint
  groupCommitLanes: number
  maxInFlight: number
  metricsToken: string | null
  logLevel: string
  shutdownGraceMs: number
}>

export class ConfigMistakes extends Error {
  override name = 'ConfigMistakes'
  readonly mistakes: readonly string[]
  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.mistakes = mistakes
  }
}

type Variables = Readonly<Record<string, string | undefined>>

const SECRET = new Set(['DATABASE_URL', 'BOOTSTRAP_API_KEY'])
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']
// Production talks to real networks or not at all.
const RAIL_CREDENTIALS = ['BASE_URL', 'CLIENT_ID', 'CLIENT_SECRET', 'NOTIFICATION_KEY'].flatMap((name) => [
  `BREB_${name}`,
  `PSE_${name}`,
])

export function readConfig(variables: Variables = process.env): Config {
  const mistakes: string[] = []
  const text = (name: string): string | null => variables[name]?.trim() || null
  const fail = (name: string, expected: string): void => {
    // An address of a database or a key is a secret: it is not printed back.
    const seen = SECRET.has(name) ? '' : `, not ${JSON.stringify(variables[name])}`
    mistakes.push(`${name} must be ${expected}${seen}.`)
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
    if (!/^\d+$/.test(value) || number < minimum || number > maximum)
      fail(name, `a whole number from ${minimum} to ${maximum}`)
    return number
  }
  const address = (name: string, protocols: readonly string[], fallback: string | null): string | null => {
    const value = text(name)
    if (value === null) return fallback
    const url = URL.parse(value)
    if (url === null || !protocols.includes(url.protocol))
      fail(name, `an address that begins with ${protocols.join('// or ')}//`)
    return value.replace(/\/+$/, '')
  }
  // Not by URL: the address of a server on a unix socket (postgresql://user@/name?host=/run) has no host.
  const postgresAddress = (name: string): string | null => {
    const value = text(name)
    if (value !== null && !/^postgres(?:ql)?:\/\/[^/]*\/[^/?]+(?:\?.*)?$/.test(value)) {
      fail(name, 'of the form postgresql://user:password@host:port/database')
    }
    return value
  }
  const flag = (name: string, fallback: boolean): boolean => {
    const value = text(name)
    if (value !== null && value !== 'true' && value !== 'false') fail(name, 'true or false')
    return value === null ? fallback : value === 'true'
  }

  const environment = choice('RECAUDO_ENV', ['staging', 'production'] as const, 'staging')
  const host = text('HOST') ?? '127.0.0.1'
  const port = integer('PORT', 4_000, 0, 65_535)
  const web = environment === 'production' ? ['https:'] : ['http:', 'https:']
  const publicUrl = address(
    'PUBLIC_URL',
    web,
    `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`,
  ) as string
  const config: Config = Object.freeze({
    environment,
    publicUrl,
    checkoutUrl: address('CHECKOUT_URL', web, publicUrl) as string,
    host,
    port,
    databaseUrl: postgresAddress('DATABASE_URL'),
    databasePool: integer('DATABASE_POOL', 10, 3, 200),
    dataDir: resolve(text('DATA_DIR') ?? '.recaudo'),
    migrateOnStart: flag('MIGRATE_ON_START', true),
    bootstrapApiKey: text('BOOTSTRAP_API_KEY'),
    secretsKey: readSecretsKey(text('SECRETS_KEY'), mistakes),
    rateLimitPerSecond: integer('RATE_LIMIT_PER_SECOND', 1_000, 0, 1_000_000),
    pseCapInCents: BigInt(integer('PSE_MAXIMUM_PESOS', 788_800_000, 1, 10_000_000_000)) * 100n,
    groupCommitLanes: integer('GROUP_COMMIT_LANES', 2, 1, 16),
    maxInFlight: integer('MAX_IN_FLIGHT', 2_000, 10, 100_000),
    metricsToken: text('METRICS_TOKEN'),
    logLevel: choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    shutdownGraceMs: integer('SHUTDOWN_GRACE_MS', 15_000, 0, 600_000),
  })

  if (config.bootstrapApiKey !== null && !/^[\x21-\x7e]{16,200}$/.test(config.bootstrapApiKey)) {
    fail('BOOTSTRAP_API_KEY', '16 to 200 printable ASCII characters without spaces')
  }
  if (environment === 'production') {
    if (config.bootstrapApiKey !== null)
      mistakes.push('BOOTSTRAP_API_KEY is for staging only: unset it in production.')
    for (const name of ['PUBLIC_URL', 'DATABASE_URL', 'SECRETS_KEY', ...RAIL_CREDENTIALS]) {
      if (text(name) === null) mistakes.push(`${name} is required in production.`)
    }
  }
  if (mistakes.length > 0) throw new ConfigMistakes(mistakes)
  return config
}

function readSecretsKey(value: string | null, mistakes: string[]): Buffer | null {
  if (value === null) return null
  const bytes = /^[0-9a-fA-F]{64}$/.test(value) ? Buffer.from(value, 'hex') : Buffer.from(value, 'base64')
  if (bytes.length !== 32)
    mistakes.push(
      'SECRETS_KEY must be 32 random bytes as 64 hex digits or base64: openssl rand -hex 32 makes one.',
    )
  return bytes
}
