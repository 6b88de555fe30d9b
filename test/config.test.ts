// Every setting: its default in staging and in production, what it takes, what it refuses, and what production refuses. A
// setting that is read and has no row here fails the test.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { type Config, ConfigMistakes, readConfig } from '../src/config.ts'

const KEY = Buffer.alloc(32, 5)
const OTHER_KEY = Buffer.alloc(32, 6)

const PRODUCTION: Readonly<Record<string, string>> = {
  RECAUDO_ENV: 'production',
  PUBLIC_URL: 'https://api.example',
  DATABASE_URL: 'postgresql://user:password@db.example:5432/recaudo?sslmode=verify-full',
  SECRETS_KEY: randomBytes(32).toString('hex'),
  BREB_BASE_URL: 'https://breb.example/v1',
  BREB_CLIENT_ID: 'breb-client',
  BREB_CLIENT_SECRET: 'breb-secret',
  BREB_NOTIFICATION_KEY: randomBytes(32).toString('hex'),
  PSE_BASE_URL: 'https://pse.example',
  PSE_CLIENT_ID: 'pse-client',
  PSE_CLIENT_SECRET: 'pse-secret',
  PSE_NOTIFICATION_KEY: randomBytes(32).toString('hex'),
}

// The three days of docs/webhooks.md, in seconds.
const SCHEDULE = [5, 30, 120, 600, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]

const REQUIRED = Symbol('production does not start without it')
const STAGING_ONLY = Symbol('production does not start with it')

type Row = {
  value: (config: Config) => unknown
  staging: unknown
  production: unknown
  // Texts and what they mean, and texts that stop the start.
  takes: readonly (readonly [text: string, value: unknown])[]
  refuses: readonly string[]
}

const whole = (
  name: keyof Config,
  byDefault: number,
  minimum: number,
  maximum: number,
  unit: (value: number) => unknown = (value) => value,
): Row => ({
  value: (config) => config[name],
  staging: unit(byDefault),
  production: unit(byDefault),
  takes: [minimum, maximum].map((value) => [String(value), unit(value)]),
  refuses: [String(minimum - 1), String(maximum + 1), '1.5', '1e3', 'many', '0x10'],
})

const kept = (name: keyof Config['retention'], byDefault: number, minimum: number, maximum: number): Row => ({
  ...whole('port', byDefault, minimum, maximum),
  value: (config) => config.retention[name],
})

const simulated = (
  name: 'port' | 'delayMs' | 'seed',
  byDefault: number,
  minimum: number,
  maximum: number,
): Row => ({
  ...whole('port', byDefault, minimum, maximum),
  value: (config) => config.sandbox?.[name],
  // There is no simulated network in production, whatever is set.
  production: undefined,
})

const railText = (rail: 'breb' | 'pse', name: 'clientId' | 'clientSecret', simulatedValue: string): Row => ({
  value: (config) => config[rail][name],
  staging: simulatedValue,
  production: REQUIRED,
  takes: [],
  refuses: [],
})

const PREVIOUS_KEY = randomBytes(32).toString('hex')
const previousKey = (rail: 'breb' | 'pse'): Row => ({
  value: (config) => config[rail].previousNotificationKey,
  staging: null,
  production: null,
  takes: [[PREVIOUS_KEY, PREVIOUS_KEY]],
  refuses: [],
})

// Without a network of its own it is drawn anew each time: nobody can know it.
const notificationKey = (rail: 'breb' | 'pse'): Row => ({
  value: ({ sandbox, [rail]: { notificationKey: key } }) =>
    sandbox === null ? key : /^[0-9a-f]{64}$/.test(key) && key !== readConfig({})[rail].notificationKey,
  staging: true,
  production: REQUIRED,
  takes: [],
  refuses: [],
})

const railUrl = (rail: 'breb' | 'pse'): Row => ({
  value: (config) => config[rail].baseUrl,
  staging: `http://127.0.0.1:4001/${rail}`,
  production: REQUIRED,
  takes: [],
  refuses: ['gateway.example', 'ftp://gateway.example'],
})

const flag = (name: keyof Config, staging: boolean, production: unknown): Row => ({
  value: (config) => config[name],
  staging,
  production,
  takes: [
    ['true', true],
    ['false', false],
  ],
  refuses: ['yes', '1', 'TRUE'],
})

