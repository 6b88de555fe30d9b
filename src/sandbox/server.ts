// The simulated networks, as one HTTP server with its own storage: /breb and /pse speak the rails' wire formats, payers decide
// on /bank and /app, and testers use /control. The service reaches it only over HTTP, like any network, and nothing here
// knows the service.

import type { Instant } from '../core/instant.ts'
import { clockOffsetInRange } from '../core/staging-clock.ts'
import type { Credentials } from './access-tokens.ts'
import { createClock } from './clock.ts'
import { createFaults, type FaultPlan } from './faults.ts'
import { openListener } from './listener.ts'
import type { NetworkContext } from './network-context.ts'
import { createNotifier } from './notifier.ts'
import { payerOpensPayment } from './outcomes.ts'
import type { LogEntry, Network } from './records.ts'
import { createRoutes } from './routes.ts'
import { createScheduledTasks } from './scheduled-tasks.ts'
import { openStorage } from './storage.ts'

export type SandboxOptions = {
  host: string
  /** 0: any free port. */
  port: number
  /** How browsers reach it; by default its own address. */
  publicUrl?: string
  /** `:memory:` does not survive a restart. */
  storageFile: string
  /** Where the service listens for notices; a function if that is known only later. */
  notifyUrl: Readonly<Record<Network, string | (() => string)>>
  credentials: Readonly<Record<Network, Credentials>>
  /** How long a payment waits for its outcome, on the sandbox's clock. */
  delayMs: number
  seed: number
  faults: FaultPlan
  now?: () => Instant
}

export type Sandbox = {
  url: string
  brebUrl: string
  pseUrl: string
  controlUrl: string
  /** Where browsers find the payer's app. */
  appUrl: string
  /** Every movement of money, in order. */
  log: () => LogEntry[]
  /** Payments that can still be paid. */
  openReferences: () => string[]
  now: () => Instant
  advance: (ms: number) => Promise<void>
  faultHits: () => Readonly<Record<string, number>>
  /** A payer opens this payment, so the timer no longer decides. False if there is none, or it has ended. */
  openedByPayer: (reference: string) => boolean
  [Symbol.asyncDispose](): Promise<void>
}

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const storage = openStorage(options.storageFile)
  const offsetMs = clockOffsetInRange(storage.clockOffsetMs())
  const clock = createClock(options.now ?? Date.now, offsetMs, storage.rememberClockOffset)
  const faults = createFaults(options.seed, options.faults)
  const context: NetworkContext = { storage, clock, faults, delayMs: options.delayMs }
  const notifier = createNotifier(
    storage,
    clock,
    { breb: addressee('breb', options), pse: addressee('pse', options) },
    () => tasks.catchUp(),
  )
  const tasks = createScheduledTasks(context, notifier)

  const listener = await openListener(options).catch((error: Error) => {
    storage.close()
    throw error
  })
  const { url } = listener
  const publicUrl = (options.publicUrl ?? url).replace(/\/+$/, '')
  listener.answerWith(createRoutes(context, tasks, options.credentials, publicUrl))
  tasks.catchUp()

  let ended: Promise<void> | undefined
  const end = async (): Promise<void> => {
    tasks.stop()
    clock.stop()
    await Promise.all([listener.close(), notifier.close()])
    storage.close()
  }

  return {
    url,
    brebUrl: `${url}/breb`,
    pseUrl: `${url}/pse`,
    controlUrl: `${url}/control`,
    appUrl: `${publicUrl}/app`,
    log: () => storage.log(),
    openReferences: storage.openReferences,
    now: clock.now,
    advance: tasks.advance,
    faultHits: faults.hits,
    openedByPayer: (reference) => {
      tasks.catchUpIfDue()
      const payment = storage.paymentUnder(reference)
      if (payment === undefined || payment.kind === 'transfer') return false
      return payerOpensPayment(context, payment).state === 'open'
    },
    [Symbol.asyncDispose]: () => {
      ended ??= end()
      return ended
    },
  }
}

function addressee(network: Network, options: SandboxOptions) {
  const { notificationKey } = options.credentials[network]
  const url = options.notifyUrl[network]
  return { url: typeof url === 'string' ? () => url : url, notificationKey }
}
