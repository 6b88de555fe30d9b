// The one loop that runs all background work: do what is due, and rest if nothing was. A failure is logged and retried at
// the next turn. The loop runs until it is stopped.

import type { Logger } from 'pino'

export type Loop = { wake: () => void; stop: () => Promise<void> }

export type LoopOptions = {
  name: string
  restMs: number
  // Returns how much was done. If it is more than zero, the next turn follows without the rest.
  turn: () => Promise<number>
  log: Logger
  // Suppresses the log line of each turn that did something.
  quiet?: boolean
  // For what nobody waits for: it takes a quarter of the time, and leaves the rest to payments.
  givesWay?: boolean
}

const GIVES_WAY_FACTOR = 3

export function startLoop(options: LoopOptions): Loop {
  let stopping = false
  let wakeUp: () => void = () => {}
  // A wake-up during a turn makes the next turn follow at once.
  let woken = false

  const rest = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const run = async (): Promise<void> => {
    while (!stopping) {
      let done = 0
      const startedAtMs = performance.now()
      try {
        done = await options.turn()
        if (done > 0 && options.quiet !== true) options.log.info({ job: options.name, done })
      } catch (error) {
        options.log.error({ job: options.name, error: errorSummary(error) }, 'job failed')
      }
      // Jitter keeps many processes from polling the database at the same moment.
      if (done === 0 && !stopping && !woken) await rest(options.restMs * (0.9 + Math.random() * 0.2))
      else if (options.givesWay === true && !stopping)
        await rest(GIVES_WAY_FACTOR * (performance.now() - startedAtMs))
      woken = false
    }
  }

  const finished = run()
  return {
    wake: () => {
      woken = true
      wakeUp()
    },
    stop: () => {
      stopping = true
      wakeUp()
      return finished
    },
  }
}

// What the log says about a failure: enough to recognize it, and none of the data involved.
export function errorSummary(error: unknown): { name?: string; message?: string; code?: string } {
  const { name, message, code } = error as { name: string; message: string; code: string }
  return { name, message, code }
}
