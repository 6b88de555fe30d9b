// The load: whole lives of payins, payouts and payment links, refunds and small batches, so many a second. What was answered is
// remembered, to be looked for at the end. Nobody waits for a payment here: the good receiver is told how it ended.

import { setTimeout as delay } from 'node:timers/promises'
import { type Random, randomFrom } from '../fuzz/random.ts'
import { csv, goodRow } from '../test/api/payout-batches/files.ts'
import { brebPayin, CUSTOMER, psePayin } from '../test/world.ts'
import type { ReceivedEvent } from './receiver.ts'
import type { Requests } from './requests.ts'

export type Answered = {
  readonly payins: string[]
  readonly payouts: string[]
  readonly links: string[]
  readonly refunds: string[]
  readonly batches: string[]
}

export type Lives = {
  readonly answered: Answered
  // What was refused or not answered and should not have been.
  readonly surprises: string[]
  begun: () => number
  onEvent: (event: ReceivedEvent) => void
  // From a payin's request to the merchant being told that it is paid, of those told since the last call.
  takeToldMs: () => number[]
  // Begins no more, and waits for those under way.
  stop: () => Promise<void>
}

// Whoever has this document pays; of ten the others do what theirs stands for in staging.
const PAYS = '1000000001'
const OTHERS = [
  '1000000003',
  '1000000005',
  '1000000007',
  '1000000011',
  '1000000013',
  '1000000015',
  '1000000017',
]
const STAYS_OPEN = '1000000007'
const KEYS = ['@ANAGOMEZ', '3001234567', 'ana@example.com', '@NOEXISTE1']
const REFUNDED_ONE_IN = 12
const BATCH_ROWS = 3
const BATCH_LOOK_MS = 1_000
const BATCH_LOOKS = 120
const MOST_SURPRISES = 50

type Life = (load: Load) => Promise<void>
type Load = {
  requests: Requests
  random: Random
  answered: Answered
  begunAtMs: Map<string, number>
  expect: Expect
}
type Expect = (what: string, status: number, wanted: readonly number[], text: string) => boolean

// By how often each is drawn.
const LIVES: readonly (readonly [number, Life])[] = [
  [40, payinLife],
  [25, payoutLife],
  [18, linkLife],
  [6, canceledLife],
  [10, readingLife],
  [1, batchLife],
]

