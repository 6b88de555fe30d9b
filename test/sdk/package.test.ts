// The published package: a tarball that installs into an empty project without a network, is small, has correct types,
// and works on every supported Node and in a browser.

import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { newWebhookSecret, secretBytes, webhookHeaders } from '../../src/webhooks/sign.ts'
import { launchChromium } from '../browser/chromium.ts'
import { builtSdk } from '../examples/workspace.ts'
import { createWorld, type World } from '../world.ts'

const ROOT = join(import.meta.dirname, '../..')
const MAX_GZIPPED_BYTES = 6 * 1_024
// One long message, and no more.
const MAX_LINE_LENGTH = 220
const STEP_TIMEOUT_MS = 60_000

const run = async (command: string, args: string[], cwd: string, env: Record<string, string> = {}) =>
  (
    await promisify(execFile)(command, args, {
      cwd,
      env: { ...process.env, ...env },
      timeout: STEP_TIMEOUT_MS,
    })
  ).stdout

// What a merchant would write, in any runtime: it gets the module and returns what it saw.
const TRY = `async ({ Recaudo, ApiError, verifyWebhook }, { baseUrl, apiKey, webhook }) => {
  const recaudo = new Recaudo({ apiKey }, { baseUrl })
  const reference = crypto.randomUUID()
  const payin = await recaudo.payins.create({
    amountInCents: 5_000_000, currency: 'COP', rail: 'BRE_B', reference, breb: { keyType: 'SINGLE_USE' },
  })
  await recaudo.payins.cancel(payin.id)
  const found = []
  for await (const one of recaudo.payins.list({ reference })) found.push(one.status)
  const refused = await recaudo.payins.create({}).catch((error) => error)
  const event = await verifyWebhook(webhook.body, webhook.headers, webhook.secret)
  const altered = await verifyWebhook(webhook.body + ' ', webhook.headers, webhook.secret).catch((error) => error)
  let followed
  for await (const { resource, data } of recaudo.events.follow({ after: 0 })) {
    if (resource !== 'payin' || data.id !== payin.id) continue
    followed = data.status
    break
  }
  return {
    found, followed, event: event.event, altered: altered.code,
    refused: refused instanceof ApiError && [refused.status, refused.code, refused.errors.length],
  }
}`
const SEEN = {
  found: ['CANCELED'],
  followed: 'CANCELED',
  event: 'payin.confirmed',
  altered: 'SIGNATURE_MISMATCH',
  refused: [400, 'INVALID_INPUT', 4],
}

