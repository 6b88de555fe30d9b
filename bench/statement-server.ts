// A network that gives a statement of a million lines, in a process of its own. It grants any token.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent, childArgument } from './child.ts'
import { LINES, lineText, MISSING_EVERY } from './statement-lines.ts'

const { startMs, organizationIds } = childArgument<{ startMs: number; organizationIds: string[] }>()

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://localhost')
  response.setHeader('content-type', 'application/json')
  if (url.pathname.endsWith('/oauth/token'))
    return void response.end('{"access_token":"bench","expires_in":3600}')
  const from = Number(url.searchParams.get('cursor') ?? 0)
  const to = Math.min(from + Number(url.searchParams.get('limit')), LINES)
  const lines: string[] = []
  for (let number = from; number < to; number += 1)
    if (number % MISSING_EVERY !== 0) lines.push(lineText(number, startMs, organizationIds))
  const next = to < LINES ? `"${to}"` : 'null'
  response.end(
    `{"count":${lines.length},"entries":[${lines.join(',')}],"nextCursor":${next},"complete":true}`,
  )
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
answerParent(async (_: 'port') => (server.address() as AddressInfo).port)