const text = (name: keyof Config, staging: unknown, production: unknown, more: Partial<Row> = {}): Row => ({
  value: (config) => config[name],
  staging,
  production,
  takes: [],
  refuses: [],
  ...more,
})

// By what the message says must be changed.
const WRONG_DATABASE_URLS: Readonly<Record<string, readonly string[]>> = {
  'without an empty host: take out the comma too many, or name the host': [
    'postgres://u:hidden@a,,b/name',
    'postgres://u:hidden@a,/name',
    'postgres://u:hidden@:5432,b/name',
    'postgres://u:hidden@/name?host=a,',
  ],
  'whose ports are whole numbers from 1 to 65535': [
    'postgres://u:hidden@a:port/name',
    'postgres://u:hidden@a:5432,b:54x2/name',
    'postgres://u:hidden@a:0,b/name',
    'postgres://u:hidden@a:65536,b/name',
    'postgres://u:hidden@a:5432:5433,b/name',
    'postgres://u:hidden@/name?host=a,b&port=5432,x',
  ],
  'with one port for all hosts or one for each: it has 3 ports for 2 hosts': [
    'postgres://u:hidden@/name?host=a,b&port=1,2,3',
    'postgres://u:hidden@a,b/name?port=1,2,3',
  ],
  'with target_session_attrs=read-write, or without that: Recaudo writes, and a standby takes no writes': [
    'postgres://u:hidden@a,b/name?target_session_attrs=any',
    'postgres://u:hidden@a/name?target_session_attrs=read-only',
    'postgres://u:hidden@a,b/name?target_session_attrs=readwrite',
    'postgres://u:hidden@a,b/name?target_session_attrs=',
  ],
}

