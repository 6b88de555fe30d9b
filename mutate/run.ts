// npm run mutate: plants small bugs in the sources, one at a time, and sees whether a test fails. What survives shows what the
// tests do not look at. `--help` lists what may be asked. Nothing but .mutate/ is written.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { changedSince } from './changed.ts'
import { coverageOf } from './coverage.ts'
import { createCovering } from './covering.ts'
import { draw } from './draw.ts'
import { outdated, readEquivalent, refuseTooMany } from './equivalent.ts'
import { type Flags, HELP, readFlags, WrongFlags } from './flags.ts'
import { applied, diffOf, type Mutant } from './mutant.ts'
import { inParallel } from './pool.ts'
import { findPlacesIn } from './references.ts'
import { percentOf, report, scoreOf } from './report.ts'
import { appendResult, beginResults, type Result, readResults, resultOf, textMark } from './results.ts'
import { listTests, mutantsOf, readSources, type Source } from './sources.ts'
import { parses } from './syntax.ts'
import { tryMutant } from './trial.ts'
import { refusedByTypes } from './type-check.ts'

type TestServer = AsyncDisposable & { dropLeftDatabases: () => Promise<void> }

const SWEEP_AFTER = 50
const root = process.cwd()
const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

try {
  const args = process.argv.slice(2)
  if (args.includes('--help')) process.stdout.write(HELP)
  else process.exitCode = await main(readFlags(args))
} catch (error) {
  if (!(error instanceof WrongFlags)) throw error
  process.stderr.write(`mutate: ${error.message}\n`)
  process.exitCode = 2
}

async function main(flags: Flags): Promise<number> {
  const deadline = Date.now() + flags.minutes * 60_000
  const sources = readSources(root)
  const texts = new Map(sources.map(({ path, text }) => [path, text]))
  const mutants = choose(sources, texts, flags)
  if (flags.list) {
    for (const mutant of mutants) say(`${diffOf(mutant)}\n`)
    say(`${mutants.length} mutants`)
    return 0
  }
  const kept = flags.resume ? readResults(root) : []
  const known = new Map(kept.map((result) => [result.id, result]))
  const isDone = ({ id, file }: Mutant): boolean => known.get(id)?.source === textMark(texts.get(file) ?? '')
  const results: Result[] = mutants.filter(isDone).map(({ id }) => known.get(id) as Result)
  if (!flags.resume) beginResults(root)
  if (results.length > 0) say(`${results.length} of ${mutants.length} mutants are known from the run before`)
  const note = (result: Result): void => {
    results.push(result)
    appendResult(root, result)
  }
  await plant(
    mutants.filter((mutant) => !isDone(mutant)),
    sources,
    texts,
    flags,
    deadline,
    results,
    note,
  )
  say(report(mutants, results))
  const left = mutants.length - results.length
  if (left > 0)
    say(`${left} mutants were not begun: the time was over. With --resume a next run goes on with them.`)
  const guards = results.filter(({ kind }) => kind === 'sql-guard')
  const isUnder = [results, guards].some((list) => percentOf(scoreOf(list)) < flags.bar)
  if (isUnder) say(`Under the bar of ${flags.bar} %.`)
  return isUnder ? 1 : 0
}

