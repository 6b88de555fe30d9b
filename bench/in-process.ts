// The service's inside without HTTP, for questions about what happens after a request: a context on the bench's database,
// with networks that answer at once. What they cost is not ours.

import { readConfig } from '../src/config.ts'
import { createContext, type ServiceContext } from '../src/context.ts'
import type { Organization } from '../src/core/organizations/organization.ts'
import { createOrganization } from '../src/flows/organizations/create.ts'
import type { Rails } from '../src/rails/rail.ts'
import { type Db, openDb } from '../src/store/db.ts'
import type { Measurement } from './report.ts'
import type { Testbed } from './testbed.ts'

export type InProcessService = AsyncDisposable & {
  ctx: ServiceContext
  db: Db
  organizations: Organization[]
}

const SILENT = { observeBatch: () => {} }
const POOL = 10

export async function openInProcess(testbed: Testbed, organizations: number): Promise<InProcessService> {
  const config = readConfig({
    DATABASE_URL: testbed.databaseUrl,
    SECRETS_KEY: testbed.secretsKey.toString('hex'),
  })
  const db = openDb({ url: testbed.databaseUrl, poolSize: POOL })
  const made = createContext(config, db, testbed.secretsKey, SILENT)
  await made.networks.close()
  const ctx = { ...made, networks: { ...answeringRails(), simulator: null } }
  const opened: Organization[] = []
  while (opened.length < organizations) opened.push(await createOrganization(ctx, 'Café La Palma'))
  return { ctx, db, organizations: opened, [Symbol.asyncDispose]: () => db.close() }
}

export function answeringRails(): Rails {
  const accepted =
    <Value>(value: Value) =>
    async () =>
      ({ outcome: 'accepted', value }) as const
  const open = accepted({ state: 'open' } as const)
  const payin = {
    submit: accepted({ pageUrl: null, traceId: null }),
    query: open,
    cancel: open,
    returnPayment: accepted({ traceId: null }),
  }
  return {
    payins: { BRE_B: payin, PSE: payin },
    payouts: {
      submit: accepted({ state: 'processing' } as const),
      query: accepted({ state: 'processing' } as const),
    },
    directory: {
      lookUp: async (keyString, keyType) => ({
        outcome: 'accepted',
        value: {
          keyString,
          keyType,
          holder: { name: 'Ana', personType: 'INDIVIDUAL', idType: 'CO_CC', idNumber: '1' },
          participant: { name: 'Banco', code: '1' },
          account: { type: 'SAVINGS', lastFour: '0001' },
        },
      }),
    },
    readNotice: { BRE_B: () => undefined, PSE: () => undefined },
    close: async () => {},
  }
}

const WARM_UP_MS = 700
const MEASURE_MS = 2_500

// So many lives at a time, one after the other, in a closed loop; or as they fall due, at a rate.
export async function measureLives(
  live: (turn: number) => Promise<number | undefined>,
  plan: { atOnce: number; perSecond?: number },
): Promise<Measurement> {
  const measureFromMs = performance.now() + WARM_UP_MS
  const measureToMs = measureFromMs + MEASURE_MS
  const latenciesMs: number[] = []
  const cpuBefore = process.cpuUsage()
  let turn = 0
  let lived = 0
  const one = async (dueAtMs: number): Promise<void> => {
    turn += 1
    const own = await live(turn)
    const doneAtMs = performance.now()
    lived += 1
    if (doneAtMs >= measureFromMs && doneAtMs < measureToMs) latenciesMs.push(own ?? doneAtMs - dueAtMs)
  }
  if (plan.perSecond === undefined) {
    const loop = async (): Promise<void> => {
      while (performance.now() < measureToMs) await one(performance.now())
    }
    await Promise.all(Array.from({ length: plan.atOnce }, loop))
  } else {
    const underWay: Promise<void>[] = []
    for (let dueAtMs = performance.now(); dueAtMs < measureToMs; dueAtMs += 1_000 / plan.perSecond) {
      while (performance.now() < dueAtMs) await new Promise((resolve) => setTimeout(resolve, 1))
      underWay.push(one(dueAtMs))
    }
    await Promise.all(underWay)
  }
  const { user, system } = process.cpuUsage(cpuBefore)
  const sorted = latenciesMs.sort((a, b) => a - b)
  const at = (share: number): number =>
    sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
  return {
    answered: lived,
    requestsPerSecond: (sorted.length / MEASURE_MS) * 1_000,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    cpuMicrosPerRequest: (user + system) / lived,
  }
}
