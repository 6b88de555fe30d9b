// npm test: checks types and style, starts a PostgreSQL with a migrated template, and runs the tests. `npm test -- --quick`
// runs the rules and the ways of money only, for the working day; `npm test -- --deep` repeats more (test/depth.ts). `node test/run.ts test/api/payins/operations.test.ts` runs some files only.
// TEST_DATABASE_URL uses that server instead of the embedded one. TEST_CITUS_URL, the coordinator of a Citus cluster, has the databases
// of test worlds instead, each distributed over it.

import { spawn } from 'node:child_process'
import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { run as runFiles } from 'node:test'
import { spec } from 'node:test/reporters'
import { findChromium } from './browser/chromium.ts'
import { citusUrl } from './citus.ts'
import { installFrameworks, needsFrameworks } from './frameworks/frameworks.ts'
import { endHangingFiles } from './hanging-files.ts'
import { testProcessScript } from './one-process.ts'
import { startTestServer } from './server.ts'

// Files that take long, longest first: begun early, none of them is left running alone at the end.
const LONG = [
  'test/deploy/image.test.ts',
  'test/process/secrets.test.ts',
  'test/process/many-ends.test.ts',
  'test/browser/docs.test.ts',
  'test/simulation/crash.test.ts',
  'test/simulation/provider-crash.test.ts',
  'test/browser/checkout-pages.test.ts',
  'test/browser/console-pages.test.ts',
  'test/simulation/storm.test.ts',
  'test/browser/checkout-payer.test.ts',
  'test/process/full-disk.test.ts',
  'test/process/many.test.ts',
  'test/browser/lighthouse.test.ts',
  'test/browser/console-sign-in.test.ts',
  'test/browser/console-account.test.ts',
  'test/browser/sandbox-pages.test.ts',
  'test/cli/trigger.test.ts',
  'test/store/tenants.test.ts',
  'test/process/failover.test.ts',
  'test/examples/next-breb-qr.test.ts',
  'test/docs/samples.test.ts',
  'test/browser/link-flows.test.ts',
  'test/browser/console-live.test.ts',
  'test/browser/console-forms.test.ts',
  'test/console/export.test.ts',
  'test/embedded.test.ts',
  'test/simulation/delivery-crash.test.ts',
  'test/api/http/fuzz.test.ts',
  'test/fuzz/fuzz.test.ts',
  'test/soak/soak.test.ts',
  'test/workers/fairness.test.ts',
]
// Browsers, processes, whole histories and packages.
const HEAVY =
  /^test\/(browser|cli|deploy|docs|examples|fuzz|guides|mutate|process|release|sdk|simulation|soak|embedded)/
// The rules, the ways of money and the statements that guard them; of the networks our own two.
const QUICK =
  /^test\/(core|rails\/[^/]+$|flows\/(directory|payins|payouts|payment-links)|api\/payins|store\/(payins|refunds|ledger|guard|batched|writes|db)|(architecture|config|docs|tidy|world)\.)/

// Enough to keep every core busy to the end.
const GROUPS = 10
// One at a time each: a process costs more than what it would have to wait for.
const QUICK_GROUPS = 4
// Their short files share a process, each folder its own.
const SHARED_FOLDERS = ['cli', 'deploy', 'docs', 'guides', 'mutate', 'release', 'sdk', 'simulation', 'soak']

// Files of pages that share a process share its browser too.
const BROWSERS = 4
const STARTERS = 4

// Of a process, which may have forty files: two minutes alone, and several times that where others use the machine. A test that takes
// half of it is at fault, and the others of its file still run.
const FILE_TIMEOUT_MS = 20 * 60_000
const TEST_TIMEOUT_MS = FILE_TIMEOUT_MS / 2

const [first = '', ...others] = process.argv.slice(2)
const isQuick = first === '--quick'
const isDeep = first === '--deep'
if (isDeep) process.env.TEST_DEEP = 'yes'
const chosen = isQuick || isDeep ? others : [...new Set(process.argv.slice(2))]
const ROOT = join(import.meta.dirname, '..')
const CACHE = join(ROOT, 'node_modules/.cache/recaudo-tests')
const bin = (name: string): string => join(ROOT, 'node_modules/.bin', name)

process.exitCode = await main()

async function main(): Promise<number> {
  // Beside the tests: the compiler uses one core only.
  const checked = chosen.length > 0 ? Promise.resolve(true) : checkTypesAndStyle()
  process.stdout.write(
    citusUrl() === undefined
      ? 'No Citus: TEST_CITUS_URL is not set, so nothing here was run on a distributed PostgreSQL.\n'
      : 'Citus: the databases of test worlds are distributed over the cluster of TEST_CITUS_URL.\n',
  )
  if (chosen.length === 0 && !isDeep)
    process.stdout.write('Next and Lighthouse: their two tests are run by `npm test -- --deep`.\n')
  await using _server = await startTestServer()
  const files = chosen.length > 0 ? chosen : allFiles()
  if (files.some((file) => file.includes('test/browser/'))) provideChromium()
  const framed = files.some(needsFrameworks) ? installFrameworks() : Promise.resolve(undefined)
  // Compiled once, not in each process: where bin/recaudo.mjs keeps it too, for the processes that tests start.
  process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules/.cache/recaudo')
  const outcome = await runTests(chosen.length > 0 ? files : grouped(files))
  const problem = await framed
  if (problem !== undefined)
    process.stdout.write(
      `Next and Lighthouse could not be installed, so their tests were skipped: ${problem}\n`,
    )
  if (await checked) return outcome
  process.stdout.write('Types or style are wrong: the messages of tsc and biome are above.\n')
  return 1
}