const ROWS: Readonly<Record<string, Row>> = {
  RECAUDO_ENV: text('environment', 'staging', 'staging', {
    takes: [['staging', 'staging']],
    refuses: ['live', 'Production', 'test'],
  }),
  HOST: text('host', '127.0.0.1', '127.0.0.1', { takes: [['0.0.0.0', '0.0.0.0']] }),
  PORT: whole('port', 4_000, 1, 65_535),
  PUBLIC_URL: text('publicUrl', 'http://127.0.0.1:4000', REQUIRED, {
    takes: [['https://api.example/', 'https://api.example']],
    refuses: ['api.example', 'ftp://api.example'],
  }),
  CHECKOUT_URL: text('checkoutUrl', 'http://127.0.0.1:4000', 'https://api.example', {
    takes: [['https://pay.example/', 'https://pay.example']],
    refuses: ['pay.example'],
  }),
  DATABASE_URL: text('databaseUrl', null, REQUIRED, {
    takes: [
      'postgresql://u@/name?host=/run',
      'postgresql://u:p,w@a,b:5433/name?target_session_attrs=read-write',
      'postgres://[::1]:5432,[::2]/name?target_session_attrs=primary&sslmode=require',
      'postgres://u@/name?host=a,b&port=5432,5433',
    ].map((url) => [url, url]),
    refuses: [
      'mysql://db.example/name',
      'postgresql://db.example',
      ...Object.values(WRONG_DATABASE_URLS).flat(),
    ],
  }),
  DATABASE_POOL: whole('databasePool', 10, 3, 200),
  DATA_DIR: text('dataDir', resolve('.recaudo'), resolve('.recaudo'), {
    takes: [['/srv/data', '/srv/data']],
  }),
  MIGRATE_ON_START: flag('migrateOnStart', true, true),
  SECRETS_KEY: text('secretsKey', null, REQUIRED, {
    takes: [
      [KEY.toString('hex'), KEY],
      [KEY.toString('base64'), KEY],
    ],
    refuses: [
      KEY.subarray(1).toString('base64'),
      Buffer.alloc(33).toString('base64'),
      Buffer.alloc(31).toString('hex'),
      Buffer.alloc(16).toString('hex'),
      'secret',
    ],
  }),
  SECRETS_KEY_PREVIOUS: {
    ...text('previousSecretsKey', null, null, { takes: [[OTHER_KEY.toString('hex'), OTHER_KEY]] }),
    refuses: ['secret', Buffer.alloc(31).toString('hex'), KEY.toString('hex')],
  },
  BOOTSTRAP_API_KEY: text('bootstrapApiKey', null, STAGING_ONLY, {
    takes: [['x'.repeat(16), 'x'.repeat(16)]],
    refuses: ['x'.repeat(15), 'x'.repeat(201), 'with a space in the key'],
  }),
  RATE_LIMIT_PER_SECOND: whole('rateLimitPerSecond', 1_000, 0, 1_000_000),
  MAX_IN_FLIGHT: whole('maxInFlight', 2_000, 10, 100_000),
  TRUSTED_PROXIES: text('trustedProxies', ['127.0.0.0/8', '::1/128'], ['127.0.0.0/8', '::1/128'], {
    takes: [
      ['none', []],
      ['10.0.0.0/8', ['10.0.0.0/8']],
      ['10.0.0.1, 2001:db8::/32', ['10.0.0.1/32', '2001:db8::/32']],
    ],
    refuses: [
      '10.0.0.0/33',
      '10.0.0/8',
      '0.0.0.0/0',
      '::/0',
      'proxy.example',
      '10.0.0.0/8,',
      '10.0.0.1 10.0.0.2',
    ],
  }),
  MAX_CONNECTIONS_PER_ADDRESS: whole('maxConnectionsPerAddress', 1_000, 0, 1_000_000),
  PAYER_ACTIONS_PER_MINUTE: whole('payerActionsPerMinute', 10, 0, 100_000),
  UNAUTHENTICATED_PER_SECOND: whole('unauthenticatedPerSecond', 100, 0, 1_000_000),
  PSE_MAXIMUM_PESOS: {
    ...whole('pseMaximumInCents', 788_800_000, 1, 10_000_000_000, (pesos) => BigInt(pesos) * 100n),
    refuses: ['0', '10000000001', '1e3', '0x10', '1.5', 'many'],
  },
  SETTLEMENT_DELAY_MINUTES: whole('settlementDelayMs', 1_440, 0, 43_200, (minutes) => minutes * 60_000),
  INSTALLATION_RAILS: text('installationRails', ['BRE_B', 'PSE'], ['BRE_B', 'PSE'], {
    takes: [
      ['none', []],
      ['PSE', ['PSE']],
      ['PSE, BRE_B', ['BRE_B', 'PSE']],
    ],
    refuses: ['BREB', 'pse', 'PSE,', 'none,PSE', 'all'],
  }),
  KEY_WAIT_MS: whole('keyWaitMs', 3_000, 0, 10_000),
  CONNECTION_HOSTS: text('connectionHosts', null, [], {
    takes: [
      ['Pay.example.com', ['pay.example.com']],
      ['a.example, 10.0.0.7', ['a.example', '10.0.0.7']],
    ],
    refuses: ['https://pay.example.com', 'pay.example.com:443', 'a.example,', 'a.example b.example', '*'],
  }),
  EVENT_RETENTION_DAYS: kept('events', 400, 30, 36_500),
  EXCHANGE_RETENTION_DAYS: kept('exchanges', 7, 1, 3_650),
  NOTICE_RETENTION_DAYS: kept('notices', 400, 200, 36_500),
  ALARM_RETENTION_DAYS: kept('alarms', 400, 30, 36_500),
  REQUEST_RETENTION_DAYS: kept('requests', 30, 1, 3_650),
  GROUP_COMMIT_LANES: whole('groupCommitLanes', 2, 1, 16),
  BREB_BASE_URL: railUrl('breb'),
  BREB_CLIENT_ID: railText('breb', 'clientId', 'staging'),
  BREB_CLIENT_SECRET: railText('breb', 'clientSecret', 'staging-only-secret'),
  BREB_NOTIFICATION_KEY: notificationKey('breb'),
  BREB_NOTIFICATION_KEY_PREVIOUS: previousKey('breb'),
  PSE_BASE_URL: railUrl('pse'),
  PSE_CLIENT_ID: railText('pse', 'clientId', 'staging'),
  PSE_CLIENT_SECRET: railText('pse', 'clientSecret', 'staging-only-secret'),
  PSE_NOTIFICATION_KEY: notificationKey('pse'),
  PSE_NOTIFICATION_KEY_PREVIOUS: previousKey('pse'),
  SANDBOX_PORT: simulated('port', 4_001, 1, 65_535),
  SANDBOX_DELAY_MS: simulated('delayMs', 5_000, 0, 86_400_000),
  SANDBOX_SHARED_CLOCK: {
    ...flag('port', false, undefined),
    value: (config) => config.sandbox?.sharedClock,
  },
  SANDBOX_SEED: simulated('seed', 1, 0, 2_147_483_647),
  WEBHOOK_ALLOW_PRIVATE: flag('webhookAllowPrivate', true, false),
  WEBHOOK_CONCURRENCY: whole('webhookConcurrency', 16, 1, 256),
  WEBHOOK_VERIFICATION: flag('webhookVerification', false, true),
  WEBHOOK_PROXY: text('webhookProxy', null, null, {
    takes: [['http://user:secret@proxy.internal:3128', 'http://user:secret@proxy.internal:3128']],
    refuses: [
      'proxy.internal:3128',
      'https://proxy.internal',
      'socks5://proxy.internal',
      'http://user:100%@proxy.internal',
    ],
  }),
  SMTP_URL: {
    ...text('smtp', null, null, {
      takes: [['smtps://user:a%2Fb@mail.internal:465', 'smtps://user:a%2Fb@mail.internal:465']],
      refuses: ['mail.internal:25', 'http://mail.internal', 'smtp://', 'smtp://user:100%@mail.internal'],
    }),
    value: (config) => config.smtp?.url ?? null,
  },
  SMTP_FROM: {
    ...text('smtp', null, null, {
      takes: [
        ['pagos@example.com', 'pagos@example.com'],
        ['Café La Palma <pagos@example.com>', 'Café La Palma <pagos@example.com>'],
      ],
      refuses: [
        'Café La Palma',
        'a@b@c',
        '<pagos@example.com>',
        'Café "x" <a@b.co>',
        'a@b.co, c@d.co',
        'Café\n <a@b.co>',
      ],
    }),
    value: (config) => config.smtp?.from ?? null,
  },
  OIDC_ISSUER: {
    ...text('oidc', null, null, {
      takes: [
        ['https://id.example', 'https://id.example'],
        ['https://id.example/realms/shop', 'https://id.example/realms/shop'],
      ],
      refuses: ['id.example', 'http://id.example', 'ldap://id.example', 'https://'],
    }),
    value: (config) => config.oidc?.issuer ?? null,
  },
  OIDC_CLIENT_ID: {
    ...text('oidc', null, null, { takes: [['recaudo', 'recaudo']] }),
    value: (config) => config.oidc?.clientId ?? null,
  },
  OIDC_CLIENT_SECRET: {
    ...text('oidc', null, null, { takes: [['secret', 'secret']] }),
    value: (config) => config.oidc?.clientSecret ?? null,
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    ...text('tracing', null, null, {
      takes: [
        ['http://127.0.0.1:4318', 'http://127.0.0.1:4318/v1/traces'],
        ['https://otel.example/base/', 'https://otel.example/base/v1/traces'],
      ],
      refuses: ['otel.example:4318', 'grpc://otel.example', 'https://', 'https://u:hidden@otel.example'],
    }),
    value: (config) => config.tracing?.url ?? null,
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    ...text('tracing', null, null, {
      takes: [
        ['Api-Key=a%20b, x-tenant=cafe=', { 'api-key': 'a b', 'x-tenant': 'cafe=' }],
        ['a=', { a: '' }],
      ],
      refuses: ['api-key', 'a b=c', 'a=%zz', 'a=%0d%0ab', '=c'],
    }),
    value: (config) => config.tracing?.headers ?? null,
  },
  OTEL_SERVICE_NAME: {
    ...text('tracing', null, null, { takes: [['pagos', 'pagos']], refuses: ['a b', 'x'.repeat(101)] }),
    value: (config) => config.tracing?.serviceName ?? null,
  },
  OTEL_TRACES_SAMPLER: {
    ...text('tracing', null, null, {
      takes: [
        ['always_on', { ratio: 1, followsParent: false }],
        ['parentbased_always_off', { ratio: 0, followsParent: true }],
        ['traceidratio', { ratio: 0.05, followsParent: false }],
      ],
      refuses: ['sometimes', 'jaeger_remote'],
    }),
    value: (config) => config.tracing?.sampler ?? null,
  },
  OTEL_TRACES_SAMPLER_ARG: {
    ...text('tracing', null, null, {
      takes: [
        ['0', 0],
        ['.5', 0.5],
        ['1.0', 1],
      ],
      refuses: ['1.1', '-1', '5%', '1e-3', 'half'],
    }),
    value: (config) => config.tracing?.sampler.ratio ?? null,
  },
  WEBHOOK_RETRY_SECONDS: text('webhookRetryMs', inMs(SCHEDULE), inMs(SCHEDULE), {
    takes: [['1,20,300', inMs([1, 20, 300])]],
    refuses: ['1,', 'soon', '1;2', '12345678', Array(31).fill('1').join(',')],
  }),
  METRICS_TOKEN: text('metricsToken', null, null, { takes: [['token', 'token']] }),
  WORKERS_METRICS_PORT: {
    ...whole('workersMetricsPort', 0, 1, 65_535),
    staging: null,
    production: null,
  },
  // Node's own. Nothing is read from it but that production does without.
  NODE_TLS_REJECT_UNAUTHORIZED: text('environment', 'staging', 'production'),
  LOG_LEVEL: text('logLevel', 'info', 'info', { takes: [['warn', 'warn']], refuses: ['loud', 'INFO'] }),
  SHUTDOWN_GRACE_MS: whole('shutdownGraceMs', 15_000, 0, 600_000),
  CRASH_AT: text('crashAt', null, null, {
    takes: [['payout-before-rail:2', { point: 'payout-before-rail', nth: 2 }]],
    refuses: ['payout-before-rail', 'nowhere:1', 'payout-before-rail:0'],
  }),
}

