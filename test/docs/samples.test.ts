// Every sample of the documentation is run unchanged, except for existing ids and new references: curl by curl,
// TypeScript by the compiler and by Node, the command line by the command.

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type ApiOperation, readApi } from '../../src/docs/open-api.ts'
import { samplesOf } from '../../src/docs/samples/sample.ts'
import { createWorld, eventually, type World } from '../world.ts'
import { fillIn, type Ids, makeIds, unheardFile } from './subjects.ts'

const ROOT = join(import.meta.dirname, '../..')
const TIMEOUT_MS = 60_000

type Runnable = { operation: ApiOperation; name: string; text: string; body: unknown }

describe('the samples', () => {
  let world: World
  let ids: Ids
  let environment: Record<string, string>
  let directory: string
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'recaudo-samples-'))
    world = await createWorld()
    ids = await makeIds(world)
    const { clientId, secret } = await world.oauthClient()
    environment = {
      PATH: process.env.PATH ?? '',
      HOME: directory,
      XDG_CONFIG_HOME: directory,
      // The command is compiled once, not for each sample.
      ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
      RECAUDO_API_KEY: world.apiKey,
      RECAUDO_BASE_URL: world.baseUrl,
      RECAUDO_CLIENT_ID: clientId,
      RECAUDO_CLIENT_SECRET: secret,
    }
  })
  after(async () => {
    rmSync(directory, { recursive: true, force: true })
    await world[Symbol.asyncDispose]()
  })

  // Operations that advance payments come first. Otherwise they would send the payouts that other samples cancel. Clock
  // moves come last. Otherwise the other samples' payments would have ended.
  function samplesIn(label: string): Runnable[] {
    return readApi(world.baseUrl, 'staging')
      .operations.flatMap((operation) => {
        const examples = operation.body?.examples.length ? operation.body.examples : [undefined]
        return examples.flatMap((example) =>
          samplesOf({ operation, body: example?.value, baseUrl: world.baseUrl })
            .filter((sample) => sample.label === label)
            .map(({ text }) => ({
              operation,
              name: `${operation.operationId}${example === undefined ? '' : ` ${example.key}`}`,
              text,
              body: example?.value,
            })),
        )
      })
      .sort((a, b) => order(a) - order(b))
  }

  const order = ({ name }: Runnable) =>
    /^(simulate|getReceipt|(submit|retry)PayoutBatch|\w*(Suspense|Refund))/.test(name)
      ? 0
      : name.startsWith('advance')
        ? 2
        : 1
  const filled = async ({ operation, text, body }: Runnable) =>
    fillIn(text, operation, body, await ids(operation))

  // People decide, and a sample has a key.
  const isOfPeople = ({ operation }: Runnable) => /^(approve|refuse)Approval$/.test(operation.operationId)

  it('in curl get the documented status', async () => {
    const samples = samplesIn('curl')
    assert.ok(samples.length >= 40)
    const texts: string[] = []
    for (const sample of samples) {
      const text = (await filled(sample)).replace(/^curl /, "curl -sS -o /dev/null -w '%{http_code}' ")
      const isStream = sample.operation.success.mediaType === 'text/event-stream'
      texts.push(isStream ? text.replace('curl ', 'curl --max-time 2 ') : text)
    }
    // In one shell, which is cheaper to start a program from.
    const { output } = await shell(texts.map((text) => `{ ${text}\n} 2>&1\nprintf '\\0'\n`).join(''))
    const answers = output.split('\0').slice(0, -1)
    assert.equal(answers.length, samples.length, output)
    for (const [index, sample] of samples.entries())
      assert.match(
        answers[index] ?? '',
        new RegExp(`\\b${isOfPeople(sample) ? 403 : sample.operation.success.status}\\s*$`),
        `${sample.name}\n${texts[index]}`,
      )
  })

  it('in TypeScript compile, and do what they say', async () => {
    const sdk = pathToFileURL(join(ROOT, 'sdk/src/recaudo.ts')).href
    const samples = samplesIn('TypeScript')
    const files: { name: string; file: string; text: string }[] = []
    for (const sample of samples) {
      const file = join(directory, `sample-${files.length}.ts`)
      const text = await filled(sample)
      writeFileSync(file, text)
      files.push({ name: sample.name, file, text })
    }
    writeFileSync(join(directory, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(compilerSettings()))
    const tsc = await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', directory])
    assert.equal(tsc.code, 0, tsc.output)

    // Node does not resolve packages from there, so the SDK is named by its file.
    const named = (text: string) =>
      text
        .replace("'@recaudo/sdk'", `'${sdk}'`)
        .replace(/'@recaudo\/sdk\/([\w-]+)'/, (_, entry) => `'${sdk.replace(/recaudo\.ts$/, `${entry}.ts`)}'`)
    for (const { file, text } of files) writeFileSync(file, named(text))
    writeFileSync(join(directory, 'run.mjs'), RUNNER)
    const ran = await run(process.execPath, [
      join(directory, 'run.mjs'),
      ...files.map(({ file }) => pathToFileURL(file).href),
    ])
    const results = JSON.parse(ran.output.trim().split('\n').at(-1) ?? '[]') as {
      failure?: string
      printed: number
    }[]
    assert.equal(results.length, files.length, ran.stderr)
    for (const [index, { failure, printed }] of results.entries()) {
      if (/PERSON_REQUIRED/.test(failure ?? '')) continue
      assert.equal(failure, undefined, `${files[index]?.name}\n${files[index]?.text}`)
      assert.ok(printed > 0, `${files[index]?.name} prints something`)
    }
  })

  const launcher = join(ROOT, 'cli/src/run.ts')
  it('of the command line are accepted and succeed', {
    skip: !existsSync(launcher) && 'no cli',
  }, async () => {
    const samples = samplesIn('CLI')
    assert.ok(samples.length >= 30)
    const commands: { name: string; text: string }[] = []
    for (const sample of samples) {
      const text = await filled(sample)
      if (sample.operation.operationId === 'createPayoutBatch') {
        const { fileName, file } = sample.body as { fileName: string; file: string }
        writeFileSync(join(directory, fileName), Buffer.from(unheardFile(file), 'base64'))
      }
      if (sample.operation.operationId === 'streamEvents') {
        // It listens until it is stopped, and first prints the secret it signs with.
        writeFileSync(
          join(directory, 'recaudo.mjs'),
          `import { run } from '${pathToFileURL(launcher).href}'\nprocess.exitCode = await run(process.argv.slice(2))\n`,
        )
        const command = `recaudo() { '${process.execPath}' '${join(directory, 'recaudo.mjs')}' "$@"; }\n`
        await printsAndGoesOn(`${command}${text}`, /whsec_/)
        continue
      }
      commands.push({ name: sample.name, text })
    }
    // What the shell makes of them.
    const lines = commands.map(({ text }) => `${text} --json\nprintf '\\1'\n`)
    const { output, code } = await shell(`set -e\nrecaudo() { printf '%s\\0' "$@"; }\n${lines.join('')}`)
    assert.equal(code, 0, output)
    const args = output.split('\x01').map((all) => all.split('\0').slice(0, -1))
    assert.equal(args.length, commands.length + 1)
    writeFileSync(join(directory, 'commands.json'), JSON.stringify(args.slice(0, -1)))
    writeFileSync(join(directory, 'commands.mjs'), commandRunner(pathToFileURL(launcher).href))
    const ran = await run(process.execPath, [join(directory, 'commands.mjs')])
    assert.equal(ran.code, 0, ran.stderr)
    const results = JSON.parse(ran.output) as { code: number; printed: string; errors: string }[]
    assert.equal(results.length, commands.length)
    for (const [index, { code, printed, errors }] of results.entries()) {
      assert.equal(code, 0, `${commands[index]?.name}\n${commands[index]?.text}\n${errors}`)
      assert.doesNotThrow(() => JSON.parse(printed), `${commands[index]?.name} --json`)
    }
  })

  function shell(script: string) {
    return run('/bin/sh', ['-c', script])
  }

  async function printsAndGoesOn(script: string, expected: RegExp): Promise<void> {
    // A group of its own, so that what the shell has started ends with it.
    const child = spawn('/bin/sh', ['-c', script], { env: environment, cwd: ROOT, detached: true })
    let printed = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text
      })
    const ended = once(child, 'exit')
    try {
      await eventually(
        async () => (child.exitCode === null ? printed : assert.fail(`it ended: ${printed}`)),
        (text) => expected.test(text),
        TIMEOUT_MS,
      )
    } finally {
      process.kill(-(child.pid as number), 'SIGKILL')
      await ended
    }
  }

  function run(file: string, args: string[]): Promise<{ code: number; output: string; stderr: string }> {
    return new Promise((resolve) => {
      execFile(file, args, { env: environment, cwd: ROOT, timeout: TIMEOUT_MS }, (error, output, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), output, stderr }),
      )
    })
  }
})

