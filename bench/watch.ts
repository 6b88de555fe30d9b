// What pages cost that payers keep open while they wait: 500 pages, then 5,000, half of payins and half of links. Counted are
// the transactions of the database a second beyond those without pages, and what other merchants notice.

import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { payinRequest } from './payins.ts'
import { atMost, type Row, UNTIMED } from './report.ts'
import type { Merchant, Testbed } from './testbed.ts'

const PAGES = [500, 5_000]
const COUNTED_MS = 10_000
// A connection that has become idle reports what it did ten seconds later.
const SETTLE_MS = 12_000
const MADE_AT_ONCE = 20
const PAYEES = 10
// A rate that the server has no trouble with, so that what is measured is the wait behind others.
const ARRIVALS_PER_SECOND = 300

export async function watch(testbed: Testbed): Promise<Row[]> {
  const other = await testbed.newMerchant()
  // Of several merchants: one may have a thousand pages watched.
  const payees: Merchant[] = []
  for (let at = 0; at < PAYEES; at += 1) payees.push(await testbed.newMerchant())
  const { port } = await testbed.server('store')
  const load = {
    requests: [payinRequest(other, 'SINGLE_USE')],
    connections: 16,
    arrivalsPerSecond: ARRIVALS_PER_SECOND,
  }
  const without = await testbed.measure('store', load)
  await testbed.sampleBusyShare()
  const idle = await transactionsPerSecond(testbed)
  const agent = new Agent({ keepAlive: false })
  const rows: Row[] = [
    { label: 'POST /payins of another merchant, no page is open', measured: without, bars: [] },
  ]
  let open = 0
  for (const pages of PAGES) {
    testbed.reportProgress(`  ${pages} pages`)
    for (; open < pages; open += MADE_AT_ONCE)
      await Promise.all(
        Array.from({ length: MADE_AT_ONCE }, async (_, at) =>
          openPage(port, agent, await newPage(port, payees[at % PAYEES] as Merchant, at)),
        ),
      )
    const statements = (await transactionsPerSecond(testbed)) - idle
    const measured = await testbed.measure('store', load)
    rows.push({
      label: `  with ${pages.toLocaleString('en')} pages open`,
      measured,
      bars: [
        atMost(statements, 20, 'statements a second for all pages'),
        atMost(measured.p50Ms / without.p50Ms, 1.5, '× the p50 without'),
      ],
    })
  }
  agent.destroy()
  return rows.map((row) => ({ ...row, measured: { ...UNTIMED, ...row.measured } }))
}

async function newPage(port: number, { apiKey }: Merchant, number: number): Promise<string> {
  const isLink = number % 2 === 0
  const body = isLink
    ? {
        amountType: 'FIXED',
        amountInCents: 5_000_000,
        reference: 'order',
        callbackUrl: 'https://shop.example/back',
      }
    : { ...PAYIN, reference: crypto.randomUUID() }
  const answer = await fetch(`http://127.0.0.1:${port}/${isLink ? 'payment-links' : 'payins'}`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
  const made = (await answer.json()) as { paymentLinkUrl?: string; sourceData?: { checkoutUrl: string } }
  return new URL(made.paymentLinkUrl ?? made.sourceData?.checkoutUrl ?? '').pathname
}

const PAYIN = {
  amountInCents: 5_000_000,
  currency: 'COP',
  rail: 'BRE_B',
  breb: { keyType: 'SINGLE_USE' },
  inlineCustomer: {
    name: 'Ana Gómez',
    idType: 'CO_CC',
    idNumber: '1000000007',
    phone: '+573001234567',
    email: 'a@b.co',
  },
}

// As a browser does: the page's version, and a stream that waits for another.
async function openPage(port: number, agent: Agent, path: string): Promise<void> {
  const status = await fetch(`http://127.0.0.1:${port}${path}/status`)
  const { version } = (await status.json()) as { version: string }
  await new Promise<void>((resolve, reject) => {
    get({ port, agent, path: `${path}/stream?version=${version}` }, (answer) => {
      answer.on('error', () => {}).resume()
      if (answer.statusCode === 200) resolve()
      else reject(new Error(`the stream answered ${answer.statusCode}`))
    }).on('error', reject)
  })
}

export async function transactionsPerSecond({ db }: Testbed): Promise<number> {
  await delay(SETTLE_MS)
  const count = async (): Promise<number> => {
    const { rows } = await db.query<{ count: bigint }>({
      text: 'select xact_commit as count from pg_stat_database where datname = current_database()',
    })
    return Number(rows[0]?.count)
  }
  const before = await count()
  await delay(COUNTED_MS)
  return ((await count()) - before) / (COUNTED_MS / 1_000)
}
