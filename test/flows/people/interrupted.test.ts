// A process may die between any two statements, and two may seal the same person at once. Row and events hold one seal all the same,
// and an erasure misses nothing.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { QueryConfig, QueryResultRow } from 'pg'
import { customerFields } from '../../../src/core/people/sealed.ts'
import { personWordsOf } from '../../../src/flows/people/person-words.ts'
import { sealStored } from '../../../src/flows/people/seal-stored.ts'
import { writeWords } from '../../../src/flows/search/write-words.ts'
import { eraseCustomer } from '../../../src/operator/customers.ts'
import type { Db, Queryable } from '../../../src/store/db.ts'
import { findByDigest } from '../../../src/store/people/digests.ts'
import { brebPayin, createWorld, endPayin, type World } from '../../world.ts'
import { columnsWith, cutPower, makePlain, newPerson, type Person, textsOf } from './life.ts'

async function plainPayin(world: World, person: Person): Promise<string> {
  const { json } = await world.client('POST', '/payins', brebPayin({ inlineCustomer: person }))
  for (let turn = 0; turn < 3; turn += 1) await world.passTime(2_000)
  await makePlain(world, person)
  await world.passTime(61_000)
  return json.id
}

async function sealsOf(world: World): Promise<{ row: string; events: string[] }> {
  const { rows } = await world.db.query<{ sealed: string }>({
    text: `select customer->>'sealed' as sealed from payins`,
  })
  const events = await world.db.query<{ sealed: string }>({
    text: `select substring(data from '\\{"sealed":"([^"]*)"\\}') as sealed from events`,
  })
  return { row: rows[0]?.sealed as string, events: events.rows.map(({ sealed }) => sealed) }
}

async function assertErased(world: World, payinId: string): Promise<void> {
  assert.equal((await world.client('GET', `/payins/${payinId}`)).json.inlineCustomer.name, 'ERASED')
  const { json: events } = await world.client('GET', `/events?objectId=${payinId}`)
  assert.ok(events.data.length > 0)
  for (const event of events.data) assert.equal(event.data.inlineCustomer.name, 'ERASED', event.event)
}

for (const statement of [/update payins/, /update events/])
  it(`a sealing that is interrupted before ${statement.source} is done again, and an erasure misses nothing`, async () => {
    await using world = await createWorld()
    const person = newPerson()
    const payinId = await plainPayin(world, person)
    const dying = { ...world.ctx, db: cutPower(world.db, statement) }
    await assert.rejects(sealStored(dying), /the power is cut/)
    await sealStored(world.ctx)
    assert.deepEqual(await columnsWith(world.db, textsOf(person)), [])
    const { row, events } = await sealsOf(world)
    assert.deepEqual([...new Set(events)], [row])
    await eraseCustomer(world.ctx, { email: person.email, yes: true })
    await assertErased(world, payinId)
  })

it('two who seal the same person at once leave one seal in the row and in the events', async () => {
  await using world = await createWorld()
  const person = newPerson()
  await plainPayin(world, person)
  await Promise.all([sealStored(world.ctx), sealStored(world.ctx), sealStored(world.ctx)])
  assert.deepEqual(await columnsWith(world.db, textsOf(person)), [])
  const { row, events } = await sealsOf(world)
  assert.ok(events.length > 0)
  assert.deepEqual([...new Set(events)], [row])
})

for (const statement of [/insert into people_digests/, /insert into search_words/])
  it(`whoever is erased just before ${statement.source} leaves nothing to be found by`, async () => {
    await using world = await createWorld()
    const person = newPerson()
    const { json } = await world.client('POST', '/payins', brebPayin({ inlineCustomer: person }))
    await endPayin(world, world.client, json.id, 'confirmed')
    world.advance(61_000)
    let isErased = false
    const db: Db = {
      ...world.db,
      query: async <Row extends QueryResultRow>(config: QueryConfig) => {
        if (statement.test(config.text) && !isErased) {
          isErased = true
          await eraseCustomer(world.ctx, { email: person.email, yes: true })
        }
        return world.db.query<Row>(config)
      },
    }
    const slow = { ...world.ctx, db }
    while ((await sealStored(slow)) > 0);
    while ((await writeWords(slow)) > 0);
    assert.ok(isErased)
    await assertErased(world, json.id)
    const vault = await world.ctx.vault(world.organization.organizationId)
    const found = await findByDigest(
      world.db,
      world.organization.organizationId,
      vault.digest({ by: 'email', email: person.email }),
    )
    assert.deepEqual(found, [])
    const row = { objectId: json.id, customer: person, keyString: null } as const
    const words = personWordsOf(vault, 'payin', row as never).map(({ word }) => word)
    assert.ok(words.length > 0)
    const { rows } = await world.db.query({
      text: 'select word from search_words where word = any($1)',
      values: [words],
    })
    assert.deepEqual(rows, [])
  })

it('an erasure replaces every seal of the object, in events and kept answers, also one that its row does not hold', async () => {
  await using world = await createWorld()
  const person = newPerson()
  const { json } = await world.client('POST', '/payins', brebPayin({ inlineCustomer: person }), {
    'idempotency-key': 'sealed-twice',
  })
  for (let turn = 0; turn < 3; turn += 1) await world.passTime(2_000)
  // As an interrupted run of an earlier version left it.
  const vault = await world.ctx.vault(world.organization.organizationId)
  const { sealed } = vault.seal(json.id, customerFields(person))
  for (const text of [
    `update events set data = regexp_replace(data, '\\{"sealed":"[^"]*"\\}', $1)`,
    `update idempotency_records set body = regexp_replace(body, '\\{"sealed":"[^"]*"\\}', $1)`,
  ])
    await world.db.query({ text, values: [JSON.stringify({ sealed })] })
  const places = await columnsWith(world.db, [sealed])
  for (const place of ['events.data', 'idempotency_records.body']) assert.ok(places.includes(place), place)
  await eraseCustomer(world.ctx, { email: person.email, yes: true })
  await assertErased(world, json.id)
  assert.deepEqual(await columnsWith(world.db, [sealed]), [])
})

it('an event that is written while its person is erased does not name them', async () => {
  await using world = await createWorld()
  const person = newPerson()
  const { json } = await world.client('POST', '/payins', brebPayin({ inlineCustomer: person }))
  await world.passTime(2_000)
  // The payin is settled once the erasure has gone through its events: in a transaction it has the row, and whoever settles waits.
  let settling: Promise<void> | undefined
  const settle = (query: { text: string }): Promise<void> | undefined => {
    if (/update delivery_attempts/.test(query.text)) settling ??= world.passTime(25 * 60 * 60_000)
    return settling
  }
  const db = Object.assign(Object.create(world.db), {
    query: async (query: QueryConfig) => {
      await settle(query)
      return world.db.query(query)
    },
    inTransaction: <Result>(work: (tx: Queryable) => Promise<Result>) =>
      world.db.inTransaction((tx) => {
        const query = (one: QueryConfig) => {
          void settle(one)
          return tx.query(one)
        }
        return work(Object.assign(Object.create(tx), { query }))
      }),
  })
  await eraseCustomer({ ...world.ctx, db }, { email: person.email, yes: true })
  assert.ok(settling !== undefined)
  await settling
  await world.passTime(60_000)
  const { json: events } = await world.client('GET', `/events?objectId=${json.id}&type=payin.settled`)
  assert.equal(events.data.length, 1)
  await assertErased(world, json.id)
})
