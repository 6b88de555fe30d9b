// The context of a test: its own database (a clone of the migrated template, on a Citus cluster if TEST_CITUS_URL names one), a clock that is moved by hand, ids, the
// service built as in production, and a client. Everything is real except the time.

import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import pino, { type Logger } from 'pino'
import { type Dispatcher, request } from 'undici'
import { type Config, readConfig } from '../src/config.ts'
import type { Organization } from '../src/core/organizations/organization.ts'
import type { Scope } from '../src/core/organizations/scope.ts'
import { createOrganization } from '../src/flows/organizations/create.ts'
import { issueApiKey, issueOAuthClient } from '../src/flows/organizations/issue-credential.ts'
import type { Limits } from '../src/rails/limits.ts'
import { type FaultPlan, NO_FAULTS } from '../src/sandbox/faults.ts'
import { type Sandbox, startSandbox } from '../src/sandbox/server.ts'
import {
  type Api,
  createApi,
  createContext,
  createDeliveryWorkerOptions,
  createMetrics,
  type ServiceContext,
} from '../src/service.ts'
import { type Db, openDb } from '../src/store/db.ts'
import { verifyLedger } from '../src/store/ledger/verify.ts'
import type { ExportLimits } from '../src/tracing/exporter.ts'
import { openTracing } from '../src/tracing/open-tracing.ts'
import type { Lookup } from '../src/webhooks/name-lookup.ts'
import { runAllDue } from '../src/workers/start.ts'
import { citusUrl, cloneCitusTemplate, dropCitusDatabase } from './citus.ts'
import { declareDistributed } from './declared-distributed.ts'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'
import './this-machine-only.ts'

export { eventually }

export type Answer = {
  status: number
  headers: Record<string, string>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not there
  json: any
}

export type Client = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>

export type World = {
  db: Db
  databaseUrl: string
  ctx: ServiceContext
  api: Api
  config: Config
  baseUrl: string
  organization: Organization
  apiKey: string
  // Authenticated as `organization` by API key.
  client: Client
  // Sends the given headers and nothing else.
  anonymous: Client
  // Another organization with its own key, and a client for it.
  newMerchant: (
    scopes?: Scope[] | null,
  ) => Promise<{ organization: Organization; apiKey: string; client: Client }>
  // Another key of the same organization.
  key: (scopes: Scope[] | null) => Promise<{ apiKey: string; client: Client; apiKeyId: string }>
  oauthClient: (organization?: Organization) => Promise<{ clientId: string; secret: string }>
  // Moves the service's clock forward, and only that.
  advance: (ms: number) => void
  // The simulated networks, with their own clock and storage.
  sandbox: Sandbox
  // Does everything that is due now, as the workers would.
  work: () => Promise<void>
  // Time passes for us and for the networks, and whatever becomes due on either side is done.
  passTime: (ms: number) => Promise<void>
  logLines: () => Record<string, unknown>[]
  [Symbol.asyncDispose](): Promise<void>
}

export type WorldOptions = {
  env?: Record<string, string>
  timeouts?: { headersMs: number; requestMs: number }
  // A slow machine is not a hanging database: tests have more time for a statement and a connection, unless they say otherwise.
  statementTimeoutMs?: number
  connectTimeoutMs?: number
  // The way to the database, such as through a proxy that can stand still.
  databaseVia?: (url: string) => Promise<string>
  // With a delay, the networks' time runs by itself and outcomes come that long after the order. Without one, it stands
  // still until the test moves it, however slow the machine.
  sandbox?: { delayMs?: number; seed?: number; faults?: FaultPlan }
  // A network that hangs costs real time, so a test of one has shorter deadlines.
  railLimits?: Partial<Limits>
  // The service is told that its database is spread over machines, and takes the statements that it has for many.
  isDeclaredDistributed?: boolean
  // Where env names a collector of traces.
  exportLimits?: Partial<ExportLimits>
}

const PATIENCE_MS = 20_000

// The server that test/run.ts started, with the template in it.
export function testServerUrl(): string {
  const url = process.env.TEST_DATABASE_URL
  if (url === undefined)
    throw new Error(
      'TEST_DATABASE_URL is not set: run the tests by `npm test` or `node test/run.ts <files>`.',
    )
  return url
}

