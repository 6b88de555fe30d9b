// A world whose merchants have connections. Their provider answers what the test sets, and records what it was asked.

import assert from 'node:assert/strict'
import type { Route } from '../../src/core/connections/connection.ts'
import type { Provider } from '../../src/core/connections/provider.ts'
import { sealCredentials } from '../../src/flows/connections/credentials.ts'
import type {
  OpenedPayin,
  PayinOrder,
  PayinRail,
  PaymentHandle,
  ProviderRails,
  RailAnswer,
  RailPayinStatus,
  Terms,
} from '../../src/rails/rail.ts'
import {
  type ConnectionAddress,
  getConnection,
  insertConnection,
} from '../../src/store/connections/connections.ts'
import { updateRoutes } from '../../src/store/organizations/organizations.ts'
import type { World } from '../world.ts'

export type FakeProvider = {
  connectionId: string
  // Null: it does not answer.
  terms: readonly Terms[] | null
  banks: readonly string[] | null
  // What a payer needs, when the order comes and whenever we ask later.
  instructions: Partial<OpenedPayin['instructions']>
  isAway: boolean
  // Orders by other terms than it has are not taken.
  checksTerms: boolean
  refused: Set<string>
  // What was asked of it.
  orders: PayinOrder[]
  termsAsked: number
  banksAsked: number
  // The orders that it was asked to end.
  ended: string[]
}

const NOT_FOUND = {
  state: 'ended',
  how: 'not-found',
  reason: 'EXPIRED',
  networkCode: 'NOT_FOUND',
} as const
const SILENT = { outcome: 'unknown', kind: 'timeout', why: 'no answer' } as const

export function termsOf(name: string): Terms[] {
  return [
    { kind: 'conditions', url: `https://${name}.example/terminos.pdf` },
    { kind: 'personal-data', url: `https://${name}.example/datos.pdf` },
  ]
}

// Connections are kept for each organization, in the order in which they were made.
export function connectionsOf(world: World) {
  const fakes = new Map<string, FakeProvider>()
  const routes = new Map<string, Route[]>()
  const keyOf = ({ organizationId, connectionId }: ConnectionAddress) => `${organizationId} ${connectionId}`
  Object.assign(world.ctx.networks, {
    connected: async (address: ConnectionAddress) => {
      const fake = fakes.get(keyOf(address))
      return fake && railsOf(fake)
    },
    isConnectionAway: (address: ConnectionAddress) => fakes.get(keyOf(address))?.isAway ?? false,
  })

  return {
    async connect(
      provider: Provider,
      changes: Partial<Route> = {},
      { organizationId } = world.organization,
    ): Promise<FakeProvider> {
      const connectionId = changes.connectionId ?? world.ctx.ids.next()
      const fake: FakeProvider = {
        connectionId,
        terms: termsOf(provider),
        banks: ['1007', '1051'],
        instructions: { pageUrl: 'https://bank.example/session' },
        isAway: false,
        checksTerms: false,
        refused: new Set(),
        orders: [],
        termsAsked: 0,
        banksAsked: 0,
        ended: [],
      }
      const route: Route = {
        connectionId,
        provider,
        uses: ['PSE_IN'],
        minimumInCents: 1n,
        maximumInCents: null,
        namesKeys: false,
        ...changes,
      }
      fakes.set(keyOf({ organizationId, connectionId }), fake)
      await insertRow(world, organizationId, route)
      const all = [...(routes.get(organizationId) ?? []), route]
      routes.set(organizationId, all)
      await setRoutes(world, organizationId, all)
      return fake
    },
    // The organization's connections take no new payments.
    async disconnect({ organizationId } = world.organization): Promise<void> {
      routes.delete(organizationId)
      await setRoutes(world, organizationId, [])
    },
  }
}

// Payments are written only with connections that are there.
async function insertRow(world: World, organizationId: string, route: Route): Promise<void> {
  const { connectionId, provider, uses, maximumInCents } = route
  if ((await getConnection(world.db, { organizationId, connectionId })) !== undefined) return
  const now = world.ctx.clock.now()
  await insertConnection(world.db, {
    organizationId,
    connectionId,
    version: 1,
    name: provider,
    provider,
    environment: 'test',
    uses,
    priority: 1,
    minimumInCents: null,
    maximumInCents,
    enabled: true,
    credentials: sealCredentials(world.ctx, connectionId, {}),
    previousCredentials: null,
    previousUntil: null,
    createdAt: now,
    updatedAt: now,
  })
}

async function setRoutes(world: World, organizationId: string, routes: readonly Route[]): Promise<void> {
  await updateRoutes(world.db, organizationId, routes)
  world.ctx.signals.workAdded('settings', organizationId)
}

