// Listens on the API's address until the database is migrated. Load balancers probe from the start. Until the API can
// serve, /healthz reports that the process is alive, and everything else, /readyz included, reports that it is not ready.

import { once } from 'node:events'
import { problemBody, STATUS_OF } from '../api/http/errors.ts'
import type { Config } from '../config.ts'
import { refuse } from '../core/refusal.ts'
import type { Needs } from '../flows/context.ts'

// Not imported: see src/sandbox/listener.ts.
const { createServer } = process.getBuiltinModule('node:http')
const RETRY_AFTER_SECONDS = '1'
const NOT_MIGRATED = refuse('STORE_UNAVAILABLE', 'The database is not migrated yet.')

export async function openNotReadyServer(
  config: Pick<Config, 'host' | 'port'>,
  ctx: Needs<'ids' | 'settings'>,
): Promise<AsyncDisposable> {
  const server = createServer((request, response) => {
    const requestId = ctx.ids.next()
    // The API takes over this address, so no connection may be kept alive.
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': requestId,
      connection: 'close',
    }
    if (request.url === '/healthz') {
      response.writeHead(200, headers).end('{"status":"ok"}')
    } else {
      response
        .writeHead(STATUS_OF[NOT_MIGRATED.refused], { ...headers, 'retry-after': RETRY_AFTER_SECONDS })
        .end(problemBody(ctx.settings.publicUrl, NOT_MIGRATED, requestId))
    }
  })
  server.listen({ host: config.host, port: config.port })
  await once(server, 'listening')
  return {
    async [Symbol.asyncDispose]() {
      if (!server.listening) return
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