export const TEMPLATE_DATABASE = 'recaudo_test_template'

export async function createDatabase(
  template: string | null = TEMPLATE_DATABASE,
): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  if (template === TEMPLATE_DATABASE && citusUrl() !== undefined)
    return { url: await cloneCitusTemplate(name), drop: () => dropCitusDatabase(name) }
  await onServer(`create database ${name}${template === null ? '' : ` template ${template}`}`)
  return {
    url: databaseUrl(name),
    drop: () => onServer(`drop database if exists ${name} with (force)`),
  }
}

// Edits the string, because URL refuses the address of a server on a unix socket, which has no host.
export function databaseUrl(name: string): string {
  return testServerUrl().replace(/^(\w+:\/\/[^/]*\/)[^?]*/, `$1${name}`)
}

export async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: testServerUrl() })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const database = await createDatabase()
  if (options.isDeclaredDistributed) await declareDistributed(database.url)
  const port = await freePort()
  const sandboxPort = await freePort()
  const config = readConfig({
    LOG_LEVEL: 'info',
    RATE_LIMIT_PER_SECOND: '0',
    // A world has organizations as it needs them, and one clock.
    ...(options.env?.RECAUDO_ENV !== 'production' && { SANDBOX_SHARED_CLOCK: 'true' }),
    // Each connection costs PostgreSQL more than what most tests ask of it.
    DATABASE_POOL: '3',
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    ...options.env,
    DATABASE_URL: database.url,
  })
  const url = (await options.databaseVia?.(database.url)) ?? database.url
  const { statementTimeoutMs = PATIENCE_MS, connectTimeoutMs = PATIENCE_MS } = options
  const db = openDb({ url, poolSize: config.databasePool, statementTimeoutMs, connectTimeoutMs })
  let offsetMs = 0
  const metrics = createMetrics()
  const tracer = openTracing(config.tracing, 'test', metrics.countSpans, options.exportLimits)
  const ctx = createContext(config, db, [config.secretsKey ?? randomBytes(32)], metrics, {
    baseNow: () => Date.now() + offsetMs,
    ...(options.railLimits !== undefined && { railLimits: options.railLimits }),
    lookup: lookupOnThisMachine,
    tracer,
  })
  const logged: string[] = []
  const startedAt = Date.now()
  const api = await createApi(config, ctx, memoryLog(logged), metrics, options.timeouts)
  await api.app.listen({ host: '127.0.0.1', port })
  const sandbox = await startSandbox({
    host: '127.0.0.1',
    port: sandboxPort,
    storageFile: ':memory:',
    notifyUrl: {
      breb: `http://127.0.0.1:${port}/notifications/breb`,
      pse: `http://127.0.0.1:${port}/notifications/pse`,
    },
    credentials: { breb: config.breb, pse: config.pse },
    delayMs: options.sandbox?.delayMs ?? 1_000,
    now: options.sandbox?.delayMs === undefined ? () => startedAt : Date.now,
    seed: options.sandbox?.seed ?? 1,
    faults: options.sandbox?.faults ?? NO_FAULTS,
  })
  const baseUrl = `http://127.0.0.1:${port}`

  const log = memoryLog(logged)
  const delivering = createDeliveryWorkerOptions(config, metrics, lookupOnThisMachine)
  const work = () => runAllDue(ctx, log, delivering)
  const anonymous = clientOf(baseUrl, {})
  const newKey = async (organization: Organization, scopes: Scope[] | null) => {
    const request = { organizationId: organization.organizationId, name: 'test', scopes, expiresAt: null }
    const issued = await issueApiKey(ctx, request)
    if (issued === undefined) throw new Error('no key')
    const { secret, apiKey } = issued
    return { apiKey: secret, apiKeyId: apiKey.apiKeyId, client: clientOf(baseUrl, { 'x-api-key': secret }) }
  }
  const newMerchant = async (scopes: Scope[] | null) => {
    const organization = await createOrganization(ctx, 'Café La Palma')
    return { organization, ...(await newKey(organization, scopes)) }
  }
  const { organization, apiKey, client } = await newMerchant(null)

  return {
    db,
    databaseUrl: database.url,
    ctx,
    api,
    config,
    baseUrl,
    organization,
    apiKey,
    client,
    anonymous,
    newMerchant: (scopes = null) => newMerchant(scopes),
    key: (scopes) => newKey(organization, scopes),
    oauthClient: async (owner = organization) => {
      const request = { organizationId: owner.organizationId, name: 'test', scopes: null }
      const { secret, client: made } = await issueOAuthClient(ctx, request)
      return { clientId: made.clientId, secret }
    },
    advance: (ms) => {
      offsetMs += ms
    },
    sandbox,
    work,
    passTime: async (ms) => {
      await work()
      offsetMs += ms
      await sandbox.advance(ms)
      await work()
    },
    logLines: () => logged.map((line) => JSON.parse(line) as Record<string, unknown>),
    // The ledger is verified after every test file, whatever it was about.
    async [Symbol.asyncDispose]() {
      const findings = await verifyLedger(db).catch((error: Error) => [error.message])
      await sandbox[Symbol.asyncDispose]()
      await ctx.networks.close()
      await delivering.sender.close()
      await api.close()
      await tracer?.close()
      await db.close()
      await database.drop()
      if (findings.length > 0) throw new Error(`the books do not hold: ${JSON.stringify(findings)}`)
    },
  }
}

