// POST /payins: what the store costs compared with a server without one, what sealing people and logging requests cost, what group
// commit gains over the plain design, and whether a QR image, an Idempotency-Key or one very busy organization slows it down.

import { requestText, UNIQUE } from './load.ts'
import { atLeast, atMost, type Measurement, type Row } from './report.ts'
import type { Variant } from './server.ts'
import { inRounds, type LoadPlan, type Merchant, type Testbed } from './testbed.ts'

const CONNECTIONS = 64
// In the open loop a connection must be free whenever a request is due.
const OPEN_LOOP_CONNECTIONS = 256
const MANY_ORGANIZATIONS = 100
// The bars are narrow.
export const PAYIN_ROUNDS = 5

export async function payins(testbed: Testbed): Promise<Row[]> {
  const one = await testbed.newMerchant()
  const many: Merchant[] = []
  while (many.length < MANY_ORGANIZATIONS) many.push(await testbed.newMerchant())
  const single = [payinRequest(one, 'SINGLE_USE')]
  const closed = { requests: single, connections: CONNECTIONS }
  const before = await storedPayins(testbed)
  let acknowledged = 0
  const measure = async (variant: Variant, load: LoadPlan): Promise<Measurement> => {
    const leg = await testbed.measure(variant, load)
    if (variant !== 'nostore') acknowledged += leg.answered
    return leg
  }
  // In one process: two of the same code differ by how the compiler fared, by a tenth, and the bars are narrower than that.
  await testbed.startTogether(['store', 'unsealed', 'unlogged', 'nostore'])
  const { store, unsealed, unlogged, nostore, plain } = await inRounds(
    testbed,
    {
      store: () => measure('store', closed),
      unsealed: () => measure('unsealed', closed),
      unlogged: () => measure('unlogged', closed),
      nostore: () => measure('nostore', closed),
      plain: () => measure('plain', closed),
    },
    PAYIN_ROUNDS,
  )
  // Other kinds of requests, later: code that has served several kinds is slower, and what stores nothing would be too.
  let halfRate = 0
  const requestsOf = (requests: string[]): LoadPlan => ({ ...closed, requests })
  const others = await inRounds(testbed, {
    single: async () => {
      const leg = await measure('store', closed)
      halfRate = leg.requestsPerSecond / 2
      return leg
    },
    qr: () => measure('store', requestsOf([payinRequest(one, 'QR_CODE')])),
    idempotent: () =>
      measure('store', requestsOf([payinRequest(one, 'SINGLE_USE', { 'idempotency-key': UNIQUE })])),
    spread: () => measure('store', requestsOf(many.map((merchant) => payinRequest(merchant, 'SINGLE_USE')))),
    open: () =>
      measure('store', {
        requests: single,
        connections: OPEN_LOOP_CONNECTIONS,
        arrivalsPerSecond: halfRate,
      }),
  })
  await assertAllStored(testbed, before + acknowledged)

  const { single: again, qr, idempotent, spread, open } = others
  const rateRatio = (a: Measurement, b: Measurement): number => a.requestsPerSecond / b.requestsPerSecond
  return [
    {
      label: 'POST /payins SINGLE_USE, 64 connections',
      measured: store,
      bars: [
        atLeast(rateRatio(store, nostore), 0.85, 'of no store'),
        atLeast(rateRatio(store, unsealed), 0.95, 'of people unsealed'),
        atLeast(rateRatio(store, unlogged), 0.95, 'of requests unlogged'),
        atLeast(rateRatio(store, plain), 2.2, '× plain'),
        atMost(store.p99Ms / store.p50Ms, 3, '= p99 / p50'),
      ],
    },
    { label: '  the same with people unsealed', measured: unsealed, bars: [] },
    { label: '  the same without the request log', measured: unlogged, bars: [] },
    { label: '  the same server without the store', measured: nostore, bars: [] },
    { label: '  plain design: a pool, one INSERT a request', measured: plain, bars: [] },
    {
      label: 'POST /payins SINGLE_USE again, beside other kinds',
      measured: again,
      bars: [atLeast(rateRatio(again, spread), 0.9, `of ${MANY_ORGANIZATIONS} organizations`)],
    },
    { label: `  spread over ${MANY_ORGANIZATIONS} organizations`, measured: spread, bars: [] },
    { label: '  QR_CODE', measured: qr, bars: [atLeast(rateRatio(qr, again), 0.35, 'of SINGLE_USE')] },
    { label: '  with Idempotency-Key', measured: idempotent, bars: [] },
    { label: '  open loop at half the rate', measured: open, bars: [] },
  ]
}

export function payinRequest(
  merchant: Merchant,
  keyType: 'SINGLE_USE' | 'QR_CODE',
  headers: Record<string, string> = {},
): string {
  const body = {
    amountInCents: 5_000_000,
    currency: 'COP',
    rail: 'BRE_B',
    reference: `order-${UNIQUE}`,
    inlineCustomer: {
      name: 'Ana María Gómez',
      idType: 'CO_CC',
      idNumber: '1000000001',
      phone: '+573001234567',
      email: 'ana@example.com',
    },
    breb: { keyType },
  }
  return requestText('POST', '/payins', { 'x-api-key': merchant.apiKey, ...headers }, body)
}

// A rate counts only if every acknowledged payin was stored.
async function assertAllStored(testbed: Testbed, expected: number): Promise<void> {
  const stored = await storedPayins(testbed)
  if (stored !== expected) throw new Error(`${expected} payins should be stored and ${stored} are`)
}

async function storedPayins(testbed: Testbed): Promise<number> {
  const { rows } = await testbed.db.query<{ count: bigint }>({ text: 'select count(*) as count from payins' })
  return Number(rows[0]?.count)
}
