// recaudo doctor finds everything that can be wrong between a merchant and a delivered webhook, and says what to do.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { SCOPES } from '../../src/core/organizations/scope.ts'
import { disableEndpoint } from '../../src/store/webhooks/endpoints.ts'
import { insertEvents } from '../api/events/insert-events.ts'
import { startReceiver } from '../api/webhooks/receiver.ts'
import { freePort } from '../free-port.ts'
import { sequenceAllEvents } from '../sequence-events.ts'
import { createWorld, type World } from '../world.ts'
import { merchantInProcess } from './in-process.ts'
import { PRODUCTION } from './production.ts'

type Finding = { level: string; about: string; text: string; remedy?: string }

describe('recaudo doctor', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const examine = async (env: Record<string, string>, code: number) => {
    using merchant = merchantInProcess()
    const end = await merchant.run(['doctor', '--json'], { env })
    assert.equal(end.code, code, end.stdout + end.stderr)
    assert.equal(end.json.ok, code === 0)
    const findings: Finding[] = end.json.findings
    for (const { level, remedy, about } of findings)
      assert.ok(level === 'ok' || about === 'credentials' || remedy !== undefined, `${about} says what to do`)
    return {
      findings,
      about: (about: string) => findings.find((finding) => finding.about === about) ?? assert.fail(about),
      problems: findings.filter(({ level }) => level === 'problem').map(({ about }) => about),
    }
  }
  const at = (baseUrl: string, apiKey: string) => ({ RECAUDO_BASE_URL: baseUrl, RECAUDO_API_KEY: apiKey })

  it('finds nothing if all is well, and shows only the start of a key', async () => {
    const { apiKey } = await world.newMerchant()
    const { about } = await examine(at(world.baseUrl, apiKey), 0)
    assert.deepEqual(
      ['address', 'clock', 'environment', 'sign-in', 'scopes', 'deliveries'].map((name) => about(name).level),
      Array<string>(6).fill('ok'),
    )
    assert.equal(about('environment').text, 'staging')
    using merchant = merchantInProcess({ apiKey, baseUrl: world.baseUrl })
    const { stdout } = await merchant.run(['doctor'])
    assert.ok(!stdout.includes(apiKey))
    assert.match(stdout, /^ok {7}environment: staging$/m)
    assert.match(stdout, /^note {5}endpoints: none\n {9}→ `recaudo webhooks create/m)
    assert.match(stdout, /^All is well\.$/m)
  })

  it('finds that nobody is signed in, that the server is down, or that it is not Recaudo', async () => {
    assert.match((await examine({}, 1)).about('credentials').text, /^Not signed in: run `recaudo login`/)
    const down = await examine(at(`http://127.0.0.1:${await freePort()}`, 'rk_stg_x'), 1)
    assert.match(down.about('address').text, /, from RECAUDO_BASE_URL, cannot be reached \(ECONNREFUSED\)$/)
    await using stranger = await startReceiver()
    const other = await examine(at(stranger.url, 'rk_stg_x'), 1)
    assert.match(other.about('address').text, /answered 200 .+: that is not Recaudo$/)
    assert.equal(stranger.got[0]?.headers['x-api-key'], undefined, 'a stranger gets no key')
  })

  it('finds a credential of the other environment', async () => {
    await using production = await createWorld({ env: PRODUCTION })
    const live = await examine(at(world.baseUrl, production.apiKey), 1)
    assert.match(live.about('environment').text, /is staging, and the credential is of production$/)
    assert.match(live.about('sign-in').text, /rk_live_… is for production/)
    const staging = await examine(at(production.baseUrl, world.apiKey), 1)
    assert.match(staging.about('environment').text, /is production, and the credential is of staging$/)
    assert.deepEqual((await examine(at(production.baseUrl, production.apiKey), 0)).problems, [])
    assert.deepEqual((await examine(at(world.baseUrl, 'rk_stg_wrong'), 1)).problems, ['sign-in'])
  })

  it('finds a clock that is wrong', async () => {
    for (const [off, side] of [
      [-600_000, 'ahead of'],
      [600_000, 'behind'],
    ] as const) {
      const server = createServer(async (request, response) => {
        const answer = await fetch(world.baseUrl + request.url, { headers: { 'x-api-key': world.apiKey } })
        response.sendDate = false
        response.writeHead(answer.status, {
          'content-type': 'application/json',
          date: new Date(Date.now() + off).toUTCString(),
        })
        response.end(await answer.text())
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      try {
        const { port } = server.address() as AddressInfo
        const { about } = await examine(at(`http://127.0.0.1:${port}`, world.apiKey), 1)
        const [, seconds] =
          new RegExp(`^this machine’s clock is (\\d+) s ${side} the server’s$`).exec(about('clock').text) ??
          []
        // The answer may have been on its way for a while.
        assert.ok(Math.abs(Number(seconds) - 600) <= 20, about('clock').text)
      } finally {
        server.closeAllConnections()
        server.close()
      }
    }
  })

  it('reports each missing scope, and changes nothing by checking', async () => {
    const { organization } = await world.newMerchant()
    for (const scopes of [
      ['payins:read'],
      ['events:read', 'webhooks:read'],
      SCOPES.filter((_, at) => at % 2 === 0),
    ] as const) {
      const { apiKey } = await world.key([...scopes] as (typeof SCOPES)[number][])
      const { about } = await examine(at(world.baseUrl, apiKey), 0)
      const missing = SCOPES.filter((scope) => !(scopes as readonly string[]).includes(scope)).toSorted()
      assert.equal(about('scopes').text, `without ${missing.join(', ')}`)
    }
    const after = (await world.client('GET', '/organization')).json
    assert.equal(after.name, organization.name)
    assert.deepEqual((await world.client('GET', '/payins')).json.data, [])
    assert.deepEqual((await world.client('GET', '/webhook-endpoints')).json.data, [])
  })

  it('finds endpoints that are disabled or fail, and deliveries that wait', async () => {
    const { client, apiKey, organization } = await world.newMerchant()
    await using receiver = await startReceiver()
    const endpoint = async () => (await client('POST', '/webhook-endpoints', { url: receiver.url })).json.id
    const [gone, off, failing] = [await endpoint(), await endpoint(), await endpoint()]
    await disableEndpoint(world.db, organization.organizationId, gone, 'GONE', world.ctx.clock.now())
    await client('PATCH', `/webhook-endpoints/${off}`, { status: 'DISABLED' })
    receiver.answerWith(500)
    const happen = async (...types: string[]) => {
      await insertEvents(world, organization.organizationId, types)
      await sequenceAllEvents(world.ctx, organization.organizationId)
    }
    await happen('payin.confirmed', 'payin.declined')
    await world.work()
    // Of this one nothing has been tried yet.
    await happen('payin.confirmed')
    const { about, problems } = await examine(at(world.baseUrl, apiKey), 1)
    assert.deepEqual(
      problems.toSorted(),
      [`endpoint ${gone}`, `endpoint ${failing}`, 'deliveries'].toSorted(),
    )
    assert.match(about(`endpoint ${gone}`).text, /was switched off: it answered 410$/)
    assert.match(
      about(`endpoint ${gone}`).remedy ?? '',
      new RegExp(`recaudo webhooks update ${gone} --enable`),
    )
    assert.equal(about(`endpoint ${off}`).level, 'note')
    assert.match(about(`endpoint ${failing}`).text, / fails since \d{4}-/)
    assert.match(
      about('deliveries').text,
      /^of the last 3 events 2 wait for another try and 0 were given up$/,
    )
  })
})
