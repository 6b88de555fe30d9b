// Node's test runner follows every promise from its making to its end, to know which test an error belongs to that nobody caught. That
// is a tenth of what the tests cost. Here it knows the tests alone, as `describe` and `it` need it: an error that nobody caught
// fails its file, and its stack is printed.

import { AsyncResource, createHook } from 'node:async_hooks'

type Init = (asyncId: number, type: string, triggerAsyncId: number, resource: object) => void

const hooks = Object.getPrototypeOf(createHook({})) as { enable: (this: object) => object }
const { enable } = hooks

hooks.enable = function enableUnlessRunner() {
  if (!/node:internal\/test_runner/.test(new Error('who calls').stack ?? '')) return enable.call(this)
  hooks.enable = enable
  const callbacks = Object.getOwnPropertySymbols(this).map(
    (symbol) => (this as Record<symbol, unknown>)[symbol],
  )
  const init = callbacks.find((one): one is Init => typeof one === 'function' && one.name === 'init')
  if (init === undefined) return enable.call(this)
  rememberTests(init)
  const print = (error: unknown): void => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  }
  process.on('uncaughtExceptionMonitor', print)
  process.on('unhandledRejection', print)
  return this
}

function rememberTests(init: Init): void {
  const { runInAsyncScope } = AsyncResource.prototype
  AsyncResource.prototype.runInAsyncScope = function rememberTest(this: AsyncResource, ...call: unknown[]) {
    const { name } = this.constructor
    if (name === 'Test' || name === 'Suite') init(this.asyncId(), name, 0, this)
    return Reflect.apply(runInAsyncScope, this, call)
  } as typeof runInAsyncScope
}
