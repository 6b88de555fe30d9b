// Processes that die at a crash point, or when they are told to. Some are real ones, killed like by a power cut; by --deep all are.
// The others cost a tenth: they are in this process, and from their death on each statement of theirs is refused and each crash
// point throws, so that nothing of them goes on, whatever catches it. What they had sent by then arrives, and a transaction that
// was open is rolled back, as with a real one.

import assert from 'node:assert/strict'
import pino from 'pino'
import { readConfig } from '../../src/config.ts'
import { followStagingClock } from '../../src/context.ts'
import { CRASH_POINTS, type CrashPoint } from '../../src/flows/context.ts'
import { secretsKeysOf, withNotificationKeys } from '../../src/operator/secrets-key.ts'
import { createApi, createContext, createDeliveryWorkerOptions, createMetrics } from '../../src/service.ts'
import { type Db, openDb, type Queryable } from '../../src/store/db.ts'
import { readClockOffset } from '../../src/store/staging-clock.ts'
import { runAllDue } from '../../src/workers/start.ts'
import { isDeep } from '../depth.ts'
import { type Running, spawnServer, start, stop } from '../process/process.ts'
import { eventually } from '../world.ts'

type Owner = { after: (clean: () => void | Promise<void>) => void }
type Part = '--api' | '--workers'

export type Mortal = {
  baseUrl: string
  isDead: () => boolean
  // Resolves when it has died, and fails if it ended otherwise.
  died: () => Promise<void>
  kill: () => void
  // Lets it finish what it has begun.
  stop: () => Promise<void>
}

// Settings as of a process, with CRASH_AT or without.
export function startMortal(
  owner: Owner,
  part: Part,
  env: Record<string, string>,
  { isReal }: { isReal: boolean },
): Promise<Mortal> {
  return isReal || isDeep ? startProcess(owner, part, env) : startHere(owner, part, env)
}

async function startProcess(owner: Owner, part: Part, env: Record<string, string>): Promise<Mortal> {
  const options = { args: ['start', part], env }
  const running: Running = await (part === '--api' ? start(owner, options) : spawnServer(owner, options))
  return {
    baseUrl: running.baseUrl,
    isDead: () => running.child.signalCode !== null,
    died: async () => {
      const { signal, stderr } = await running.ended
      assert.equal(signal, 'SIGKILL', stderr)
    },
    kill: () => void running.child.kill('SIGKILL'),
    stop: async () => {
      // A process that has just started has no signal handler yet.
      await eventually(
        async () => running.stdout(),
        (text) => text.includes('ready in'),
      )
      await stop(running)
    },
  }
}

class Died extends Error {}

async function startHere(
  owner: Owner,
  part: Part,
  { CRASH_AT, ...env }: Record<string, string>,
): Promise<Mortal> {
  const config = withNotificationKeys(readConfig({ LOG_LEVEL: 'silent', ...env }))
  // A slow machine is not a hanging database.
  const opened = openDb({ url: config.databaseUrl as string, poolSize: 5, connectTimeoutMs: 20_000 })
  const death = Promise.withResolvers<void>()
  let isDead = false
  const die = (): void => {
    isDead = true
    death.resolve()
  }
  const crashPoint = dyingAt(CRASH_AT, () => isDead, die)
  const metrics = createMetrics()
  const made = createContext(
    config,
    mortalDb(opened, () => isDead),
    secretsKeysOf(config),
    metrics,
  )
  const ctx = { ...made, signals: { ...made.signals, crashPoint } }
  const log = pino({ level: 'silent' })
  ctx.clock.setOffset(await readClockOffset(opened))
  const clock = followStagingClock(ctx)
  const end = new AsyncDisposableStack()
  end.defer(() => opened.close())
  end.defer(() => ctx.networks.close())
  end.defer(clock.stop)
  if (part === '--api') {
    const api = await createApi(config, ctx, log, metrics)
    await api.app.listen({ host: '127.0.0.1', port: config.port })
    end.defer(() => api.close().catch(() => {}))
    void death.promise.then(() => {
      api.app.server.close()
      api.app.server.closeAllConnections()
    })
  } else {
    const delivering = createDeliveryWorkerOptions(config, metrics)
    end.defer(() => delivering.sender.close())
    const stopping = new AbortController()
    const working = work(stopping.signal, death.promise, () => runAllDue(ctx, log, delivering))
    end.defer(async () => {
      stopping.abort()
      await working
    })
  }
  let ended: Promise<void> | undefined
  const endOnce = (): Promise<void> => (ended ??= end.disposeAsync())
  owner.after(endOnce)
  return {
    baseUrl: `http://127.0.0.1:${config.port}`,
    isDead: () => isDead,
    died: async () => {
      const itIs = async () => isDead
      await eventually(itIs, (died) => died, PATIENCE_MS)
      await endOnce()
    },
    kill: die,
    stop: endOnce,
  }
}

const PAUSE_MS = 100
const PATIENCE_MS = 60_000

async function work(stopped: AbortSignal, death: Promise<void>, turn: () => Promise<void>): Promise<void> {
  let isDead = false
  const died = death.then(() => {
    isDead = true
  })
  while (!isDead && !stopped.aborted) {
    await turn().catch((error: unknown) => {
      if (!(error instanceof Died) && !isDead) throw error
    })
    await Promise.race([died, new Promise((resolve) => setTimeout(resolve, PAUSE_MS))])
  }
}

function dyingAt(
  crashAt: string | undefined,
  isDead: () => boolean,
  die: () => void,
): (point: CrashPoint) => void {
  const [chosen, nth = '1'] = crashAt?.split(':') ?? []
  assert.ok(
    chosen === undefined || (CRASH_POINTS as readonly string[]).includes(chosen),
    `${crashAt} is a crash point`,
  )
  let reached = 0
  return (point) => {
    if (point === chosen) reached += 1
    if (point === chosen && reached === Number(nth)) die()
    if (isDead()) throw new Died(point)
  }
}

function mortalDb(db: Db, isDead: () => boolean): Db {
  const whileAlive = async <Result>(act: () => Promise<Result>): Promise<Result> => {
    if (isDead()) throw new Died()
    const result = await act()
    if (isDead()) throw new Died()
    return result
  }
  const mortalTx = (tx: Queryable): Queryable => ({
    query: (config) => whileAlive(() => tx.query(config)),
    database: mortal,
  })
  const mortal: Db = {
    ...db,
    get pool() {
      return db.pool
    },
    query: (config) => whileAlive(() => db.query(config)),
    inTransaction: (act, limits) =>
      whileAlive(() => db.inTransaction((tx) => whileAlive(() => act(mortalTx(tx))), limits)),
    sendTransaction: (statements, limits) => whileAlive(() => db.sendTransaction(statements, limits)),
    sendTogether: (statements) => whileAlive(() => db.sendTogether(statements)),
  }
  return mortal
}
