// Starts the service under test, and asks it how it is.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '../../test/free-port.ts'
import type { Question, Started, State } from './server.ts'

export type ServiceUnderTest = AsyncDisposable & {
  readonly started: Started
  readonly state: () => Promise<State>
}

// Without an address, it brings a PostgreSQL of its own.
export async function startService(databaseUrl?: string): Promise<ServiceUnderTest> {
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env
  const child = fork(new URL('server.ts', import.meta.url), {
    execArgv: ['--expose-gc'],
    env: {
      ...inherited,
      FUZZ_PORT: String(await freePort()),
      FUZZ_SANDBOX_PORT: String(await freePort()),
      ...(databaseUrl !== undefined && { FUZZ_DATABASE_URL: databaseUrl }),
    },
    serialization: 'advanced',
  })
  const ended = once(child, 'exit')
  const next = async <Answer>(): Promise<Answer> => {
    const answer = await Promise.race([once(child, 'message'), ended.then(() => undefined)])
    if (answer === undefined) throw new Error('the service under test has ended')
    return answer[0] as Answer
  }
  const ask = <Answer>(question: Question): Promise<Answer> => {
    const answer = next<Answer>()
    child.send(question)
    return answer
  }
  await next()
  const started = await ask<Started>('start')
  return {
    started,
    state: () => ask<State>('state'),
    async [Symbol.asyncDispose]() {
      if (child.connected) child.send('stop')
      await ended
    },
  }
}
