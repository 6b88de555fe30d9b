// Connections over the API: what is accepted and refused, who sees them, what is shown of them, and what they are asked.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { PRODUCTION } from '../../cli/production.ts'
import { type Client, createWorld, type World } from '../../world.ts'
import { assertProblem } from '../http/problem.ts'
import { type FakeProvider, MONO, PLACETOPAY, startFakeProvider, WOMPI } from './fake-provider.ts'

type Error = { path: string; code: string; message: string }

describe('connections', () => {
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

  const create = async (client: Client, body: Record<string, unknown>) => {
    const answer = await client('POST', '/connections', body)
    assert.equal(answer.status, 201, answer.text)
    return answer.json
  }
  const errorsOf = (json: { errors: Error[] }) => json.errors.map(({ path, code }) => [path, code])

  it('are created, read, listed, changed and deleted', async () => {
    const { client, organization } = await world.newMerchant()
    assert.deepEqual((await client('GET', '/connections')).json, { data: [] })
    const created = await create(client, WOMPI)
    assert.deepEqual(created, {
      id: created.id,
      name: 'Wompi',
      provider: 'wompi',
      environment: 'test',
      uses: ['PSE_IN'],
      priority: 100,
      minimumInCents: null,
      maximumInCents: null,
      enabled: true,
      credentials: [
        { name: 'publicKey', isSet: true, value: 'pub_test_shown' },
        { name: 'privateKey', isSet: true, value: null },
        { name: 'eventsSecret', isSet: true, value: null },
        { name: 'integritySecret', isSet: true, value: null },
        { name: 'payoutsApiKey', isSet: false, value: null },
        { name: 'payoutsUserPrincipalId', isSet: false, value: null },
        { name: 'payoutsAccountId', isSet: false, value: null },
        { name: 'payoutsEventsSecret', isSet: false, value: null },
        { name: 'paymentsUrl', isSet: false, value: 'https://sandbox.wompi.co/v1' },
        { name: 'payoutsUrl', isSet: false, value: 'https://api.sandbox.payouts.wompi.co' },
      ],
      notificationUrl: `${world.config.publicUrl}/notifications/${organization.organizationId}/${created.id}`,
      previousCredentialsUntil: null,
      createdAt: created.createdAt,
      updatedAt: created.createdAt,
    })
    const at = `/connections/${created.id}`
    assert.deepEqual((await client('GET', at)).json, created)
    assert.deepEqual((await client('GET', `/connections/${created.id.toUpperCase()}`)).json, created)
    assert.deepEqual((await client('GET', '/connections')).json, { data: [created] })

    world.advance(1_000)
    const changes = {
      name: 'Main',
      priority: 7,
      minimumInCents: 200_000,
      maximumInCents: 900_000_000,
      enabled: false,
    }
    const changed = await client('PATCH', at, { ...changes, provider: 'mono', unknown: 1 })
    assert.equal(changed.status, 200, changed.text)
    const { updatedAt } = changed.json
    assert.ok(updatedAt > created.updatedAt)
    assert.deepEqual(changed.json, { ...created, ...changes, updatedAt })
    assert.deepEqual((await client('GET', at)).json, changed.json)
    const unlimited = await client('PATCH', at, { minimumInCents: null, maximumInCents: null })
    assert.deepEqual([unlimited.json.minimumInCents, unlimited.json.maximumInCents], [null, null])
    assert.deepEqual((await client('PATCH', at, {})).json.name, 'Main')
    const deposit = { amountInCents: 100, reference: 'bank' }
    const { createdAt } = (await client('POST', `${at}/deposits`, deposit)).json
    assert.ok(createdAt > updatedAt, 'recorded after the changes')

    assert.deepEqual((await client('DELETE', at)).json, { id: created.id, deleted: true })
    for (const method of ['GET', 'DELETE', 'PATCH'])
      assertProblem(await client(method, at, method === 'PATCH' ? {} : undefined), 'NOT_FOUND')
    assertProblem(await client('POST', `${at}/test`), 'NOT_FOUND')
    assertProblem(await client('GET', `${at}/banks`), 'NOT_FOUND')
    assert.deepEqual((await client('GET', '/connections')).json, { data: [] })
  })

  it('are listed in the order in which they are preferred', async () => {
    const { client } = await world.newMerchant()
    const names: [string, number][] = [
      ['last', 1_000],
      ['second', 5],
      ['third', 5],
      ['first', 0],
    ]
    for (const [name, priority] of names) await create(client, { ...PLACETOPAY, name, priority })
    const { data } = (await client('GET', '/connections')).json
    assert.deepEqual(
      data.map(({ name }: { name: string }) => name),
      ['first', 'second', 'third', 'last'],
    )
  })

  it('take nothing but a well-formed request, and say what is wrong with each field', async () => {
    const { client } = await world.newMerchant()
    const { id } = await create(client, { ...WOMPI, enabled: false })
    const cases: [Record<string, unknown>, string, string][] = [
      [{ name: undefined }, '/name', 'REQUIRED'],
      [{ name: '' }, '/name', 'WRONG_LENGTH'],
      [{ name: 'x'.repeat(101) }, '/name', 'WRONG_LENGTH'],
      [{ name: 'a\u0007b' }, '/name', 'WRONG_FORMAT'],
      [{ provider: undefined }, '/provider', 'REQUIRED'],
      [{ provider: 'stripe' }, '/provider', 'NOT_ALLOWED'],
      [{ provider: 'constructor' }, '/provider', 'NOT_ALLOWED'],
      [{ environment: undefined }, '/environment', 'REQUIRED'],
      [{ environment: 'sandbox' }, '/environment', 'NOT_ALLOWED'],
      [{ uses: undefined }, '/uses', 'REQUIRED'],
      [{ uses: [] }, '/uses', 'WRONG_LENGTH'],
      [{ uses: 'PSE_IN' }, '/uses', 'WRONG_TYPE'],
      [{ uses: ['PSE_IN', 'PSE_IN'] }, '/uses', 'NOT_ALLOWED'],
      [{ uses: ['PSE_IN', 'CARD_IN'] }, '/uses/1', 'NOT_ALLOWED'],
      [{ uses: ['BRE_B_IN', 'PSE_IN'] }, '/uses/0', 'NOT_ALLOWED'],
      [{ priority: -1 }, '/priority', 'OUT_OF_RANGE'],
      [{ priority: 1_001 }, '/priority', 'OUT_OF_RANGE'],
      [{ priority: 1.5 }, '/priority', 'WRONG_TYPE'],
      [{ priority: null }, '/priority', 'WRONG_TYPE'],
      [{ minimumInCents: 0 }, '/minimumInCents', 'OUT_OF_RANGE'],
      [{ minimumInCents: 2 ** 53 }, '/minimumInCents', 'OUT_OF_RANGE'],
      [{ minimumInCents: 900_001, maximumInCents: 900_000 }, '/minimumInCents', 'OUT_OF_RANGE'],
      [{ maximumInCents: '900000' }, '/maximumInCents', 'WRONG_TYPE'],
      [{ maximumInCents: 149_999 }, '/maximumInCents', 'OUT_OF_RANGE'],
      [{ enabled: 'no' }, '/enabled', 'WRONG_TYPE'],
      [{ credentials: undefined }, '/credentials', 'REQUIRED'],
      [{ credentials: null }, '/credentials', 'WRONG_TYPE'],
      [{ credentials: ['x'] }, '/credentials', 'WRONG_TYPE'],
      [{ credentials: { ...WOMPI.credentials, publicKey: 7 } }, '/credentials/publicKey', 'WRONG_TYPE'],
      [{ credentials: { ...WOMPI.credentials, publicKey: null } }, '/credentials/publicKey', 'WRONG_TYPE'],
      [{ credentials: { ...WOMPI.credentials, publicKey: '' } }, '/credentials/publicKey', 'WRONG_LENGTH'],
      [{ credentials: { ...WOMPI.credentials, login: 'x' } }, '/credentials/login', 'NOT_ALLOWED'],
      [
        { credentials: { ...WOMPI.credentials, publicKey: 'pub_prod_0001' } },
        '/credentials/publicKey',
        'NOT_ALLOWED',
      ],
      [
        { credentials: { ...WOMPI.credentials, paymentsUrl: 'https://a@wompi.co' } },
        '/credentials/paymentsUrl',
        'WRONG_FORMAT',
      ],
    ]
    const fixed = ['/provider', '/environment']
    for (const [wrong, path, code] of cases) {
      const message = JSON.stringify(wrong).slice(0, 80)
      const answers = [await client('POST', '/connections', { ...WOMPI, ...wrong })]
      if (code !== 'REQUIRED' && !fixed.includes(path))
        answers.push(await client('PATCH', `/connections/${id}`, wrong))
      for (const answer of answers) {
        assertProblem(answer, 'INVALID_INPUT', message)
        assert.deepEqual(errorsOf(answer.json), [[path, code]], message)
      }
    }
    assert.equal((await client('GET', '/connections')).json.data.length, 1, 'none was made')
    assert.equal((await client('GET', `/connections/${id}`)).json.name, 'Wompi', 'none was changed')
  })

  it('keep limits that fit all that they are for, whichever of the two is changed', async () => {
    const { client } = await world.newMerchant()
    const credentials = {
      ...WOMPI.credentials,
      payoutsApiKey: 'key',
      payoutsUserPrincipalId: 'principal',
      payoutsAccountId: 'account',
      payoutsEventsSecret: 'payouts-events-secret-1',
    }
    const paying = { ...WOMPI, credentials, uses: ['BRE_B_OUT'], maximumInCents: 149_999 }
    const { id } = await create(client, paying)
    const collecting = { uses: ['PSE_IN', 'BRE_B_OUT'] }
    const answer = await client('PATCH', `/connections/${id}`, collecting)
    assertProblem(answer, 'INVALID_INPUT')
    assert.deepEqual(errorsOf(answer.json), [['/maximumInCents', 'OUT_OF_RANGE']])
    const both = await client('PATCH', `/connections/${id}`, { ...collecting, maximumInCents: 150_000 })
    assert.equal(both.status, 200, both.text)
  })

  it('are told every mistake at once, of the schema and of the provider', async () => {
    const { client } = await world.newMerchant()
    const { id } = await create(client, WOMPI)
    const { publicKey: _, ...keys } = WOMPI.credentials
    const answer = await client('POST', '/connections', {
      ...WOMPI,
      name: '',
      environment: 'live',
      uses: ['PSE_IN', 'BRE_B_IN'],
      minimumInCents: 10,
      maximumInCents: 5,
      credentials: { ...keys, privateKey: 'prv_test_hidden-1', login: 'x' },
    })
    assertProblem(answer, 'INVALID_INPUT')
    assert.deepEqual(
      errorsOf(answer.json).map(([path]) => path),
      [
        '/name',
        '/environment',
        '/uses/1',
        '/minimumInCents',
        '/credentials/login',
        '/credentials/publicKey',
        '/credentials/privateKey',
        '/credentials/eventsSecret',
        '/credentials/integritySecret',
      ],
    )
    const otherUse = await client('PATCH', `/connections/${id}`, { uses: ['BRE_B_OUT'] })
    assert.deepEqual(errorsOf(otherUse.json)[0], ['/credentials/payoutsApiKey', 'REQUIRED'])
    const changes = { name: '', uses: ['BRE_B_OUT'], credentials: { privateKey: 'prv_prod_0001' } }
    const changed = await client('PATCH', `/connections/${id}`, changes)
    assertProblem(changed, 'INVALID_INPUT')
    assert.deepEqual(
      errorsOf(changed.json).map(([path]) => path),
      [
        '/name',
        '/credentials/privateKey',
        '/credentials/payoutsApiKey',
        '/credentials/payoutsUserPrincipalId',
        '/credentials/payoutsAccountId',
        '/credentials/payoutsEventsSecret',
      ],
    )
  })

  it('have limits that hold together with those that were there before', async () => {
    const { client } = await world.newMerchant()
    const { id } = await create(client, { ...PLACETOPAY, minimumInCents: 500, maximumInCents: 900 })
    const change = (changes: object) => client('PATCH', `/connections/${id}`, changes)
    assert.deepEqual(errorsOf((await change({ minimumInCents: 901 })).json), [
      ['/minimumInCents', 'OUT_OF_RANGE'],
    ])
    assertProblem(await change({ maximumInCents: 499 }), 'INVALID_INPUT')
    assert.equal((await change({ minimumInCents: 900 })).status, 200)
    assert.equal((await change({ minimumInCents: 2_000, maximumInCents: 2_000 })).status, 200)
    // What it is used for tells how little its provider takes.
    const payouts = { payoutsApiKey: 'a', payoutsUserPrincipalId: 'b', payoutsAccountId: 'c' }
    const credentials = { ...WOMPI.credentials, ...payouts, payoutsEventsSecret: 'd' }
    const out = { ...WOMPI, uses: ['BRE_B_OUT'], maximumInCents: 100_000, credentials }
    const wompi = await create(client, out)
    const used = await client('PATCH', `/connections/${wompi.id}`, { uses: ['BRE_B_OUT', 'PSE_IN'] })
    assert.deepEqual(errorsOf(used.json), [['/maximumInCents', 'OUT_OF_RANGE']])
  })

  it('take only live credentials and safe addresses in production', async () => {
    await using production = await createWorld({ env: { ...PRODUCTION, CONNECTION_HOSTS: 'pay.example' } })
    const live = {
      ...PLACETOPAY,
      environment: 'live',
      credentials: { ...PLACETOPAY.credentials, url: 'https://api.placetopay.com' },
    }
    const refused = await production.client('POST', '/connections', { ...live, environment: 'test' })
    assertProblem(refused, 'INVALID_INPUT')
    assert.deepEqual(errorsOf(refused.json), [['/environment', 'NOT_ALLOWED']])
    assert.match(refused.json.errors[0].message, /^must be live: .*only real money$/)
    const { id } = await create(production.client, live)
    for (const url of ['http://api.placetopay.com', 'https://placetopay.example', 'https://127.0.0.1:9']) {
      const answers = [
        await production.client('POST', '/connections', {
          ...live,
          credentials: { ...live.credentials, url },
        }),
        await production.client('PATCH', `/connections/${id}`, { credentials: { url } }),
      ]
      for (const answer of answers)
        assert.deepEqual(errorsOf(answer.json), [['/credentials/url', 'WRONG_FORMAT']], url)
    }
    const allowed = { credentials: { url: 'https://pay.example/gateway' } }
    assert.equal((await production.client('PATCH', `/connections/${id}`, allowed)).status, 200)
  })

  it('are twenty at most, however many are created at once', async () => {
    const { client } = await world.newMerchant()
    const answers = await Promise.all(
      Array.from({ length: 24 }, () => client('POST', '/connections', { ...PLACETOPAY, enabled: false })),
    )
    const made = answers.filter((answer) => answer.status === 201)
    assert.equal(made.length, 20)
    for (const answer of answers) if (answer.status !== 201) assertProblem(answer, 'TOO_MANY_CONNECTIONS')
    await client('DELETE', `/connections/${made[0]?.json.id}`)
    await create(client, PLACETOPAY)
    assertProblem(await client('POST', '/connections', PLACETOPAY), 'TOO_MANY_CONNECTIONS')
  })

  it('of another organization are not found', async () => {
    const owner = await world.newMerchant()
    const other = await world.newMerchant()
    const { id } = await create(owner.client, WOMPI)
    for (const unknown of [id, randomUUID(), 'x', '%00']) {
      const client = unknown === id ? other.client : owner.client
      const at = `/connections/${unknown}`
      assertProblem(await client('GET', at), 'NOT_FOUND', unknown)
      assertProblem(await client('PATCH', at, { enabled: false }), 'NOT_FOUND', unknown)
      assertProblem(await client('DELETE', at), 'NOT_FOUND', unknown)
      assertProblem(await client('POST', `${at}/test`), 'NOT_FOUND', unknown)
      assertProblem(await client('GET', `${at}/banks`), 'NOT_FOUND', unknown)
    }
    assert.deepEqual((await other.client('GET', '/connections')).json, { data: [] })
    assert.equal((await owner.client('GET', `/connections/${id}`)).json.enabled, true)
  })

  it('are written with one scope and read with another', async () => {
    const reader = await world.key(['connections:read'])
    const writer = await world.key(['connections:write'])
    const { id } = await create(writer.client, { ...PLACETOPAY, enabled: false })
    const at = `/connections/${id}`
    const reads = [`/connections`, at, `${at}/banks`, '/providers']
    for (const path of reads) {
      assertProblem(await writer.client('GET', path), 'INSUFFICIENT_SCOPE', path)
      assert.notEqual((await reader.client('GET', path)).status, 403, path)
    }
    for (const [method, path] of [
      ['POST', '/connections'],
      ['PATCH', at],
      ['POST', `${at}/test`],
      ['DELETE', at],
    ] as const)
      assertProblem(await reader.client(method, path), 'INSUFFICIENT_SCOPE', `${method} ${path}`)
    assert.equal((await writer.client('DELETE', at)).status, 200)
  })

  it('are created once for an Idempotency-Key', async () => {
    const { client } = await world.newMerchant()
    const key = { 'idempotency-key': randomUUID() }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => client('POST', '/connections', MONO, key)),
    )
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1, 'byte for byte')
    assert.equal(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length, 4)
    assert.equal((await client('GET', '/connections')).json.data.length, 1)
    const other = { ...MONO, credentials: { ...MONO.credentials, clientSecret: 'another' } }
    assertProblem(await client('POST', '/connections', other, key), 'IDEMPOTENCY_KEY_REUSED')
  })

  it('can be made with every provider that is listed, by what is listed', async () => {
    const { client } = await world.newMerchant()
    const { data } = (await client('GET', '/providers')).json
    assert.deepEqual(
      data.map(({ provider, title, uses }: Record<string, unknown>) => [provider, title, uses]),
      [
        ['wompi', 'Wompi', ['PSE_IN', 'BRE_B_OUT']],
        ['mono', 'Mono', ['BRE_B_IN', 'BRE_B_OUT']],
        ['placetopay', 'PlacetoPay', ['PSE_IN']],
      ],
    )
    assert.deepEqual(data[0].fields[0], {
      name: 'publicKey',
      description: 'Public key of the account.',
      isSecret: false,
      neededFor: ['PSE_IN'],
      patterns: { test: '^pub_test_[\\x21-\\x7e]{4,400}$', live: '^pub_prod_[\\x21-\\x7e]{4,400}$' },
      defaults: { test: null, live: null },
    })
    assert.deepEqual(data[1].fields.at(-1).defaults, {
      test: 'https://breb-participant.sandbox.mono.la',
      live: null,
    })
    for (const body of [WOMPI, MONO, PLACETOPAY]) await create(client, body)
  })
})
