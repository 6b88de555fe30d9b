// npm run mutate: plants small bugs in the sources, one at a time, and sees whether a test fails. What survives shows what the
// tests do not look at. `--help` lists what may be asked. Nothing but .mutate/ is written.

import { choose } from './choose.ts'
import { type Flags, HELP, readFlags, WrongFlags } from './flags.ts'
import { lockCache } from './lock.ts'
import { diffOf, type Mutant } from './mutant.ts'
import { plantAll } from './plant-all.ts'
import { percentOf, report, scoreOf } from './report.ts'
import { appendResult, beginResults, type Result, readResults, textMark } from './results.ts'
import { readSources } from './sources.ts'
import { stopTests } from './test-process.ts'

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
  let isStopped = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      isStopped = true
      stopTests()
    })
  const sources = readSources(root)
  const mutants = choose(root, sources, flags, say)
  if (flags.list) {
    for (const mutant of mutants) say(`${diffOf(mutant)}\n`)
    say(`${mutants.length} mutants`)
    return 0
  }
  using _lock = lockCache(root)
  const known = new Map((flags.resume ? readResults(root) : []).map((result) => [result.id, result]))
  const marks = new Map(sources.map(({ path, text }) => [path, textMark(text)]))
  const isKnown = ({ id, file }: Mutant): boolean => known.get(id)?.source === marks.get(file)
  const results: Result[] = mutants.filter(isKnown).map(({ id }) => known.get(id) as Result)
  if (flags.resume) say(`${results.length} of ${mutants.length} mutants are known from the run before`)
  else beginResults(root)
  await plantAll(root, sources, {
    mutants: mutants.filter((mutant) => !isKnown(mutant)),
    flags,
    isOver: () => isStopped || Date.now() > deadline,
    say,
    before: [...results],
    note: (result) => {
      results.push(result)
      appendResult(root, result)
    },
  })
  say(report(mutants, results))
  const left = mutants.length - results.length
  if (left > 0)
    say(
      `${left} mutants were not begun: ${isStopped ? 'the run was stopped' : 'the time was over'}. The next run with --resume goes on.`,
    )
  const guards = results.filter(({ kind }) => kind === 'sql-guard')
  const isUnder = [results, guards].some((list) => percentOf(scoreOf(list)) < flags.bar)
  if (isUnder) say(`Under the bar of ${flags.bar} %.`)
  return isStopped ? 130 : isUnder ? 1 : 0
}
