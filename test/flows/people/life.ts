// A person whose data is easy to recognize, everything that can happen to them in the service, and a look for them in every column
// of every table.

import assert from 'node:assert/strict'
import type { Db, Queryable } from '../../../src/store/db.ts'
import { answering, type Receiver, receiver } from '../../webhooks/receiver.ts'
import { brebPayin, psePayin, type World } from '../../world.ts'

export type Person = { name: string; idType: string; idNumber: string; phone: string; email: string }

let count = 0

// Nobody else has any of it. A document of the simulated networks would choose the outcome.
export function newPerson(): Person {
  count += 1
  const number = `${process.pid}${count}`.padStart(8, '0').slice(-8)
  return {
    name: `Canaria ${number} Núñez`,
    idType: 'CO_CC',
    idNumber: `77${number}`,
    phone: `+5731${number}`,
    email: `canaria.${number}@example.com`,
  }
}

export function textsOf({ name, idNumber, phone, email }: Person): string[] {
  return [name, idNumber, phone, phone.slice(3), email]
}

export type Life = {
  payinId: string
  canceledPayinId: string
  payoutId: string
  paymentLinkId: string
  // The link whose payer was typed on its page.
  typedLinkId: string
  answers: { path: string; body: unknown; key: string; text: string }[]
  told: Receiver
}

// What a careless merchant notes on a payment.
export function noteOn({ name, idNumber }: Person): {
  description: string
  metadata: Record<string, string>
} {
  return { description: `Para <b>${name}</b>`, metadata: { documento: idNumber, sealed: name } }
}

// Payins over both rails, one canceled, one whose payer is typed on the page; payouts to the person's keys, which were looked up; a
// link that is filled in and one that is typed; webhooks to a receiver that repeats what it is told.
export async function live(world: World, person: Person): Promise<Life> {
  const told = await receiver((socket, request) => answering('200 OK', [], request.body)(socket, request))
  const { json: endpoint } = await world.client('POST', '/webhook-endpoints', {
    url: told.url,
    events: [
      'payin.confirmed',
      'payin.canceled',
      'payin.processing',
      'payin.settled',
      'payout.confirmed',
      'paymentlink.completed',
    ],
  })
  assert.ok(endpoint.id ?? endpoint.endpointId)
  const answers: Life['answers'] = []
  const create = async (path: string, sent: object) => {
    const body = { ...sent, ...noteOn(person) }
    const key = `life-${told.port}-${answers.length}`
    const { status, text, json } = await world.client('POST', path, body, { 'idempotency-key': key })
    assert.ok(status < 300, text)
    answers.push({ path, body, key, text })
    return json
  }
  const inlineCustomer = person
  const payin = await create('/payins', brebPayin({ inlineCustomer }))
  await create('/payins', psePayin({ inlineCustomer }))
  const canceled = await create('/payins', brebPayin({ inlineCustomer, breb: { keyType: 'QR_CODE' } }))
  await create(`/payins/${canceled.id}/cancel`, {})
  const typed = await create('/payins', psePayin({ inlineCustomer: undefined }))
  await send(world, typed.sourceData.pseUrl, { ...person })
  const link = await create('/payment-links', linkBody({ inlineCustomer }))
  await send(world, link.paymentLinkUrl, { rail: 'BRE_B' })
  const open = await create('/payment-links', linkBody({}))
  await send(world, open.paymentLinkUrl, { rail: 'PSE', bank: 'CO_BANCOLOMBIA', ...person })
  const keys = [person.phone, person.email, person.idNumber]
  for (const key of keys) await world.client('GET', `/breb/keys/${encodeURIComponent(key)}`)
  const payouts = []
  for (const keyString of keys) payouts.push(await create('/payouts', payoutBody(person, keyString)))
  for (let turn = 0; turn < 4; turn += 1) await world.passTime(2_000)
  await world.passTime(25 * 60 * 60_000)
  return {
    payinId: payin.id,
    canceledPayinId: canceled.id,
    payoutId: payouts[0]?.id,
    paymentLinkId: link.paymentLinkId,
    typedLinkId: open.paymentLinkId,
    answers,
    told,
  }
}

