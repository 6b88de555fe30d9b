// The operator's commands, with a running server and without one.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { runOperatorCommand } from '../../src/operator/commands.ts'
import { byDepth } from '../depth.ts'
import { freePort } from '../free-port.ts'
import { type Client, CUSTOMER, clientOf, eventually, psePayin } from '../world.ts'
import { recaudoInProcess } from './in-process.ts'
import { dataDirectory, type ProcessExit, postgresPid, ROOT, recaudo, start, stop } from './process.ts'

const LOOK_MS = 50
const dataDir = dataDirectory({ after })
// Commands find the simulated networks at the server's address.
const env: Record<string, string> = { DATA_DIR: dataDir }
before(async () => {
  env.SANDBOX_PORT = String(await freePort())
})
const run = (...args: string[]): Promise<ProcessExit> => recaudoInProcess(args, env)
const runAsProcess = (...args: string[]): Promise<ProcessExit> => recaudo(args, env)

test('without a server a command starts the database for its own duration', async () => {
  const migrated = await runAsProcess('migrate')
  assert.match(outputOf(migrated), /^applied {2}floor\b.*\n$/)
  assert.equal(await postgresPid(dataDir), undefined)
  // It stops it after a failure too.
  assertExplained(
    await run('key', 'list'),
    1,
    /^recaudo: There is no organization yet: `recaudo org create` makes one\.$/m,
  )
  assert.equal(await postgresPid(dataDir), undefined)
  assert.match(await printed('org', 'create', '--name', 'Café La Palma'), /^name +Café La Palma$/m)
  assert.equal(await postgresPid(dataDir), undefined)
})