function compilerSettings() {
  return {
    compilerOptions: {
      target: 'es2024',
      module: 'nodenext',
      moduleResolution: 'nodenext',
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      noUnusedLocals: true,
      allowImportingTsExtensions: true,
      types: ['node'],
      typeRoots: [join(ROOT, 'node_modules/@types')],
      paths: {
        '@recaudo/sdk': [join(ROOT, 'sdk/src/recaudo.ts')],
        '@recaudo/sdk/receipts': [join(ROOT, 'sdk/src/receipts.ts')],
        '@recaudo/sdk/administration': [join(ROOT, 'sdk/src/administration.ts')],
        '@recaudo/sdk/team': [join(ROOT, 'sdk/src/team.ts')],
        '@recaudo/sdk/audit': [join(ROOT, 'sdk/src/audit.ts')],
        '@recaudo/sdk/reports': [join(ROOT, 'sdk/src/reports.ts')],
        '@recaudo/sdk/deposits': [join(ROOT, 'sdk/src/deposits.ts')],
        '@recaudo/sdk/refunds': [join(ROOT, 'sdk/src/refunds.ts')],
        '@recaudo/sdk/approvals': [join(ROOT, 'sdk/src/approvals.ts')],
        '@recaudo/sdk/payout-batches': [join(ROOT, 'sdk/src/payout-batches.ts')],
        '@recaudo/sdk/suspense': [join(ROOT, 'sdk/src/suspense.ts')],
      },
    },
    include: ['*.ts'],
  }
}

