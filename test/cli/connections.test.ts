// recaudo connections: accounts at providers are created, shown, changed, tested and deleted, and secrets need not be typed.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type FakeProvider, startFakeProvider } from '../api/connections/fake-provider.ts'
import { createWorld, type World } from '../world.ts'
import type { Merchant } from './binary.ts'
import { merchantInProcess } from './in-process.ts'

describe('recaudo connections', () => {
  let world: World
  let merchant: Merchant
  let provider: FakeProvider
  before(async () => {
    provider = await startFakeProvider()
    world = await createWorld()
    merchant = merchantInProcess(world)
  })
  after(async () => {
    merchant[Symbol.dispose]()
    await world[Symbol.asyncDispose]()
    await provider[Symbol.asyncDispose]()
  })

  const PLACETOPAY = ['--provider', 'placetopay', '--uses', 'PSE_IN', '--credential', 'login=shop']
  const secretOf = () => provider.opened.at(-1)?.credentials.secretKey

  it('are created, listed, shown, changed, tested and deleted', async () => {
    const made = await merchant.run([
      ...['connections', 'create', ...PLACETOPAY, '--credential', 'secretKey=hidden-1', '--disabled'],
      ...['--name', 'PSE account', '--priority', '7', '--minimum-in-cents', '200000'],
    ])
    assert.equal(made.code, 0, made.stderr)
    const [, id = ''] = /^id +(\S+)$/m.exec(made.stdout) ?? []
    assert.match(made.stdout, /^provider +placetopay \(test\)$/m)
    assert.match(made.stdout, /^login +shop$/m)
    assert.match(made.stdout, /^secretKey +set$/m)
    assert.match(made.stdout, new RegExp(`^notifications +http://\\S+/notifications/\\S+/${id}$`, 'm'))
    assert.ok(!made.stdout.includes('hidden-1'))
    assert.match(
      (await merchant.run(['connections', 'list'])).stdout,
      new RegExp(`^${id} +PSE account +placetopay +PSE_IN +7 +\\$ 2\\.000,00 +– +DISABLED$`, 'm'),
    )
    const shown = await merchant.run(['connections', 'show', id])
    assert.ok(!shown.stdout.includes('hidden-1'))

    const changed = await merchant.json(
      ...[
        'connections',
        'update',
        id,
        '--enable',
        '--minimum-in-cents',
        'none',
        '--maximum-in-cents',
        '900000',
      ],
    )
    assert.deepEqual(
      [changed.enabled, changed.minimumInCents, changed.maximumInCents, changed.previousCredentialsUntil],
      [true, null, 900_000, null],
    )
    const tested = await merchant.run(['connections', 'test', id])
    assert.equal(tested.code, 0, tested.stderr)
    assert.match(tested.stdout, /^secret +none$/m)
    assert.equal(secretOf(), 'hidden-1')
    provider.refused.add('hidden-1')
    const failed = await merchant.run(['connections', 'test', id])
    assert.equal(failed.code, 1)
    assert.match(failed.stdout, /^secret +The provider refuses it\.$/m)

    provider.banks = {
      outcome: 'accepted',
      value: [
        { code: '1007', name: 'BANCOLOMBIA' },
        { code: '7', name: 'Otro' },
      ],
    }
    await merchant.json('connections', 'update', id, '--name', 'PSE')
    const banks = await merchant.run(['connections', 'banks', id])
    assert.match(banks.stdout, /^CO_BANCOLOMBIA +Bancolombia +1007$/m)
    assert.match(banks.stdout, /^– +Otro +7$/m)
    assert.deepEqual(await merchant.json('connections', 'delete', id), { id, deleted: true })
    assert.deepEqual((await merchant.json('connections', 'list')).data, [])
  })

  it('take secrets from a file and from the lines of standard input', async () => {
    const file = join(merchant.home, 'key.txt')
    writeFileSync(file, 'hidden-2\n')
    const { id } = await merchant.json(
      ...['connections', 'create', ...PLACETOPAY, '--credential', `secretKey=@${file}`],
    )
    await merchant.json('connections', 'test', id)
    assert.equal(secretOf(), 'hidden-2')
    const piped = await merchant.run(
      ['connections', 'update', id, '--credential', 'login=-', '--credential', 'secretKey=-', '--json'],
      { input: 'other-shop\nhidden=3\n' },
    )
    assert.equal(piped.code, 0, piped.stderr)
    assert.notEqual(piped.json.previousCredentialsUntil, null)
    await merchant.json('connections', 'test', id)
    assert.deepEqual(provider.opened.at(-1)?.credentials, {
      ...provider.opened.at(-1)?.credentials,
      login: 'other-shop',
      secretKey: 'hidden=3',
    })
    const short = await merchant.run(
      ['connections', 'update', id, '--credential', 'login=-', '--credential', 'secretKey=-'],
      { input: 'one line\n' },
    )
    assert.equal(short.code, 2)
    assert.match(short.stderr, /no line for the credential secretKey/)
  })

  it('record what was put into them and taken out, once for each key', async () => {
    const { id } = await merchant.json(
      ...['connections', 'create', ...PLACETOPAY, '--credential', 'secretKey=hidden-7', '--disabled'],
    )
    const movement = ['--amount-in-cents', '100000000', '--reference', 'transfer 77120']
    const once = [...movement, '--idempotency-key', 'transfer-77120']
    const put = await merchant.run(['connections', 'deposit', id, ...once])
    assert.equal(put.code, 0, put.stderr)
    assert.match(put.stdout, /^amount +\$ 1\.000\.000,00$/m)
    await merchant.json('connections', 'deposit', id, ...once)
    assert.match((await merchant.run(['balance'])).stdout, /^deposited at providers +\$ 1\.000\.000,00$/m)
    const taken = await merchant.json('connections', 'withdraw', id, ...movement)
    assert.equal((await merchant.json('balance')).depositedInCents, 0)
    assert.equal((await merchant.json('connections', 'deposits', id)).data.length, 1)
    assert.deepEqual((await merchant.json('connections', 'withdrawals', id)).data, [taken])
    assert.match(
      (await merchant.run(['connections', 'withdrawals', id, '--limit', '5'])).stdout,
      new RegExp(`^${taken.id} .+ \\$ 1\\.000\\.000,00 +transfer 77120 +`, 'm'),
    )
    const short = await merchant.run(['connections', 'deposit', id, '--reference', 'x'])
    assert.equal(short.code, 2)
    assert.match(short.stderr, /--amount-in-cents/)
  })

  it('say what can be connected', async () => {
    const { stdout } = await merchant.run(['connections', 'providers'])
    assert.match(stdout, /^Wompi \(wompi\): PSE_IN, BRE_B_OUT$/m)
    assert.match(stdout, /^ {2}privateKey +PSE_IN +secret +Private key of the account\.$/m)
    assert.match(stdout, /^ {2}keys +optional +shown +/m)
    assert.match(stdout, /^ {2}paymentsUrl +optional +shown +/m, 'it has a value of its own')
    assert.match(stdout, /^ {2}url +PSE_IN \(live\) +shown +/m, 'only the contract has it')
    assert.equal((await merchant.json('connections', 'providers')).data.length, 3)
  })

  it('say what is wrong, by flag, and repeat no secret', async () => {
    for (const [args, said] of [
      [['create'], /--provider and --uses are required/],
      [['create', ...PLACETOPAY, '--credential', 'hidden-4'], /--credential takes name=value/],
      [
        ['create', ...PLACETOPAY, '--credential', 'secretKey=@/nowhere/key'],
        /--credential secretKey: ENOENT/,
      ],
      [['create', ...PLACETOPAY, '--priority', 'high'], /--priority takes a whole number/],
      [['update', 'x'], /Say what to change/],
      [['update', 'x', '--enable', '--disable'], /not both/],
      [['update', 'x', '--minimum-in-cents', '5.000'], /--minimum-in-cents takes a whole number of cents/],
    ] as const) {
      const end = await merchant.run(['connections', ...args])
      assert.equal(end.code, 2, end.stderr)
      assert.match(end.stderr, said)
      assert.ok(!end.stderr.includes('hidden-4'))
    }
    const refused = await merchant.run(['connections', 'create', ...PLACETOPAY, '--environment', 'live'])
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /\/environment +must be test: /)
    assert.match(refused.stderr, /\/credentials\/secretKey \(--credential\) +is needed for PSE_IN/)
  })
})
