// What an adapter costs beyond the HTTP exchange: the CPU of a call through it, less the CPU of undici sending the same bytes and
// reading the answer's, without a deadline and without looking at them. Everything that we do counts: writing and signing, the
// authorization, the circuit breaker, reading and checking, and masking for the record. A notice is only read, so all of it counts.

import { Pool } from 'undici'
import { LIMITS } from '../src/rails/limits.ts'
import type { Adapter, AdapterCall } from './adapters/adapter.ts'
import { mono } from './adapters/mono.ts'
import { placetopay } from './adapters/placetopay.ts'
import type { Asked, StubQuestion } from './adapters/stub-provider.ts'
import { wompi } from './adapters/wompi.ts'
import { type Child, startChild } from './child.ts'
import { atMost, type Row, UNTIMED } from './report.ts'
import type { Testbed } from './testbed.ts'

const MAX_MS = 0.3
const MAX_MICROS_A_LINE = 10
// Until all code is compiled.
const WARM_UP_CALLS = 1_000
const CALLS = 100
// Many short rounds: whatever else the machine does falls on both legs of a round alike, and the median forgets the rest.
export const ADAPTER_ROUNDS = 31

type StubProvider = Child<StubQuestion, string | Asked[]>
type Leg = () => Promise<unknown>
type Measured = { call: AdapterCall; label: string; bare: Leg; exchanges: number; rounds: Round[] }
type Round = { adapterMicros: number; bareMicros: number }

export async function adapters(testbed: Testbed): Promise<Row[]> {
  await using resources = new AsyncDisposableStack()
  const measured: Measured[] = []
  for (const adapter of [wompi, mono, placetopay]) measured.push(...(await openLegs(adapter, resources)))
  for (const { call, bare } of measured) for (const leg of [call.run, bare]) await repeat(leg, WARM_UP_CALLS)
  for (let round = 1; round <= ADAPTER_ROUNDS; round += 1) {
    await testbed.sampleBusyShare()
    for (const one of measured) one.rounds.push(await measureRound(one, round))
    testbed.reportProgress(`  round ${round} of ${ADAPTER_ROUNDS}`)
  }
  return measured.map(rowOf)
}

async function openLegs(adapter: Adapter, resources: AsyncDisposableStack): Promise<Measured[]> {
  const stub: StubProvider = startChild('adapters/stub-provider.ts')
  resources.use(stub)
  const url = (await stub.ask({ answers: adapter.answers })) as string
  const { calls, close } = adapter.open(url)
  resources.defer(close)
  const pool = new Pool(url, { connections: LIMITS.connections, allowH2: false })
  resources.defer(() => pool.close())
  const legs: Measured[] = []
  for (const call of calls) {
    const asked = await exchangesOf(call, stub)
    const label = `${adapter.provider}: ${call.name}`
    const bare = () => exchange(pool, asked)
    legs.push({ call, label, bare, exchanges: asked.length, rounds: [] })
  }
  return legs
}

// What a call asks the provider, once it has its token and whatever else it keeps.
async function exchangesOf({ run }: AdapterCall, stub: StubProvider): Promise<Asked[]> {
  await run()
  await stub.ask('asked')
  await run()
  return (await stub.ask('asked')) as Asked[]
}

async function exchange(pool: Pool, asked: readonly Asked[]): Promise<void> {
  for (const { method, path, headers, body } of asked) {
    const answer = await pool.request({
      method: method as 'GET' | 'POST' | 'DELETE',
      path,
      headers,
      body: body === '' ? null : body,
    })
    await answer.body.bytes()
  }
}

// The legs take turns at being first.
async function measureRound({ call, bare }: Measured, round: number): Promise<Round> {
  if (round % 2 === 0) return { adapterMicros: await microsOf(call.run), bareMicros: await microsOf(bare) }
  const bareMicros = await microsOf(bare)
  return { bareMicros, adapterMicros: await microsOf(call.run) }
}

async function microsOf(leg: Leg): Promise<number> {
  const before = process.cpuUsage()
  await repeat(leg, CALLS)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / CALLS
}

async function repeat(leg: Leg, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await leg()
}

// CPU is the same on a busy machine, nearly, so a missed bar fails.
function rowOf({ call, label, exchanges, rounds }: Measured): Row {
  const micros = median(rounds.map(({ adapterMicros, bareMicros }) => adapterMicros - bareMicros))
  const beyond =
    exchanges === 0 ? '' : ` beyond ${exchanges === 1 ? 'the exchange' : `${exchanges} exchanges`}`
  const bar =
    call.lines === undefined
      ? atMost(micros / 1_000, MAX_MS, `ms${beyond}`)
      : atMost(micros / call.lines, MAX_MICROS_A_LINE, `µs a line${beyond}`)
  return {
    label,
    measured: { ...UNTIMED, cpuMicrosPerRequest: median(rounds.map(({ adapterMicros }) => adapterMicros)) },
    bars: [{ ...bar, isBinding: true }],
  }
}

function median(figures: number[]): number {
  return figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? Number.NaN
}
