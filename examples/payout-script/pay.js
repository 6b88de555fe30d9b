// node pay.js payouts.csv: pays every row, once. Run it again, in the middle or a month later: what was paid is not paid
// again, what was not is. The row's reference is what it hangs on: it says what the payment is for, so a row with the same
// reference is the same payment.

import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { ApiError, Recaudo } from '@recaudo/sdk'
import { readCsv } from './csv.js'

const [, , file] = process.argv
if (file === undefined) throw new Error('Say which file: node pay.js payouts.csv')
// A payout may stay open for long where a bank is silent; the next run reports it then.
const WAIT_MS = Number(process.env.WAIT_SECONDS ?? 60) * 1_000
const placeFile = `${file}.log`

const recaudo = new Recaudo(
  { apiKey: process.env.RECAUDO_API_KEY },
  { baseUrl: process.env.RECAUDO_BASE_URL },
)

const rows = readRows()
// Read before anything is paid: whatever happens to these payouts from here on stands after this place in the log.
const place = await endOfLog()
const open = new Map()
let failed = 0
for (const row of rows) await pay(row)
await waitForOutcomes()
console.log(`${rows.length} rows, ${failed} failed, ${open.size} still open`)
process.exitCode = failed + open.size > 0 ? 1 : 0

// All mistakes of the file before the first peso leaves.
function readRows() {
  const read = readCsv(readFileSync(file, 'utf8'))
  const seen = new Set()
  for (const { line, reference, amountInCents } of read) {
    if (!reference || seen.has(reference))
      throw new Error(`Line ${line}: every row needs a reference of its own.`)
    if (!/^[1-9]\d*$/.test(amountInCents))
      throw new Error(`Line ${line}: amountInCents must be a whole number.`)
    seen.add(reference)
  }
  return read
}

async function pay(row) {
  const { reference, key } = row
  try {
    const payout = (await paidBefore(reference)) ?? (await create(row))
    if (payout.status === 'PROCESSING') open.set(payout.id, payout)
    else report(payout)
  } catch (error) {
    // One wrong row does not keep the others from their money. Without a server there is nothing to go on with.
    if (!(error instanceof ApiError) || error.status === 401) throw error
    failed += 1
    console.log(`${reference} to ${key}: refused, ${error.code}: ${error.detail}`)
  }
}

// An idempotency key is remembered for 30 days. Whoever runs an old file again is kept from paying twice by this.
async function paidBefore(reference) {
  const { data } = await recaudo.payouts.list({ reference, pageSize: 1 })
  return data[0]
}

// Two runs at the same moment both find nothing above: the key lets only one of them create the payout. And a row that was
// changed after it was paid is refused (IDEMPOTENCY_KEY_REUSED) instead of being paid again.
function create({ reference, key, amountInCents, name, idType, idNumber, phone, email }) {
  return recaudo.payouts.create(
    {
      amountInCents: Number(amountInCents),
      currency: 'COP',
      rail: 'BRE_B',
      reference,
      inlineCustomer: { name, idType, idNumber, phone, email },
      breb: { keyString: key },
    },
    { idempotencyKey: `payout-script ${reference}` },
  )
}

async function waitForOutcomes() {
  if (open.size === 0) return
  const signal = AbortSignal.timeout(WAIT_MS)
  for await (const event of recaudo.events.follow({ after: place, signal })) {
    // payout.processing tells that the network has it: no outcome yet.
    if (event.resource !== 'payout' || event.data.status === 'PROCESSING') continue
    if (!open.delete(event.data.id)) continue
    report(event.data)
    if (open.size === 0) return
  }
  for (const { reference } of open.values()) console.log(`${reference}: no outcome yet, run this again later`)
}

function report({ reference, status, errorCode, amount, sourceData }) {
  if (status !== 'CONFIRMED') failed += 1
  console.log(`${reference} to ${sourceData.keyString}: ${status} ${errorCode ?? `COP ${amount}`}`)
}

// Walks the log to its end, from where the last run found it: the first run may take a while, later ones do not.
async function endOfLog() {
  let last = existsSync(placeFile) ? Number(readFileSync(placeFile, 'utf8').trim().split('\n').at(-1)) : 0
  for await (const { sequence } of recaudo.events.list({ after: last, pageSize: 100 })) last = sequence
  appendFileSync(placeFile, `${last}\n`)
  return last
}
