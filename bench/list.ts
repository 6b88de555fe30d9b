// GET /payins?pageSize=100 of an organization with a million payins: what does a page cost, and does the deepest cost more than the
// first? A page that was asked for before costs less than one that is asked for the first time, so both are measured.

import { randomBytes } from 'node:crypto'
import { readPage } from '../src/api/http/pagination.ts'
import { isRefusal } from '../src/core/refusal.ts'
import { deriveKeys } from '../src/core/seal.ts'
import { secretsKeyWrapper } from '../src/flows/people/key-wrapper.ts'
import { createVaults, sealCustomer } from '../src/flows/people/vault.ts'
import { requestText } from './load.ts'
import { atMost, type Row } from './report.ts'
import { inRounds, type Merchant, type Testbed } from './testbed.ts'

const PAYINS = 1_000_000
const PAYER = {
  name: 'Ana María Gómez',
  idType: 'CO_CC',
  idNumber: '1000000001',
  phone: '+573001234567',
  email: 'ana@example.com',
}
const PAGE_SIZE = 100
// More than a process keeps the text of, so that each of them is read anew each time.
const UNREAD_PAGES = 200
// Few, so that we measure the cost of a page and not the wait for a busy machine.
const CONNECTIONS = 4

export async function list(testbed: Testbed): Promise<Row[]> {
  const merchant = await testbed.newMerchant()
  testbed.reportProgress(`  writing ${PAYINS.toLocaleString('en')} payins`)
  await writePayins(testbed, merchant)
  await sealPeople(testbed, merchant)
  const first = `/payins?pageSize=${PAGE_SIZE}`
  const deepest = `${first}&cursor=${await cursorBefore(testbed, merchant, 'payin_id', PAGE_SIZE)}`
  const unread: string[] = []
  for (let page = 1; page <= UNREAD_PAGES; page += 1)
    unread.push(`${first}&cursor=${await cursorBefore(testbed, merchant, 'payin_id desc', page * PAGE_SIZE)}`)
  await assertPage(testbed, merchant, first, { hasPrevious: false, hasNext: true })
  await assertPage(testbed, merchant, deepest, { hasPrevious: true, hasNext: false })

  const page =
    (...paths: string[]) =>
    () =>
      testbed.measure('store', {
        requests: paths.map((path) => requestText('GET', path, { 'x-api-key': merchant.apiKey })),
        connections: CONNECTIONS,
      })
  const measured = await inRounds(testbed, {
    first: page(first),
    deepest: page(deepest),
    unread: page(...unread),
  })
  const ratio = measured.first.requestsPerSecond / measured.deepest.requestsPerSecond
  return [
    {
      label: 'GET /payins?pageSize=100 of 1,000,000, first page, 4 connections',
      measured: measured.first,
      bars: [atMost(measured.first.cpuMicrosPerRequest / 1_000, 1, 'ms of the server’s CPU')],
    },
    { label: '  pages that were not asked for before', measured: measured.unread, bars: [] },
    { label: '  deepest page', measured: measured.deepest, bars: [atMost(ratio, 1.2, '× the first page')] },
  ]
}

// Ids like the service's: a timestamp, then random bits. One payin per second, the last of them now.
async function writePayins({ db }: Testbed, { organizationId }: Merchant): Promise<void> {
  await db.query({
    text: `insert into payins (
                    organization_id, payin_id, version, status, settlement_status, rail, amount_cents,
                    confirmed_amount_cents, currency, reference, customer, key_type, key_string, created_at, updated_at,
                    expires_at, result_at, rail_stage)
           select $1, overlay(overlay(left(time || chance, 32) placing '7' from 13) placing '8' from 17)::uuid,
                  2, 'CONFIRMED', 'SETTLED', 'BRE_B', 5000000, 5000000, 'COP', 'listed-' || number, $3,
                  'SINGLE_USE', '@RC' || upper(left(chance, 12)), at, at + interval '1 minute', at + interval '1 hour',
                  at + interval '1 minute', 'DONE'
             from (select number, at, md5(number::text) as chance,
                          lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') as time
                     from (select number, now() - ($2 - number) * interval '1 second' as at
                             from generate_series(1, $2::integer) as number) as numbers) as payins`,
    values: [organizationId, PAYINS, PAYER],
  })
  await db.query({ text: 'vacuum (analyze) payins' })
}

// The payers of the pages that are read.
async function sealPeople({ db, secretsKey }: Testbed, { organizationId }: Merchant): Promise<void> {
  const wrapper = secretsKeyWrapper(deriveKeys(secretsKey).rest, randomBytes)
  const vault = await createVaults({ db, wrapper, now: Date.now, randomBytes })(organizationId)
  const { rows } = await db.query<{ id: string }>({
    text: `(select payin_id as id from payins where organization_id = $1 order by payin_id limit $2)
            union all
           (select payin_id from payins where organization_id = $1 order by payin_id desc limit $3)`,
    values: [organizationId, PAGE_SIZE, (UNREAD_PAGES + 2) * PAGE_SIZE],
  })
  for (const { id } of rows) {
    await db.query({
      text: 'update payins set customer = $3 where organization_id = $1 and payin_id = $2',
      values: [organizationId, id, sealCustomer(vault, id, PAYER)],
    })
  }
}

// Each page seals the cursor of the next one. Walking 10,000 pages to the last one would take minutes. So we call the page
// function with a page that ends where another one begins, and it seals that cursor.
async function cursorBefore(
  { db, secretsKey }: Testbed,
  { organizationId }: Merchant,
  order: 'payin_id' | 'payin_id desc',
  offset: number,
): Promise<string> {
  const { rows } = await db.query<{ payin_id: string }>({
    text: `select payin_id from payins where organization_id = $1 order by ${order} offset $2 limit 1`,
    values: [organizationId, offset],
  })
  const id = rows[0]?.payin_id
  if (id === undefined) throw new Error('there are fewer payins than a page holds')
  const page = await readPage(
    { seek: async () => [id, id], exists: async () => false, idOf: (row) => row },
    { key: deriveKeys(secretsKey).cursor, context: `payins ${organizationId} {}` },
    undefined,
    1,
  )
  if (isRefusal(page) || page.pageInfo.nextCursor === null) throw new Error('no cursor was sealed')
  return page.pageInfo.nextCursor
}

async function assertPage(
  testbed: Testbed,
  merchant: Merchant,
  path: string,
  expected: { hasPrevious: boolean; hasNext: boolean },
): Promise<void> {
  const { port } = await testbed.server('store')
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { 'x-api-key': merchant.apiKey },
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`GET ${path} answered ${response.status}: ${text}`)
  const { data, pageInfo } = JSON.parse(text)
  const asExpected =
    data.length === PAGE_SIZE &&
    pageInfo.hasPrevious === expected.hasPrevious &&
    pageInfo.hasNext === expected.hasNext
  if (!asExpected) throw new Error(`GET ${path} is not the page it should be: ${JSON.stringify(pageInfo)}`)
}
