// The work of a run: asks the compiler, learns which tests cover what, and tries the mutants several at a time on one shared
// test server.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { coverageOf } from './coverage.ts'
import { createCovering } from './covering.ts'
import { type Flags, WrongFlags } from './flags.ts'
import type { Mutant } from './mutant.ts'
import { inParallel } from './pool.ts'
import { findPlacesIn } from './references.ts'
import { type Result, resultOf } from './results.ts'
import { listTests, type Source } from './sources.ts'
import { tryMutant } from './trial.ts'
import { acceptedBefore, noteAccepted, refusedByTypes } from './type-check.ts'

export type Plan = {
  mutants: readonly Mutant[]
  flags: Flags
  // The time is over, or somebody has stopped the run.
  isOver: () => boolean
  say: (line: string) => void
  // Results of an interrupted run: they say which tests catch what.
  before: readonly Result[]
  note: (result: Result) => void
}

type TestServer = AsyncDisposable & { dropLeftDatabases: () => Promise<void> }

// Tests that are ended at their first failure leave databases behind.
const SWEEP_AFTER = 50

export async function plantAll(root: string, sources: readonly Source[], plan: Plan): Promise<void> {
  const { mutants, flags, isOver, say, note } = plan
  if (mutants.length === 0) return
  const texts = new Map(sources.map(({ path, text }) => [path, text]))
  const textOf = ({ file }: Mutant): string => texts.get(file) as string
  const tests = testsAsked(root, flags, say)
  const wasAccepted = acceptedBefore(root)
  const toCheck = mutants.filter((mutant) => !flags.resume || !wasAccepted(mutant, textOf(mutant)))
  const refused = await refusedByTypes(root, toCheck, texts, { isOver, say })
  for (const mutant of toCheck)
    if (refused.has(mutant.id))
      note(resultOf(mutant, textOf(mutant), { outcome: 'refused', ran: 0, covering: 0, durationMs: 0 }))
  if (!isOver())
    noteAccepted(
      root,
      mutants.filter(({ id }) => !refused.has(id)),
      textOf,
    )

  await using server = await startServer(root)
  const mayBeOlder = flags.changed !== undefined
  const coverages = await coverageOf(root, tests, { jobs: flags.jobs, isOver, mayBeOlder, say })
  // Without the rest nobody knows whether a mutant survives.
  if (coverages.length < tests.length) return
  const covering = createCovering(coverages, findPlacesIn(sources), (path) => readIfThere(join(root, path)))
  for (const { file, by } of plan.before) if (by !== undefined) covering.noteCatch({ file }, by)

  const waiting = mutants.filter(({ id }) => !refused.has(id))
  let done = 0
  for (let from = 0; from < waiting.length; from += SWEEP_AFTER) {
    await inParallel(waiting.slice(from, from + SWEEP_AFTER), flags.jobs, async (mutant, worker) => {
      if (isOver()) return
      const end = await tryMutant(root, mutant, textOf(mutant), covering.testsFor(mutant), {
        ...flags,
        worker,
      })
      if (end === undefined) return
      if (end.by !== undefined) covering.noteCatch(mutant, end.by)
      note(resultOf(mutant, textOf(mutant), end))
      done += 1
      const how = end.by === undefined ? `${end.ran} of ${end.covering} test files` : `by ${end.by}`
      const seconds = (end.durationMs / 1000).toFixed(1)
      const place = `${mutant.file}:${mutant.line} ${mutant.kind}`
      say(`${done}/${waiting.length} ${end.outcome.padEnd(9)} ${place} ${how} ${seconds} s`)
    })
    await server?.dropLeftDatabases()
  }
}

function testsAsked(root: string, { tests: paths }: Flags, say: (line: string) => void): string[] {
  const tests = listTests(root).filter(
    (test) => paths.length === 0 || paths.some((path) => test.startsWith(path)),
  )
  if (tests.length === 0)
    throw new WrongFlags(
      `there is no test file${paths.length === 0 ? '' : ` under --tests ${paths.join(',')}`}; write for instance --tests test/core.`,
    )
  if (paths.length > 0) say(`Only ${tests.length} test files are run: a survivor may be caught by another.`)
  return tests
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

// A project whose tests need a server brings test/server.ts.
async function startServer(root: string): Promise<TestServer | undefined> {
  const file = join(root, 'test/server.ts')
  if (!existsSync(file)) return undefined
  const { startTestServer } = (await import(pathToFileURL(file).href)) as {
    startTestServer: () => Promise<TestServer>
  }
  return await startTestServer()
}