test('with a running server a command uses its database', async (t) => {
  const server = await start(t, { env })
  const byKey = (apiKey: string): Client => clientOf(server.baseUrl, { 'x-api-key': apiKey })
  const statusOf = async (client: Client): Promise<number> => (await client('GET', '/payins')).status

  await t.test('asks which of several organizations is meant', async () => {
    assertExplained(await run('key', 'create'), 2, /There are 2 organizations: say which with --org/)
    assertExplained(
      await run('key', 'create', '--org', 'Nadie'),
      1,
      /No organization has the id or name Nadie/,
    )
  })

  await t.test('lists organizations, makes and lists a key and a client', async () => {
    const [demo, organization, reserved] = await json('org', 'list')
    assert.deepEqual([demo.name, organization.name, reserved.name], ['Demo', 'Café La Palma', 'Unattributed'])
    const refused = await run('key', 'create', '--org', reserved.organizationId)
    assertExplained(refused, 1, /No organization/)

    const key = await json(
      'key',
      'create',
      '--org',
      'Café La Palma',
      '--name',
      'shop',
      '--expires-in-days',
      '30',
    )
    assert.match(key.apiKey, /^rk_stg_[\w-]{43}$/)
    assert.equal(key.organizationId, organization.organizationId)
    const days = (Date.parse(key.expiresAt) - Date.parse(key.createdAt)) / 86_400_000
    assert.ok(Math.abs(days - 30) < 0.001)
    const { apiKey: _, ...listed } = key
    assert.deepEqual(await json('key', 'list', '--org', 'Café La Palma'), [listed])

    const client = await json(
      'client',
      'create',
      '--org',
      'Café La Palma',
      '--scopes',
      'payins:read,payins:write',
    )
    assert.equal(client.scopes, 'payins:read,payins:write')
    assert.match(
      await printed('client', 'list', '--org', 'Café La Palma'),
      new RegExp(`^${client.clientId}  .* payins:read,payins:write `, 'm'),
    )
  })

  await t.test('makes keys that work at once, within their scopes', async () => {
    const { apiKey } = await json('key', 'create', '--org', 'Café La Palma', '--scopes', 'payins:read')
    assert.equal(await statusOf(byKey(apiKey)), 200)
    assert.equal((await byKey(apiKey)('POST', '/payins', psePayin())).status, 403)

    const { organizationId } = await json('org', 'create', '--name', 'Panadería')
    const text = await printed('key', 'create', '--org', organizationId)
    assert.equal((await byKey(field(text, 'apiKey'))('POST', '/payins', psePayin())).status, 201)
    assert.match(await printed('org', 'list'), new RegExp(`^${organizationId} +Panadería +BRE_B,PSE `, 'm'))
  })

  await t.test('rolls a key with an overlap, and revokes one within a second', async () => {
    const old = await json('key', 'create', '--org', 'Café La Palma', '--name', 'till')
    const rolled = await json('key', 'roll', old.apiKeyId, '--overlap-hours', '1')
    assert.deepEqual(
      { name: rolled.name, replaces: rolled.replaces },
      { name: 'till', replaces: old.apiKeyId },
    )
    assert.equal(await statusOf(byKey(old.apiKey)), 200)
    assert.equal(await statusOf(byKey(rolled.apiKey)), 200)
    assert.equal(
      (await json('key', 'list', '--org', 'Café La Palma')).find(isKey(old.apiKeyId)).expiresAt,
      rolled.oldKeyWorksUntil,
    )

    assert.match(await printed('key', 'revoke', old.apiKeyId), /^revokedAt +\d{4}-/m)
    await stopsWithinASecond(() => statusOf(byKey(old.apiKey)))
    assertExplained(
      await run('key', 'roll', old.apiKeyId),
      1,
      /has ended: `recaudo key create` makes another/,
    )
    assert.equal(await statusOf(byKey(rolled.apiKey)), 200)

    const again = field(await printed('key', 'roll', rolled.apiKeyId, '--overlap-hours', '0'), 'apiKey')
    await stopsWithinASecond(() => statusOf(byKey(rolled.apiKey)))
    assert.equal(await statusOf(byKey(again)), 200)
  })

  await t.test('makes clients, and revokes one together with its tokens', async () => {
    const text = await printed('client', 'create', '--org', 'Café La Palma', '--name', 'erp')
    const clientId = field(text, 'clientId')
    const credentials = {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: field(text, 'clientSecret'),
    }
    const tokenRequest = () => clientOf(server.baseUrl, {})('POST', '/oauth/token', credentials)
    const byToken = clientOf(server.baseUrl, {
      authorization: `Bearer ${(await tokenRequest()).json.access_token}`,
    })
    assert.equal(await statusOf(byToken), 200)

    assert.deepEqual(await json('client', 'revoke', clientId), { clientId, revoked: true })
    await stopsWithinASecond(() => statusOf(byToken))
    assert.equal((await tokenRequest()).status, 401)
    const listed = await json('client', 'list', '--org', 'Café La Palma')
    assert.notEqual(
      listed.find((client: { clientId: string }) => client.clientId === clientId).revokedAt,
      null,
    )
  })

  await t.test('returns or attaches money in suspense, once', async () => {
    const { apiKey } = await json('key', 'create', '--org', 'Café La Palma')
    const client = byKey(apiKey)
    const lateMoney = async (): Promise<{ suspenseId: string; payinId: string }> => {
      const body = psePayin({ inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } })
      const { id } = (await client('POST', '/payins', body)).json
      await eventually(
        () => client('POST', `/sandbox/payins/${id}/simulate`, { outcome: 'canceled' }),
        ({ status }) => status === 200,
      )
      await eventually(
        () => client('GET', `/payins/${id}`),
        ({ json: payin }) => payin.status === 'CANCELED',
      )
      assert.equal(
        (await client('POST', `/sandbox/payins/${id}/simulate`, { outcome: 'confirmed' })).status,
        200,
      )
      const items = await eventually(
        async () =>
          (await json('suspense', 'list')).filter(({ payinId }: { payinId: string }) => payinId === id),
        (found) => found.length === 1,
      )
      return items[0]
    }
    const back = await lateMoney()
    assertExplained(await run('suspense', 'release', back.suspenseId), 1, /is nowhere else: return or attach/)
    assert.match(await printed('suspense', 'return', back.suspenseId), /^state +RETURNED$/m)
    assertExplained(await run('suspense', 'return', back.suspenseId), 1, /the item is RETURNED already/)
    const kept = await lateMoney()
    assert.equal(
      (await json('suspense', 'attach', kept.suspenseId, '--payin', kept.payinId)).state,
      'ATTACHED',
    )
    assertExplained(
      await run('suspense', 'attach', kept.suspenseId, '--payin', kept.payinId),
      1,
      /the item is ATTACHED/,
    )
    assert.deepEqual(await json('suspense', 'list'), [])
    assert.equal((await json('suspense', 'list', '--all')).length, 2)
    assertExplained(await run('suspense', 'attach', kept.suspenseId), 2, /--payin/)
    assert.equal((await run('ledger', 'verify')).code, 0)
  })

  await t.test('invites the first owner, lists who signs in, and lets in again', async () => {
    const invited = ['user', 'invite', '--org', 'Café La Palma', '--role', 'owner', '--email']
    const made = await json(...invited, 'eva@example.com')
    assert.match(made.link, /^http:\/\/localhost:\d+\/console\/invite\/[\w-]{43}$/)
    assertExplained(await run(...invited, 'nobody'), 2, /--email must be an e-mail address/)
    const [demo] = await json('user', 'list')
    assert.deepEqual([demo.email, demo.roles], ['demo@recaudo.example', ['Demo: owner']])
    const { link } = await json('user', 'sign-in-link', 'demo@recaudo.example')
    assert.match(link, /\/console\/sign-in\/[\w-]{43}$/)
    assert.match(await printed('user', 'reset', 'demo@recaudo.example'), /^cleared +password, /m)
    assertExplained(await run('user', 'reset', 'eva@example.com'), 1, /Nobody signs in as eva@example\.com/)
    assertExplained(
      await run('user', 'remove', 'demo@recaudo.example', '--org', 'Demo'),
      1,
      /one owner at least/,
    )
  })

  await t.test('says that an id is not known, or that there is nothing to migrate', async () => {
    assert.deepEqual(await json('migrate'), { applied: [] })
    const nobody = '01900000-0000-7000-8000-00000000dead'
    assertExplained(await run('key', 'revoke', nobody), 1, new RegExp(`No API key has the id ${nobody}`))
    assertExplained(await run('client', 'revoke', 'nobody'), 1, /No client has the id nobody/)
  })
  await stop(server)
})

