// A world whose organization is connected to simulated providers, over HTTP in both directions. Time passes for all of them together.

import assert from 'node:assert/strict'
import type { Provider } from '../../src/core/connections/provider.ts'
import { confirmPayer } from '../../src/flows/payins/payer-actions.ts'
import { type FaultPlan, NO_FAULTS } from '../../src/sandbox/faults.ts'
import { PROVIDERS } from '../../src/sandbox/providers/providers.ts'
import { type SimulatedProvider, startProvider } from '../../src/sandbox/providers/server.ts'
import type { SimulatorName } from '../sandbox/providers/books.ts'
import { type Client, createWorld, type World } from '../world.ts'

export const DELAY_MS = 2_000
const DEPOSIT = 10_000_000_000
const RAIL_LIMITS = { submitMs: 400, queryMs: 400, lookUpMs: 400, tokenMs: 2_000, pauseToMs: 20, breakMs: 30 }

export type ConnectedWorld = World & {
  simulators: Partial<Record<SimulatorName, SimulatedProvider>>
  connect: (provider: Provider, client?: Client, changes?: ConnectionChanges) => Promise<string>
  faults: (plan: FaultPlan) => Promise<void>
  pass: (ms: number) => Promise<void>
  // A PSE payer opens our page, accepts the terms and goes on.
  payerGoesOn: (payinId: string, organizationId?: string) => Promise<void>
}

type ConnectionChanges = { credentials?: Record<string, string>; [field: string]: unknown }

export type ConnectedWorldOptions = {
  seed?: number
  faults?: FaultPlan
  env?: Record<string, string>
  // The simulators' time. Without it, theirs stands still until it is moved.
  now?: () => number
}

const SIMULATORS: Readonly<Record<Provider, readonly SimulatorName[]>> = {
  mono: ['mono'],
  wompi: ['wompi', 'wompi-payouts'],
  placetopay: ['placetopay'],
}

export async function createConnectedWorld(
  providers: readonly Provider[],
  { seed = 1, faults = NO_FAULTS, env = {}, now }: ConnectedWorldOptions = {},
): Promise<ConnectedWorld> {
  const world = await createWorld({ railLimits: RAIL_LIMITS, env })
  const disposeWorld = world[Symbol.asyncDispose].bind(world)
  const startedAt = Date.now()
  const simulators: ConnectedWorld['simulators'] = {}
  const notifyUrls = new Map<SimulatorName, string>()
  for (const name of providers.flatMap((provider) => SIMULATORS[provider]))
    simulators[name] = await startProvider(PROVIDERS[name] as never, {
      host: '127.0.0.1',
      port: 0,
      storageFile: ':memory:',
      notifyUrl: () => notifyUrls.get(name) ?? null,
      delayMs: DELAY_MS,
      seed,
      faults,
      now: now ?? (() => startedAt),
    })
  const urlOf = (name: SimulatorName) => simulators[name]?.url ?? ''
  const credentialsFor = (provider: Provider): Record<string, string> => ({
    ...Object.assign({}, ...SIMULATORS[provider].map((name) => PROVIDERS[name]?.credentials)),
    ...(provider === 'wompi'
      ? { paymentsUrl: `${urlOf('wompi')}/v1`, payoutsUrl: urlOf('wompi-payouts') }
      : { url: urlOf(provider) }),
  })

  return Object.assign(world, {
    simulators,
    connect: async (
      provider: Provider,
      client = world.client,
      { credentials: others, ...changes }: ConnectionChanges = {},
    ) => {
      const uses = { mono: ['BRE_B_IN', 'BRE_B_OUT'], wompi: ['PSE_IN', 'BRE_B_OUT'], placetopay: ['PSE_IN'] }
      const answer = await client('POST', '/connections', {
        name: provider,
        provider,
        environment: 'test',
        uses: uses[provider],
        credentials: { ...credentialsFor(provider), ...others },
        ...changes,
      })
      assert.equal(answer.status, 201, answer.text)
      for (const name of SIMULATORS[provider]) notifyUrls.set(name, answer.json.notificationUrl)
      // Payouts over it are paid from what lies there.
      const deposit = { amountInCents: DEPOSIT, reference: `deposit at ${provider}` }
      const deposited = await client('POST', `/connections/${answer.json.id}/deposits`, deposit)
      assert.equal(deposited.status, 201, deposited.text)
      return answer.json.id as string
    },
    faults: async (plan: FaultPlan) => {
      for (const simulator of Object.values(simulators)) await changeFaults(simulator, plan)
    },
    pass: async (ms: number) => {
      await world.work()
      world.advance(ms)
      await Promise.all(Object.values(simulators).map((simulator) => simulator.advance(ms)))
      await world.work()
    },
    payerGoesOn: async (payinId: string, organizationId = world.organization.organizationId) => {
      const payin = await world.ctx.batched.getPayin({ organizationId, payinId })
      assert.ok(payin?.connection, 'the payin goes over a connection')
      const { connectionId } = payin.connection
      const rails = await world.ctx.networks.connected({ organizationId, connectionId })
      let links: string[] = []
      if (rails?.terms) {
        const terms = await rails.terms()
        // The page says that the bank cannot be reached, and the payer tries again later.
        if (terms.outcome !== 'accepted') return
        links = terms.value.map(({ url }) => url)
      }
      const device = { ipAddress: '203.0.113.7', userAgent: 'Mozilla/5.0' }
      await confirmPayer(world.ctx, payin, null, { acceptedTerms: links, device })
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(Object.values(simulators).map((simulator) => simulator[Symbol.asyncDispose]()))
      await disposeWorld()
    },
  })
}

async function changeFaults({ url }: SimulatedProvider, plan: FaultPlan): Promise<void> {
  const answer = await fetch(`${url}/control/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ plan }),
  })
  assert.equal(answer.status, 200, await answer.text())
}
