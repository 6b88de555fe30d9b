// The published package: a tarball that installs without a network beside the client's, and has only the merchant's
// commands.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import OPERATORS from '../../src/operator/command-help.json' with { type: 'json' }
import { createWorld, type World } from '../world.ts'
import { asMerchant, type Merchant, nodes, ROOT } from './binary.ts'
import { runHere } from './in-process.ts'

const STEP_TIMEOUT_MS = 60_000

describe('the package', () => {
  const directory = mkdtempSync(join(tmpdir(), 'recaudo-cli-package-'))
  const project = join(directory, 'project')
  const binary = join(project, 'node_modules/@recaudo/cli/dist/recaudo.js')
  let world: World
  let merchant: Merchant
  before(async () => {
    merchant = asMerchant()
    mkdirSync(project)
    writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}')
    const run = (args: string[], cwd: string) =>
      promisify(execFile)('npm', args, { cwd, timeout: STEP_TIMEOUT_MS })
    await run(['pack', './sdk', './cli', './node_modules/qr', '--pack-destination', directory], ROOT)
    const tarballs = readdirSync(directory).filter((name) => name.endsWith('.tgz'))
    assert.equal(tarballs.length, 3)
    const files = tarballs.map((name) => join(directory, name))
    await run(['install', ...files, '--offline', '--no-audit', '--no-fund'], project)
    world = await createWorld()
  })
  after(async () => {
    merchant[Symbol.dispose]()
    rmSync(directory, { recursive: true, force: true })
    await world[Symbol.asyncDispose]()
  })

  it('holds the built command, a licence and a README, and needs the client and qr only', () => {
    const installed = join(project, 'node_modules/@recaudo/cli')
    const names = readdirSync(installed, { recursive: true, encoding: 'utf8' })
    assert.deepEqual(
      names.filter((name) => !/^(?:LICENSE|README\.md|package\.json|dist|dist\/[\w-]+\.js)$/.test(name)),
      [],
    )
    for (const name of ['LICENSE', 'README.md', 'dist/recaudo.js']) assert.ok(names.includes(name), name)
    const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    assert.deepEqual(Object.keys(dependencies), ['@recaudo/sdk', 'qr'])
    const imported = names
      .filter((name) => name.endsWith('.js'))
      .flatMap((name) => [
        ...readFileSync(join(installed, name), 'utf8').matchAll(
          /^(?:import|export) .*from '([^'.]+)'|\bimport\('([^'.]+)'\)/gm,
        ),
      ])
      .map(([, first, second]) => first ?? second ?? '')
    assert.ok(imported.includes('@recaudo/sdk') && imported.includes('qr'))
    assert.deepEqual(
      imported.filter(
        (name) =>
          !/^(?:node:[\w/]+|@recaudo\/sdk(?:\/(?:receipts|administration|approvals|audit|deposits|payout-batches|refunds|reports|suspense|team))?|qr)$/.test(
            name,
          ),
      ),
      [],
    )
  })

  for (const [major, node] of nodes())
    it(`works on Node ${major}, with the merchant’s commands and no others`, async () => {
      const help = await merchant.run(['--help'], { node, binary })
      assert.deepEqual([help.code, help.stderr], [0, ''])
      assert.doesNotMatch(help.stdout, /recaudo (?:start|migrate|webhooks overview)\b/)
      assert.match(help.stdout, /recaudo payins create/)
      const env = { RECAUDO_API_KEY: world.apiKey, RECAUDO_BASE_URL: world.baseUrl }
      const line = ['links', 'create', '--amount-in-cents', '100', '--reference', 'r', '--qr']
      const made = await merchant.run([...line, '--callback-url', 'https://shop.example/'], {
        node,
        binary,
        env,
      })
      assert.equal(made.code, 0, made.stderr)
      assert.match(made.stdout, /▄▄▄▄▄/)
      const { version } = JSON.parse(readFileSync(join(ROOT, 'cli/package.json'), 'utf8'))
      assert.equal((await merchant.run(['--version'], { node, binary })).stdout, `${version}\n`)
    })

  it('says where the operator’s commands are, for each of them', async () => {
    const installed = { command: join(project, 'node_modules/@recaudo/cli/dist/run.js'), others: {} }
    for (const [index, name] of Object.values(OPERATORS)
      .flatMap((group) => Object.keys(group))
      .entries()) {
      const args = name.split(' ')
      const isProcess = index === 0
      const end = await (isProcess ? merchant.run(args, { binary }) : runHere(args, merchant.env, installed))
      assert.deepEqual(
        [end.code, end.stderr],
        [
          2,
          `recaudo: \`recaudo ${name}\` is for whoever runs the service: it is in the server’s folder, as \`npx recaudo ${name}\`.\n`,
        ],
      )
    }
  })

  it('in the server’s folder runs the server’s own launcher', async () => {
    const own = await merchant.run(['--help'], { binary: join(ROOT, 'cli/dist/recaudo.js') })
    assert.equal(own.stdout, (await merchant.run(['--help'])).stdout)
    assert.match(own.stdout, /recaudo start /)
  })
})