function linkBody(changes: Record<string, unknown>): Record<string, unknown> {
  return {
    amountType: 'FIXED',
    amountInCents: 5_000_000,
    reference: 'order',
    callbackUrl: 'https://shop.example/return',
    ...changes,
  }
}

export function payoutBody(inlineCustomer: Person, keyString: string): Record<string, unknown> {
  return {
    amountInCents: 100_000,
    currency: 'COP',
    rail: 'BRE_B',
    reference: 'salary',
    inlineCustomer,
    breb: { keyString },
  }
}

// What a payer's browser sends. A page asks for phones without the country.
async function send(world: World, url: string, fields: Record<string, string>): Promise<void> {
  const phone = fields.phone?.slice(3)
  const body = new URLSearchParams({ ...fields, ...(phone !== undefined && { phone }) })
  const path = new URL(url).pathname
  const answer = await fetch(world.baseUrl + path, { method: 'POST', body, redirect: 'manual' })
  assert.equal(answer.status, 303, await answer.text())
}

// In which columns one of the texts stands, as text or as bytes.
export async function columnsWith(db: Db, texts: readonly string[]): Promise<string[]> {
  const { rows: columns } = await db.query<{ table: string; column: string; type: string }>({
    text: `select c.table_name as table, c.column_name as column, c.udt_name as type
             from information_schema.columns c
             join information_schema.tables t using (table_schema, table_name)
            where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
            order by 1, 2`,
  })
  assert.ok(columns.length > 200, 'all columns are looked at')
  const found: string[] = []
  for (const { table, column, type } of columns) {
    const value = type === 'bytea' ? `encode("${column}", 'escape')` : `"${column}"::text`
    const { rows } = await db.query<{ count: bigint }>({
      text: `select count(*) as count from "${table}" where ${value} like any($1)`,
      values: [[...texts, ...texts.map(escaped)].map((text) => `%${text.replaceAll('\\', '\\\\')}%`)],
    })
    if (Number(rows[0]?.count) > 0) found.push(`${table}.${column}`)
  }
  return found
}

// As PostgreSQL writes bytes that are no ASCII.
function escaped(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => (byte < 128 ? String.fromCharCode(byte) : `\\${byte.toString(8)}`))
    .join('')
}

// As they were stored before they were sealed.
export async function makePlain(world: World, person: Person): Promise<void> {
  const plain = JSON.stringify(person)
  const destination = JSON.stringify({ keyString: person.email, canonicalKeyString: person.email })
  for (const text of [
    `update payins set customer = $1`,
    `update payouts set customer = $1, key_string = '${person.email}'`,
    `update payment_links set customer = $1`,
    `update events set data = regexp_replace(data, '\\{"sealed":"[^"]*"\\}', $1)`,
  ])
    await world.db.query({ text, values: [plain] })
  await world.db.query({
    text: `update events set data = replace(data, '"sourceData":{"sealed":true}', $1)`,
    values: [`"sourceData":${destination}`],
  })
  // Kept answers from that time leave by themselves.
  await world.db.query({ text: 'delete from idempotency_records' })
}

// A database that goes away before a statement is run for the nth time, in a transaction or alone. The transaction is rolled back.
export function cutPower(db: Db, statement: RegExp, nth = 1): Db {
  let seen = 0
  const cutting = <Target extends Queryable>(target: Target): Target =>
    Object.assign(Object.create(target), {
      query: (query: Parameters<Queryable['query']>[0]) => {
        if (statement.test(query.text)) seen += 1
        if (seen >= nth) throw new Error('the power is cut')
        return target.query(query)
      },
    })
  return Object.assign(cutting(db), {
    inTransaction: <Result>(work: (tx: Queryable) => Promise<Result>) =>
      db.inTransaction((tx) => work(cutting(tx))),
  })
}
