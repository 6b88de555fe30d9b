// The service in process and without HTTP, to measure what happens after a request: a context on the bench's database,
// with stub networks.

import { readConfig } from '../src/config.ts'
import { createContext, type ServiceContext } from '../src/context.ts'
import type { Organization } from '../src/core/organizations/organization.ts'
import { createOrganization } from '../src/flows/organizations/create.ts'
import { type Db, openDb } from '../src/store/db.ts'
import type { Measurement } from './report.ts'
import { stubRails } from './stub-rails.ts'
import type { Testbed } from './testbed.ts'

export type InProcessService = AsyncDisposable & {
  ctx: ServiceContext
  db: Db
  organizations: Organization[]
}

const NO_METRICS = { observeBatch: () => {} }
const POOL_SIZE = 10

export async function openInProcess(testbed: Testbed, organizations: number): Promise<InProcessService> {
  const config = readConfig({
    DATABASE_URL: testbed.databaseUrl,
    SECRETS_KEY: testbed.secretsKey.toString('hex'),
  })
  const db = openDb({ url: testbed.databaseUrl, poolSize: POOL_SIZE })
  const created = createContext(config, db, [testbed.secretsKey], NO_METRICS)
  await created.networks.close()
  const ctx = {
    ...created,
    networks: { ...created.networks, ...stubRails(), simulator: null },
  }
  const opened: Organization[] = []
  while (opened.length < organizations) opened.push(await createOrganization(ctx, 'Café La Palma'))
  return { ctx, db, organizations: opened, [Symbol.asyncDispose]: () => db.close() }
}

const WARM_UP_MS = 700
const MEASURE_MS = 2_500

// Runs an operation over and over: in a closed loop at this concurrency, or in an open loop at a rate. The operation may
// return its own latency; otherwise its whole duration counts.
export async function measureInProcess(
  operation: (iteration: number) => Promise<number | undefined>,
  plan: { concurrency: number; perSecond?: number },
): Promise<Measurement> {
  const measureFromMs = performance.now() + WARM_UP_MS
  const measureToMs = measureFromMs + MEASURE_MS
  const latenciesMs: number[] = []
  const cpuBefore = process.cpuUsage()
  let iteration = 0
  let completed = 0
  const runOnce = async (dueAtMs: number): Promise<void> => {
    iteration += 1
    const ownLatencyMs = await operation(iteration)
    const doneAtMs = performance.now()
    completed += 1
    if (doneAtMs >= measureFromMs && doneAtMs < measureToMs)
      latenciesMs.push(ownLatencyMs ?? doneAtMs - dueAtMs)
  }
  if (plan.perSecond === undefined) {
    const loop = async (): Promise<void> => {
      while (performance.now() < measureToMs) await runOnce(performance.now())
    }
    await Promise.all(Array.from({ length: plan.concurrency }, loop))
  } else {
    const inProgress: Promise<void>[] = []
    for (let dueAtMs = performance.now(); dueAtMs < measureToMs; dueAtMs += 1_000 / plan.perSecond) {
      while (performance.now() < dueAtMs) await new Promise((resolve) => setTimeout(resolve, 1))
      inProgress.push(runOnce(dueAtMs))
    }
    await Promise.all(inProgress)
  }
  const { user, system } = process.cpuUsage(cpuBefore)
  const sorted = latenciesMs.sort((a, b) => a - b)
  const at = (quantile: number): number =>
    sorted[Math.max(0, Math.ceil(sorted.length * quantile) - 1)] ?? Number.NaN
  return {
    answered: completed,
    requestsPerSecond: (sorted.length / MEASURE_MS) * 1_000,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    cpuMicrosPerRequest: (user + system) / completed,
  }
}
