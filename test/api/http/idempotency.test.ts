// The same key and the same request get the first response again, byte for byte, from any credential and any node.

import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { deleteOld } from '../../../src/workers/retention.ts'
import { waitingForLocks } from '../../locks.ts'
import {
  type Answer,
  brebPayin,
  type Client,
  createWorld,
  eventually,
  psePayin,
  type World,
} from '../../world.ts'
import { newPayout } from './calls.ts'
import { addNode, type Node } from './node.ts'
import { assertProblem } from './problem.ts'
import { speak } from './wire.ts'

const DAY_MS = 86_400_000

// What a merchant can create, all with the same guarantee.
const CREATED = [
  { path: '/payins', table: 'payins', makeBody: () => brebPayin({ breb: { keyType: 'QR_CODE' } }) },
  { path: '/payins', table: 'payins', makeBody: () => psePayin() },
  { path: '/payouts', table: 'payouts', makeBody: () => newPayout({ reference: randomUUID() }) },
]

const newLink = () => ({
  amountType: 'FIXED',
  amountInCents: 100_000,
  reference: randomUUID(),
  callbackUrl: 'https://shop.example/return',
})

describe('Idempotency-Key', () => {
  let world: World
  let second: Node
  before(async () => {
    world = await createWorld({ env: { SECRETS_KEY: randomBytes(32).toString('hex') } })
    second = await addNode(world)
  })
  after(async () => {
    await second[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  const post = (path: string, body: unknown, key: string, client: Client = world.client): Promise<Answer> =>
    client('POST', path, body, { 'idempotency-key': key })
  const create = (body: unknown, key: string, client: Client = world.client) =>
    post('/payins', body, key, client)
  const countRows = async (table = 'payins'): Promise<number> => {
    const { rows } = await world.db.query<{ count: bigint }>({ text: `select count(*) from ${table}` })
    return Number(rows[0]?.count ?? -1)
  }
  const assertReplay = (answer: Answer, first: Answer): void => {
    assert.equal(answer.status, first.status, answer.text)
    assert.equal(answer.text, first.text)
    assert.equal(answer.headers['idempotent-replayed'], 'true')
  }

  // Holds a record of another transaction open while `request` waits for it.
  async function whileAnotherHolds(
    key: string,
    request: () => Promise<Answer>,
    end: 'commit' | 'rollback',
    when: 'blocked' | 'answered',
  ): Promise<Answer> {
    const other = new pg.Client({ connectionString: world.databaseUrl })
    await other.connect()
    try {
      await other.query('begin')
      await other.query(
        `insert into idempotency_records (organization_id, idempotency_key, fingerprint, status, body, created_at)
         values ($1, $2, '\\x00', 201, '{}', now())`,
        [world.organization.organizationId, key],
      )
      const answer = request()
      if (when === 'answered') await answer
      else {
        await eventually(
          () => waitingForLocks(world.db),
          (count) => count === 1,
        )
      }
      await other.query(end)
      return await answer
    } finally {
      await other.end()
    }
  }

  for (const [index, { path, table, makeBody }] of CREATED.entries()) {
    describe(`POST ${path} (${index + 1})`, () => {
      it('the same key and body get the first response again, byte for byte, and create one', async () => {
        const body = makeBody()
        const key = randomUUID()
        const first = await post(path, body, key)
        assert.equal(first.status, 201)
        assert.equal(first.headers['idempotent-replayed'], undefined)
        const before = await countRows(table)
        for (const { client } of [world, second]) assertReplay(await post(path, body, key, client), first)
        assert.equal(await countRows(table), before)
      })

      it('the same key with another request is refused, and nothing is written', async () => {
        const body = makeBody()
        const key = randomUUID()
        const first = await post(path, body, key)
        const before = await countRows(table)
        const others = [
          { ...body, amountInCents: 1 },
          { ...body, note: 'other' },
          { ...body, amountInCents: 0 },
          makeBody(),
        ]
        for (const other of others) {
          assertProblem(await post(path, other, key), 'IDEMPOTENCY_KEY_REUSED')
          assertProblem(await post(path, other, key, second.client), 'IDEMPOTENCY_KEY_REUSED')
        }
        const cancelPath = `${path}/${first.json.id}/cancel`
        assertProblem(await post(cancelPath, undefined, key), 'IDEMPOTENCY_KEY_REUSED')
        assert.deepEqual((await world.client('GET', `${path}/${first.json.id}`)).json, first.json)
        assert.equal(await countRows(table), before)
      })

      it('fifty at once over two nodes create one and get one response, every time', async () => {
        for (let round = 0; round < 3; round += 1) {
          const body = makeBody()
          const key = randomUUID()
          const before = await countRows(table)
          const answers = await Promise.all(
            Array.from({ length: 50 }, (_, number) =>
              post(path, body, key, [world, second][number % 2]?.client),
            ),
          )
          assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [201])
          assert.equal(new Set(answers.map((answer) => answer.text)).size, 1)
          assert.equal(await countRows(table), before + 1)
        }
      })

      it('two different requests with one key at once over two nodes: one is accepted, the other refused', async () => {
        for (let round = 0; round < 10; round += 1) {
          const key = randomUUID()
          const before = await countRows(table)
          const answers = await Promise.all([
            post(path, makeBody(), key),
            post(path, makeBody(), key, second.client),
          ])
          assert.deepEqual(answers.map((answer) => answer.status).sort(), [201, 422])
          assert.equal(await countRows(table), before + 1)
        }
      })

      it('a request that loses its key to another while it writes is refused, and its writes are rolled back', async () => {
        const key = randomUUID()
        const before = await countRows(table)
        const answer = await whileAnotherHolds(key, () => post(path, makeBody(), key), 'commit', 'blocked')
        assertProblem(answer, 'IDEMPOTENCY_KEY_REUSED')
        assert.equal(await countRows(table), before)
      })

      it('a request whose rival rolls back is carried out', async () => {
        const key = randomUUID()
        const answer = await whileAnotherHolds(key, () => post(path, makeBody(), key), 'rollback', 'blocked')
        assert.equal(answer.status, 201, answer.text)
      })

      it('a cancel repeats its response under its key, and is refused under another', async () => {
        const { json } = await world.client('POST', path, makeBody())
        const cancel = (key: string, client: Client = world.client, id = json.id) =>
          post(`${path}/${id}/cancel`, undefined, key, client)
        const key = randomUUID()
        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, number) => cancel(key, [world, second][number % 2]?.client)),
        )
        for (const answer of answers) {
          assert.equal(answer.status, 200, answer.text)
          assert.equal(answer.text, answers[0]?.text)
          assert.equal(answer.json.status, 'CANCELED')
        }
        assert.equal((await cancel(key)).headers['idempotent-replayed'], 'true')
        assert.equal((await cancel(randomUUID())).status, 409)
        const { json: another } = await world.client('POST', path, makeBody())
        assertProblem(await cancel(key, world.client, another.id), 'IDEMPOTENCY_KEY_REUSED')
      })
    })
  }

  it('a payment link that loses its key to another request while it is written is refused, and none is made', async () => {
    const key = randomUUID()
    const before = await countRows('payment_links')
    const request = () => post('/payment-links', newLink(), key)
    assertProblem(await whileAnotherHolds(key, request, 'commit', 'blocked'), 'IDEMPOTENCY_KEY_REUSED')
    assert.equal(await countRows('payment_links'), before)
  })

  it('while the first is still running elsewhere, the second is asked to wait', async () => {
    const keys = [randomUUID(), randomUUID()] as const
    const before = [await countRows('payins'), await countRows('payouts')]
    const answers = await Promise.all([
      whileAnotherHolds(keys[0], () => create(brebPayin(), keys[0]), 'rollback', 'answered'),
      whileAnotherHolds(keys[1], () => post('/payouts', newPayout(), keys[1]), 'rollback', 'answered'),
    ])
    for (const answer of answers) {
      assertProblem(answer, 'IDEMPOTENCY_KEY_IN_USE')
      assert.ok(Number(answer.headers['retry-after']) >= 1)
    }
    assert.deepEqual([await countRows('payins'), await countRows('payouts')], before)
  })

  it('fifty at once on one node create one payin, and all but one are marked as replays', async () => {
    const body = brebPayin()
    const key = randomUUID()
    const before = await countRows()
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(body, key)))
    assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [201])
    assert.equal(new Set(answers.map((answer) => answer.text)).size, 1)
    assert.equal(answers.filter((answer) => answer.headers['idempotent-replayed'] === 'true').length, 49)
    assert.equal(await countRows(), before + 1)
  })

  it('the first answer is repeated even after the payin has changed', async () => {
    const body = brebPayin()
    const key = randomUUID()
    const first = await create(body, key)
    assert.equal((await world.client('POST', `/payins/${first.json.id}/cancel`)).status, 200)
    assertReplay(await create(body, key), first)
  })

  it('the first answer is repeated even where today’s rules would refuse the request', async () => {
    const merchant = await world.newMerchant()
    const body = brebPayin()
    const key = randomUUID()
    const first = await create(body, key, merchant.client)
    assert.equal((await merchant.client('PATCH', '/organization', { rails: ['PSE'] })).status, 200)
    await eventually(
      () => merchant.client('POST', '/payins', brebPayin()),
      (answer) => answer.json.code === 'RAIL_NOT_ENABLED',
    )
    assertReplay(await create(body, key, merchant.client), first)
  })

  it('neither the order of keys nor white space makes it another body', async () => {
    const body = brebPayin()
    const key = randomUUID()
    const first = await create(body, key)
    const customer = Object.entries(body.inlineCustomer as object).reverse()
    const reordered = { ...body, inlineCustomer: Object.fromEntries(customer) }
    const text = JSON.stringify(Object.fromEntries(Object.entries(reordered).reverse()), null, 2)
    assertReplay(await create(text, key), first)
  })

  it('a simulation and a clock move are repeated by their key, and happen once', async () => {
    const created = await world.client('POST', '/payins', brebPayin())
    await world.work()
    const key = randomUUID()
    const path = `/sandbox/payins/${created.json.id}/simulate`
    const first = await post(path, { outcome: 'confirmed' }, key)
    assert.equal(first.status, 200, first.text)
    assertReplay(await post(path, { outcome: 'confirmed' }, key), first)
    assertProblem(await post(path, { outcome: 'chargeback' }, key), 'IDEMPOTENCY_KEY_REUSED')

    const moveKey = randomUUID()
    const moved = await post('/sandbox/clock/advance', { seconds: 3_600 }, moveKey)
    assert.equal(moved.status, 200, moved.text)
    assertReplay(await post('/sandbox/clock/advance', { seconds: 3_600 }, moveKey), moved)
    assertProblem(await post('/sandbox/clock/advance', { seconds: 7_200 }, moveKey), 'IDEMPOTENCY_KEY_REUSED')
    const later = await world.client('POST', '/sandbox/clock/advance', { seconds: 1 })
    assert.ok(Date.parse(later.json.now) - Date.parse(moved.json.now) < 3_600_000, 'it was moved once')
  })

  it('another organization may use the same key', async () => {
    const other = await world.newMerchant()
    const body = brebPayin()
    const key = randomUUID()
    const first = await create(body, key)
    const theirs = await create(body, key, other.client)
    assert.equal(theirs.status, 201)
    assert.equal(theirs.headers['idempotent-replayed'], undefined)
    assert.notEqual(theirs.json.id, first.json.id)
  })

  it('a refused request does not use up its key', async () => {
    const taken = brebPayin()
    await world.client('POST', '/payins', taken)
    const refused: [unknown, number][] = [
      [brebPayin({ amountInCents: 0 }), 400],
      [{ ...taken, amountInCents: 7 }, 409],
      ['{', 400],
    ]
    for (const [body, status] of refused) {
      const key = randomUUID()
      assert.equal((await create(body, key)).status, status)
      const answer = await create(brebPayin(), key)
      assert.equal(answer.status, 201)
      assert.equal(answer.headers['idempotent-replayed'], undefined)
    }
  })

  it('a key has 1 to 255 printable characters', async () => {
    const before = await countRows()
    for (const key of ['', '""', 'x'.repeat(256), 'a\tb', 'clé', '\u0080']) {
      const answer = await create(brebPayin(), key)
      assertProblem(answer, 'INVALID_INPUT', JSON.stringify(key))
      assert.equal(answer.json.errors[0].path, '/headers/idempotency-key')
    }
    for (const byte of ['\x00', '\x01', '\x1f', '\x7f']) {
      const body = JSON.stringify(brebPayin())
      const [answer] = await speak(
        world.baseUrl,
        `POST /payins HTTP/1.1\r\nhost: x\r\nx-api-key: ${world.apiKey}\r\nidempotency-key: a${byte}b\r\n` +
          `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      )
      assertProblem(answer as Answer, 'INVALID_INPUT', JSON.stringify(byte))
    }
    assert.equal(await countRows(), before)
    for (const key of ['x', '~'.repeat(255), 'a b, c', "'; drop table payins; --"]) {
      assert.equal((await create(brebPayin(), key)).status, 201)
    }
  })

  it('a key in quotes, as the draft standard writes it, is the same key', async () => {
    const body = brebPayin()
    const key = randomUUID()
    const first = await create(body, `"${key}"`)
    assertReplay(await create(body, key), first)
  })

  it('a response is kept for thirty days', async () => {
    const body = brebPayin()
    const key = randomUUID()
    const first = await create(body, key)
    world.advance(30 * DAY_MS - 60_000)
    await deleteOld(world.ctx, 'idempotency_records')
    assertReplay(await create(body, key), first)
    world.advance(120_000)
    assert.ok((await deleteOld(world.ctx, 'idempotency_records')) > 0)
    assertProblem(await create(body, key), 'DUPLICATE_REFERENCE')
  })

  it('after thirty days a key is free, even if nobody has deleted its response', async () => {
    const endpoint = () => ({ url: `https://shop.example/${randomUUID()}` })
    const creations = [
      ...CREATED,
      { path: '/payment-links', makeBody: newLink },
      { path: '/webhook-endpoints', makeBody: endpoint },
    ].map(({ path, makeBody }) => ({ path, makeBody, key: randomUUID() }))
    const idOf = ({ json }: Answer) => json.id ?? json.paymentLinkId
    const first = []
    for (const { path, makeBody, key } of creations) first.push(idOf(await post(path, makeBody(), key)))
    world.advance(30 * DAY_MS + 1_000)
    for (const [index, { path, makeBody, key }] of creations.entries()) {
      const body = makeBody()
      const answer = await post(path, body, key)
      assert.equal(answer.status, 201, `${path} ${answer.text}`)
      assert.equal(answer.headers['idempotent-replayed'], undefined)
      assert.notEqual(idOf(answer), first[index])
      assertReplay(await post(path, body, key, second.client), answer)
      assertProblem(await post(path, makeBody(), key), 'IDEMPOTENCY_KEY_REUSED')
    }
  })
})
