// Everything is found by whatever is known of it: at once among the newest, and by words once a worker has written them. Nobody finds
// what is another organization's, or what they may not read; who was erased is found by nothing.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Scope } from '../../../src/core/organizations/scope.ts'
import { SCOPES } from '../../../src/core/organizations/scope.ts'
import { readQuestion } from '../../../src/core/search/question.ts'
import type { FoundKind } from '../../../src/core/search/result.ts'
import { sealStored } from '../../../src/flows/people/seal-stored.ts'
import { idOf, type SearchResult, search } from '../../../src/flows/search/search.ts'
import { writeWords } from '../../../src/flows/search/write-words.ts'
import { eraseCustomer } from '../../../src/operator/customers.ts'
import { insertDigests } from '../../../src/store/people/digests.ts'
import {
  moveEventMark,
  moveSearchMark,
  objectsWithReference,
  searchedRows,
} from '../../../src/store/search/objects.ts'
import {
  countWords as countOf,
  insertWords,
  objectsWithAllWords,
  objectsWithBeginning,
  objectsWithDigest,
  objectsWithWord,
} from '../../../src/store/search/words.ts'
import { brebPayin, createWorld, type World } from '../../world.ts'
import {
  columnsWith,
  cutPower,
  type Life,
  live,
  newPerson,
  type Person,
  payoutBody,
  textsOf,
} from '../people/life.ts'

type Changes = { scopes?: readonly Scope[]; seesPeople?: boolean; limit?: number; org?: string }

async function ask(world: World, typed: string, changes: Changes = {}): Promise<SearchResult> {
  const { scopes = null, seesPeople = true, limit = 20, org = world.organization.organizationId } = changes
  const question = readQuestion(typed)
  assert.ok(question)
  return search(world.ctx, { organizationId: org, scopes, seesPeople }, question, limit)
}

const idsOf = ({ found }: SearchResult, kind: FoundKind) => found.filter((one) => one.kind === kind).map(idOf)
const byOf = ({ found }: SearchResult, id: string) => found.find((one) => idOf(one) === id)?.by

async function wordAll(world: World): Promise<void> {
  await world.passTime(61_000)
  while ((await sealStored(world.ctx)) > 0) {}
  while ((await writeWords(world.ctx)) > 0) {}
}

async function countWords(world: World): Promise<number> {
  const { rows } = await world.db.query<{ count: bigint }>({
    text: 'select count(*) as count from search_words',
  })
  return Number(rows[0]?.count)
}

async function oneText(world: World, text: string, id: string): Promise<string> {
  const { rows } = await world.db.query<{ value: string }>({ text, values: [id] })
  return rows[0]?.value as string
}