// Runs one sample after the other. One that listens forever is done when it has received something.
const RUNNER = `const results = []
const log = console.log
for (const file of process.argv.slice(2)) {
  let printed = 0
  let failure
  let heard
  const first = new Promise((resolve) => { heard = resolve })
  console.log = () => { printed += 1; heard() }
  try {
    const done = import(file)
    done.catch(() => {})
    const text = (await import('node:fs')).readFileSync(new URL(file), 'utf8')
    await (text.includes('.follow(') ? Promise.race([done, first]) : done)
  } catch (error) {
    failure = String(error)
  }
  results.push({ failure, printed })
}
log(JSON.stringify(results))
process.exit()
`

// Runs one command after the other in the folder, as the launcher does. test/cli starts it as a process.
const commandRunner = (launcher: string) => `import { readFileSync } from 'node:fs'
import { run } from '${launcher}'
process.chdir(import.meta.dirname)
process.stdout.setMaxListeners(0)
const write = process.stdout.write.bind(process.stdout)
const results = []
for (const args of JSON.parse(readFileSync('commands.json', 'utf8'))) {
  let printed = ''
  let errors = ''
  process.stdout.write = (text) => { printed += text; return true }
  process.stderr.write = (text) => { errors += text; return true }
  results.push({ code: await run(args), printed, errors })
}
write(JSON.stringify(results))
`
