// What a function prints, and whatever it calls. The report of the tests, which is printed meanwhile, goes its own way.

import { AsyncLocalStorage } from 'node:async_hooks'

type Printed = { stdout: string; stderr: string }

const capturing = new AsyncLocalStorage<Printed>()

export async function captureOutput<Result>(
  run: () => Promise<Result>,
): Promise<Printed & { result: Result }> {
  watch('stdout')
  watch('stderr')
  const printed = { stdout: '', stderr: '' }
  const result = await capturing.run(printed, run)
  return { ...printed, result }
}

const watched = new Set<keyof Printed>()

function watch(name: keyof Printed): void {
  if (watched.has(name)) return
  watched.add(name)
  const stream = process[name]
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    const printed = capturing.getStore()
    if (printed === undefined) return write(chunk, ...rest)
    printed[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    const done = rest.at(-1)
    if (typeof done === 'function') process.nextTick(done as () => void)
    return true
  }) as typeof stream.write
}
