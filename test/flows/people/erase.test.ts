// One person is found by document or e-mail however it is written, and erased everywhere. The books, the numbers and everybody else
// stay. What is still plain is sealed in the background.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { NO_CHARGES } from '../../../src/core/ledger/charges.ts'
import type { Payin } from '../../../src/core/payins/payin.ts'
import { settleFunds } from '../../../src/core/payins/settle.ts'
import { payinWrite } from '../../../src/flows/payins/write.ts'
import { sealStored } from '../../../src/flows/people/seal-stored.ts'
import { eraseCustomer, findCustomer, showErasures } from '../../../src/operator/customers.ts'
import { brebPayin, createWorld, type World } from '../../world.ts'
import {
  columnsWith,
  cutPower,
  type Life,
  live,
  makePlain,
  newPerson,
  type Person,
  payoutBody,
  textsOf,
} from './life.ts'

type Rows = Record<string, unknown>[]

describe('erasing a person', () => {
  let world: World
  let person: Person
  let other: Person
  let life: Life
  let otherLife: Life
  before(async () => {
    world = await createWorld()
    person = newPerson()
    other = newPerson()
    life = await live(world, person)
    otherLife = await live(world, other)
  })
  after(async () => {
    await life.told[Symbol.asyncDispose]()
    await otherLife.told[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  const org = () => ({ org: world.organization.organizationId })
  const find = (flags: Record<string, string>) =>
    findCustomer(world.ctx, { ...org(), ...flags }) as Promise<Rows>
  const erase = (flags: Record<string, string | boolean>) => eraseCustomer(world.ctx, { ...org(), ...flags })
  const document = () => `CO_CC:${person.idNumber}`
  // Everything but the people: amounts, references, states, versions, numbers.
  const books = async () => {
    const read = async (text: string) => (await world.db.query({ text })).rows
    return {
      payins: await read('select payin_id, status, amount_cents, reference from payins order by 1'),
      payouts: await read('select payout_id, status, amount_cents, reference from payouts order by 1'),
      transfers: await read('select * from ledger_transfers order by transfer_id'),
      events: await read('select event_id, sequence, type, object_id, version from events order by 1'),
    }
  }

  it('finds them by document and by e-mail, in whatever way they are written', async () => {
    const found = await find({ document: document() })
    assert.deepEqual(
      found.map(({ resource }) => resource),
      [...Array(6).fill('payin'), ...Array(3).fill('payout'), 'paymentlink'],
    )
    const dotted = `${person.idNumber.slice(0, 3)}.${person.idNumber.slice(3)}`
    for (const flags of [
      { document: `CO_CC:${dotted}` },
      { email: person.email },
      { email: ` ${person.email.toUpperCase()} ` },
    ])
      assert.deepEqual(await find(flags), found)
    assert.deepEqual(await find({ document: `PASSPORT:${person.idNumber}` }), [])
    assert.deepEqual(await find({ document: 'CO_CC:0' }), [])
  })

  it('a NIT is the same with and without its check digit', async () => {
    const nit = { ...newPerson(), idType: 'CO_NIT', idNumber: '900373115-3' }
    const { status, text } = await world.client('POST', '/payins', brebPayin({ inlineCustomer: nit }))
    assert.equal(status, 201, text)
    assert.equal((await find({ document: 'CO_NIT:900.373.115' })).length, 1)
    assert.equal((await find({ document: 'CO_NIT:900373115-3' })).length, 1)
    await world.passTime(2_000)
  })

  it('another organization finds nobody', async () => {
    const { organization } = await world.newMerchant()
    assert.deepEqual(
      await findCustomer(world.ctx, { org: organization.organizationId, document: document() }),
      [],
    )
  })

  it('says how to name a person to whoever does not', async () => {
    for (const flags of [
      {},
      { document: '1000000001' },
      { document: 'CC:1' },
      { document: document(), email: person.email },
    ])
      await assert.rejects(find(flags as Record<string, string>), /Name the person by --document TYPE:NUMBER/)
  })

  it('without --yes changes nothing and shows what would be erased', async () => {
    assert.deepEqual(await erase({ document: document() }), await find({ document: document() }))
    assert.equal((await world.client('GET', `/payins/${life.payinId}`)).json.inlineCustomer.name, person.name)
  })

  it('is refused while a payment of theirs is open', async () => {
    const { json } = await world.client('POST', '/payins', brebPayin({ inlineCustomer: person }))
    await assert.rejects(
      erase({ document: document(), yes: true }),
      new RegExp(`Nothing was erased: the person has open payments \\(payin ${json.id}\\)`),
    )
    await world.client('POST', `/payins/${json.id}/cancel`)
    await world.work()
    assert.deepEqual((await world.client('GET', `/payins/${json.id}`)).json.inlineCustomer, person)
  })

  it('leaves nothing that any key opens, and the books and everybody else as they were', async () => {
    const kept = await books()
    const { rows: tokens } = await world.db.query<{ sealed: string }>({
      text: `select customer->>'sealed' as sealed from payins where payin_id = $1`,
      values: [life.payinId],
    })
    const token = tokens[0]?.sealed as string
    assert.ok((await columnsWith(world.db, [token])).length >= 3, 'the row, events and a kept answer')
    const erased = (await erase({ document: document(), yes: true, by: 'ops' })) as Record<string, unknown>
    const { payins, payouts, paymentLinks } = erased
    assert.deepEqual({ payins, payouts, paymentLinks }, { payins: 7, payouts: 3, paymentLinks: 1 })
    assert.ok(Number(erased.events) >= 8 && Number(erased.answers) >= 8, JSON.stringify(erased))
    assert.deepEqual(await books(), kept)
    assert.deepEqual(await columnsWith(world.db, [token, ...textsOf(person)]), [])

    const gone = Array(5).fill('ERASED')
    const { json: payin } = await world.client('GET', `/payins/${life.payinId}`)
    assert.deepEqual(Object.values(payin.inlineCustomer), gone)
    const { json: payout } = await world.client('GET', `/payouts/${life.payoutId}`)
    assert.deepEqual(Object.values(payout.inlineCustomer), gone)
    assert.deepEqual(payout.sourceData, { keyString: 'ERASED', canonicalKeyString: 'ERASED' })
    const { json: events } = await world.client('GET', `/events?objectId=${life.payinId}`)
    for (const event of events.data) assert.deepEqual(Object.values(event.data.inlineCustomer), gone)
    const [first] = life.answers
    const replayed = await world.client('POST', '/payins', first?.body, {
      'idempotency-key': first?.key as string,
    })
    assert.deepEqual(Object.values(replayed.json.inlineCustomer), gone)
    // What was noted goes too, also on the link that only its payin says who paid.
    for (const path of [
      `/payins/${life.payinId}`,
      `/payouts/${life.payoutId}`,
      `/payment-links/${life.paymentLinkId}`,
      `/payment-links/${life.typedLinkId}`,
    ]) {
      const { json } = await world.client('GET', path)
      assert.deepEqual([json.description, json.metadata], ['ERASED', null], path)
    }
    const { json: linkEvents } = await world.client('GET', `/events?objectId=${life.typedLinkId}`)
    assert.deepEqual(
      linkEvents.data.map(({ data }: { data: { description: string } }) => data.description),
      ['ERASED'],
    )
    // Endpoints repeated what they were told, and that goes too.
    for (const { id } of [...events.data, ...linkEvents.data]) {
      const { json: deliveries } = await world.client('GET', `/events/${id}/deliveries`)
      const attempts = deliveries.data.flatMap((one: { attempts: Rows }) => one.attempts)
      assert.ok(attempts.length > 0, 'it was told')
      for (const { response } of attempts) assert.equal(response, '')
    }
    for (const { path, body, key } of life.answers) {
      const { json } = await world.client('POST', path, body, { 'idempotency-key': key })
      assert.deepEqual([json.description, json.metadata], ['ERASED', null], path)
    }
    const everything = await world.client('GET', '/payins?pageSize=100')
    assert.equal(everything.status, 200)
    for (const text of textsOf(person)) assert.equal(everything.text.includes(text), false)

    const { json: others } = await world.client('GET', `/payins/${otherLife.payinId}`)
    assert.deepEqual(others.inlineCustomer, other)
    for (const { path, body, key, text } of otherLife.answers)
      assert.equal((await world.client('POST', path, body, { 'idempotency-key': key })).text, text)
  })

  it('is written down without a word on whom, and a second time finds nobody', async () => {
    assert.deepEqual(await erase({ document: document(), yes: true }), {
      erased: 'nothing: nobody is named so',
    })
    assert.deepEqual(await find({ email: person.email }), [])
    const records = await showErasures(world.ctx, org())
    assert.equal(records.length, 1)
    assert.equal(records[0]?.erasedBy, 'ops')
    for (const text of textsOf(person)) assert.equal(JSON.stringify(records).includes(text), false)
  })

  it('is refused while a refund of a payment of theirs has yet to be paid', async () => {
    const payer = newPerson()
    const { json: payin } = await world.client('POST', '/payins', brebPayin({ inlineCustomer: payer }))
    await world.passTime(2_000)
    const asked = { reason: 'NOT_RECEIVED', way: 'CLAIM' }
    const { json: refund, status, text } = await world.client('POST', `/payins/${payin.id}/refunds`, asked)
    assert.equal(status, 201, text)
    const flags = { document: `CO_CC:${payer.idNumber}`, yes: true }
    await assert.rejects(erase(flags), new RegExp(`open payments \\(payin ${payin.id}\\)`))
    await world.client('POST', `/refunds/${refund.id}/cancel`)
    await erase(flags)
    assert.equal((await world.client('GET', `/payins/${payin.id}`)).json.inlineCustomer.name, 'ERASED')
  })

  it('reaches events that have no number yet', async () => {
    const payer = newPerson()
    const { json: payin } = await world.client('POST', '/payins', brebPayin({ inlineCustomer: payer }))
    await world.client('POST', `/payins/${payin.id}/cancel`)
    const ofPayin = async (text: string) => {
      const { rows } = await world.db.query<{ value: string | null }>({ text, values: [payin.id] })
      return rows.map(({ value }) => value)
    }
    const [token] = await ofPayin(`select customer->>'sealed' as value from payins where payin_id = $1`)
    const numbers = await ofPayin('select sequence as value from events where object_id = $1')
    assert.ok(token && numbers.length > 0 && numbers.every((number) => number === null), numbers.join())
    await erase({ email: payer.email, yes: true })
    assert.deepEqual(await columnsWith(world.db, [token]), [])
  })

  it('that was interrupted is finished by the next run', async () => {
    const unlucky = newPerson()
    const flags = { email: unlucky.email, yes: true }
    for (let count = 0; count < 2; count += 1) {
      const key = `unlucky-${count}-${process.pid}`
      const body = brebPayin({ inlineCustomer: unlucky })
      const { json } = await world.client('POST', '/payins', body, { 'idempotency-key': key })
      await world.client('POST', `/payins/${json.id}/cancel`)
    }
    await world.work()
    const failing = { ...world.ctx, db: cutPower(world.db, /update payins\s+set customer/, 2) }
    await assert.rejects(eraseCustomer(failing, { ...org(), ...flags }), /the power is cut/)
    assert.equal((await find({ email: unlucky.email })).length, 1)
    const finished = (await erase(flags)) as Record<string, unknown>
    assert.equal(finished.payins, 1)
    assert.deepEqual(await columnsWith(world.db, textsOf(unlucky)), [])
    assert.deepEqual(await find({ email: unlucky.email }), [])
  })
})

describe('whoever has read a payment before its person is erased', () => {
  it('writes nothing with it: the next event says that the person is erased', async () => {
    await using world = await createWorld()
    const person = newPerson()
    const { json } = await world.client('POST', '/payins', brebPayin({ inlineCustomer: person }))
    await world.passTime(2_000)
    const { organizationId } = world.organization
    const address = { organizationId, payinId: json.id as string }
    const payin = (await world.ctx.batched.getPayin(address)) as Payin
    assert.equal(payin.status, 'CONFIRMED')
    await eraseCustomer(world.ctx, { email: person.email, yes: true })
    const settled = settleFunds(payin, NO_CHARGES, world.ctx.clock.now())
    assert.equal(await world.ctx.batched.writePayin(payinWrite(world.ctx, payin, settled, {}, null)), false)
    await world.passTime(25 * 60 * 60_000)
    const { json: events } = await world.client('GET', `/events?objectId=${json.id}&type=payin.settled`)
    assert.equal(events.data.length, 1)
    assert.equal(events.data[0].data.inlineCustomer.name, 'ERASED')
  })
})

describe('people who are still plain', () => {
  it('are sealed in the background, in their rows and in their events, and are found from then on', async () => {
    await using world = await createWorld()
    const person = newPerson()
    const { json: payin } = await world.client('POST', '/payins', brebPayin({ inlineCustomer: person }))
    const { json: payout } = await world.client(
      'POST',
      '/payouts',
      payoutBody(person, ` ${person.email}`.trim()),
    )
    const { json: link } = await world.client('POST', '/payment-links', {
      amountType: 'FIXED',
      amountInCents: 5_000_000,
      reference: 'order',
      callbackUrl: 'https://shop.example/return',
      inlineCustomer: person,
    })
    await world.passTime(2_000)
    await world.passTime(2_000)
    await makePlain(world, person)
    const { json: before } = await world.client('GET', '/events')
    assert.ok((await columnsWith(world.db, textsOf(person))).length >= 4)

    // What is new waits for what may still be on its way.
    assert.equal(await sealStored(world.ctx), 0)
    await world.passTime(61_000)
    assert.ok((await sealStored(world.ctx)) >= 3)
    assert.equal(await sealStored(world.ctx), 0)
    assert.deepEqual(await columnsWith(world.db, textsOf(person)), [])
    assert.deepEqual((await world.client('GET', `/payins/${payin.id}`)).json.inlineCustomer, person)
    const { json: shown } = await world.client('GET', `/payouts/${payout.id}`)
    assert.deepEqual(shown.inlineCustomer, person)
    assert.equal(shown.sourceData.keyString, person.email)
    assert.deepEqual(
      (await world.client('GET', `/payment-links/${link.paymentLinkId}`)).json.inlineCustomer,
      person,
    )
    const { json: events } = await world.client('GET', '/events')
    assert.deepEqual(events.data.slice(0, before.data.length), before.data)
    const found = await findCustomer(world.ctx, { email: person.email })
    assert.equal(found.length, 3)
  })

  it('are erased from answers that were kept before people were sealed, however many are kept', async () => {
    await using world = await createWorld()
    const person = newPerson()
    const { organizationId } = world.organization
    await world.client('POST', '/payins', brebPayin({ inlineCustomer: person }), {
      'idempotency-key': 'payin',
    })
    await world.client('POST', '/payouts', payoutBody(person, person.email), { 'idempotency-key': 'payout' })
    await world.passTime(2_000)
    await world.passTime(2_000)
    const plain = JSON.stringify(person)
    const destination = JSON.stringify({ keyString: person.email, canonicalKeyString: person.email })
    await world.db.query({
      text: `update idempotency_records
                set body = replace(regexp_replace(body, '\\{"sealed":"[^"]*"\\}', $1),
                                   '"sourceData":{"sealed":true}', $2)`,
      values: [plain, `"sourceData":${destination}`],
    })
    const naming = async () => {
      const text = 'select 1 from idempotency_records where position($1 in body) + position($2 in body) > 0'
      return (await world.db.query({ text, values: [person.name, person.email] })).rows.length
    }
    assert.equal(await naming(), 2)
    // More than are read at once, all of them before the two in the order of their keys.
    await world.db.query({
      text: `insert into idempotency_records
             select (jsonb_populate_record(r, jsonb_build_object('idempotency_key', 'answer-' || n, 'body', '{}'))).*
               from idempotency_records r cross join generate_series(1, 600) n
              where r.idempotency_key = 'payin'`,
    })
    const erasure = (await eraseCustomer(world.ctx, {
      org: organizationId,
      email: person.email,
      yes: true,
    })) as Record<string, unknown>
    assert.equal(erasure.answers, 2)
    assert.equal(await naming(), 0)
  })

  it('are sealed once: a row that is sealed already keeps its seal when it is looked at again', async () => {
    await using world = await createWorld()
    await world.client('POST', '/payins', brebPayin({ inlineCustomer: newPerson() }))
    const seal = async () =>
      (await world.db.query({ text: `select customer->>'sealed' as sealed from payins` })).rows
    const before = await seal()
    world.advance(61_000)
    assert.equal(await sealStored(world.ctx), 1)
    assert.deepEqual(await seal(), before)
  })

  it('of an organization whose rows the service may not rewrite are left to their owner', async () => {
    await using world = await createWorld()
    const person = newPerson()
    await world.client('POST', '/payins', brebPayin({ inlineCustomer: person }))
    await makePlain(world, person)
    world.advance(61_000)
    const { organizationId } = world.organization
    const inTransaction = async (): Promise<never> => {
      throw Object.assign(new Error('permission denied'), { code: '42501' })
    }
    const db = Object.assign(Object.create(world.db), { inTransaction })
    const refused = new Set<string>()
    // Whoever comes again at once looks at those behind it.
    assert.ok((await sealStored({ ...world.ctx, db }, refused)) > 0)
    assert.deepEqual([...refused], [organizationId])
    assert.equal(await sealStored({ ...world.ctx, db }, refused), 0)
    const isPlain = async () => {
      const { rows } = await world.db.query({
        text: `select 1 from payins where customer->>'sealed' is null`,
      })
      return rows.length === 1
    }
    assert.equal(await isPlain(), true)
    assert.ok((await sealStored(world.ctx)) > 0)
    assert.equal(await isPlain(), false)
  })
})
