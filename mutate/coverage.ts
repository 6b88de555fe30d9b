// Which test file runs what: every test file is run once by itself, with its child processes, and what it ran is kept
// in the cache. A test file is run again only when it, or a file that it had loaded, has changed.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { builtFrom } from './built.ts'
import { inParallel } from './pool.ts'
import { moved, read, readRan, written } from './ran.ts'
import { runTest } from './test-process.ts'
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
  await inParallel(stale, options.jobs, async (test, worker) => {
    if (options.isOver()) return
    const tree = trees.get(worker) ?? makeTree(root, `coverage-${worker}`)
    trees.set(worker, tree)
    const made = await cover(tree, test)
    if (made === undefined) return
    kept.set(test, made)
    keep(root, made)
    done += 1
    const seconds = (made.durationMs / 1000).toFixed(1)
    options.say(
      `coverage ${done}/${stale.length} ${test} ${seconds} s${made.passed ? '' : ' FAILS, left out'}`,
    )
  })
  for (const tree of trees.values()) rmSync(tree, { recursive: true, force: true })
  return tests.flatMap((test) => {
    const one = kept.get(test)
    return one === undefined ? [] : [upToDate(root, one)]
  })
}

async function cover(tree: string, test: string): Promise<Coverage | undefined> {
  const directory = mkdtempSync(join(tmpdir(), 'mutate-coverage-'))
  try {
    const env = { NODE_V8_COVERAGE: directory }
    const { outcome, durationMs } = await runTest(tree, test, { timeoutMs: TIMEOUT_MS, env })
    if (outcome === 'stopped') return undefined
    const ran = builtFrom(tree, readRan(directory, tree))
    const loaded = [...new Set([test, ...ran.keys()])].filter((path) => existsSync(join(tree, path)))
    return {
      test,
      passed: outcome === 'passed',
      durationMs: Math.round(durationMs),
      inputs: Object.fromEntries(
        loaded.map((path) => [path, fingerprint(readFileSync(join(tree, path), 'utf8'))]),
      ),
      ran: Object.fromEntries([...ran].map(([path, parts]) => [path, written(parts)])),
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
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