for (const worded of [false, true])
  describe(`what ${worded ? 'has words' : 'is new'}`, () => {
    let world: World
    let person: Person
    let life: Life
    let payin: Record<string, string> & { sourceData: { keyString: string } }
    before(async () => {
      world = await createWorld()
      person = newPerson()
      life = await live(world, person)
      payin = (await world.client('GET', `/payins/${life.payinId}`)).json
      if (worded) await wordAll(world)
      assert.equal((await countWords(world)) > 0, worded)
    })
    after(async () => {
      await life.told[Symbol.asyncDispose]()
      await world[Symbol.asyncDispose]()
    })

    it('is found by its id, and an event and a transfer too', async () => {
      for (const [id, kind] of [
        [life.payinId, 'payin'],
        [life.payoutId, 'payout'],
        [life.paymentLinkId, 'paymentlink'],
      ] as const) {
        const result = await ask(world, id)
        assert.deepEqual(idsOf(result, kind), [id])
        assert.deepEqual(byOf(result, id), ['id'])
      }
      const event = await oneText(
        world,
        'select event_id as value from events where object_id = $1',
        life.payinId,
      )
      assert.deepEqual(idsOf(await ask(world, event), 'event'), [event])
      const transfer = await oneText(
        world,
        'select transfer_id as value from ledger_transfers where subject_id = $1',
        life.payinId,
      )
      assert.deepEqual(idsOf(await ask(world, transfer.toUpperCase()), 'transfer'), [transfer])
    })

    it('is found by its reference, by how it begins, and in other letters', async () => {
      const { reference } = payin as unknown as { reference: string }
      for (const typed of [reference, reference.toUpperCase(), reference.slice(0, -1)])
        assert.ok(idsOf(await ask(world, typed), 'payin').includes(life.payinId), typed)
      assert.equal((await ask(world, `${reference}x`)).found.length, 0)
      const links = idsOf(await ask(world, 'ord'), 'paymentlink')
      assert.ok(links.includes(life.paymentLinkId) && links.includes(life.typedLinkId))
    })

    it('is found by its amount, key and the network’s name for it', async () => {
      const byAmount = await ask(world, '$ 1.000')
      assert.deepEqual(idsOf(byAmount, 'payout').length, 3)
      assert.deepEqual(byOf(byAmount, life.payoutId), ['amount'])
      const byKey = await ask(world, payin.sourceData.keyString.toLowerCase())
      assert.deepEqual(idsOf(byKey, 'payin'), [life.payinId])
      const cus = await oneText(
        world,
        `select trace_id as value from payins where organization_id = $1 and rail = 'PSE' and trace_id is not null limit 1`,
        world.organization.organizationId,
      )
      const byCus = await ask(world, cus)
      assert.equal(byCus.found.filter(({ kind }) => kind === 'payin').length, 1)
      assert.deepEqual(byCus.found[0]?.by, ['trace'])
    })

    it('is found by who paid or received: document, e-mail, phone, key and words of the name', async () => {
      const [, number = ''] = person.name.split(' ')
      for (const typed of [
        person.idNumber,
        `CC ${person.idNumber}`,
        person.email.toUpperCase(),
        person.phone,
        person.phone.slice(3),
        person.name,
        `nunez ${number}`,
      ]) {
        const result = await ask(world, typed)
        const payins = idsOf(result, 'payin')
        assert.ok(payins.includes(life.payinId) && payins.includes(life.canceledPayinId), typed)
        assert.equal(payins.length, 6, typed)
        assert.equal(idsOf(result, 'payout').length, 3, typed)
        assert.ok(idsOf(result, 'paymentlink').includes(life.paymentLinkId), typed)
      }
      assert.equal((await ask(world, `${person.name} otra`)).found.length, 0)
    })

    it('is not found by people for whoever may not see people', async () => {
      for (const typed of [person.idNumber, person.email, person.phone, person.name, 'canaria'])
        assert.equal((await ask(world, typed, { seesPeople: false })).found.length, 0, typed)
    })

    it('is found only by whoever may read it', async () => {
      const needed = { payin: 'payins:read', payout: 'payouts:read', paymentlink: 'links:read' } as const
      for (const scope of SCOPES) {
        const { found } = await ask(world, person.idNumber, { scopes: [scope] })
        for (const { kind } of found) assert.equal(needed[kind as keyof typeof needed], scope, kind)
        if ((Object.values(needed) as Scope[]).includes(scope)) assert.ok(found.length > 0, scope)
      }
      const event = await oneText(
        world,
        'select event_id as value from events where object_id = $1',
        life.payinId,
      )
      assert.equal((await ask(world, event, { scopes: ['events:read'] })).found.length, 0)
      assert.equal((await ask(world, event, { scopes: ['events:read', 'payins:read'] })).found.length, 1)
    })

    it('is not found by another organization', async () => {
      const { organization } = await world.newMerchant()
      const { reference } = payin as unknown as { reference: string }
      for (const typed of [
        life.payinId,
        life.payoutId,
        reference,
        person.idNumber,
        person.email,
        person.phone,
        person.name,
        '$ 1.000',
        payin.sourceData.keyString,
      ])
        assert.deepEqual((await ask(world, typed, { org: organization.organizationId })).found, [], typed)
    })

    it('says of which kinds there is more', async () => {
      const result = await ask(world, person.idNumber, { limit: 2 })
      assert.deepEqual(result.more, ['payin', 'payout'])
      assert.equal(idsOf(result, 'payin').length, 2)
    })

    it('stands nowhere in plain', async () => {
      assert.deepEqual(await columnsWith(world.db, textsOf(person)), [])
    })
  })

