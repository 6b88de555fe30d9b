// The merchant's commands in this process: what bin/recaudo.mjs does with them, without a process for each. That a process comes
// to the same is shown in test/cli/help.test.ts. A command that reads its input gets a process all the same.

import assert from 'node:assert/strict'
import type { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { captureOutput } from '../captured-output.ts'
import type { World } from '../world.ts'
import { asMerchant, jsonOrUndefined, type Merchant, type Options, type ProcessExit, ROOT } from './binary.ts'

const OURS = {
  command: join(ROOT, 'cli/dist/run.js'),
  others: JSON.parse(readFileSync(join(ROOT, 'src/operator/command-help.json'), 'utf8')),
}
// What a command listens to until its process ends.
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
// A command has the environment of the process, so there is one at a time.
let last: Promise<unknown> = Promise.resolve()

export function merchantInProcess(world?: Pick<World, 'apiKey' | 'baseUrl'>): Merchant {
  const merchant = asMerchant(world)
  const run = (args: readonly string[], options: Options = {}): Promise<ProcessExit> => {
    if (options.input !== undefined || options.node !== undefined || options.binary !== undefined)
      return merchant.run(args, options)
    const end = last.then(() => runHere(args, { ...merchant.env, ...options.env }))
    last = end.catch(() => {})
    return end
  }
  return {
    ...merchant,
    run,
    json: async (...args) => {
      const end = await run([...args, '--json'])
      assert.deepEqual({ code: end.code, stderr: end.stderr }, { code: 0, stderr: '' }, end.stdout)
      return end.json
    },
    [Symbol.dispose]: () => merchant[Symbol.dispose](),
  }
}

// `command`: the built file, in the server's folder or where the package is installed.
export async function runHere(
  args: readonly string[],
  env: Record<string, string>,
  { command: file, others }: { command: string; others: object } = OURS,
): Promise<ProcessExit> {
  const command = await import(file)
  const outer = process.env
  const own: EventEmitter = process
  const places = [[process.stdout, 'error'] as const, ...SIGNALS.map((name) => [own, name] as const)]
  const before = places.map(([emitter, name]) => emitter.listeners(name))
  process.env = env
  try {
    const { result, stdout, stderr } = await captureOutput<number>(() => command.run(args, others))
    return { code: result, stdout, stderr, json: jsonOrUndefined(stdout) ?? jsonOrUndefined(stderr) }
  } finally {
    process.env = outer
    for (const [index, [emitter, name]] of places.entries())
      for (const listener of emitter.listeners(name))
        if (!before[index]?.includes(listener)) emitter.off(name, listener as () => void)
  }
}