test('a command line that cannot be understood is explained', async (t) => {
  for (const [line, explanation] of [
    ['frobnicate', /There is no command "frobnicate"\..*recaudo start/s],
    ['constructor', /There is no command "constructor"/],
    ['key', /There is no command "key"\..*recaudo key create/s],
    ['key frobnicate', /There is no command "key frobnicate"\..*recaudo key create/s],
    ['start --frobnicate', /Unknown option '--frobnicate'.*--workers/s],
    ['start now', /recaudo start takes no argument/],
    ['key revoke', /recaudo key revoke takes one argument, <api-key-id>/],
    ['key revoke one two', /recaudo key revoke takes one argument, <api-key-id>/],
    ['key create --name', /Option '--name <value>' argument missing/],
    ['org list --json=yes', /Option '--json' does not take an argument/],
  ] as const) {
    // No process is needed here: main.ts ends each of these the same way as the first one below.
    const refused = runOperatorCommand(line.split(' '))
    await t.test(`recaudo ${line}`, () => assert.rejects(refused, { exitCode: 2, message: explanation }))
  }
  assertExplained(await runAsProcess('key', 'frobnicate'), 2, /There is no command "key frobnicate"/)
  assertExplained(await runAsProcess('org', 'create'), 2, /--name is required/)
  assertExplained(
    await run('key', 'create', '--scopes', 'payins:read,fly'),
    2,
    /there is no scope fly; there are payins:read, /,
  )
  assertExplained(await run('key', 'create', '--expires-in-days', '0'), 2, /must be a whole number from 1 to/)
})

test('help is there for everything, for each family and for each command', async () => {
  const asked = async (...args: string[]) => outputOf(await runAsProcess(...args))
  const all = await asked('--help')
  for (const command of ['start', 'migrate', 'org create', 'key roll <api-key-id>', 'client list']) {
    assert.ok(all.includes(`\n  recaudo ${command} `), all)
  }
  assert.doesNotMatch(await asked('key', '--help'), /recaudo org/)
  assert.match(await printed('start', '--help'), /--workers/)
  assert.match(await printed('key', 'roll', '-h'), /<api-key-id>.*--overlap-hours <value>/s)
})

test('npx and npm run find the command', async () => {
  const env = {
    ...process.env,
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  }
  const ways: readonly (readonly [program: string, ...args: string[]])[] = [
    ['npx', '--no-install', 'recaudo', '--help'],
    ['npm', 'run', '--silent', 'recaudo', '--', '--help'],
  ]
  for (const [program, ...args] of byDepth(ways.slice(0, 1), ways)) {
    const { stdout } = await promisify(execFile)(program, args, { cwd: ROOT, env })
    assert.match(stdout, /^Recaudo: .*recaudo start /s)
  }
})

async function printed(...args: string[]): Promise<string> {
  return outputOf(await run(...args))
}

function outputOf({ code, stdout, stderr }: ProcessExit): string {
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  return stdout
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not there
async function json(...args: string[]): Promise<any> {
  return JSON.parse(await printed(...args, '--json'))
}

function field(text: string, name: string): string {
  return new RegExp(`^${name} +(\\S+)$`, 'm').exec(text)?.[1] ?? assert.fail(text)
}

function isKey(apiKeyId: string): (key: { apiKeyId: string }) => boolean {
  return (key) => key.apiKeyId === apiKeyId
}

function assertExplained(end: ProcessExit, code: number, explanation: RegExp): void {
  assert.equal(end.code, code, JSON.stringify(end))
  assert.equal(end.stdout, '')
  assert.match(end.stderr, /^recaudo: /)
  assert.match(end.stderr, explanation)
  assert.doesNotMatch(end.stderr, /^ +at /m)
}

// The command has ended, so the revocation is in the database. Only the cache is left.
async function stopsWithinASecond(status: () => Promise<number>): Promise<void> {
  const deadline = performance.now() + 1_000
  for (;;) {
    const asked = performance.now()
    if ((await status()) === 401) return
    assert.ok(asked < deadline, 'it still works a second after it was revoked')
    await pause(LOOK_MS)
  }
}