describe('pages and endpoints', () => {
  it('are found by parts of their names and addresses', async () => {
    await using world = await createWorld()
    const { json: page } = await world.client('POST', '/payment-pages', {
      name: 'Feria del Libro',
      reference: 'feria-2026',
      amountType: 'FIXED',
      amountInCents: 5_000_000,
    })
    const { json: endpoint } = await world.client('POST', '/webhook-endpoints', {
      url: 'https://tienda.example/avisos',
      description: 'Contabilidad',
    })
    assert.deepEqual((await ask(world, 'libro')).found.map(idOf), [page.paymentPageId ?? page.id])
    assert.deepEqual((await ask(world, 'feria-2026')).found[0]?.by, ['reference'])
    await world.client('POST', '/payment-pages', { name: 'Rifa', reference: 'rifa', amountType: 'OPEN' })
    const twice = await ask(world, 'rifa')
    assert.deepEqual(
      twice.found.map(({ by }) => [...by].sort()),
      [['name', 'reference']],
    )
    for (const name of ['Rifa dos', 'Rifa tres'])
      await world.client('POST', '/payment-pages', { name, reference: name, amountType: 'OPEN' })
    const two = await ask(world, 'rifa', { limit: 2 })
    assert.deepEqual([two.found.length, two.more], [2, ['paymentpage']])
    assert.deepEqual((await ask(world, 'tienda.example')).found.map(idOf), [endpoint.id])
    assert.deepEqual((await ask(world, 'contabilidad')).found[0]?.by, ['name'])
    assert.deepEqual((await ask(world, 'tienda.example', { scopes: ['payins:read'] })).found, [])
  })
})

describe('what becomes known later', () => {
  it('is found by words too: the CUS of a payin that was looked through before it had one', async () => {
    await using world = await createWorld()
    const person = newPerson()
    const inlineCustomer = { ...person, idNumber: '1000000007' }
    const { json } = await world.client('POST', '/payins', brebPayin({ inlineCustomer }))
    await world.work()
    await wordAll(world)
    const before = await countWords(world)
    await world.db.query({
      text: `update payins set trace_id = 'CUS77', customer = null where payin_id = $1`,
      values: [json.id],
    })
    await writeWords(world.ctx)
    assert.equal((await ask(world, 'cus77')).found.length, 0, 'nobody has told of it')
    await world.client('POST', `/payins/${json.id}/cancel`)
    await world.work()
    await wordAll(world)
    assert.ok((await countWords(world)) > before)
    assert.deepEqual((await ask(world, 'cus77')).found.map(idOf), [json.id])
  })

  it('is found also of an attempt on a link, which has no events of its own', async () => {
    await using world = await createWorld()
    const { json: link } = await world.client('POST', '/payment-links', {
      ...{ amountType: 'FIXED', amountInCents: 5_000_000, reference: 'order-7', rail: 'BRE_B' },
      callbackUrl: 'https://shop.example/return',
    })
    const payer = { 'user-agent': 'Mozilla/5.0', 'sec-fetch-dest': 'document' }
    await fetch(world.baseUrl + new URL(link.paymentLinkUrl).pathname, { headers: payer })
    await wordAll(world)
    const [attempt] = (await world.client('GET', `/payins?paymentLinkId=${link.paymentLinkId}`)).json.data
    const learned = `update payins set trace_id = 'CUS88' where payin_id = $1`
    await world.db.query({ text: learned, values: [attempt.id] })
    await writeWords(world.ctx)
    assert.equal((await ask(world, 'cus88')).found.length, 0, 'nobody has told of it')
    // The events of the link are still to be followed.
    await world.db.query({ text: 'update search_marks set event_sequence = 0' })
    while ((await writeWords(world.ctx)) > 0) {}
    assert.deepEqual((await ask(world, 'cus88')).found.map(idOf), [attempt.id])
  })
})

