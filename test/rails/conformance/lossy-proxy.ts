// Stands between an adapter and a simulator, and loses what it is told to: the answer to an order, or the order itself. Everything else
// passes as it is.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

// The order arrives, and its answer does not: the connection breaks, a page of HTML comes instead, half of the answer, or nothing.
export const LOST_ANSWERS = ['reset', 'HTML', 'half', 'silence'] as const
// The order never arrives.
export type Loss = (typeof LOST_ANSWERS)[number] | 'order'

export type LossyProxy = AsyncDisposable & {
  readonly url: string
  readonly lose: (what: Loss | null) => void
}

const OF_THE_WAY = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive']

export async function openLossyProxy(
  target: string,
  isOrder: (method: string, path: string) => boolean,
): Promise<LossyProxy> {
  let lost: Loss | null = null
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request
    const loss = isOrder(method, url) ? lost : null
    if (loss === 'order') return response.socket?.resetAndDestroy()
    const answer = await forwarded(target, request)
    giveUnder(loss, response, answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lose: (what) => {
      lost = what
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Forwarded = { status: number; contentType: string; text: string }

async function forwarded(target: string, request: IncomingMessage): Promise<Forwarded> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const headers = Object.entries(request.headers).filter(([name]) => !OF_THE_WAY.includes(name))
  const answer = await fetch(target + request.url, {
    method: request.method ?? 'GET',
    headers: Object.fromEntries(headers) as Record<string, string>,
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  })
  const contentType = answer.headers.get('content-type') ?? ''
  return { status: answer.status, contentType, text: await answer.text() }
}

function giveUnder(
  loss: Loss | null,
  response: ServerResponse,
  { status, contentType, text }: Forwarded,
): void {
  const head = { 'content-type': contentType }
  if (loss === 'reset') response.socket?.resetAndDestroy()
  else if (loss === 'HTML') response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>')
  else if (loss === 'half') response.writeHead(status, head).end(text.slice(0, text.length / 2))
  else if (loss !== 'silence') response.writeHead(status, head).end(text)
}
