// A merchant's receiver that verifies signatures with the SDK, as the guide shows: 200 to what is genuine, 400 to the rest.

import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifyWebhook } from '../../../sdk/src/webhook.ts'

export type VerifyingReceiver = AsyncDisposable & {
  url: string
  // Those that it knows, and the types of the events it was sent, genuine or not.
  secrets: string[]
  events: string[]
  // Decides in place of the signature.
  answerAll: (status: number | null) => void
}

export async function startVerifyingReceiver(): Promise<VerifyingReceiver> {
  const secrets: string[] = []
  const events: string[] = []
  let always: number | null = null
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    events.push(JSON.parse(body).event)
    const isGenuine = await verifyWebhook(body, request.headers, secrets).then(
      () => true,
      () => false,
    )
    response.writeHead(always ?? (isGenuine ? 200 : 400)).end()
  }).unref()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    secrets,
    events,
    answerAll: (status) => {
      always = status
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await request.toArray()).toString('utf8')
}