describe('the package', () => {
  const directory = mkdtempSync(join(tmpdir(), 'recaudo-sdk-'))
  const project = join(directory, 'project')
  const installed = join(project, 'node_modules/@recaudo/sdk')
  let world: World
  let sequencing: NodeJS.Timeout
  before(async () => {
    mkdirSync(project)
    writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}')
    const built = join(directory, 'built')
    cpSync(await builtSdk(), built, { recursive: true })
    for (const name of ['README.md', 'LICENSE']) cpSync(join(ROOT, 'sdk', name), join(built, name))
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', directory], built)
    const tarball = readdirSync(directory).find((name) => name.endsWith('.tgz')) ?? assert.fail('no tarball')
    await run('npm', ['install', join(directory, tarball), '--offline', '--no-audit', '--no-fund'], project)
    world = await createWorld()
    // The workers sequence the events, and a world does not run them by itself.
    sequencing = setInterval(() => void world.work().catch(() => {}), 200)
  })
  after(async () => {
    clearInterval(sequencing)
    rmSync(directory, { recursive: true, force: true })
    await world[Symbol.asyncDispose]()
  })

  const given = () => {
    const secret = newWebhookSecret(randomBytes)
    const body = JSON.stringify({ event: 'payin.confirmed', data: {} })
    const headers = webhookHeaders('id', Math.floor(Date.now() / 1_000), body, [secretBytes(secret)])
    return { baseUrl: world.baseUrl, apiKey: world.apiKey, webhook: { secret, body, headers } }
  }

  it('holds the code, its types, a licence and a README, and needs no other package', () => {
    const names = readdirSync(installed, { recursive: true, encoding: 'utf8' })
    const unexpected = names.filter(
      (name) =>
        !/^(?:LICENSE|README\.md|package\.json|dist|dist\/.+\.d\.ts|dist\/(?:recaudo|receipts|administration|audit|approvals|deposits|payout-batches|refunds|reports|suspense|team)\.js)$/.test(
          name,
        ),
    )
    assert.deepEqual(unexpected, [])
    const entries = [
      'dist/recaudo.js',
      'dist/receipts.js',
      'dist/administration.js',
      'dist/audit.js',
      'dist/deposits.js',
      'dist/refunds.js',
      'dist/approvals.js',
      'dist/payout-batches.js',
      'dist/team.js',
    ]
    for (const name of ['LICENSE', 'README.md', ...entries, 'dist/schema.d.ts'])
      assert.ok(names.includes(name), name)
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(join(installed, 'package.json'), 'utf8'),
    )
    assert.deepEqual([dependencies, peerDependencies], [undefined, undefined])
  })

  it(`has at most ${MAX_GZIPPED_BYTES} bytes gzipped, and only what every runtime has`, () => {
    for (const entry of ['recaudo', 'team']) {
      const code = readFileSync(join(installed, `dist/${entry}.js`))
      const bytes = gzipSync(code, { level: 9 }).length
      assert.ok(bytes <= MAX_GZIPPED_BYTES, `${entry}: ${bytes} bytes`)
      assert.doesNotMatch(
        code.toString(),
        /\b(?:process|Buffer|require|window|document|node:\w+)\b(?!')|\bimport\b(?!Key)/,
      )
    }
  })

  it('is one statement a line: a stack trace names the function and leads to what it did', async () => {
    const file = join(installed, 'dist/recaudo.js')
    const lines = readFileSync(file, 'utf8').split('\n')
    assert.ok(lines.length > 400 && lines.every((line) => line.length <= MAX_LINE_LENGTH))
    const { Recaudo } = await import(file)
    const { stack } = await Promise.resolve()
      .then(() => new Recaudo({}))
      .catch((error) => error)
    const [, name, line] = /\n {4}at (\w+) \(\S+recaudo\.js:(\d+):\d+\)/.exec(stack) ?? assert.fail(stack)
    assert.equal(name, 'readText')
    assert.match(lines[Number(line) - 1] ?? '', /^throw new RecaudoError\(/)
  })

  it('has types that accept correct code and reject wrong code', async () => {
    const right = `
      import { type RecaudoEvent, Recaudo, verifyWebhook } from '@recaudo/sdk'
      import { Administration } from '@recaudo/sdk/administration'
      import { Audit } from '@recaudo/sdk/audit'
      import { checkStatement, fetchReceiptKeys } from '@recaudo/sdk/receipts'
      import { Team } from '@recaudo/sdk/team'
      import { Deposits } from '@recaudo/sdk/deposits'
      import { Refunds } from '@recaudo/sdk/refunds'
      const recaudo = new Recaudo({ clientId: 'a', clientSecret: 'b' }, { timeoutMs: 5 })
      const breb = { amountInCents: 1, currency: 'COP', reference: 'r', rail: 'BRE_B', breb: { keyType: 'QR_CODE' } } as const
      const url: string = (await recaudo.payins.create(breb, { idempotencyKey: 'k' })).createdAt
      for await (const { inlineCustomer } of recaudo.payins.list({ rail: 'PSE' })) inlineCustomer?.toUpperCase()
      const page: boolean = (await recaudo.payouts.list()).pageInfo.hasNext
      await recaudo.events.redeliver('id')
      const label = (event: RecaudoEvent) => (event.resource === 'payout' ? event.data.sourceData.keyString : event.event)
      label(await verifyWebhook(new Uint8Array(), new Headers(), ['s']))
      for await (const event of recaudo.events.follow({ after: 1, type: 'payin.settled' })) label(event)
      const administration = new Administration({ apiKey: 'k' })
      const { secret, prefix }: { secret: string; prefix: string } = await administration.apiKeys.create({ name: 'Shop' })
      for await (const client of administration.oauthClients.list()) client.previousSecretUntil?.toUpperCase()
      await administration.apiKeys.roll(secret + prefix, { overlapHours: 1 })
      const checked = await checkStatement('text', await fetchReceiptKeys())
      const digest: string | null = (await new Audit({ apiKey: 'a' }).entries({ outcome: 'refused' })).data[0]?.digest ?? null
      const paid: number = checked.verdict === 'genuine' ? checked.facts.amountInCents : 0
      const deposits = new Deposits({ apiKey: 'k' })
      const put: number = (await deposits.create('id', { amountInCents: 1, reference: 'r' })).amountInCents
      for await (const { reference } of deposits.withdrawals('id')) reference.toUpperCase()
      const refunds = new Refunds({ apiKey: 'k' })
      const back: number = (await refunds.create('id', { reason: 'OTHER' })).amountInCents
      for await (const { claimUrl } of refunds.list({ payinId: 'id' })) claimUrl?.toUpperCase()
      const team = new Team({ apiKey: 'k' })
      const link: string = (await team.invitations.create({ email: 'a@example.com', role: 'support' })).url
      for await (const { role } of team.members.list()) if (role === 'owner') break
      export { back, digest, link, page, paid, put, url }
    `
    const wrong = [
      `new Recaudo({})`,
      `recaudo.payins.create({ amountInCents: 1, currency: 'COP', reference: 'r', rail: 'PSE', breb: { keyType: 'QR_CODE' } })`,
      `recaudo.payins.create({ amountInCents: '1', currency: 'COP', reference: 'r', rail: 'BRE_B', breb: { keyType: 'QR_CODE' } })`,
      `recaudo.payins.list({ status: 'PAID' })`,
      `recaudo.payins.get(5)`,
      `recaudo.payins.get('id', { retries: 1 })`,
      `recaudo.payouts.refund('id')`,
      `verifyWebhook({ event: 'payin.confirmed' }, new Headers(), 's')`,
    ]
    const config = {
      compilerOptions: {
        target: 'es2022',
        lib: ['es2022', 'dom', 'dom.iterable'],
        module: 'nodenext',
        types: [],
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        skipLibCheck: false,
      },
      include: ['*.ts'],
    }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config))
    writeFileSync(join(project, 'right.ts'), right)
    const begin = `import { Recaudo, verifyWebhook } from '@recaudo/sdk'\nconst recaudo = new Recaudo({ apiKey: 'k' })\n`
    writeFileSync(join(project, 'wrong.ts'), begin + wrong.join('\n'))
    const output = await run(
      process.execPath,
      [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', project],
      project,
    ).then(
      () => assert.fail('everything was taken'),
      (error: { stdout: string }) => error.stdout,
    )
    const places = [...output.matchAll(/^(\S+?)\((\d+),/gm)].map(([, file, line]) => `${file} ${line}`)
    assert.deepEqual(new Set(places), new Set(wrong.map((_, at) => `wrong.ts ${at + 3}`)), output)
  })

  const nodes = nodesOnPath()
  for (const [major, path] of nodes) {
    it(`works on Node ${major}`, async () => {
      writeFileSync(
        join(project, 'try.mjs'),
        `import * as sdk from '@recaudo/sdk'\nconsole.log(JSON.stringify(await (${TRY})(sdk, JSON.parse(process.env.GIVEN))))\n`,
      )
      const said = await run(path, ['try.mjs'], project, { GIVEN: JSON.stringify(given()) })
      assert.deepEqual(JSON.parse(said), SEEN)
    })
  }
  it('was tried on two versions of Node', {
    skip: nodes.size < 2 && 'there is only one Node on PATH',
  }, () => {
    assert.ok(nodes.size >= 2)
  })

  it('works in Chromium', async () => {
    // The API allows no other origin, so page and API share one here.
    const server = createServer((incoming, response) => {
      if (incoming.url === '/')
        return void response.setHeader('content-type', 'text/html').end('<!doctype html>')
      if (incoming.url === '/sdk.js')
        return void response
          .setHeader('content-type', 'text/javascript')
          .end(readFileSync(join(installed, 'dist/recaudo.js')))
      const { method, url = '', headers } = incoming
      const outgoing = ask(world.baseUrl + url, { method, headers, agent: false }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
        response.on('close', () => answer.destroy())
      })
      outgoing.on('error', () => response.destroy())
      incoming.pipe(outgoing)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const browser = await launchChromium()
    try {
      const page = await browser.newPage()
      await page.goto(origin)
      const expression = `(async () => (${TRY})(await import('/sdk.js'), ${JSON.stringify({ ...given(), baseUrl: origin })}))()`
      assert.deepEqual(await page.evaluate(expression), SEEN)
    } finally {
      await browser.close()
      server.closeAllConnections()
      server.close()
    }
  })
})

// The newest of each major version that the client supports, this one included.
function nodesOnPath(): Map<string, string> {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const found = new Map([[process.versions.node.split('.')[0] as string, process.execPath]])
  for (const path of folders.map((folder) => join(folder, 'node')).filter((file) => existsSync(file))) {
    const major = majorOf(path)
    if (major !== undefined && Number(major) >= 20 && !found.has(major)) found.set(major, path)
  }
  return found
}

function majorOf(node: string): string | undefined {
  try {
    return execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).split('.')[0]
  } catch {
    return undefined
  }
}