async function checkTypesAndStyle(): Promise<boolean> {
  // What has not changed since the last time is not checked again.
  const noted = ['--incremental', '--tsBuildInfoFile', join(CACHE, 'types.tsbuildinfo')]
  const codes = await Promise.all([
    run(bin('tsc'), ['--noEmit', ...noted]),
    // Style is for `npm run check` and the whole run.
    ...(isQuick ? [] : [run(bin('biome'), ['check', '.'])]),
  ])
  return codes.every((code) => code === 0)
}

// Not `node --test`, which sorts the files by name.
function runTests(files: string[]): Promise<number> {
  const tests = runFiles({
    files: files.map((file) => resolve(ROOT, file)),
    // Two more than cores: tests wait for clocks, networks and browsers much of the time. Three were no quicker.
    concurrency: availableParallelism() + 2,
    timeout: TEST_TIMEOUT_MS,
    execArgv: [
      ...['--import', join(ROOT, 'bin/module-resolution.mjs')],
      ...['--import', join(ROOT, 'test/untracked-promises.ts')],
    ],
  })
  endHangingFiles(tests, FILE_TIMEOUT_MS, (line) => process.stdout.write(`${line}\n`))
  return new Promise((settle, reject) => {
    // The last summary is that of the whole run.
    let isGreen = false
    tests.on('test:summary', ({ success }) => {
      isGreen = success
    })
    const report = tests.compose(spec)
    report.once('error', reject)
    report.once('end', () => settle(isGreen ? 0 : 1))
    report.pipe(process.stdout)
  })
}

function allFiles(): string[] {
  const rank = (file: string): number => (LONG.includes(file) ? LONG.indexOf(file) : LONG.length)
  return globSync('test/**/*.test.ts', { cwd: ROOT, exclude: ['test/frameworks/**'] })
    .filter((file) => !isQuick || (QUICK.test(file) && !HEAVY.test(file)))
    .filter((file) => isDeep || !needsFrameworks(file))
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
}

// A process loads and compiles the service before its first test, which costs more than most files' tests. So the short files share
// a few processes, one after the other in each.
function grouped(files: string[]): string[] {
  const within = (folder: string, from: string[]): string[] =>
    from.filter((file) => file.startsWith(`test/${folder}/`))
  const pages = within('browser', files)
  const starts = within('process', files)
  const apart = files.filter((file) => !pages.includes(file) && !starts.includes(file))
  const long = apart.filter((file) => LONG.includes(file))
  const short = apart.filter((file) => !LONG.includes(file))
  const light = short.filter((file) => !HEAVY.test(file))
  const inFolder = (folder: string): string[] => within(folder, short)
  const shared = SHARED_FOLDERS.flatMap(inFolder)
  mkdirSync(CACHE, { recursive: true })
  const waiting = [
    ...inProcesses('process', starts, STARTERS),
    ...inProcesses('pages', pages, BROWSERS),
    ...long,
    ...short.filter((file) => !light.includes(file) && !shared.includes(file)),
    ...SHARED_FOLDERS.flatMap((folder) => inProcesses(folder, inFolder(folder), 1)),
  ]
  return spread(waiting, inProcesses('group', light, isQuick ? QUICK_GROUPS : GROUPS))
}

// They wait as much as they compute, so what only computes runs beside them and not after them.
function spread(waiting: readonly string[], computing: readonly string[]): string[] {
  const between = Math.ceil(waiting.length / computing.length)
  return computing.flatMap((one, index) => [...waiting.slice(index * between, (index + 1) * between), one])
}

function inProcesses(name: string, files: readonly string[], count: number): string[] {
  return Array.from({ length: count }, (_, process) =>
    files.filter((_file, index) => index % count === process),
  )
    .filter((members) => members.length > 0)
    .map((members, process) => processOf(`${name}-${process + 1}`, members))
}

function processOf(name: string, members: readonly string[]): string {
  const path = join(CACHE, `${name}.mjs`)
  writeFileSync(path, testProcessScript(ROOT, members))
  return path
}

// Here and not in the tests, which run side by side: installing it twice at once fails. If there is none, the tests that need
// one say so.
function provideChromium(): void {
  try {
    findChromium()
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
  }
}

function run(command: string, args: string[]): Promise<number> {
  return new Promise((resolve) => {
    spawn(command, args, { stdio: 'inherit', cwd: ROOT })
      .on('close', (code) => resolve(code ?? 1))
      .on('error', (error) => {
        process.stderr.write(`${error.message}\n`)
        resolve(1)
      })
  })
}
