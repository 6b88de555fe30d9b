// A collector of OpenTelemetry, as far as OTLP over HTTP in JSON goes: keeps every span, and answers as the test sets.

import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export type CollectedSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Readonly<Record<string, string | number | boolean>>
  links?: { traceId: string; spanId: string }[]
  status?: { code: number }
  // Of the process that made it.
  resource: Readonly<Record<string, string | number | boolean>>
}

export type Collector = AsyncDisposable & {
  url: string
  spans: CollectedSpan[]
  // Whatever was sent, as it was sent.
  texts: string[]
  headers: IncomingHttpHeaders[]
  answerWith: (status: number | 'never') => void
}

type Attribute = { key: string; value: { stringValue?: string; intValue?: string; boolValue?: boolean } }
type Sent = {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: { spans: (Omit<CollectedSpan, 'attributes' | 'resource'> & { attributes: Attribute[] })[] }[]
  }[]
}

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = []
  const texts: string[] = []
  const headers: IncomingHttpHeaders[] = []
  let status: number | 'never' = 200
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
    request.on('end', () => {
      if (request.url !== '/v1/traces' || request.method !== 'POST') return response.writeHead(404).end()
      headers.push(request.headers)
      if (status === 'never') return undefined
      if (status < 300) {
        texts.push(text)
        for (const { resource, scopeSpans } of (JSON.parse(text) as Sent).resourceSpans)
          for (const span of scopeSpans.flatMap((scope) => scope.spans))
            spans.push({
              ...span,
              attributes: plain(span.attributes),
              resource: plain(resource.attributes),
            })
      }
      return response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    texts,
    headers,
    answerWith: (next) => {
      status = next
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function plain(attributes: Attribute[]): Record<string, string | number | boolean> {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, boolValue } }) => [
      key,
      stringValue ?? boolValue ?? Number(intValue),
    ]),
  )
}
