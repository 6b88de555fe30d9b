// Runs in a test's process: what each of several test files ran, apart from the others. V8 counts for the whole process, so it is asked
// before a file's tests and after them. All files are loaded before the first test; what that ran is written once.

import { mkdirSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { dirname } from 'node:path'
import { after, before, describe } from 'node:test'

type Script = { url: string; functions: { ranges: { count: number }[] }[] }

const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

// What ran is written to `report`, and beside it by the processes that the tests start.
export function coveredSuite(name: string, report: string, load: () => unknown): void {
  describe(name, () => {
    let startedAt = 0
    before(() => {
      mkdirSync(dirname(report), { recursive: true })
      process.env.NODE_V8_COVERAGE = dirname(report)
      takeRan()
      startedAt = performance.now()
    })
    load()
    // The last of its hooks: what the file's own ran is there too.
    after(() => {
      const durationMs = performance.now() - startedAt
      writeFileSync(report, JSON.stringify({ result: takeRan(), durationMs }))
    })
  })
}

// To be called once all suites are there.
export function writeLoaded(report: string): void {
  mkdirSync(dirname(report), { recursive: true })
  writeFileSync(report, JSON.stringify({ result: takeRan() }))
}

// What ran since it was asked the last time.
function takeRan(): Script[] {
  let taken: Script[] = []
  session.post('Profiler.takePreciseCoverage', (error, { result }) => {
    if (error !== null) throw error
    taken = result as Script[]
  })
  return taken.filter(
    ({ url, functions }) =>
      url.startsWith('file://') &&
      !url.includes('/node_modules/') &&
      functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
  )
}