function choose(sources: readonly Source[], texts: ReadonlyMap<string, string>, flags: Flags): Mutant[] {
  const all = mutantsOf(sources)
  const rooms = [...new Set(all.map(({ room }) => room))]
  for (const room of flags.rooms)
    if (!rooms.includes(room)) throw new WrongFlags(`--room ${room}: there are ${rooms.join(', ')}.`)
  for (const file of flags.files)
    if (!texts.has(file))
      throw new WrongFlags(
        `--file ${file}: it is none of the sources; write for instance --file ${sources[0]?.path}.`,
      )
  const isChanged = flags.changed === undefined ? () => true : changedSince(root, flags.changed)
  const survived = flags.survivors
    ? new Set(
        readResults(root)
          .filter(({ outcome }) => /survived|uncovered/.test(outcome))
          .map(({ id }) => id),
      )
    : undefined
  const within = all.filter(
    ({ id, room, file, kind, line, lastLine }) =>
      (flags.rooms.length === 0 || flags.rooms.includes(room)) &&
      (flags.files.length === 0 || flags.files.includes(file)) &&
      (flags.kinds.length === 0 || flags.kinds.includes(kind)) &&
      (survived === undefined || survived.has(id)) &&
      isChanged(file, line, lastLine),
  )
  const drawn = draw(within, flags.sample, flags.seed)
  const equivalent = readEquivalent(
    join(root, flags.equivalent),
    flags.equivalent !== 'mutate/equivalent.json',
  )
  for (const { file, before } of outdated(equivalent, all))
    say(`${flags.equivalent}: no such mutant any more, take it out: ${file}: ${before.trim()}`)
  const chosen = drawn.filter(({ id }) => !equivalent.has(id))
  refuseTooMany(drawn.length - chosen.length, drawn.length)
  return chosen.filter((mutant) => parses(mutant.file, applied(texts.get(mutant.file) as string, mutant)))
}

async function plant(
  mutants: readonly Mutant[],
  sources: readonly Source[],
  texts: ReadonlyMap<string, string>,
  flags: Flags,
  deadline: number,
  before: readonly Result[],
  note: (result: Result) => void,
): Promise<void> {
  if (mutants.length === 0) return
  const isAsked = (test: string): boolean =>
    flags.tests.length === 0 || flags.tests.some((path) => test.startsWith(path))
  const tests = listTests(root).filter(isAsked)
  if (tests.length === 0)
    throw new WrongFlags('--tests: no test file lies there; write for instance --tests test/core.')
  if (flags.tests.length > 0)
    say(`Only ${tests.length} test files are run: a survivor may be caught by another.`)
  const refused = refusedByTypes(root, mutants, texts, { deadline, say })
  for (const mutant of mutants.filter(({ id }) => refused.has(id)))
    note(
      resultOf(mutant, texts.get(mutant.file) ?? '', {
        outcome: 'refused',
        ran: 0,
        covering: 0,
        durationMs: 0,
      }),
    )

  await using server = await startServer()
  const mayBeOlder = flags.changed !== undefined
  const coverages = await coverageOf(root, tests, { jobs: flags.jobs, deadline, mayBeOlder, say })
  const covering = createCovering(coverages, findPlacesIn(sources))
  for (const { file, by } of before) if (by !== undefined) covering.noteCatch({ file }, by)

  const waiting = mutants.filter(({ id }) => !refused.has(id))
  let done = 0
  for (let from = 0; from < waiting.length; from += SWEEP_AFTER) {
    await inParallel(waiting.slice(from, from + SWEEP_AFTER), flags.jobs, async (mutant, worker) => {
      if (Date.now() > deadline || coverages.length < tests.length) return
      const text = texts.get(mutant.file) as string
      const end = await tryMutant(root, mutant, text, covering.testsFor(mutant), {
        worker,
        mostTests: flags.mostTests,
      })
      if (end.by !== undefined) covering.noteCatch(mutant, end.by)
      note(resultOf(mutant, text, end))
      done += 1
      const seconds = (end.durationMs / 1000).toFixed(1)
      const by = end.by === undefined ? `${end.ran} of ${end.covering} test files` : `by ${end.by}`
      say(
        `${done}/${waiting.length} ${end.outcome.padEnd(9)} ${mutant.file}:${mutant.line} ${mutant.kind} ${by} ${seconds} s`,
      )
    })
    await server?.dropLeftDatabases()
  }
}

// A project whose tests need a server brings test/server.ts.
async function startServer(): Promise<TestServer | undefined> {
  const file = join(root, 'test/server.ts')
  if (!existsSync(file)) return undefined
  const { startTestServer } = (await import(pathToFileURL(file).href)) as {
    startTestServer: () => Promise<TestServer>
  }
  return await startTestServer()
}