const onDb = (hosts: string, query = '') => `postgresql://user:hidden@${hosts}/recaudo${query}`
// What production does not start with, though staging does: what to say, and the values.
const TOO_WEAK: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  SECRETS_KEY: {
    pattern: [
      '0'.repeat(64),
      Buffer.alloc(32).toString('base64'),
      'ab'.repeat(32),
      '0123456789abcdef'.repeat(4),
      Buffer.from(Array.from({ length: 32 }, (_, index) => 7 * (index % 7))).toString('hex'),
      Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString('hex'),
      Buffer.from(Array.from({ length: 32 }, (_, index) => 200 - index)).toString('hex'),
    ],
  },
  BREB_NOTIFICATION_KEY: {
    'source code': ['staging-only-notification-key'],
    'it has 1 characters, and needs 32': ['x'],
    'it has 31 characters, and needs 32': [randomBytes(16).toString('hex').slice(1)],
    pattern: ['x'.repeat(64), 'secret'.repeat(8), 'abcdefghijklmnopqrstuvwxyz{|}~\x7f\x80\x81'],
  },
  PSE_NOTIFICATION_KEY: {
    'source code': ['staging-only-notification-key'],
    'it has 8 characters, and needs 32': ['password'],
    pattern: ['01'.repeat(32)],
  },
  BREB_NOTIFICATION_KEY_PREVIOUS: { 'it has 1 characters, and needs 32': ['x'] },
  PSE_NOTIFICATION_KEY_PREVIOUS: { 'source code': ['staging-only-notification-key'] },
  BREB_CLIENT_SECRET: { 'source code': ['staging-only-secret'], pattern: ['xxxxxxxx'] },
  PSE_CLIENT_SECRET: { 'source code': ['staging-only-secret'], pattern: ['1234'] },
  METRICS_TOKEN: {
    'it has 1 characters, and needs 16': ['x'],
    'it has 15 characters, and needs 16': ['f3a91c07be52d48'],
    pattern: ['x'.repeat(16), 'metrics!metrics!'],
  },
  NODE_TLS_REJECT_UNAUTHORIZED: { 'pose as a network or as the database': ['0'] },
  DATABASE_URL: {
    'sslmode=verify-full or sslmode=require: what goes to db.example could': [
      onDb('db.example'),
      onDb('db.example:5432', '?sslmode=disable'),
      onDb('db.example', '?sslmode=allow'),
      onDb('db.example', '?sslmode=prefer'),
      onDb('db.example', '?sslmode=no-verify'),
      onDb('db.example', '?sslmode=require&uselibpqcompat=true'),
      onDb('db.example', '?sslmode=disable&ssl=true'),
      onDb('db.example', '?sslmode=require&sslmode=disable'),
      onDb('127.0.0.1', '?host=db.example'),
      onDb('', '?host=/run,db.example'),
      onDb('', '?host=/run&host=db.example'),
      onDb('localhost,db.example', '?target_session_attrs=read-write'),
    ],
    'what goes to db1.example and 10.0.0.7 and ::2 could': [onDb('db1.example:5432,10.0.0.7,[::1],[::2]')],
    'what goes to 127.0.0.1.example could': [onDb('127.0.0.1.example')],
    'what goes to a host that it does not name could': [onDb('')],
  },
}
const STRONG_ENOUGH: Readonly<Record<string, readonly string[]>> = {
  SECRETS_KEY: Array.from({ length: 200 }, () => randomBytes(32).toString('base64')),
  BREB_NOTIFICATION_KEY: [
    ...Array.from({ length: 200 }, () => randomBytes(32).toString('hex')),
    ...Array.from({ length: 200 }, () => randomBytes(24).toString('base64')),
    randomBytes(200).toString('hex'),
  ],
  METRICS_TOKEN: Array.from({ length: 200 }, () => randomBytes(8).toString('hex')),
  NODE_TLS_REJECT_UNAUTHORIZED: ['1', ''],
  DATABASE_URL: [
    ...['require', 'verify-ca', 'verify-full'].map((mode) =>
      onDb('db1.example,db2.example', `?sslmode=${mode}`),
    ),
    onDb('db.example', '?ssl=true'),
    onDb('localhost'),
    onDb('127.0.0.1:5433,[::1]:5434'),
    onDb('', '?host=/run/postgresql'),
    onDb('%2Frun%2Fpostgresql'),
  ],
}