export function startLives(requests: Requests, options: { rate: number; seed: number }): Lives {
  const random = randomFrom(options.seed)
  const answered: Answered = { payins: [], payouts: [], links: [], refunds: [], batches: [] }
  const surprises: string[] = []
  const begunAtMs = new Map<string, number>()
  const underWay = new Set<Promise<void>>()
  let toldMs: number[] = []
  let begun = 0
  let isStopped = false
  const surprise = (what: string): void => {
    if (surprises.length < MOST_SURPRISES) surprises.push(what)
  }
  const expect: Expect = (what, status, wanted, text) => {
    const isWanted = wanted.includes(status)
    if (!isWanted) surprise(`${what} was answered ${status}: ${text.slice(0, 300)}`)
    return isWanted
  }
  const load: Load = { requests, random, answered, begunAtMs, expect }
  const run = (life: Life): void => {
    const running = life(load)
      .catch((error: Error) => surprise(error.message))
      .finally(() => underWay.delete(running))
    underWay.add(running)
  }
  const paced = (async () => {
    const startedAtMs = performance.now()
    while (!isStopped) {
      const due = Math.floor(((performance.now() - startedAtMs) / 1_000) * options.rate) + 1
      for (; begun < due; begun += 1) run(draw(random))
      await delay(Math.min(1_000 / options.rate, 250))
    }
  })()
  return {
    answered,
    surprises,
    begun: () => begun,
    onEvent: ({ event, data }) => {
      const atMs = begunAtMs.get(data.id)
      if (atMs === undefined || !event.startsWith('payin.')) return
      if (event !== 'payin.processing') begunAtMs.delete(data.id)
      if (event !== 'payin.confirmed') return
      toldMs.push(performance.now() - atMs)
      if (!isStopped && random.oneIn(REFUNDED_ONE_IN)) run((given) => refund(given, data.id))
    },
    takeToldMs: () => {
      const taken = toldMs
      toldMs = []
      return taken
    },
    stop: async () => {
      isStopped = true
      await paced
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

function draw(random: Random): Life {
  let left = random.below(LIVES.reduce((sum, [weight]) => sum + weight, 0))
  for (const [weight, life] of LIVES) {
    if (left < weight) return life
    left -= weight
  }
  return payinLife
}

const payerOf = (random: Random) => ({ ...CUSTOMER, idNumber: random.oneIn(3) ? random.pick(OTHERS) : PAYS })

// A payin that nobody pays expires. A payout that its network never decides stays open for good.
function receiverOf(random: Random) {
  const payer = payerOf(random)
  return payer.idNumber === STAYS_OPEN ? { ...payer, idNumber: PAYS } : payer
}

async function payinLife({ requests, random, answered, begunAtMs, expect }: Load): Promise<void> {
  const inlineCustomer = payerOf(random)
  const body = random.oneIn(2) ? brebPayin({ inlineCustomer }) : psePayin({ inlineCustomer })
  const startedAtMs = performance.now()
  const made = await requests.send('POST', '/payins', body)
  if (!expect('POST /payins', made.status, [201], made.text)) return
  const { id, sourceData } = made.json
  answered.payins.push(id)
  begunAtMs.set(id, startedAtMs)
  if (sourceData.checkoutUrl !== undefined && random.oneIn(2))
    expect('the page of a payin', await requests.visit(sourceData.checkoutUrl), [200], '')
  const read = await requests.send('GET', `/payins/${id}`)
  expect('GET /payins/{payinId}', read.status, [200], read.text)
}

async function canceledLife({ requests, answered, expect }: Load): Promise<void> {
  const body = brebPayin({ inlineCustomer: { ...CUSTOMER, idNumber: STAYS_OPEN } })
  const made = await requests.send('POST', '/payins', body)
  if (!expect('POST /payins', made.status, [201], made.text)) return
  answered.payins.push(made.json.id)
  const canceled = await requests.send('POST', `/payins/${made.json.id}/cancel`, {})
  // The clock may have leapt past its expiry meanwhile.
  expect('POST /payins/{payinId}/cancel', canceled.status, [200, 202, 409], canceled.text)
}

async function payoutLife({ requests, random, answered, expect }: Load): Promise<void> {
  const keyString = random.pick(KEYS)
  if (random.oneIn(4)) {
    const found = await requests.send('GET', `/breb/keys/${encodeURIComponent(keyString)}`)
    expect('GET /breb/keys/{keyString}', found.status, [200, 404], found.text)
  }
  const { breb: _, ...order } = brebPayin({ amountInCents: 100_000, inlineCustomer: receiverOf(random) })
  const made = await requests.send('POST', '/payouts', { ...order, breb: { keyString } })
  if (expect('POST /payouts', made.status, [201], made.text)) answered.payouts.push(made.json.id)
}

// Somebody opens the link, and most of them pay.
async function linkLife({ requests, random, answered, expect }: Load): Promise<void> {
  const made = await requests.send('POST', '/payment-links', {
    amountType: 'FIXED',
    amountInCents: 5_000_000,
    reference: 'soak',
    callbackUrl: 'https://shop.example/back',
  })
  if (!expect('POST /payment-links', made.status, [201], made.text)) return
  answered.links.push(made.json.paymentLinkId)
  const url: string = made.json.paymentLinkUrl
  expect('the page of a link', await requests.visit(url), [200], '')
  if (random.oneIn(5)) return
  const form = { rail: random.pick(['BRE_B', 'PSE']), bank: 'CO_BANCOLOMBIA', ...payerOf(random) }
  expect('the form of a link', await requests.visit(url, form), [303], '')
  expect('the page of a link', await requests.visit(url), [200, 303], '')
  expect('the status of a link', await requests.visit(`${url}/status`), [200], '')
}

async function readingLife({ requests, expect }: Load): Promise<void> {
  for (const path of ['/payins?pageSize=20', '/payouts?pageSize=20', '/balance', '/events?pageSize=20']) {
    const { status, text } = await requests.send('GET', path)
    expect(`GET ${path}`, status, [200], text)
  }
}

// What was charged back meanwhile cannot be refunded.
async function refund({ requests, answered, expect }: Load, payinId: string): Promise<void> {
  const body = { amountInCents: 10_000, reason: 'OTHER' }
  const made = await requests.send('POST', `/payins/${payinId}/refunds`, body)
  if (
    expect('POST /payins/{payinId}/refunds', made.status, [201, 409, 422], made.text) &&
    made.status === 201
  )
    answered.refunds.push(made.json.id)
}

async function batchLife({ requests, random, answered, expect }: Load): Promise<void> {
  const from = random.below(1_000_000)
  const rows = Array.from({ length: BATCH_ROWS }, (_, at) => goodRow(from + at, '1.000'))
  const made = await requests.send('POST', '/payout-batches', { file: csv(...rows), repeat: true })
  if (!expect('POST /payout-batches', made.status, [201], made.text)) return
  const { id } = made.json
  answered.batches.push(id)
  for (let looks = 0; looks < BATCH_LOOKS; looks += 1) {
    const { json } = await requests.send('GET', `/payout-batches/${id}`)
    if (json.status !== 'CHECKING') break
    await delay(BATCH_LOOK_MS)
  }
  const submitted = await requests.send('POST', `/payout-batches/${id}/submit`, { acceptWarnings: true })
  // Where the directory was away, rows are not checked, and the batch stays a draft.
  expect('POST /payout-batches/{batchId}/submit', submitted.status, [200, 202, 409, 422], submitted.text)
}
