// npm run soak -- --minutes 60: runs the whole installation under a steady load with disruptions, prints its memory, handles, rows
// and latencies over time, and writes them to soak.json. Exit code 1 if something grows or was lost. Ctrl-C ends it early, with the
// report so far; a second one ends it at once. DATABASE_URL names a server to run on, in a database of its own, instead of the
// embedded one.

import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabaseFor } from '../bench/database.ts'
import { headLine, sampleLine, summaryOf } from './report.ts'
import { soak } from './soak.ts'

const HEAD_EVERY = 30

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    rate: { type: 'string', default: '2' },
    'sample-seconds': { type: 'string', default: '20' },
    'disrupt-seconds': { type: 'string', default: '75' },
    seed: { type: 'string', default: '1' },
    json: { type: 'string', default: 'soak.json' },
  },
})
process.exitCode = await main()

async function main(): Promise<number> {
  const numbers = ['minutes', 'rate', 'sample-seconds', 'disrupt-seconds', 'seed'] as const
  const wrong = numbers.filter((name) => !(Number(values[name]) > 0))
  if (wrong.length > 0) {
    say(`Give a number above 0: ${wrong.map((name) => `--${name}`).join(', ')}.`)
    return 2
  }
  const directory = mkdtempSync(join(tmpdir(), 'recaudo-soak-database-'))
  chmodSync(directory, 0o755)
  try {
    await using database = await openDatabaseFor('DATABASE_URL', directory)
    say(
      `PostgreSQL ${database.version}, Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} cores; memory in MiB after a collection, times in ms`,
    )
    const report = await soak({
      databaseUrl: database.url,
      seconds: Number(values.minutes) * 60,
      rate: Number(values.rate),
      sampleSeconds: Number(values['sample-seconds']),
      disruptSeconds: Number(values['disrupt-seconds']),
      seed: Number(values.seed),
      interrupted: interrupted(),
      onProgress: (text) => say(`${new Date().toISOString()} ${text}`),
      onSample: (sample, all) => {
        if (all.length % HEAD_EVERY === 1) say(headLine())
        say(sampleLine(sample))
        write({ samples: all })
      },
    })
    write(report)
    say(`\n${summaryOf(report)}\nsamples: ${values.json}`)
    return report.failures.length === 0 ? 0 : 1
  } catch (error) {
    say(`FAILED: ${(error as Error).stack}`)
    return 1
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

// Whoever reads it meanwhile finds it whole.
function write(content: object): void {
  const aside = `${values.json}.part`
  writeFileSync(aside, `${JSON.stringify(content, null, 1)}\n`)
  renameSync(aside, values.json)
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    let times = 0
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => {
        times += 1
        if (times === 1) resolve()
        else process.exit(130)
      })
  })
}
