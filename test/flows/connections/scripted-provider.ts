// A provider whose every answer the test decides, behind a connection of the world's organization.

import assert from 'node:assert/strict'
import type { Route } from '../../../src/core/connections/connection.ts'
import type { Use } from '../../../src/core/connections/provider.ts'
import type { StatementLine, UnreadableLine } from '../../../src/core/connections/statement.ts'
import { sealCredentials } from '../../../src/flows/connections/credentials.ts'
import type {
  Directory,
  OpenedPayin,
  PayinOrder,
  PaymentHandle,
  PayoutOrder,
  ProviderRails,
  RailAnswer,
  RailPayinStatus,
  RailPayoutStatus,
} from '../../../src/rails/rail.ts'
import { insertConnection } from '../../../src/store/connections/connections.ts'
import { updateRoutes } from '../../../src/store/organizations/organizations.ts'
import type { World } from '../../world.ts'

type PayinAnswer = RailAnswer<RailPayinStatus, 'RAIL_ERROR'>
type PayoutAnswer = RailAnswer<RailPayoutStatus, 'RAIL_ERROR'>

export type ScriptedProvider = {
  connectionId: string
  // Every call in order, with the reference it named.
  calls: string[]
  orders: (PayinOrder | PayoutOrder)[]
  submitPayin: (order: PayinOrder) => RailAnswer<OpenedPayin, 'RAIL_ERROR'>
  payin: (handle: PaymentHandle) => PayinAnswer
  submitPayout: (order: PayoutOrder) => PayoutAnswer
  payout: (handle: PaymentHandle) => PayoutAnswer
  directory: Directory | null
  // What its list shows, page by page. Undefined: it does not answer.
  pages: readonly (readonly StatementLine[])[] | undefined
  // What each page has that cannot be read.
  unreadable: readonly UnreadableLine[]
  resendAfterMs: number
  isAway: boolean
}

export const accepted = <Value>(value: Value) => ({ outcome: 'accepted', value }) as const
export const silence = { outcome: 'unknown', kind: 'timeout', why: 'no answer within the deadline' } as const
export const notFound = accepted({
  state: 'ended',
  how: 'not-found',
  reason: 'EXPIRED',
  networkCode: 'NOT_FOUND',
} as const)

export function openedPayin(
  changes: Partial<OpenedPayin['instructions']> = {},
  providerId = 'P-1',
): OpenedPayin {
  return {
    providerId,
    traceId: null,
    instructions: { keyString: null, qrPayload: null, pageUrl: null, isReady: true, ...changes },
  }
}

export async function connect(
  world: World,
  { uses = ['BRE_B_IN', 'BRE_B_OUT', 'PSE_IN'], ...rest }: Partial<Route> = {},
): Promise<ScriptedProvider> {
  const connectionId = world.ctx.ids.next()
  const { organizationId } = world.organization
  const now = world.ctx.clock.now()
  const script: ScriptedProvider = {
    connectionId,
    calls: [],
    orders: [],
    submitPayin: () => accepted(openedPayin()),
    payin: () => accepted({ state: 'open', opened: openedPayin() }),
    submitPayout: () => accepted({ state: 'processing' }),
    payout: () => accepted({ state: 'processing' }),
    directory: null,
    pages: [[]],
    unreadable: [],
    resendAfterMs: 0,
    isAway: false,
  }
  const route: Route = {
    connectionId,
    provider: 'mono',
    uses,
    minimumInCents: 1n,
    maximumInCents: null,
    namesKeys: false,
    ...rest,
  }
  const routes = routesOf(world)
  routes.push(route)
  await world.db.inTransaction(async (tx) => {
    await insertConnection(tx, {
      organizationId,
      connectionId,
      version: 1,
      name: 'Scripted',
      provider: route.provider,
      environment: 'test',
      uses,
      priority: routes.length,
      minimumInCents: null,
      maximumInCents: route.maximumInCents,
      enabled: true,
      credentials: sealCredentials(world.ctx, connectionId, { clientId: 'scripted' }),
      previousCredentials: null,
      previousUntil: null,
      createdAt: now,
      updatedAt: now,
    })
    await updateRoutes(tx, organizationId, routes)
  })
  scriptsOf(world).set(connectionId, script)
  world.ctx.signals.workAdded('settings', organizationId)
  return script
}

const routesByWorld = new WeakMap<World, Route[]>()
const scriptsByWorld = new WeakMap<World, Map<string, ScriptedProvider>>()

function routesOf(world: World): Route[] {
  const routes = routesByWorld.get(world) ?? []
  routesByWorld.set(world, routes)
  return routes
}

function scriptsOf(world: World): Map<string, ScriptedProvider> {
  const known = scriptsByWorld.get(world)
  if (known !== undefined) return known
  const scripts = new Map<string, ScriptedProvider>()
  scriptsByWorld.set(world, scripts)
  Object.assign(world.ctx.networks, {
    connected: async ({ connectionId }: { connectionId: string }) => {
      const script = scripts.get(connectionId)
      return script && railsOf(script)
    },
    isConnectionAway: ({ connectionId }: { connectionId: string }, _use: Use) =>
      scripts.get(connectionId)?.isAway ?? false,
  })
  return scripts
}

function railsOf(script: ScriptedProvider): ProviderRails {
  const noted =
    <Subject extends { reference: string }, Answer>(name: string, answer: (subject: Subject) => Answer) =>
    async (subject: Subject): Promise<Answer> => {
      script.calls.push(name)
      return answer(subject)
    }
  const payins = {
    submit: noted('submit payin', (order: PayinOrder) => {
      script.orders.push(order)
      return script.submitPayin(order)
    }),
    query: noted('query payin', (handle: PaymentHandle) => script.payin(handle)),
    cancel: noted('cancel payin', (handle: PaymentHandle) => script.payin(handle)),
    returnPayment: null,
  }
  return {
    payins: { BRE_B: payins, PSE: payins },
    payouts: {
      submit: noted('submit payout', (order: PayoutOrder) => {
        script.orders.push(order)
        return script.submitPayout(order)
      }),
      query: noted('query payout', (handle: PaymentHandle) => script.payout(handle)),
      resendAfterMs: script.resendAfterMs,
    },
    directory: script.directory,
    banks: null,
    terms: null,
    statement: {
      BRE_B: async (from, to, cursor) => {
        assert.ok(from < to, 'a day ends after it begins')
        const page = Number(cursor ?? 0)
        if (script.pages === undefined) return silence
        const nextCursor = page + 1 < script.pages.length ? String(page + 1) : null
        const lines = (script.pages[page] ?? []).filter(({ occurredAt: at }) => from <= at && at < to)
        return accepted({ lines, unreadable: script.unreadable, nextCursor, complete: true })
      },
    },
    isAway: () => script.isAway,
    check: async () => [],
    readHint: () => undefined,
    close: async () => {},
  }
}