function memoryLog(lines: string[]): Logger {
  return pino({ level: 'info', base: null }, { write: (line: string) => lines.push(line) })
}

export function clientOf(baseUrl: string, always: Record<string, string>): Client {
  return async (method, path, body, headers = {}) => {
    const raw = typeof body === 'string' || body instanceof Uint8Array
    const response = await request(baseUrl + path, {
      method: method as Dispatcher.HttpMethod,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...always, ...headers },
      ...(body !== undefined && { body: raw ? (body as string) : JSON.stringify(body) }),
    })
    const text = await response.body.text()
    const received = Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, String([value].flat().at(-1))]),
    )
    const isJson = /^application\/json/.test(received['content-type'] ?? '') && text !== ''
    return {
      status: response.statusCode,
      headers: received,
      text,
      json: isJson ? JSON.parse(text) : undefined,
    }
  }
}

let count = 0

// Bodies that are accepted unchanged, each with its own reference.
export function brebPayin(changes: Record<string, unknown> = {}): Record<string, unknown> {
  count += 1
  return {
    amountInCents: 5_000_000,
    currency: 'COP',
    rail: 'BRE_B',
    reference: `ref-${process.pid}-${count}`,
    inlineCustomer: CUSTOMER,
    breb: { keyType: 'SINGLE_USE' },
    ...changes,
  }
}

export function psePayin(changes: Record<string, unknown> = {}): Record<string, unknown> {
  const { breb: _, ...rest } = brebPayin()
  return { ...rest, rail: 'PSE', pse: { bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' }, ...changes }
}

export const CUSTOMER = {
  name: 'Ana María Gómez',
  idType: 'CO_CC',
  idNumber: '1000000001',
  phone: '+573001234567',
  email: 'ana@example.com',
}

// Resolves without a name server.
const lookupOnThisMachine: Lookup = async (hostname) => {
  if (hostname === 'localhost') return ['127.0.0.1', '::1']
  throw new Error(`${hostname} is not on this machine`)
}

// The simulated network says how a payin ends, and what it says has arrived and was applied.
export async function endPayin(
  world: World,
  client: Client,
  payinId: string,
  outcome: string,
): Promise<void> {
  await world.work()
  const told = await client('POST', `/sandbox/payins/${payinId}/simulate`, { outcome })
  if (told.status !== 200) throw new Error(told.text)
  const isOver = (payin: { status: string; chargebackAt: string | null }): boolean =>
    outcome === 'chargeback' ? payin.chargebackAt !== null : payin.status !== 'PROCESSING'
  await eventually(async () => {
    await world.work()
    return (await client('GET', `/payins/${payinId}`)).json
  }, isOver)
}