function railsOf(fake: FakeProvider): ProviderRails {
  const opened = (): OpenedPayin => ({
    providerId: 'P-1',
    traceId: null,
    instructions: { keyString: null, qrPayload: null, pageUrl: null, isReady: true, ...fake.instructions },
  })
  const status = async ({ reference }: PaymentHandle): Promise<RailAnswer<RailPayinStatus, never>> => ({
    outcome: 'accepted',
    value: fake.refused.has(reference) ? NOT_FOUND : { state: 'open', opened: opened() },
  })
  const payins: PayinRail = {
    submit: async (order) => {
      fake.orders.push(order)
      const isAccepted = (fake.terms ?? []).every(({ url }) => order.acceptedTerms.includes(url))
      fake.refused.delete(order.reference)
      if (fake.checksTerms && !isAccepted) {
        fake.refused.add(order.reference)
        return { outcome: 'rejected', reason: 'RAIL_ERROR', networkCode: 'OTHER_TERMS', hasNewTerms: true }
      }
      return { outcome: 'accepted', value: opened() }
    },
    query: status,
    cancel: async ({ reference }) => {
      fake.ended.push(reference)
      return {
        outcome: 'accepted',
        value: { state: 'ended', how: 'canceled', reason: 'CANCELED_BY_MERCHANT', networkCode: 'X' },
      }
    },
    returnPayment: null,
  }
  return {
    payins: { BRE_B: payins, PSE: payins },
    payouts: null,
    directory: null,
    banks: async () => {
      fake.banksAsked += 1
      if (fake.banks === null) return SILENT
      return { outcome: 'accepted', value: fake.banks.map((code) => ({ code, name: `Banco ${code}` })) }
    },
    terms: async () => {
      fake.termsAsked += 1
      return fake.terms === null ? SILENT : { outcome: 'accepted', value: fake.terms }
    },
    statement: {},
    isAway: () => fake.isAway,
    check: async () => [],
    readHint: () => undefined,
    close: async () => {},
  }
}

export const PAYER = {
  name: 'Ana María Gómez',
  idType: 'CO_CC',
  idNumber: '1000000007',
  phone: '3001234567',
  email: 'ana@example.com',
}
export const BROWSER = 'Mozilla/5.0 (Linux; Android 9) Chrome/120.0'
export const ADDRESS = '203.0.113.7'

export type Answered = { status: number; location: string | null; text: string; headers: Headers }

// A payer's browser, behind the proxy that stands beside the service.
export function payerOf(world: World, headers: Record<string, string> = {}) {
  const always = {
    'accept-language': 'es',
    'user-agent': BROWSER,
    'x-forwarded-for': ADDRESS,
    ...headers,
  }
  const answered = async (answer: Response): Promise<Answered> => ({
    status: answer.status,
    location: answer.headers.get('location'),
    text: withoutOurs(await answer.text()),
    headers: answer.headers,
  })
  return {
    read: async (path: string) => answered(await fetch(world.baseUrl + path, { headers: always })),
    send: async (path: string, fields: Record<string, string> = {}) =>
      answered(
        await fetch(world.baseUrl + path, {
          method: 'POST',
          headers: always,
          body: new URLSearchParams(fields),
          redirect: 'manual',
        }),
      ),
  }
}

// Style and script are the same on every page and mention elements that a page may not have.
function withoutOurs(text: string): string {
  return text.replaceAll(/<(style|script type)[\s\S]*?<\/(style|script)>/g, '')
}

/** What the form of a page says that its payer was shown; undefined if it asks for nothing. */
export function digestIn(text: string): string | undefined {
  return /<input type="checkbox" id="terms" name="terms" value="([\w-]{22})" required/.exec(text)?.[1]
}

export function linksIn(text: string): string[] {
  return [...text.matchAll(/<a href="([^"]+)" target="_blank" rel="noopener">/g)].map(
    ([, url]) => url as string,
  )
}

/** Names of what the form asks for. */
export function asksIn(text: string): string[] {
  return [...text.matchAll(/<(?:input|select)[^>]* name="(\w+)"/g)].map(([, name]) => name as string)
}

export async function rowOf(world: World, payinId: string): Promise<PayinColumns> {
  const { rows } = await world.db.query<PayinColumns>({
    text: `select status, rail_stage, customer, accepted_terms, payer_device, lease_token, due_at, expires_at, key_string,
                  connection_id
             from payins where payin_id = $1`,
    values: [payinId],
  })
  assert.ok(rows[0])
  return rows[0]
}

export type PayinColumns = {
  status: string
  rail_stage: string
  customer: { sealed: string } | null
  accepted_terms: string[] | null
  payer_device: { sealed: string } | null
  lease_token: string | null
  due_at: number | null
  expires_at: number
  key_string: string | null
  connection_id: string | null
}
