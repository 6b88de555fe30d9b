// A file of 5,000 payouts with 37 bad rows, on the service as it is started, against the simulated networks: how long until every bad
// row is named, and how many payouts a second are done from the submission until the last one has ended.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { keyRecord } from '../src/sandbox/directory.ts'
import { freePort } from '../test/free-port.ts'
import { atLeast, atMost, type Row, UNTIMED } from './report.ts'
import type { Testbed } from './testbed.ts'

const ROWS = 5_000
const BAD = 37
const MAX_PREVIEW_SECONDS = 3
const MIN_PAYOUTS_PER_SECOND = 200
const API_KEY = `rk_stg_${'b'.repeat(43)}`
const ROOT = join(import.meta.dirname, '..')
// To ask is work for the server as well: it counts the results of all rows.
const WAIT_MS = 500
const PATIENCE_MS = 5 * 60_000

type Batch = { id: string; status: string; payoutsConfirmed: number; payoutsFailed: number }

export async function batches(testbed: Testbed): Promise<Row[]> {
  await testbed.sampleBusyShare()
  const [port, sandboxPort] = [await freePort(), await freePort()]
  const child = spawn(process.execPath, ['src/main.ts', 'start'], {
    cwd: ROOT,
    stdio: 'ignore',
    env: {
      ...process.env,
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      SANDBOX_DELAY_MS: '100',
      DATABASE_URL: testbed.databaseUrl,
      SECRETS_KEY: testbed.secretsKey.toString('hex'),
      BOOTSTRAP_API_KEY: API_KEY,
      RATE_LIMIT_PER_SECOND: '0',
      LOG_LEVEL: 'warn',
    },
  })
  try {
    return await measure(testbed, `http://127.0.0.1:${port}`)
  } finally {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
}

async function measure(testbed: Testbed, baseUrl: string): Promise<Row[]> {
  const ask = async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { 'x-api-key': API_KEY, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
    return (await response.json()) as Answer
  }
  await until(() => ask('GET', '/balance').then(Boolean, () => false))
  const file = Buffer.from(
    ['llave;valor;referencia;nombre;tipo_documento;documento;correo', ...rows()].join('\n'),
  )
  const handedInAt = performance.now()
  const { id } = await ask<Batch>('POST', '/payout-batches', { file: file.toString('base64') })
  const wrong = await ask<{ data: unknown[] }>('GET', `/payout-batches/${id}/rows?only=errors&pageSize=100`)
  const previewSeconds = (performance.now() - handedInAt) / 1_000
  if (wrong.data.length !== BAD) throw new Error(`${wrong.data.length} rows are named, not ${BAD}`)
  const read = () => ask<Batch>('GET', `/payout-batches/${id}`)
  await until(async () => (await read()).status === 'DRAFT')
  const checkedSeconds = (performance.now() - handedInAt) / 1_000
  await ask('POST', `/payout-batches/${id}/leave-out`, {})
  const submittedAt = performance.now()
  await ask('POST', `/payout-batches/${id}/submit`, { acceptWarnings: true })
  await until(async () => (await read()).status === 'COMPLETED')
  const seconds = (performance.now() - submittedAt) / 1_000
  const { payoutsConfirmed } = await read()
  if (payoutsConfirmed !== ROWS - BAD) throw new Error(`${payoutsConfirmed} payouts were confirmed`)
  testbed.reportProgress(`  keys within the budget looked up after ${checkedSeconds.toFixed(1)} s`)
  const perSecond = payoutsConfirmed / seconds
  return [
    {
      label: 'a file of 5,000 payouts read, each bad row named',
      measured: UNTIMED,
      bars: [atMost(previewSeconds, MAX_PREVIEW_SECONDS, 's')],
    },
    {
      label: '  its payouts made, sent and ended',
      measured: { ...UNTIMED, answered: payoutsConfirmed, requestsPerSecond: perSecond },
      bars: [atLeast(perSecond, MIN_PAYOUTS_PER_SECOND, 'payouts/s')],
    },
  ]
}

function rows(): string[] {
  return Array.from({ length: ROWS }, (_, at) => {
    const idNumber = String(1_100_000_000 + at)
    const amount = at % 135 === 7 && Math.floor(at / 135) < BAD ? '-1' : '1.000'
    return `${idNumber};${amount};nomina-${at};${keyRecord('NRIC', idNumber).person.name};CC;${idNumber};`
  })
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('it takes too long')
    await delay(WAIT_MS)
  }
}
