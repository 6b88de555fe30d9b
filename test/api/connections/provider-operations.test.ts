// What a provider is asked through a connection: whether it works, and which banks it has. What goes wrong is told in words.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { OPEN_PROVIDER } from '../../../src/rails/providers.ts'
import { type Client, createWorld, type World } from '../../world.ts'
import { assertProblem } from '../http/problem.ts'
import { type FakeProvider, MONO, PLACETOPAY, startFakeProvider, WOMPI } from './fake-provider.ts'

describe('a provider', () => {
  let world: World
  let provider: FakeProvider
  before(async () => {
    provider = await startFakeProvider()
    world = await createWorld()
  })
  beforeEach(() => {
    provider.check = null
    provider.refused.clear()
    provider.banks = { outcome: 'accepted', value: [] }
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    await provider[Symbol.asyncDispose]()
  })

  const connect = async (client: Client, body: object = WOMPI): Promise<string> => {
    const { status, json, text } = await client('POST', '/connections', body)
    assert.equal(status, 201, text)
    return `/connections/${json.id}`
  }

  it('is asked with the credentials as they are now', async () => {
    const { client } = await world.newMerchant()
    const at = await connect(client)
    const test = async () => (await client('POST', `${at}/test`)).json
    assert.deepEqual(await test(), { passed: true, checks: [{ what: 'secret', problem: null }] })
    provider.refused.add(WOMPI.credentials.eventsSecret)
    const refused = { passed: false, checks: [{ what: 'secret', problem: 'The provider refuses it.' }] }
    assert.deepEqual(await test(), refused)
    await client('PATCH', at, { credentials: { eventsSecret: 'test_events_better' } })
    assert.equal((await test()).passed, true, 'the new secret counts at once')
    provider.refused.add('test_events_better')
    assert.deepEqual(await test(), refused)
  })

  it('that is disabled can be tested', async () => {
    const { client } = await world.newMerchant()
    const at = await connect(client, { ...MONO, enabled: false })
    assert.equal((await client('POST', `${at}/test`)).json.passed, true)
  })

  it('passes only if every check does', async () => {
    const { client } = await world.newMerchant()
    const at = await connect(client)
    const checks = [
      { what: 'public key', problem: null },
      { what: 'private key', problem: 'It is refused.' },
      { what: 'account', problem: null },
    ]
    provider.check = async () => checks
    assert.deepEqual((await client('POST', `${at}/test`)).json, { passed: false, checks })
  })

  it('whose adapter breaks, or is not there, is told in words too', async () => {
    const { client } = await world.newMerchant()
    const at = await connect(client)
    provider.check = () => {
      throw new Error('broken')
    }
    const { status, json } = await client('POST', `${at}/test`)
    assert.deepEqual([status, json.passed], [200, false])
    assert.match(json.checks[0].problem, /^the test broke off on our side/)

    const { wompi } = OPEN_PROVIDER
    Object.assign(OPEN_PROVIDER, { wompi: undefined })
    try {
      const without = await connect(client)
      assert.deepEqual((await client('POST', `${without}/test`)).json, {
        passed: false,
        checks: [{ what: 'adapter', problem: 'this version of the service cannot talk to Wompi' }],
      })
      assertProblem(await client('GET', `${without}/banks`), 'PROVIDER_UNAVAILABLE')
    } finally {
      Object.assign(OPEN_PROVIDER, { wompi })
    }
  })

  it('is tested once for an Idempotency-Key', async () => {
    const { client } = await world.newMerchant()
    const at = await connect(client)
    let asked = 0
    provider.check = async () => {
      asked += 1
      return [{ what: `try ${asked}`, problem: null }]
    }
    const key = { 'idempotency-key': randomUUID() }
    const first = await client('POST', `${at}/test`, undefined, key)
    const again = await client('POST', `${at}/test`, undefined, key)
    assert.equal(first.json.checks[0].what, 'try 1')
    assert.equal(again.text, first.text)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.equal(asked, 1)
  })

  it('has its banks listed under our codes, and those that we do not know apart', async () => {
    const { client } = await world.newMerchant()
    const at = await connect(client, PLACETOPAY)
    provider.banks = {
      outcome: 'accepted',
      value: [
        { code: '1007', name: 'BANCOLOMBIA' },
        { code: '1022', name: 'BANCO UNION COLOMBIANO' },
        { code: '1', name: 'Banco que aprueba' },
        { code: '1507', name: 'NEQUI' },
      ],
    }
    assert.deepEqual((await client('GET', `${at}/banks`)).json, {
      banks: [
        { code: 'CO_BANCOLOMBIA', name: 'Bancolombia', providerCode: '1007' },
        { code: 'CO_BANCO_DE_PRUEBAS', name: 'Banco de Pruebas', providerCode: '1022' },
        { code: 'CO_NEQUI', name: 'Nequi', providerCode: '1507' },
      ],
      unmapped: [{ providerCode: '1', name: 'Banco que aprueba' }],
    })
  })

  it('that does not answer, or has no banks, is not made up for', async () => {
    const { client } = await world.newMerchant()
    provider.banks = { outcome: 'unknown', kind: 'timeout', why: 'no answer' }
    const slow = await client('GET', `${await connect(client, PLACETOPAY)}/banks`)
    assertProblem(slow, 'PROVIDER_UNAVAILABLE')
    assert.equal(slow.json.detail, 'The provider cannot be asked: PlacetoPay did not answer in time.')
    assert.ok(Number(slow.headers['retry-after']) > 0)
    provider.banks = { outcome: 'unknown', kind: 'unreadable', why: 'what came is no answer' }
    const strange = await client('GET', `${await connect(client, PLACETOPAY)}/banks`)
    assertProblem(strange, 'PROVIDER_UNAVAILABLE')
    assert.equal(strange.json.detail, 'The provider cannot be asked: PlacetoPay gave no list of banks.')
    provider.banks = null
    assertProblem(await client('GET', `${await connect(client, MONO)}/banks`), 'NOT_FOUND')
  })
})