describe('two organizations that write the same', () => {
  it('find their own, however much the other has', async () => {
    await using world = await createWorld()
    const { db, ctx } = world
    const { organization, client } = await world.newMerchant()
    const [mine, other] = [world.organization.organizationId, organization.organizationId]
    const newId = () => ctx.ids.next()
    const [own, foreign] = [newId(), newId()]
    const digest = Buffer.alloc(16, 7)
    await insertWords(db, mine, [{ word: 'same', objectId: own }])
    await insertWords(db, other, [
      ...[foreign, newId()].map((objectId) => ({ word: 'same', objectId })),
      ...[own, foreign].map((objectId) => ({ word: 'second', objectId })),
      { word: 'samba', objectId: foreign },
    ])
    await insertDigests(db, mine, 'payin', [{ digest, objectId: own }])
    await insertDigests(db, other, 'payin', [{ digest, objectId: foreign }])
    const found = [{ word: 'same', objectId: own }]
    assert.deepEqual(await objectsWithWord(db, mine, ['same'], 1), found)
    const begun = await objectsWithBeginning(db, mine, ['sam'], 1)
    assert.deepEqual(begun, [{ word: 'sam', objectId: own }])
    assert.deepEqual(await countOf(db, mine, ['same', 'second'], 9), [1, 0])
    assert.deepEqual(await objectsWithAllWords(db, mine, ['same'], 1, 1), [own])
    assert.deepEqual(await objectsWithAllWords(db, mine, ['same', 'second'], 9, 9), [])
    const digests = await objectsWithDigest(db, mine, [digest], ['payin'], 1)
    assert.deepEqual(
      digests.map(({ objectId }) => objectId),
      [own],
    )
    assert.deepEqual(await objectsWithDigest(db, mine, [digest], ['payout'], 1), [])

    const payin = brebPayin({ reference: 'same' })
    const { json: first } = await world.client('POST', '/payins', payin)
    const { json: second } = await client('POST', '/payins', payin)
    assert.deepEqual(await objectsWithReference(db, 'payin', mine, 'same', 1), [first.id])
    assert.deepEqual(await searchedRows(db, 'payin', mine, [second.id]), [])
    // By what was asked for, and by what arrived.
    const undone = new Error('undone')
    const arrived = db.inTransaction(async (tx) => {
      const text = `update payins set status = 'CONFIRMED', confirmed_amount_cents = 77 where payin_id = $1`
      await tx.query({ text, values: [first.id] })
      const [row] = await searchedRows(tx, 'payin', mine, [first.id])
      assert.deepEqual(row?.amounts, [String(payin.amountInCents), '77'])
      throw undone
    })
    await assert.rejects(arrived, undone)
  })
})

describe('a page of rows', () => {
  it('is followed by the next until all of them have words', async () => {
    await using world = await createWorld()
    const { organizationId } = world.organization
    await world.db.query({
      text: `insert into payins (organization_id, payin_id, version, status, rail, amount_cents, currency, reference, key_type,
                                 key_string, created_at, updated_at, expires_at, rail_stage)
             select $1, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 1, 'PROCESSING', 'BRE_B', 100 * n, 'COP',
                    'pedido-' || n, 'SINGLE_USE', '@K' || n, now(), now(), now(), 'DONE'
               from generate_series(1, 150) as n`,
      values: [organizationId],
    })
    await wordAll(world)
    const { rows } = await world.db.query<{ worded: number }>({
      text: 'select count(distinct object_id)::integer as worded from search_words where organization_id = $1',
      values: [organizationId],
    })
    assert.equal(rows[0]?.worded, 150)
    // What is asked for as a whole comes before what only begins like it, in whatever letters.
    for (const typed of ['pedido-1', 'PEDIDO-1']) {
      const [first] = (await ask(world, typed)).found.map(idOf)
      assert.match(first ?? '', /0001$/, typed)
    }
    // Somebody slower brings nothing back that was passed.
    const marks = async () => (await world.db.query({ text: 'select * from search_marks' })).rows
    const before = await marks()
    await moveSearchMark(world.db, organizationId, 'payin', '01900000-0000-7000-8000-000000000003')
    await moveEventMark(world.db, organizationId, -1n)
    assert.deepEqual(await marks(), before)
  })
})

