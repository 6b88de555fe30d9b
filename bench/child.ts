// Both ends of the IPC channel between the bench and its child processes. One question at a time, with one answer each. A
// child exits when the channel closes, so however the bench ends, its children end too.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export type Child<Question, Answer> = AsyncDisposable & {
  ask: (question: Question) => Promise<Answer>
}

type Reply<Answer> = { answer: Answer } | { failure: string }

// A normal exit includes writing a profile. After this time the child is killed.
const EXIT_TIMEOUT_MS = 10_000

export function startChild<Question, Answer>(
  file: string,
  options: { argument?: unknown; nodeFlags?: string[] } = {},
): Child<Question, Answer> {
  const child = fork(join(import.meta.dirname, file), [JSON.stringify(options.argument ?? null)], {
    execArgv: options.nodeFlags ?? [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  return {
    ask: async (question) => {
      const replied = once(child, 'message')
      child.send(question as object)
      const reply = await Promise.race([replied, exited])
      if (reply === undefined) throw new Error(`${file} ended before it answered.`)
      const [message] = reply as [Reply<Answer>]
      if ('failure' in message) throw new Error(`${file}: ${message.failure}`)
      return message.answer
    },
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect()
      const timer = setTimeout(() => child.kill('SIGKILL'), EXIT_TIMEOUT_MS)
      await exited
      clearTimeout(timer)
    },
  }
}

// The child's end of the channel. `close` runs before the child exits.
export function answerParent<Question, Answer>(
  answer: (question: Question) => Promise<Answer>,
  close: () => Promise<void> = async () => {},
): void {
  // Ctrl-C at the terminal reaches the child too, but the parent decides when it ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  process.on('disconnect', () => {
    void close().finally(() => process.exit())
  })
  process.on('message', (question: Question) => {
    answer(question).then(
      (value) => process.send?.({ answer: value }),
      (error: Error) => process.send?.({ failure: error.stack ?? error.message }),
    )
  })
}

export function childArgument<Argument>(): Argument {
  return JSON.parse(process.argv[2] ?? 'null') as Argument
}
