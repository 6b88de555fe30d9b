// What somebody tries in the console who has a session, or made one open a link: to do what the role does not allow without being
// written down, to go around the second look, and to break pages.

import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { after, before, describe, it } from 'node:test'
import type { FastifyReply } from 'fastify'
import { EXPORT_TIME_LIMITS, hasRoomForFile, sendFile } from '../../src/api/export/send-file.ts'
import { entriesOf } from '../api/audit/entries.ts'
import { CUSTOMER, createWorld, eventually, type World } from '../world.ts'
import { type Person, signIn } from './person.ts'

let world: World
let owner: Person
before(async () => {
  world = await createWorld()
  owner = await signIn(world, 'owner')
})
after(() => world[Symbol.asyncDispose]())

const NOBODY = '01900000-0000-7000-8000-00000000ffff'
const acts = async () =>
  (await entriesOf(world, world.organization)).map(({ act, actor, outcome, refusal, objectId }) => ({
    act,
    by: actor.id,
    outcome,
    refusal,
    objectId,
  }))

describe('a form that the role does not allow', () => {
  it('is refused, and written down as a refusal of the API is', async () => {
    const accountant = await signIn(world, 'accountant')
    const answer = await accountant.post(`/payouts/${NOBODY}/cancel`)
    assert.equal(answer.status, 403)
    const refused = { act: 'payout.cancel', by: accountant.userId, outcome: 'refused' }
    const expected = { ...refused, refusal: 'INSUFFICIENT_SCOPE', objectId: NOBODY }
    assert.deepEqual(
      (await acts()).filter(({ by, act }) => by === accountant.userId && act !== 'user.signin'),
      [expected],
    )
  })
})

describe('a session whose person has not shown lately that it is them', () => {
  it('neither says where events go nor gets the secret of a webhook', async () => {
    const { json } = await world.client('POST', '/webhook-endpoints', { url: 'https://shop.example/hooks' })
    const person = await signIn(world, 'developer')
    const long = 'update sessions set proved_at = proved_at - $2::interval where user_id = $1'
    await world.db.query({ text: long, values: [person.userId, '1 hour'] })
    for (const path of ['/webhooks', `/webhooks/${json.id}/edit`, `/webhooks/${json.id}/rotate`]) {
      const { status, text } = await person.post(path, { '/url': 'https://other.example/hooks' })
      assert.equal(status, 403, path)
      assert.match(text, /\/console\/prove/, path)
      assert.doesNotMatch(text, /whsec_/, path)
    }
    const { data } = (await world.client('GET', '/webhook-endpoints')).json
    assert.deepEqual(
      data.map(({ url }: { url: string }) => url),
      ['https://shop.example/hooks'],
    )
    // Nobody is to be told of what the other tests do.
    assert.equal((await world.client('DELETE', `/webhook-endpoints/${json.id}`)).status, 200)
  })
})

describe('an address that somebody made up', () => {
  it('that says something was done breaks no page', async () => {
    for (const done of ['constructor', '__proto__', 'toString', 'hasOwnProperty'])
      for (const path of ['', '/console/account', '/console/sign-in']) {
        const { status, text } = await owner.get(`${path}?done=${done}`)
        assert.ok(status === 200 || status === 303, `${path} ${done}: ${status}`)
        assert.doesNotMatch(text, /native code/)
      }
  })

  it('to go on to leads to a page of ours or to the start, and is never more than a header may hold', async () => {
    const wanted = [
      '/console/\u2713',
      '/console/\u0000',
      '/console/\u007f',
      '/console/ñ',
      '/console/\u{1f600}',
    ]
    for (const to of wanted) {
      const { status, location } = await owner.get(`/console/sign-in?to=${encodeURIComponent(to)}`)
      assert.deepEqual([status, location], [303, '/console'], JSON.stringify(to))
    }
  })
})

describe('a view’s name', () => {
  it('that nobody can write down or read is none', async () => {
    for (const [name, done] of [
      ['a\u0000b', 'view-unnamed'],
      ['a\u202eb', 'view-unnamed'],
      [`a${'\u{1f600}'.repeat(60)}`, 'view-saved'],
    ] as const) {
      const { status, location } = await owner.post('/views', {
        list: 'payins',
        query: 'status=DECLINED',
        name,
      })
      assert.equal(status, 303, JSON.stringify(name))
      assert.ok(location?.endsWith(`done=${done}`), location ?? '')
    }
  })
})

