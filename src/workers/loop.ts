// The one loop that all background work runs in: do what is due, and if that was all, rest a while. A failure is logged
// and tried again at the next turn; the loop itself never ends before it is told to.

import type { Logger } from 'pino'

export type Loop = { wake: () => void; stop: () => Promise<void> }

export type LoopOptions = {
  name: string
  restMs: number
  // Answers how much was done; more than nothing makes the next turn follow at once.
  turn: () => Promise<number>
  log: Logger
  // Without a line for every turn that did something.
  quiet?: boolean
}

export function startLoop(options: LoopOptions): Loop {
  let stopping = false
  let wakeUp: () => void = () => {}
  // A wake-up that comes while a turn is under way makes the next one follow at once.
  let woken = false

  const rest = (): Promise<void> =>
    new Promise((resolve) => {
      // Jitter keeps many processes from asking the database at the same moment.
      const timer = setTimeout(resolve, options.restMs * (0.9 + Math.random() * 0.2))
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const run = async (): Promise<void> => {
    while (!stopping) {
      let done = 0
      try {
        done = await options.turn()
        if (done > 0 && options.quiet !== true) options.log.info({ job: options.name, done })
      } catch (error) {
        options.log.error({ job: options.name, error: errorSummary(error) }, 'job failed')
      }
      if (done === 0 && !stopping && !woken) await rest()
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

// What the log says of a failure: enough to know it by, and nothing of the data it was about.
export function errorSummary(error: unknown): { name?: string; message?: string; code?: string } {
  const { name, message, code } = error as { name: string; message: string; code: string }
  return { name, message, code }
}