// Set in production, these stop the start, even with a value that staging takes.
const REFUSED_IN_PRODUCTION: Readonly<Record<string, string>> = {
  BOOTSTRAP_API_KEY: 'x'.repeat(16),
  WEBHOOK_ALLOW_PRIVATE: 'true',
  WEBHOOK_RETRY_SECONDS: '1,2',
  CRASH_AT: 'payout-before-rail:1',
  PUBLIC_URL: 'http://api.example',
  CHECKOUT_URL: 'http://pay.example',
  BREB_BASE_URL: 'http://breb.example',
  PSE_BASE_URL: 'http://pse.example',
  OIDC_ISSUER: 'http://127.0.0.1:8080',
}

function inMs(seconds: readonly number[]): number[] {
  return seconds.map((one) => one * 1_000)
}

function mistakesOf(variables: Record<string, string | undefined>): readonly string[] {
  try {
    readConfig(variables)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigMistakes)
    return error.mistakes
  }
}

// The other settings of the same gateway, because staging takes all or none; and the key that comes after the one before.
function besides(name: string): Record<string, string> {
  if (name === 'SECRETS_KEY_PREVIOUS') return { SECRETS_KEY: KEY.toString('hex') }
  const company = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' }
  if (name in company) return company
  if (name.startsWith('OTEL_')) return { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
  if (name === 'SMTP_URL') return { SMTP_FROM: 'pagos@example.com' }
  if (name === 'SMTP_FROM') return { SMTP_URL: 'smtp://mail.internal' }
  const rail = /^(BREB|PSE)_(BASE_URL|CLIENT|NOTIFICATION)/.exec(name)?.[1]
  return Object.fromEntries(Object.entries(PRODUCTION).filter(([one]) => rail && one.startsWith(`${rail}_`)))
}

describe('settings', () => {
  it('each has a row here and in the README', () => {
    const asked = new Set<string>()
    for (const variables of [{}, PRODUCTION]) {
      const watched = new Proxy<Record<string, string>>(variables, {
        get: (target, name) => {
          asked.add(String(name))
          return target[String(name)]
        },
      })
      readConfig(watched)
    }
    assert.deepEqual([...asked].sort(), Object.keys(ROWS).sort())
    const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
    const table = /## Settings\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? ''
    const firstCells = table.split('\n').map((line) => line.split('|')[1] ?? '')
    const named = firstCells.flatMap((cell) =>
      [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => String(name)),
    )
    assert.deepEqual(named.sort(), Object.keys(ROWS).sort())
  })

  for (const [name, row] of Object.entries(ROWS)) {
    it(`${name} has its default in staging and in production`, () => {
      assert.deepEqual(row.value(readConfig({})), row.staging)
      assert.deepEqual(row.value(readConfig({ [name]: ' ' })), row.staging, 'blank is unset')
      const { [name]: _, ...rest } = PRODUCTION
      if (row.production === REQUIRED) {
        assert.deepEqual(mistakesOf(rest), [`${name} is required in production.`])
        assert.deepEqual(mistakesOf({ ...rest, [name]: ' ' }), [`${name} is required in production.`])
        const given = row.value(readConfig(PRODUCTION))
        assert.deepEqual(given instanceof Buffer ? given.toString('hex') : given, PRODUCTION[name])
      } else if (name === 'RECAUDO_ENV') {
        assert.equal(readConfig(PRODUCTION).environment, 'production')
      } else {
        const byDefault = row.production === STAGING_ONLY ? row.staging : row.production
        assert.deepEqual(row.value(readConfig(rest)), byDefault)
      }
    })

    it(`${name} takes what it should, and nothing else`, () => {
      for (const [given, value] of row.takes)
        assert.deepEqual(row.value(readConfig({ ...besides(name), [name]: given })), value, given)
      for (const given of row.refuses) {
        const mistakes = mistakesOf({ ...besides(name), [name]: given })
        assert.equal(mistakes.length, 1, `${given}: ${mistakes.join(' ')}`)
        assert.ok(mistakes[0]?.startsWith(`${name} must be `), given)
      }
    })
  }

  it('a key before needs a key after', () => {
    assert.deepEqual(mistakesOf({ SECRETS_KEY_PREVIOUS: OTHER_KEY.toString('hex') }), [
      'SECRETS_KEY must be set as well: SECRETS_KEY_PREVIOUS is.',
    ])
  })

  it('a mail server needs a sender, and a sender a mail server: otherwise no receipt would leave, and nobody would know', () => {
    assert.deepEqual(mistakesOf({ SMTP_URL: 'smtp://mail.internal' }), [
      'SMTP_FROM must be set as well: SMTP_URL is.',
    ])
    assert.deepEqual(mistakesOf({ SMTP_FROM: 'pagos@example.com' }), [
      'SMTP_URL must be set as well: SMTP_FROM is.',
    ])
  })

  it('production’s mails are encrypted, except on the way to a server on the same machine', () => {
    const isEncrypted = (environment: Record<string, string>, url: string) =>
      readConfig({ ...environment, SMTP_URL: url, SMTP_FROM: 'pagos@example.com' }).smtp?.requiresTls
    const [elsewhere, here] = ['smtp://mail.example', 'smtp://127.0.0.1:25']
    assert.deepEqual(
      [isEncrypted(PRODUCTION, elsewhere), isEncrypted(PRODUCTION, here), isEncrypted({}, elsewhere)],
      [true, false, false],
    )
  })

  for (const [name, value] of Object.entries(REFUSED_IN_PRODUCTION)) {
    it(`${name}=${value} stops production, and not staging`, () => {
      assert.deepEqual(mistakesOf({ ...besides(name), [name]: value }), [])
      const mistakes = mistakesOf({ ...PRODUCTION, ...besides(name), [name]: value })
      assert.equal(mistakes.length, 1)
      assert.ok(mistakes[0]?.startsWith(name), String(mistakes[0]))
    })
  }

  for (const [name, byReason] of Object.entries(TOO_WEAK))
    it(`${name} that protects nothing stops production, and not staging`, () => {
      for (const [reason, values] of Object.entries(byReason)) {
        for (const value of values) {
          assert.deepEqual(mistakesOf({ ...besides(name), [name]: value }), [], value)
          const mistakes = mistakesOf({ ...PRODUCTION, [name]: value })
          assert.equal(mistakes.length, 1, `${value}: ${mistakes.join(' ')}`)
          assert.ok(mistakes[0]?.startsWith(name) && mistakes[0].includes(reason), `${value}: ${mistakes[0]}`)
          assert.ok(!mistakes[0]?.includes('hidden'), 'and no password is repeated')
        }
      }
    })

  for (const [name, values] of Object.entries(STRONG_ENOUGH))
    it(`${name} that protects is taken by production`, () => {
      for (const value of values) assert.deepEqual(mistakesOf({ ...PRODUCTION, [name]: value }), [], value)
    })

  it('everything that protects nothing is told at once', () => {
    const worst = Object.entries(TOO_WEAK).map(([name, byReason]) => [
      name,
      Object.values(byReason)[0]?.[0] ?? '',
    ])
    const mistakes = mistakesOf({ ...PRODUCTION, ...Object.fromEntries(worst) })
    const named = mistakes.map((mistake) => /^[A-Z_]+/.exec(mistake)?.[0])
    assert.deepEqual(named.sort(), Object.keys(TOO_WEAK).sort())
  })

  for (const [whatToChange, urls] of Object.entries(WRONG_DATABASE_URLS))
    it(`DATABASE_URL must be an address ${whatToChange}`, () => {
      for (const url of urls)
        assert.deepEqual(
          mistakesOf({ DATABASE_URL: url }),
          [`DATABASE_URL must be an address ${whatToChange}.`],
          url,
        )
    })

  it('all mistakes are told at once, and no secret is repeated', () => {
    const secret = 'mysql://user:hidden@db.example/name'
    const mistakes = mistakesOf({ RECAUDO_ENV: 'production', PORT: '0', DATABASE_URL: secret })
    const named = mistakes.map((mistake) => mistake.split(' ')[0]).sort()
    const missing = Object.keys(PRODUCTION).filter((name) => !['RECAUDO_ENV', 'DATABASE_URL'].includes(name))
    assert.deepEqual(named, [...missing, 'DATABASE_URL', 'PORT'].sort())
    assert.ok(!mistakes.join('\n').includes('hidden'))
    for (const [name, value] of Object.entries({
      BOOTSTRAP_API_KEY: 'hidden',
      SMTP_URL: 'http://user:hidden@mail.example',
      WEBHOOK_PROXY: 'ftp://user:hidden@proxy.example',
    })) {
      const said = mistakesOf({ ...besides(name), [name]: value })
      assert.equal(said.length, 1)
      assert.ok(said[0]?.startsWith(name) && !said[0].includes('hidden'), name)
    }
  })

  it('production has no simulated network and no simulated credential, whatever is set', () => {
    const config = readConfig({
      ...PRODUCTION,
      SANDBOX_PORT: '4001',
      SANDBOX_DELAY_MS: '1',
      SANDBOX_SEED: '2',
      SANDBOX_SHARED_CLOCK: 'true',
    })
    assert.equal(config.sandbox, null)
    assert.ok(!JSON.stringify([config.breb, config.pse]).includes('staging'))
    const mixed = { ...besides('BREB_CLIENT_ID') }
    assert.equal(readConfig(mixed).sandbox, null, 'nor has staging with a real gateway')
    const { BREB_CLIENT_SECRET: _, ...partial } = mixed
    assert.deepEqual(mistakesOf(partial), ['BREB_CLIENT_SECRET must be set as well: BREB_BASE_URL is.'])
  })

  it('production needs the credentials of the networks that the installation has, and of no other', () => {
    const without = (...rails: string[]) =>
      Object.fromEntries(
        Object.entries(PRODUCTION).filter(([name]) => !rails.some((rail) => name.startsWith(`${rail}_`))),
      )
    const required = (rail: string) =>
      ['BASE_URL', 'CLIENT_ID', 'CLIENT_SECRET', 'NOTIFICATION_KEY'].map(
        (name) => `${rail}_${name} is required in production.`,
      )
    assert.deepEqual(mistakesOf({ ...without('BREB', 'PSE'), INSTALLATION_RAILS: 'none' }), [])
    assert.deepEqual(mistakesOf({ ...without('PSE'), INSTALLATION_RAILS: 'BRE_B' }), [])
    assert.deepEqual(mistakesOf({ ...without('BREB'), INSTALLATION_RAILS: 'PSE' }), [])
    assert.deepEqual(mistakesOf(without('PSE')), required('PSE'))
    assert.deepEqual(mistakesOf({ ...without('BREB', 'PSE'), INSTALLATION_RAILS: 'PSE' }), required('PSE'))
  })

  it('the address follows host and port, and can be reached', () => {
    assert.equal(readConfig({ HOST: '0.0.0.0', PORT: '80' }).publicUrl, 'http://127.0.0.1:80')
    assert.equal(readConfig({ HOST: '::', PORT: '80' }).publicUrl, 'http://127.0.0.1:80')
    assert.equal(readConfig({ HOST: '::1', PORT: '80' }).publicUrl, 'http://[::1]:80')
    assert.equal(readConfig({ SANDBOX_PORT: '5001' }).pse.baseUrl, 'http://127.0.0.1:5001/pse')
  })
})
