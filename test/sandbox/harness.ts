// Runs the simulated networks on a clock that only moves by hand, with a listener that receives their notices as the
// service would, and clients for the wire.

import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifyNotice } from '../../src/rails/signature.ts'
import { NO_FAULTS } from '../../src/sandbox/faults.ts'
import type { Network } from '../../src/sandbox/records.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts'

export const START = Date.parse('2026-03-02T15:00:00.000Z')
export const DELAY_MS = 5_000
export const CREDENTIALS = {
  breb: { clientId: 'breb-client', clientSecret: 'breb secret: %', notificationKey: 'breb-notices' },
  pse: { clientId: 'pse-client', clientSecret: 'pse-secret', notificationKey: 'pse-notices' },
}

export type ReceivedNotice = {
  network: Network
  headers: IncomingHttpHeaders
  body: Buffer
  // Undefined if the signature is invalid.
  noticeId: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not there
  notice: any
  at: number
}

export type Listener = {
  url: string
  received: ReceivedNotice[]
  // Status codes for the next notices, in order; then 204.
  answers: number[]
  beforeAnswer: () => Promise<void>
  close: () => Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: as above
export type Reply = { status: number; json: any; text: string }
export type Call = (method: string, path: string, body?: unknown, signal?: AbortSignal) => Promise<Reply>

export type Harness = {
  sandbox: Sandbox
  listener: Listener
  breb: Call
  pse: Call
  control: Call
  simulate: (reference: string, order: object) => Promise<Reply>
  // Notice types of one payment, in the order received.
  types: (reference: string) => string[]
  [Symbol.asyncDispose](): Promise<void>
}

export async function startHarness(changes: Partial<SandboxOptions> = {}): Promise<Harness> {
  let now = () => START
  const listener = await listen(() => now())
  const sandbox = await startSandbox({
    host: '127.0.0.1',
    port: 0,
    storageFile: ':memory:',
    notifyUrl: {
      breb: `${listener.url}/notifications/breb`,
      pse: () => `${listener.url}/notifications/pse`,
    },
    credentials: CREDENTIALS,
    delayMs: DELAY_MS,
    seed: 7,
    faults: NO_FAULTS,
    now: () => START,
    ...changes,
  })
  now = sandbox.now
  const control = caller(sandbox.controlUrl, CREDENTIALS.breb.clientSecret)
  return {
    sandbox,
    listener,
    breb: caller(sandbox.brebUrl, await tokenOf('breb', sandbox.brebUrl)),
    pse: caller(sandbox.pseUrl, await tokenOf('pse', sandbox.pseUrl)),
    control,
    simulate: (reference, order) => control('POST', `/payments/${reference}/simulate`, order),
    types: (reference) =>
      listener.received
        .filter(({ notice }) => notice.reference === reference)
        .map(({ notice }) => notice.type as string),
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]()
      await listener.close()
    },
  }
}

export async function tokenOf(network: Network, baseUrl: string): Promise<string> {
  const { clientId, clientSecret } = CREDENTIALS[network]
  const response = await fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  return ((await response.json()) as { access_token: string }).access_token
}

export function caller(baseUrl: string, bearer: string): Call {
  return async (method, path, body, signal) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    const text = await response.text()
    return { status: response.status, text, json: parsed(text) }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function listen(now: () => number): Promise<Listener> {
  const received: ReceivedNotice[] = []
  const answers: number[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const network: Network = request.url === '/notifications/pse' ? 'pse' : 'breb'
    const noticeId = verifyNotice([CREDENTIALS[network].notificationKey], request.headers, body, now())
    received.push({
      network,
      headers: request.headers,
      body,
      noticeId,
      notice: parsed(body.toString()),
      at: now(),
    })
    await listener.beforeAnswer()
    response.writeHead(answers.shift() ?? 204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const listener: Listener = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answers,
    beforeAnswer: async () => {},
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return listener
}

// Polls until a condition holds.
export async function until(holds: () => boolean | Promise<boolean>, withinMs = 10_000): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

let count = 0

export function newReference(): string {
  count += 1
  return `Pref${count}`
}

const EXPIRES_AT = new Date(START + 15 * 60_000).toISOString()

export function collection(idNumber: string | null = null, changes: object = {}): object {
  count += 1
  return {
    key: `@RC${String(count).padStart(8, '0')}`,
    amount: '50000.00',
    currency: 'COP',
    merchantName: 'Café La Palma',
    expiresAt: EXPIRES_AT,
    payer: idNumber === null ? null : { idType: 'CO_CC', idNumber, name: 'Ana Gómez' },
    ...changes,
  }
}

export function transfer(idNumber = '1000000001', changes: object = {}): object {
  return {
    key: '3001234567',
    keyType: 'M',
    amount: '20000.00',
    currency: 'COP',
    beneficiary: { idType: 'CO_CC', idNumber, name: 'Luis Ospina' },
    ...changes,
  }
}

export function session(idNumber: string | null = null, changes: object = {}): object {
  const payer = {
    idType: 'CO_CC',
    idNumber,
    name: 'Ana Gómez',
    email: 'ana@example.com',
    phone: '3001234567',
  }
  return {
    bank: 'CO_BANCO_DE_PRUEBAS',
    achCode: '1022',
    personType: 'person',
    amount: '80000.00',
    currency: 'COP',
    description: 'Pago a Café La Palma',
    returnUrl: 'http://127.0.0.1:4000/pse/back',
    expiresAt: EXPIRES_AT,
    payer: idNumber === null ? null : payer,
    ...changes,
  }
}
