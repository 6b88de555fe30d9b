// People's data is sealed wherever it is stored, and merchants and networks see it as before.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { customerFields } from '../../../src/core/people/sealed.ts'
import { createWorld, eventually, type World } from '../../world.ts'
import { columnsWith, type Life, live, newPerson, noteOn, type Person, textsOf } from './life.ts'

describe('a person whom a merchant names', () => {
  let world: World
  let person: Person
  let life: Life
  before(async () => {
    world = await createWorld()
    person = newPerson()
    life = await live(world, person)
  })
  after(async () => {
    await life.told[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  it('stands in no column of any table, after everything that can happen', async () => {
    assert.deepEqual(await columnsWith(world.db, textsOf(person)), [])
    // Everything did happen.
    for (const [table, atLeast] of [
      ['payins', 6],
      ['payouts', 3],
      ['payment_links', 2],
      ['events', 8],
      ['idempotency_records', 9],
      ['key_lookups', 3],
      ['delivery_attempts', 4],
      ['rail_exchanges', 10],
      ['rail_notices', 5],
    ] as const) {
      const { rows } = await world.db.query<{ count: bigint }>({
        text: `select count(*) as count from ${table}`,
      })
      assert.ok(Number(rows[0]?.count) >= atLeast, `${table} has ${rows[0]?.count}`)
    }
  })

  it('is found where it is planted', async () => {
    const plant = async (table: string, column: string, value: unknown) => {
      await world.db
        .inTransaction(async (tx) => {
          await tx.query({ text: `update ${table} set ${column} = $1`, values: [value] })
          const found = await columnsWith(tx as World['db'], textsOf(person))
          assert.ok(
            found.some((name) => name.endsWith(`.${column}`)),
            `${table}.${column}: ${found}`,
          )
          throw new Error('as it was')
        })
        .catch((error: Error) => assert.equal(error.message, 'as it was'))
    }
    await plant('payins', 'customer', JSON.stringify(person))
    await plant('events', 'data', `{"inlineCustomer":{"name":"${person.name}"}}`)
    await plant('webhook_endpoints', 'sealed_secret', Buffer.from(person.name))
    await plant('delivery_attempts', 'response', person.email)
  })

  it('opens only for their organization, also right after they were sealed', async () => {
    const { organization } = await world.newMerchant()
    const [own, other] = await Promise.all([
      world.ctx.vault(world.organization.organizationId),
      world.ctx.vault(organization.organizationId),
    ])
    const sealed = own.seal(life.payinId, customerFields(person), true)
    assert.equal(other.open(sealed, life.payinId), 'UNREADABLE')
    assert.deepEqual(own.open(sealed, life.payinId), customerFields(person))
  })

  it('is shown to the merchant: in answers, in events, in what was sent, and by name in the list', async () => {
    const { json: payin } = await world.client('GET', `/payins/${life.payinId}`)
    assert.deepEqual(payin.inlineCustomer, person)
    assert.equal(payin.status, 'CONFIRMED')
    const { json: payout } = await world.client('GET', `/payouts/${life.payoutId}`)
    assert.deepEqual(payout.inlineCustomer, person)
    assert.equal(payout.sourceData.keyString, person.phone)
    assert.equal(payout.status, 'CONFIRMED')
    const { json: payouts } = await world.client('GET', '/payouts')
    assert.deepEqual(
      payouts.data.map((each: { sourceData: { keyString: string } }) => each.sourceData.keyString).sort(),
      [person.phone, person.email, person.idNumber].sort(),
    )
    const { json: link } = await world.client('GET', `/payment-links/${life.paymentLinkId}`)
    assert.deepEqual(link.inlineCustomer, person)
    const { json: list } = await world.client('GET', '/payins?pageSize=100')
    for (const each of list.data) assert.equal(each.inlineCustomer, person.name)
    const { json: events } = await world.client('GET', `/events?objectId=${life.payinId}`)
    assert.ok(events.data.length > 0)
    for (const event of events.data) assert.deepEqual(event.data.inlineCustomer, person)
    const told = life.told.requests.map(({ body }) => JSON.parse(body))
    // A link's event tells of the link.
    const bodies = told.filter(({ resource }) => resource !== 'paymentlink')
    assert.ok(bodies.length >= 4)
    for (const body of bodies) assert.deepEqual(body.data.inlineCustomer, person)
    const { json: deliveries } = await world.client('GET', `/events/${events.data[0].id}/deliveries`)
    assert.match(deliveries.data[0].attempts[0].response, new RegExp(person.email))
  })

  it('is shown where the merchant noted them: in answers, lists and events, and in what was sent', async () => {
    const { description, metadata } = noteOn(person)
    const noted = (object: { description: string; metadata: unknown }) =>
      assert.deepEqual(
        { description: object.description, metadata: object.metadata },
        { description, metadata },
      )
    for (const path of [
      `/payins/${life.payinId}`,
      `/payouts/${life.payoutId}`,
      `/payment-links/${life.paymentLinkId}`,
    ])
      noted((await world.client('GET', path)).json)
    for (const path of ['/payins', '/payouts', '/payment-links']) {
      const { data } = (await world.client('GET', `${path}?pageSize=100`)).json
      assert.ok(data.length > 1)
      for (const each of data) noted(each)
    }
    const { json: events } = await world.client('GET', '/events?pageSize=100')
    assert.ok(events.data.some(({ resource }: { resource: string }) => resource === 'paymentlink'))
    for (const event of events.data) noted(event.data)
    for (const { body } of life.told.requests) noted(JSON.parse(body).data)
  })

  it('is in a replayed answer as in the first, byte for byte', async () => {
    assert.ok(life.answers.length > 8)
    for (const { path, body, key, text } of life.answers) {
      const again = await world.client('POST', path, body, { 'idempotency-key': key })
      assert.equal(again.headers['idempotent-replayed'], 'true', path)
      assert.equal(again.text, text, path)
    }
  })

  it('comes over the stream of events as by webhook', async () => {
    const response = await fetch(`${world.baseUrl}/events/stream?after=0`, {
      headers: { 'x-api-key': world.apiKey },
    })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    await eventually(
      async () => {
        text += (await reader?.read())?.value ?? ''
        return text
      },
      (seen) => seen.includes('payout.confirmed') && seen.includes(person.email),
    )
    assert.equal(text.includes('{"sealed":'), false)
    await reader?.cancel()
  })

  it('keeps a name that looks like sealed text as it is', async () => {
    const name = '{"sealed":"x"}'
    const { json, text } = await world.client('POST', '/payins', {
      amountInCents: 1_000,
      currency: 'COP',
      rail: 'BRE_B',
      reference: 'a name like a mark',
      inlineCustomer: { ...person, name },
      breb: { keyType: 'SINGLE_USE' },
    })
    assert.equal(json.inlineCustomer.name, name, text)
    const { json: list } = await world.client('GET', '/payins?reference=a%20name%20like%20a%20mark')
    assert.equal(list.data[0].inlineCustomer, name)
  })

  it('from a time before people were sealed is shown, told and paid as ever', async () => {
    const { json } = await world.client('POST', '/payins', {
      amountInCents: 1_000,
      currency: 'COP',
      rail: 'BRE_B',
      reference: 'plain row',
      inlineCustomer: person,
      breb: { keyType: 'SINGLE_USE' },
    })
    await world.db.query({
      text: 'update payins set customer = $2 where payin_id = $1',
      values: [json.id, JSON.stringify(person)],
    })
    const { json: payout } = await world.client('POST', '/payouts', {
      amountInCents: 1_000,
      currency: 'COP',
      rail: 'BRE_B',
      reference: 'plain row',
      inlineCustomer: person,
      breb: { keyString: person.email },
    })
    await world.db.query({
      text: 'update payouts set customer = $2, key_string = $3 where payout_id = $1',
      values: [payout.id, JSON.stringify(person), person.email],
    })
    await world.passTime(2_000)
    await world.passTime(2_000)
    for (const path of [`/payins/${json.id}`, `/payouts/${payout.id}`]) {
      const { json: shown } = await world.client('GET', path)
      assert.deepEqual(shown.inlineCustomer, person)
      assert.equal(shown.status, 'CONFIRMED')
    }
  })

  it('whose key is gone says so, and the others in the list are shown', async () => {
    const { organization, client } = await world.newMerchant()
    const body = (reference: string, name: string) => ({
      amountInCents: 1_000,
      currency: 'COP',
      rail: 'BRE_B',
      reference,
      inlineCustomer: { ...person, name },
      breb: { keyType: 'SINGLE_USE' },
    })
    const { json: lost } = await client('POST', '/payins', body('lost', 'Lost'))
    await client('POST', '/payins', body('kept', 'Kept'))
    // Sealed under a version of which there is no key.
    const { rows } = await world.db.query<{ customer: { sealed: string } }>({
      text: 'select customer from payins where payin_id = $1',
      values: [lost.id],
    })
    const bytes = Buffer.from(rows[0]?.customer.sealed as string, 'base64url')
    bytes[0] = 9
    await world.db.query({
      text: 'update payins set customer = $2 where payin_id = $1',
      values: [lost.id, JSON.stringify({ sealed: bytes.toString('base64url') })],
    })
    const { json: list } = await client('GET', '/payins')
    assert.deepEqual(
      list.data.map((payin: { inlineCustomer: string }) => payin.inlineCustomer),
      ['Kept', 'UNREADABLE'],
    )
    const { status, json: shown } = await client('GET', `/payins/${lost.id}`)
    assert.equal(status, 200)
    assert.deepEqual(Object.values(shown.inlineCustomer), Array(5).fill('UNREADABLE'))
    // Moved from another row or another organization, it does not open either.
    const vault = await world.ctx.vault(organization.organizationId)
    const sealed = vault.seal(lost.id, customerFields(person))
    assert.equal(vault.open(sealed, world.ctx.ids.next()), 'UNREADABLE')
    assert.equal(
      (await world.ctx.vault(world.organization.organizationId)).open({
        ...sealed,
        sealed: `${sealed.sealed.slice(0, -1)}A`,
      }),
      'UNREADABLE',
    )
    await world.passTime(2_000)
    assert.equal((await client('GET', `/payins/${lost.id}`)).json.status, 'CONFIRMED')
  })
})
