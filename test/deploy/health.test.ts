// The image's health check, without an image: what it says of a process that is well, ill, silent or gone.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { freePort } from '../free-port.ts'

const HEALTH = join(import.meta.dirname, '../../deploy/health.mjs')

async function exitCodeAt(port: number): Promise<number> {
  const check = spawn(process.execPath, [HEALTH], { env: { PORT: String(port) }, stdio: 'ignore' })
  const [code] = await once(check, 'exit')
  return code
}

async function exitCodeOf(answer: RequestListener): Promise<number> {
  const server = createServer(answer)
  const port = await freePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  try {
    return await exitCodeAt(port)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

describe('the image’s health check', () => {
  it('ends with 0 where /healthz is answered, and asks nothing else', async () => {
    assert.equal(
      await exitCodeOf(({ url }, response) => response.writeHead(url === '/healthz' ? 200 : 503).end()),
      0,
    )
  })

  it('ends with 1 where the process is ill, silent or gone', async () => {
    assert.equal(await exitCodeOf((_, response) => response.writeHead(503).end()), 1)
    assert.equal(await exitCodeOf(() => {}), 1)
    assert.equal(await exitCodeAt(await freePort()), 1)
  })
})
