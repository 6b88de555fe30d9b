// Which test file runs what: every test file is run once, with its child processes, and what it ran is kept in the cache. A few
// share a process, which loads the service once for all of them (covered-suite.ts). A test file is run again only when it, or a
// file that it had loaded, has changed.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { builtFrom } from './built.ts'
import { importedBy } from './imports.ts'
import { inParallel } from './pool.ts'
import { moved, type Parts, read, readRan, unionOfParts, written } from './ran.ts'
import { runTests } from './test-process.ts'
import { CACHE, makeTree } from './tree.ts'

export type Coverage = {
  test: string
  passed: boolean
  durationMs: number
  // Every file of ours that was loaded, with the fingerprint of what it was.
  inputs: Record<string, string>
  // What ran of each (ran.ts).
  ran: Record<string, string>
}

export type CoverageOptions = {
  jobs: number
  isOver: () => boolean
  // Takes an older coverage for good where only sources have changed since: quick, and nearly as right.
  mayBeOlder: boolean
  say: (line: string) => void
}

const TIMEOUT_MS = 300_000
const TOGETHER = 10

export async function coverageOf(
  root: string,
  tests: readonly string[],
  options: CoverageOptions,
): Promise<Coverage[]> {
  const kept = new Map(tests.map((test) => [test, readKept(root, test)]))
  const stale = tests.filter((test) => !isGood(root, kept.get(test), options.mayBeOlder))
  if (stale.length > 0) options.say(`coverage: ${stale.length} of ${tests.length} test files are to be run`)
  const trees = new Map<number, string>()
  let done = 0
  const note = (made: Coverage): void => {
    kept.set(made.test, made)
    keep(root, made)
    done += 1
    const seconds = (made.durationMs / 1000).toFixed(1)
    options.say(
      `coverage ${done}/${stale.length} ${made.test} ${seconds} s${made.passed ? '' : ' FAILS, left out'}`,
    )
  }
  const groups = Array.from({ length: Math.ceil(stale.length / TOGETHER) }, (_, index) =>
    stale.slice(index * TOGETHER, (index + 1) * TOGETHER),
  )
  await inParallel(groups, options.jobs, async (tests, worker) => {
    if (options.isOver()) return
    const tree = trees.get(worker) ?? makeTree(root, `coverage-${worker}`)
    trees.set(worker, tree)
    const together = tests.length > 1 ? await coverTogether(tree, tests) : []
    for (const made of together) note(made)
    if (together.length > 0) return
    // One of them fails, or does not stand the others.
    for (const test of tests) {
      if (options.isOver()) return
      const made = await cover(tree, test)
      if (made !== undefined) note(made)
    }
  })
  for (const tree of trees.values()) rmSync(tree, { recursive: true, force: true })
  return tests.flatMap((test) => {
    const one = kept.get(test)
    return one === undefined ? [] : [upToDate(root, one)]
  })
}

