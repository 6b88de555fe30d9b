// A server that speaks Bold's wire format as its documentation describes it: one intent and one payment under a reference. It can be told
// to lose an answer after it did its work, or to answer something else instead.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export const IDENTITY_KEY = 'identity-key-of-the-test'
const PAGE_URL = 'https://registro.pse.example/pagar?id='

type Body = Readonly<Record<string, unknown>>
type Payment = { transaction_id: string; status: string; total_amount: number }
// lost: the work is done, and the connection breaks before the answer.
export type Fault = 'lost' | { readonly status: number; readonly text: string }

export type FakeBold = AsyncDisposable & {
  readonly url: string
  // Method and path of each request, and the bodies of the POSTs.
  readonly asked: string[]
  readonly bodies: Body[]
  readonly payments: Map<string, Payment>
  // What happens to the next request of this method and path.
  readonly fail: (operation: string, fault: Fault) => void
}

export async function openFakeBold(): Promise<FakeBold> {
  const asked: string[] = []
  const bodies: Body[] = []
  const intents = new Map<string, Body>()
  const payments = new Map<string, Payment>()
  const faults = new Map<string, Fault>()

  const answerTo = (operation: string, body: Body, reference: string): [number, unknown] => {
    if (operation === 'GET /v1/payment/pse/banks') return [200, good({ banks: BANKS })]
    if (operation === 'POST /v1/payment-intent') {
      if (intents.has(reference)) return [409, bad('PI_002')]
      intents.set(reference, body)
      return [201, good({ reference_id: reference, status: 'ACTIVE' })]
    }
    if (operation === 'POST /v1/payment') {
      const { total_amount } = (intents.get(reference)?.amount ?? {}) as { total_amount: number }
      const transaction_id = `TX${payments.size + 1}`
      payments.set(reference, { transaction_id, status: 'PROCESSING', total_amount })
      const next_actions = { redirect_url: `${PAGE_URL}${transaction_id}`, redirect_method: 'GET' }
      return [200, good({ transaction_id, status: 'running', next_actions })]
    }
    const payment = payments.get(reference)
    if (payment === undefined) return [404, bad('PI_404')]
    const { total_amount, ...rest } = payment
    return [200, good({ reference_id: reference, ...rest, amount: { currency: 'COP', total_amount } })]
  }

  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    const body = await bodyOf(request)
    const [, inPath] = /^\/v1\/payment\/(P[\w-]{43})$/.exec(path) ?? []
    const operation = `${request.method} ${inPath === undefined ? path : '/v1/payment/{reference}'}`
    asked.push(operation)
    if (request.method === 'POST') bodies.push(body)
    // Amazon's gateway in front of Bold, which does not know the key.
    if (request.headers.authorization !== `x-api-key ${IDENTITY_KEY}`)
      return send(response, 403, '{"Message":"Missing Authentication Token"}')
    const fault = faults.get(operation)
    faults.delete(operation)
    if (typeof fault === 'object') return send(response, fault.status, fault.text)
    const [status, json] = answerTo(operation, body, inPath ?? String(body.reference_id))
    if (fault === 'lost') return void response.destroy()
    send(response, status, JSON.stringify(json))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    bodies,
    payments,
    fail: (operation, fault) => void faults.set(operation, fault),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const BANKS = [
  { bank_code: 1007, bank_name: 'BANCOLOMBIA' },
  { bank_code: 1051, bank_name: 'BANCO DAVIVIENDA' },
]

const good = (payload: unknown) => ({ payload, errors: [] })
const bad = (code: string) => ({
  payload: {},
  errors: [{ code, description: 'Referencia o campo inválido' }],
})

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(text)
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return chunks.length === 0 ? {} : (JSON.parse(Buffer.concat(chunks).toString('utf8')) as Body)
}
