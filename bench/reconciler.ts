// Reconciles a day in a process of its own, so that its memory can be measured.

import { setTimeout as delay } from 'node:timers/promises'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import { reconcileNow } from '../src/flows/ledger/reconcile-due.ts'
import { openDb } from '../src/store/db.ts'
import { answerParent, childArgument } from './child.ts'

export type Reconciled = { seconds: number; extraBytes: number; cpuMicros: number; result: unknown }

const POOL_SIZE = 10
const SAMPLE_MS = 20

const { environment, day } = childArgument<{ environment: Record<string, string>; day: string }>()
const config = readConfig(environment)
const db = openDb({ url: environment.DATABASE_URL as string, poolSize: POOL_SIZE })
const ctx = createContext(config, db, [config.secretsKey as Buffer], { observeBatch: () => {} })

answerParent<'run', Reconciled>(
  async () => {
    const before = process.memoryUsage.rss()
    let peak = before
    let done = false
    const sampling = (async () => {
      while (!done) {
        peak = Math.max(peak, process.memoryUsage.rss())
        await delay(SAMPLE_MS)
      }
    })()
    const startedAtMs = performance.now()
    const cpuBefore = process.cpuUsage()
    const reconciled = await reconcileNow(ctx, 'BRE_B', day)
    const { user, system } = process.cpuUsage(cpuBefore)
    const seconds = (performance.now() - startedAtMs) / 1_000
    done = true
    await sampling
    return { seconds, extraBytes: peak - before, cpuMicros: user + system, result: reconciled?.result }
  },
  async () => {
    await ctx.networks.close()
    await db.close()
  },
)
