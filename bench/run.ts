// npm run bench: runs every question, or those named (`node bench/run.ts payins list`), and prints one table: medians of
// three rounds with the bars beside them. A missed bar is reported but does not fail the run, because the machine may be
// busy. The exit code is 1 only if something broke, or if a bar of CPU alone is missed. `--profile <directory>` writes a CPU
// profile of every server. `migrations` takes many minutes and is run by name only; `--rows` has it write fewer than ten million.
// BENCH_DATABASE_URL names a server of yours to measure on, instead of the embedded one.

import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { ADAPTER_ROUNDS, adapters } from './adapters.ts'
import { batches } from './batches.ts'
import { close } from './close.ts'
import { consolePage } from './console-page.ts'
import { consoles } from './consoles.ts'
import { filters } from './filters.ts'
import { idle } from './idle.ts'
import { life } from './life.ts'
import { list } from './list.ts'
import { migrations } from './migrations.ts'
import { pages } from './pages.ts'
import { PAYIN_ROUNDS, payins } from './payins.ts'
import { reconcile } from './reconcile.ts'
import { type Row, tableOf } from './report.ts'
import { search } from './search.ts'
import { storage } from './storage.ts'
import { openTestbed, type Testbed } from './testbed.ts'
import { TRACING_ROUNDS, tracing } from './tracing.ts'
import { validation } from './validation.ts'
import { watch } from './watch.ts'
import { webhooks } from './webhooks.ts'

// A question measures on the given testbed and returns rows for the table.
const QUESTIONS: Readonly<Record<string, (testbed: Testbed) => Promise<Row[]>>> = {
  payins,
  list,
  life,
  webhooks,
  pages,
  batches,
  reconcile,
  close,
  storage,
  idle,
  filters,
  search,
  watch,
  consoles,
  'console-page': consolePage,
  validation,
  tracing,
  adapters,
  migrations,
}
const BY_NAME_ONLY = ['migrations']

process.exitCode = await main()

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { profile: { type: 'string' }, rows: { type: 'string' } },
    allowPositionals: true,
  })
  const usual = Object.keys(QUESTIONS).filter((name) => !BY_NAME_ONLY.includes(name))
  const names = positionals.length > 0 ? positionals : usual
  const unknown = names.filter((name) => !Object.hasOwn(QUESTIONS, name))
  if (unknown.length > 0) {
    const known = Object.keys(QUESTIONS).join(', ')
    process.stderr.write(`No such question: ${unknown.join(', ')}. There are: ${known}.\n`)
    return 2
  }
  const count = values.rows === undefined ? null : Number(values.rows)
  if (count !== null && !(Number.isSafeInteger(count) && count > 0)) {
    process.stderr.write('--rows must be a number, such as 1000000.\n')
    return 2
  }

  const startedAtMs = performance.now()
  const interrupted = untilInterrupted()
  try {
    await using testbed = await openTestbed({ profileDirectory: values.profile ?? null, rows: count })
    // After an interrupt, requests in progress fail because their servers stop. Those errors are ignored.
    const running = runAll(testbed, names)
    running.catch(() => {})
    const rows = await Promise.race([running, interrupted])
    if (typeof rows === 'string') {
      process.stderr.write(`Interrupted by ${rows}.\n`)
      return 130
    }
    const seconds = Math.round((performance.now() - startedAtMs) / 1_000)
    const others = [
      ...(names.includes('payins') ? [`${PAYIN_ROUNDS} for payins`] : []),
      ...(names.includes('adapters') ? [`${ADAPTER_ROUNDS} for adapters`] : []),
      ...(names.includes('tracing') ? [`${TRACING_ROUNDS} for tracing`] : []),
    ]
    const rounds = ['3 rounds', ...others].join(', of ')
    const machine = `${availableParallelism()} cores, ${process.platform} ${process.arch}, Node ${process.versions.node}`
    process.stdout.write(
      `\n${machine}, ${testbed.describe()}\nMedians of ${rounds}; the run took ${seconds} s\n\n${tableOf(rows)}\n`,
    )
    return rows.some(({ bars }) => bars.some((bar) => bar.isBinding && !bar.met)) ? 1 : 0
  } catch (error) {
    process.stderr.write(`${(error as Error).stack}\n`)
    return 1
  }
}

async function runAll(testbed: Testbed, names: string[]): Promise<Row[]> {
  const rows: Row[] = []
  for (const name of names) {
    testbed.reportProgress(name)
    rows.push(...((await QUESTIONS[name]?.(testbed)) ?? []))
  }
  return rows
}

function untilInterrupted(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, resolve)
  })
}
