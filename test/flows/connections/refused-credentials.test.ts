// A provider that refuses our credentials: payments wait, the connection's organization is told once, and told that it is over.

import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { railReference } from '../../../src/core/connections/reference.ts'
import { listExchanges } from '../../../src/store/connections/exchanges.ts'
import { brebPayin, type Client, createWorld, eventually, type World } from '../../world.ts'

type Alarm = { kind: string; subjectId: string; detail: string; createdAt: string; resolvedAt: string | null }

const NO_TOKEN = { status: 401, body: { error: 'invalid_client', error_description: 'no' } }
const TOKEN = { status: 200, body: { access_token: 'a-token', token_type: 'Bearer', expires_in: 3_600 } }
const FORBIDDEN = {
  status: 403,
  body: {
    ...{ code: '403 Forbidden', message: 'no', id: 'log_1' },
    errors: [{ error_code: 'not_authorized', message: 'no', path: null, url: null }],
  },
}
const NONE = { status: 200, body: { collections: [], pagination: { page_number: 1, total_pages: 0 } } }

describe('a provider that refuses our credentials', () => {
  let world: World
  let server: Server
  // What Mono answers to a request for a token, and to everything else.
  let token = TOKEN as { status: number; body: object }
  let others = NONE as { status: number; body: object }
  before(async () => {
    server = createServer((request, response) => {
      const { status, body } = request.url === '/api/v1/oauth/token' ? token : others
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    world = await createWorld()
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    server.close()
  })

  const connected = async () => {
    const merchant = await world.newMerchant()
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const answer = await merchant.client('POST', '/connections', {
      ...{ name: 'Mono, main', provider: 'mono', environment: 'test', uses: ['BRE_B_IN'] },
      credentials: {
        ...{ clientId: 'a-client', clientSecret: 'a-secret', webhookSecret: 'whsec_123456' },
        ...{ accountId: `bbtacc_${'a'.repeat(22)}`, url },
      },
    })
    assert.equal(answer.status, 201, answer.text)
    return { ...merchant, url, connectionId: answer.json.id as string }
  }
  const alarms = async (client: Client, state = 'open') => {
    const { json } = await client('GET', `/alarms?kind=connection-refused`)
    return (json.data as Alarm[]).filter(({ resolvedAt }) => (resolvedAt === null) === (state === 'open'))
  }
  const counted = async (result: string): Promise<number> => {
    const { text } = await world.anonymous('GET', '/metrics')
    const line = new RegExp(`^recaudo_rail_calls_total\\{rail="mono",result="${result}"\\} (\\d+)$`, 'm')
    return Number(line.exec(text)?.[1] ?? 0)
  }
  // Time passes until it is so.
  const told = (client: Client) => passUntil(client, (open) => open.length > 0)
  const over = (client: Client) => passUntil(client, (open) => open.length === 0)
  const passUntil = (client: Client, holds: (open: readonly Alarm[]) => boolean) =>
    eventually(async () => {
      await world.passTime(20_000)
      return alarms(client)
    }, holds)

  it('is told by name, and over when it takes them again', async () => {
    token = NO_TOKEN
    const { client, organization, connectionId, url } = await connected()
    const { json: payin } = await client('POST', '/payins', brebPayin())
    await world.work()
    assert.deepEqual(await alarms(client), [], 'one refusal is not told')
    const [alarm, ...more] = await told(client)
    assert.deepEqual(more, [])
    assert.equal(alarm?.subjectId, connectionId)
    assert.equal(
      alarm?.detail,
      `Mono refuses the credentials of the connection Mono, main at ${url}: no access token (HTTP 401)`,
    )
    assert.equal((await client('GET', `/payins/${payin.id}`)).json.status, 'PROCESSING')
    const { organizationId } = organization
    const reference = railReference('payin', organizationId, payin.id)
    const shown = await eventually(
      () => listExchanges(world.db, organizationId, reference),
      (exchanges) => exchanges.length > 0,
    )
    assert.equal(shown[0]?.failure, 'not sent: no access token (HTTP 401)', 'the payin itself says why')
    assert.ok((await counted('locked_out')) >= 3)
    const answered = await counted('answered')
    token = TOKEN
    await over(client)
    assert.equal((await alarms(client, 'resolved')).length, 1)
    assert.ok((await counted('answered')) > answered)
  })

  it('is told as often as it begins', async () => {
    const { client } = await connected()
    for (const times of [1, 2]) {
      others = FORBIDDEN
      await client('POST', '/payins', brebPayin())
      const [alarm] = await told(client)
      assert.match(alarm?.detail ?? '', /: the network does not serve us \(HTTP 403\)$/)
      others = NONE
      await over(client)
      assert.equal((await alarms(client, 'resolved')).length, times)
    }
  })

  it('is no alarm to whoever tests the connection', async () => {
    token = NO_TOKEN
    const { client, connectionId } = await connected()
    for (let time = 0; time < 4; time += 1) {
      const { json } = await client('POST', `/connections/${connectionId}/test`)
      assert.equal(json.passed, false)
    }
    assert.deepEqual(await alarms(client), [])
    // An alarm is written beside the call. So the first that is there must be of payments, which were refused later.
    const testedAt = world.ctx.clock.now()
    await client('POST', '/payins', brebPayin())
    const [alarm] = await told(client)
    assert.ok(Date.parse(alarm?.createdAt ?? '') > testedAt + 10_000)
    token = TOKEN
  })
})