describe('a name that many have', () => {
  it('is looked for by all of its words, the newest first', async () => {
    await using world = await createWorld()
    const ids: string[] = []
    for (const name of ['Ana María Gómez', 'Ana Gómez', 'María Ana Ruiz', 'Gómez Ana']) {
      const inlineCustomer = { ...newPerson(), name }
      ids.push((await world.client('POST', '/payins', brebPayin({ inlineCustomer }))).json.id)
    }
    await wordAll(world)
    const result = await ask(world, 'ana gomez')
    assert.deepEqual(idsOf(result, 'payin'), [ids[3], ids[1], ids[0]])
    assert.equal(result.isPartial, false)
  })
})

describe('who is erased', () => {
  it('is found by nothing, and none of their words is left; what is not theirs stays', async () => {
    await using world = await createWorld()
    const person = newPerson()
    const other = newPerson()
    const made = async (inlineCustomer: Person) => {
      const { json } = await world.client('POST', '/payins', brebPayin({ inlineCustomer }))
      await world.client('POST', '/payouts', payoutBody(inlineCustomer, inlineCustomer.email))
      return json as { id: string; reference: string }
    }
    const mine = await made(person)
    const theirs = await made(other)
    for (let turn = 0; turn < 4; turn += 1) await world.passTime(2_000)
    await wordAll(world)
    const personal = async () => {
      const { rows } = await world.db.query<{ object_id: string }>({
        text: `select object_id from search_words where substr(word, 2, 1) in ('n', 'p') or word like 'ok%'`,
      })
      return new Set(rows.map((row) => row.object_id))
    }
    assert.equal((await personal()).size, 4)
    await eraseCustomer(world.ctx, { email: person.email, yes: true })
    assert.equal((await personal()).size, 2)
    for (const typed of [person.idNumber, person.email, person.phone, person.name])
      assert.deepEqual((await ask(world, typed)).found, [], typed)
    assert.deepEqual(idsOf(await ask(world, mine.reference), 'payin'), [mine.id])
    assert.deepEqual(idsOf(await ask(world, other.name), 'payin'), [theirs.id])
    // Nothing writes them again.
    await wordAll(world)
    assert.equal((await personal()).size, 2)
  })

  it('while a worker writes their words has none afterwards', async () => {
    await using world = await createWorld()
    const person = newPerson()
    await world.client('POST', '/payins', brebPayin({ inlineCustomer: person }))
    for (let turn = 0; turn < 3; turn += 1) await world.passTime(2_000)
    await world.passTime(61_000)
    await sealStored(world.ctx)
    // The worker has read the row; before it writes, the person is erased.
    let erased: Promise<unknown> | undefined
    const db = Object.assign(Object.create(world.db), {
      query: async (query: { text: string }) => {
        if (/insert into search_words/.test(query.text)) {
          erased ??= eraseCustomer(world.ctx, { email: person.email, yes: true })
          await erased
        }
        return world.db.query(query)
      },
    })
    await writeWords({ ...world.ctx, db })
    assert.ok(erased !== undefined)
    const { rows } = await world.db.query<{ word: string }>({
      text: `select word from search_words where substr(word, 2, 1) in ('n', 'p')`,
    })
    assert.deepEqual(rows, [])
  })
})

describe('a worker that dies', () => {
  for (const statement of [/insert into search_words/, /insert into search_marks/])
    it(`before ${statement.source} leaves its rows to the next`, async () => {
      await using world = await createWorld()
      const person = newPerson()
      const { json } = await world.client('POST', '/payins', brebPayin({ inlineCustomer: person }))
      await world.passTime(61_000)
      await sealStored(world.ctx)
      await assert.rejects(
        writeWords({ ...world.ctx, db: cutPower(world.db, statement) }),
        /the power is cut/,
      )
      await wordAll(world)
      const { rows } = await world.db.query<{ after: string }>({
        text: 'select payin as after from search_marks',
      })
      assert.equal(rows[0]?.after, json.id)
      assert.deepEqual(idsOf(await ask(world, person.name), 'payin'), [json.id])
    })
})
