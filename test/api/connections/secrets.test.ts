// The secrets of connections are readable nowhere: not in answers, logs, events, exchanges, stored answers or any column.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { PROVIDER_DESCRIPTIONS, type Provider } from '../../../src/core/connections/provider.ts'
import { deriveKeys } from '../../../src/core/seal.ts'
import { openCredentials } from '../../../src/flows/connections/credentials.ts'
import { getConnection } from '../../../src/store/connections/connections.ts'
import { type Answer, brebPayin, createWorld, eventually, type World } from '../../world.ts'
import { type FakeProvider, MONO, PLACETOPAY, signed, startFakeProvider, WOMPI } from './fake-provider.ts'

describe('the secrets of a connection', () => {
  let world: World
  let provider: FakeProvider
  before(async () => {
    provider = await startFakeProvider()
    world = await createWorld()
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    await provider[Symbol.asyncDispose]()
  })

  // Every field of the provider, each with a value of its own.
  const everyField = ({ provider: name, credentials: given }: { provider: string; credentials: object }) => {
    const known = Object.entries(given) as [string, string][]
    const { fields } = PROVIDER_DESCRIPTIONS[name as Provider]
    const rest = fields.filter(({ name: one, isSecret }) => isSecret && !(one in given))
    const all = [...known, ...rest.map(({ name: one }): [string, string] => [one, `hidden-${one}`])]
    const secrets = all.flatMap(([one, value]) =>
      fields.some((field) => field.name === one && field.isSecret) ? [value] : [],
    )
    return { credentials: Object.fromEntries(all), secrets }
  }
  const formsOf = (secret: string): string[] => [
    secret,
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  ]
  const everyRow = async (): Promise<Map<string, string[]>> => {
    const { rows: tables } = await world.db.query<{ name: string }>({
      text: `select table_name as name from information_schema.tables
              where table_schema = 'public' and table_type = 'BASE TABLE'`,
    })
    const found = new Map<string, string[]>()
    for (const { name } of tables) {
      const { rows } = await world.db.query<{ line: string }>({
        text: `select t::text as line from ${name} t`,
      })
      found.set(
        name,
        rows.map(({ line }) => line),
      )
    }
    return found
  }

  it('are in no answer, log line, event, exchange, stored answer or column', async () => {
    const { client, organization } = await world.newMerchant()
    const answers: Answer[] = []
    const ask = async (...call: Parameters<typeof client>): Promise<Answer> => {
      const answer = await client(...call)
      answers.push(answer)
      return answer
    }
    const hidden: string[] = []
    for (const body of [WOMPI, MONO, PLACETOPAY]) {
      const { credentials, secrets } = everyField(body)
      hidden.push(...secrets)
      const key = { 'idempotency-key': randomUUID() }
      const created = await ask('POST', '/connections', { ...body, credentials }, key)
      assert.equal(created.status, 201, created.text)
      await ask('POST', '/connections', { ...body, credentials }, key)
      const { id, notificationUrl } = created.json
      const at = `/connections/${id}`
      const name =
        'eventsSecret' in credentials ? 'eventsSecret' : body === MONO ? 'webhookSecret' : 'secretKey'
      const another = `${credentials[name]}-another`
      hidden.push(another)
      await ask('POST', `${at}/test`)
      await ask('PATCH', at, { credentials: { [name]: another } })
      await ask('POST', `${at}/test`, undefined, { 'idempotency-key': randomUUID() })
      provider.refused.add(another)
      assert.equal((await ask('POST', `${at}/test`)).json.passed, false)
      provider.check = async () => {
        throw new Error(`cannot send ${JSON.stringify(credentials)}`)
      }
      await ask('POST', `${at}/test`)
      provider.check = null
      await ask('GET', at)
      await ask('GET', `${at}/banks`)
      // Refused in several ways, with every value in a field that it does not fit.
      const [first = '', ...more] = secrets
      const names = Object.keys(credentials)
      const shifted = Object.fromEntries(names.map((one, index) => [one, [...more, first][index] ?? first]))
      await ask('POST', '/connections', { ...body, environment: 'live', credentials: shifted })
      await ask('PATCH', at, {
        credentials: { ...shifted, [first]: first, url: `https://${first}@wompi.co` },
      })
      await world.anonymous('POST', new URL(notificationUrl).pathname, '{}', signed('wrong', '{}'))
    }
    await ask('POST', '/payins', brebPayin())
    await world.work()
    await ask('GET', '/connections')
    await ask('GET', '/providers')
    await ask('GET', '/events')
    for (const { id } of answers.at(-3)?.json.data ?? [])
      await ask('PATCH', `/connections/${id}`, { name: 'x' })

    // Exchanges are recorded in the background.
    const rows = await eventually(everyRow, (all) =>
      [...all].some(
        ([name, lines]) =>
          name.startsWith('rail_exchanges') && lines.some((line) => line.includes('/account')),
      ),
    )
    assert.ok((rows.get('connections')?.length ?? 0) >= 3)
    assert.ok((rows.get('idempotency_records')?.length ?? 0) >= 6)
    assert.ok(hidden.length > 10 && hidden.every((secret) => secret.includes('hidden')))
    for (const secret of hidden) {
      for (const form of formsOf(secret)) {
        for (const { text } of answers) assert.ok(!text.includes(form), `${secret} in ${text}`)
        for (const [name, lines] of rows)
          for (const line of lines) assert.ok(!line.includes(form), `${secret} in ${name}: ${line}`)
        assert.ok(!JSON.stringify(world.logLines()).includes(form), `${secret} in the log`)
      }
    }
    // What is not secret is there, so the search would have found the rest.
    assert.ok(answers.some(({ text }) => text.includes('pub_test_shown')))
    assert.ok(rows.get('organizations')?.some((line) => line.includes(organization.organizationId)))
  })

  it('open only for their own connection, and under the key that sealed them', async () => {
    const { client, organization } = await world.newMerchant()
    const { organizationId } = organization
    const [one, other] = [
      (await client('POST', '/connections', WOMPI)).json.id,
      (await client('POST', '/connections', WOMPI)).json.id,
    ]
    const row = await getConnection(world.db, { organizationId, connectionId: one })
    assert.ok(row)
    const { keys } = world.ctx.settings
    assert.deepEqual(openCredentials(keys, one, row.credentials), WOMPI.credentials)
    assert.equal(openCredentials(keys, other, row.credentials), undefined)
    assert.equal(openCredentials(deriveKeys(Buffer.alloc(32, 9)), one, row.credentials), undefined)
  })

  it('that cannot be opened can be given again, all of them, and meanwhile the connection can be disabled', async () => {
    const { client } = await world.newMerchant()
    const { id } = (await client('POST', '/connections', PLACETOPAY)).json
    const at = `/connections/${id}`
    await world.db.query({
      text: `update connections set sealed_credentials = decode(repeat('00', 64), 'hex') where connection_id = $1`,
      values: [id],
    })
    const shown = (await client('GET', at)).json.credentials
    assert.deepEqual(shown[0], { name: 'login', isSet: false, value: null })
    const tested = await client('POST', `${at}/test`)
    assert.equal(tested.status, 200)
    assert.deepEqual([tested.json.passed, tested.json.checks.length], [false, 1])
    assert.match(
      tested.json.checks[0].problem,
      /^the credentials cannot be opened: .* Send all of them again/,
    )
    const banks = await client('GET', `${at}/banks`)
    assert.equal(banks.json.code, 'PROVIDER_UNAVAILABLE')
    assert.match(banks.json.detail, /the credentials cannot be opened/)

    assert.equal((await client('PATCH', at, { enabled: false })).status, 200)
    const part = await client('PATCH', at, { credentials: { login: 'again' } })
    assert.deepEqual(
      part.json.errors.map(({ path }: { path: string }) => path),
      ['/credentials/secretKey'],
    )
    const all = await client('PATCH', at, { credentials: PLACETOPAY.credentials })
    assert.equal(all.status, 200, all.text)
    assert.equal(all.json.previousCredentialsUntil, null, 'nothing was there that could check a notification')
    assert.equal((await client('POST', `${at}/test`)).json.passed, true)
  })
})