// Nothing unless all of them pass.
async function coverTogether(tree: string, tests: readonly string[]): Promise<Coverage[]> {
  const directory = mkdtempSync(join(tmpdir(), 'mutate-coverage-'))
  try {
    const files = tests.map((test) => ({ test, timeoutMs: TIMEOUT_MS }))
    const { outcome } = await runTests(tree, files, { script: coveringScript(tree, tests, directory) })
    if (outcome !== 'passed') return []
    const atLoad = readRan(dirname(reportOf(directory, 'loaded')), tree)
    return tests.map((test, index) => {
      const report = reportOf(directory, String(index))
      const { durationMs } = JSON.parse(readFileSync(report, 'utf8')) as { durationMs: number }
      const loaded = new Map(
        [...loadedBy(tree, test)].flatMap((path) => {
          const parts = atLoad.get(path)
          return parts === undefined ? [] : [[path, parts] as const]
        }),
      )
      return coverageIn(tree, {
        test,
        passed: true,
        durationMs,
        ran: unionOfParts(loaded, readRan(dirname(report), tree)),
      })
    })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

// In a folder of its own, where child processes write theirs.
const reportOf = (directory: string, name: string): string => join(directory, name, 'report.json')

function coveringScript(tree: string, tests: readonly string[], directory: string): string {
  const text = JSON.stringify
  const suites = tests.map(
    (test, index) =>
      `coveredSuite(${text(test)}, ${text(reportOf(directory, String(index)))}, () => void require(${text(join(tree, test))}))`,
  )
  return `import { createRequire } from 'node:module'
import { coveredSuite, writeLoaded } from ${text(join(import.meta.dirname, 'covered-suite.ts'))}

const require = createRequire(import.meta.url)
${suites.join('\n')}
writeLoaded(${text(reportOf(directory, 'loaded'))})
`
}

async function cover(tree: string, test: string): Promise<Coverage | undefined> {
  const directory = mkdtempSync(join(tmpdir(), 'mutate-coverage-'))
  try {
    const env = { NODE_V8_COVERAGE: directory }
    const { outcome, durationMs } = await runTests(tree, [{ test, timeoutMs: TIMEOUT_MS }], { env })
    if (outcome === 'stopped') return undefined
    const passed = outcome === 'passed'
    return coverageIn(tree, { test, passed, durationMs, ran: readRan(directory, tree) })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function coverageIn(
  tree: string,
  of: { test: string; passed: boolean; durationMs: number; ran: Map<string, Parts> },
): Coverage {
  const ran = builtFrom(tree, of.ran)
  const inputs = [...new Set([of.test, ...ran.keys()])].filter((path) => existsSync(join(tree, path)))
  return {
    test: of.test,
    passed: of.passed,
    durationMs: Math.round(of.durationMs),
    inputs: Object.fromEntries(
      inputs.map((path) => [path, fingerprint(readFileSync(join(tree, path), 'utf8'))]),
    ),
    ran: Object.fromEntries([...ran].map(([path, parts]) => [path, written(parts)])),
  }
}

// What a test file imports, and what that imports.
function loadedBy(tree: string, test: string): Set<string> {
  const found = new Set<string>()
  const waiting = [test]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue
    found.add(path)
    waiting.push(...importedBy(path, readIfThere(join(tree, path))))
  }
  return found
}

function isGood(root: string, kept: Coverage | undefined, mayBeOlder: boolean): boolean {
  // One that failed is given another chance each time.
  if (kept === undefined || !kept.passed) return false
  const inputs = mayBeOlder ? [kept.test] : Object.keys(kept.inputs)
  return inputs.every((path) => kept.inputs[path] === fingerprint(readIfThere(join(root, path))))
}

// What has moved since is followed.
function upToDate(root: string, one: Coverage): Coverage {
  const ran = Object.entries(one.ran).map(([path, text]) => {
    const mark = one.inputs[path]
    // A file that the test itself had written, and removed.
    if (mark === undefined) return [path, text]
    const now = readIfThere(join(root, path))
    const before = mark === fingerprint(now) ? now : readIfThere(textFile(root, mark))
    return [path, before === now || before === '' ? text : written(moved(read(text), before, now))]
  })
  return { ...one, ran: Object.fromEntries(ran) }
}

function readKept(root: string, test: string): Coverage | undefined {
  const text = readIfThere(coverageFile(root, test))
  return text === '' ? undefined : (JSON.parse(text) as Coverage)
}

function keep(root: string, one: Coverage): void {
  put(coverageFile(root, one.test), JSON.stringify(one))
  for (const path of Object.keys(one.inputs)) {
    const text = readIfThere(join(root, path))
    const file = textFile(root, fingerprint(text))
    if (!existsSync(file)) put(file, text)
  }
}

function coverageFile(root: string, test: string): string {
  return join(root, CACHE, 'coverage', `${test.replaceAll('/', '__')}.json`)
}

function textFile(root: string, mark: string): string {
  return join(root, CACHE, 'texts', mark)
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function readIfThere(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

function fingerprint(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}
