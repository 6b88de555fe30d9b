// POST /payins: what the store costs compared with a server without one, what sealing people and logging requests cost, what group
// commit gains over the plain design, and whether a QR image, an Idempotency-Key or one very busy organization slows it down.

import { requestText, UNIQUE } from './load.ts'
import { atLeast, atMost, type Measurement, type Row } from './report.ts'
import { inRounds, type Merchant, type Testbed } from './testbed.ts'

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
  // All in one process: two differ by how the compiler fared, by a tenth, and the bars are narrower than that.
  await testbed.startTogether(['store', 'unsealed', 'unlogged', 'nostore', 'plain'])

  const before = await storedPayins(testbed)
  let acknowledged = 0
  const countingAcknowledged = async (leg: Promise<Measurement>): Promise<Measurement> => {
    const measured = await leg
    acknowledged += measured.answered
    return measured
  }
  let halfRate = 0
  const measured = await inRounds(
    testbed,
    {
      store: async () => {
        const leg = await countingAcknowledged(testbed.measure('store', closed))
        halfRate = leg.requestsPerSecond / 2
        return leg
      },
      unsealed: () => countingAcknowledged(testbed.measure('unsealed', closed)),
      unlogged: () => countingAcknowledged(testbed.measure('unlogged', closed)),
      nostore: () => testbed.measure('nostore', closed),
      plain: () => countingAcknowledged(testbed.measure('plain', closed)),
      qr: () =>
        countingAcknowledged(
          testbed.measure('store', { ...closed, requests: [payinRequest(one, 'QR_CODE')] }),
        ),
      idempotent: () =>
        countingAcknowledged(
          testbed.measure('store', {
            ...closed,
            requests: [payinRequest(one, 'SINGLE_USE', { 'idempotency-key': UNIQUE })],
          }),
        ),
      many: () =>
        countingAcknowledged(
          testbed.measure('store', {
            ...closed,
            requests: many.map((merchant) => payinRequest(merchant, 'SINGLE_USE')),
          }),
        ),
      open: () =>
        countingAcknowledged(
          testbed.measure('store', {
            requests: single,
            connections: OPEN_LOOP_CONNECTIONS,
            arrivalsPerSecond: halfRate,
          }),
        ),
    },
    PAYIN_ROUNDS,
  )
  await assertAllStored(testbed, before + acknowledged)

  const { store, unsealed, unlogged, nostore, plain, qr, idempotent, many: spread, open } = measured
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
        atLeast(rateRatio(store, spread), 0.9, `of ${MANY_ORGANIZATIONS} organizations`),
      ],
    },
    { label: '  the same with people unsealed', measured: unsealed, bars: [] },
    { label: '  the same without the request log', measured: unlogged, bars: [] },
    { label: '  the same server without the store', measured: nostore, bars: [] },
    { label: '  plain design: a pool, one INSERT a request', measured: plain, bars: [] },
    { label: `  spread over ${MANY_ORGANIZATIONS} organizations`, measured: spread, bars: [] },
    { label: '  QR_CODE', measured: qr, bars: [atLeast(rateRatio(qr, store), 0.35, 'of SINGLE_USE')] },
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