describe('files', () => {
  it('are sent to two of an organization at a time, however many ask at once', async () => {
    const { organization } = await world.newMerchant()
    const person = await signIn(world, 'owner', { organization })
    const headers = { cookie: person.cookie }
    const answers = await world.db.inTransaction(async (tx) => {
      // No row can be read, so that none of them ends.
      await tx.query({ text: 'lock table payins in access exclusive mode' })
      return Promise.all(
        Array.from({ length: 5 }, () => fetch(`${world.baseUrl}${person.home}/payins.csv`, { headers })),
      )
    })
    const statuses = answers.map(({ status }) => status).sort()
    for (const answer of answers) await answer.text()
    assert.deepEqual(statuses, [200, 200, 429, 429, 429])
  })

  it('are sent to eight of all organizations at a time', () => {
    const replies: EventEmitter[] = []
    const sendOne = (organizationId: string) => {
      const raw = new EventEmitter()
      const reply = { raw, header: () => reply, type: () => reply, send: () => reply }
      replies.push(raw)
      const sent = { organizationId, kind: 'csv', name: 'x', language: 'es', heads: [] } as const
      sendFile(reply as unknown as FastifyReply, { ...sent, rows: (async function* () {})() })
    }
    for (const organizationId of ['a', 'b', 'c', 'd']) for (const _ of [1, 2]) sendOne(organizationId)
    assert.equal(hasRoomForFile('e'), false)
    replies.pop()?.emit('close')
    assert.deepEqual([hasRoomForFile('e'), hasRoomForFile('a')], [true, false])
    for (const raw of replies) raw.emit('close')
  })
})

describe('a file that nobody takes', () => {
  it('ends, and gives its place to others', async () => {
    const { organization } = await world.newMerchant()
    await world.db.query({
      text: `insert into payins (organization_id, payin_id, version, status, rail, amount_cents, currency, reference, key_type,
                                 key_string, customer, created_at, updated_at, expires_at, rail_stage)
             select $1, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 1, 'PROCESSING', 'BRE_B', 100 * n, 'COP',
                    'pedido-' || n || repeat('x', 200), 'SINGLE_USE', '@K' || n, $2::json, now(), now(), now(), 'DONE'
               from generate_series(1, 40000) as n`,
      values: [organization.organizationId, JSON.stringify(CUSTOMER)],
    })
    const person = await signIn(world, 'owner', { organization })
    const address = `${world.baseUrl}${person.home}/payins.csv?period=all`
    const ask = () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        get(address, { headers: { cookie: person.cookie }, agent: false }, resolve).once('error', reject)
      })
    for (const limit of ['idleMs', 'totalMs'] as const) {
      const before = EXPORT_TIME_LIMITS[limit]
      EXPORT_TIME_LIMITS[limit] = 300
      try {
        // Whoever reads a little now and then is as good as gone, too.
        const stalled = [await ask(), await ask()]
        for (const answer of stalled) {
          assert.equal(answer.statusCode, 200)
          answer.on('error', () => {})
          if (limit === 'totalMs') answer.on('readable', () => answer.read(1))
        }
        const third = await eventually(
          async () => {
            const answer = await ask()
            answer.on('error', () => {})
            answer.destroy()
            return answer.statusCode
          },
          (status) => status === 200,
        )
        assert.equal(third, 200, limit)
        for (const answer of stalled) answer.destroy()
      } finally {
        EXPORT_TIME_LIMITS[limit] = before
      }
    }
  })
})

describe('how somebody is called', () => {
  it('is written down when they change it, because entries name them', async () => {
    const person = await signIn(world, 'support', { name: 'Eva' })
    await person.post('/console/account/profile', { name: 'Ana Gómez', language: 'es' })
    const entries = (await entriesOf(world, world.organization)).filter(
      ({ objectId, act }) => objectId === person.userId && act !== 'user.signin',
    )
    assert.deepEqual(
      entries.map(({ act, changes }) => [act, JSON.parse(changes).name]),
      [['user.name', { before: 'Eva', after: 'Ana Gómez' }]],
    )
  })
})

describe('a receiver whom the role sees masked', () => {
  it('is not told by the evidence of the payout before somebody asked, which is written down', async () => {
    const { json: payout, text } = await world.client('POST', '/payouts', {
      amountInCents: 5_000_000,
      currency: 'COP',
      rail: 'BRE_B',
      reference: 'factura 1',
      inlineCustomer: CUSTOMER,
      breb: { keyString: '3001234567' },
    })
    assert.ok(payout.id, text)
    await eventually(
      async () => {
        await world.passTime(60_000)
        return (await world.client('GET', `/payouts/${payout.id}`)).json.status
      },
      (status) => status === 'CONFIRMED',
    )
    const path = `/payouts/${payout.id}`
    assert.match((await owner.get(path)).text, /\/evidence\//)
    const [developer, support] = [await signIn(world, 'developer'), await signIn(world, 'support')]
    for (const person of [developer, support])
      assert.doesNotMatch((await person.get(path)).text, /\/evidence\//)
    const { location } = await support.post(`${path}/show-person`)
    assert.match((await support.get(location ?? '')).text, /\/evidence\//)
  })
})
