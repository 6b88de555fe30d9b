// Both ends of the wire between the bench and its other processes, the servers and the load generator. One question at a
// time, one answer each. A child lives as long as the wire: when the bench ends in any way, its children end too.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export type Child<Question, Answer> = AsyncDisposable & {
  ask: (question: Question) => Promise<Answer>
}

type Reply<Answer> = { answer: Answer } | { failure: string }

// An orderly end includes writing a profile; after this long it is not one any more.
const END_TIMEOUT_MS = 10_000

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
      const timer = setTimeout(() => child.kill('SIGKILL'), END_TIMEOUT_MS)
      await exited
      clearTimeout(timer)
    },
  }
}

// The child's end. `close` is called before the child ends.
export function answerParent<Question, Answer>(
  answer: (question: Question) => Promise<Answer>,
  close: () => Promise<void> = async () => {},
): void {
  // Ctrl-C at the terminal reaches us too; the parent decides.
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
