// npm run bench: asks every question, or those named (`node bench/run.ts payins list`), and prints one table: medians of
// three rounds with the bars beside them. A missed bar is told and not failed, because the machine may be busy; the exit
// code is 1 only where something broke. `--profile <directory>` keeps a CPU profile of every server.

import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { life } from './life.ts'
import { list } from './list.ts'
import { pages } from './pages.ts'
import { payins } from './payins.ts'
import { type Row, tableOf } from './report.ts'
import { openTestbed, type Testbed } from './testbed.ts'
import { webhooks } from './webhooks.ts'

// A question measures on the testbed it is given and answers rows for the table.
const QUESTIONS: Readonly<Record<string, (testbed: Testbed) => Promise<Row[]>>> = {
  payins,
  list,
  life,
  webhooks,
  pages,
}

process.exitCode = await main()

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { profile: { type: 'string' } },
    allowPositionals: true,
  })
  const names = positionals.length > 0 ? positionals : Object.keys(QUESTIONS)
  const unknown = names.filter((name) => !Object.hasOwn(QUESTIONS, name))
  if (unknown.length > 0) {
    const known = Object.keys(QUESTIONS).join(', ')
    process.stderr.write(`No such question: ${unknown.join(', ')}. There are: ${known}.\n`)
    return 2
  }

  const startedAtMs = performance.now()
  const interrupted = untilInterrupted()
  try {
    await using testbed = await openTestbed({ profileDirectory: values.profile ?? null })
    // What is still under way when we are interrupted fails when its servers go: nobody needs to hear of it.
    const asked = askAll(testbed, names)
    asked.catch(() => {})
    const rows = await Promise.race([asked, interrupted])
    if (typeof rows === 'string') {
      process.stderr.write(`Interrupted by ${rows}.\n`)
      return 130
    }
    const seconds = Math.round((performance.now() - startedAtMs) / 1_000)
    const machine = `${availableParallelism()} cores, ${process.platform} ${process.arch}, Node ${process.versions.node}`
    process.stdout.write(
      `\n${machine}, ${testbed.describe()}\nMedians of 3 rounds; the run took ${seconds} s\n\n${tableOf(rows)}\n`,
    )
    return 0
  } catch (error) {
    process.stderr.write(`${(error as Error).stack}\n`)
    return 1
  }
}

async function askAll(testbed: Testbed, names: string[]): Promise<Row[]> {
  const rows: Row[] = []
  for (const name of names) {
    testbed.tell(name)
    rows.push(...((await QUESTIONS[name]?.(testbed)) ?? []))
  }
  return rows
}

function untilInterrupted(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, resolve)
  })
}
