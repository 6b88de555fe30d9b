// Whom a network's client believes: only the server whose certificate is good, whatever the environment says.

import assert from 'node:assert/strict'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { openConnection } from '../../src/rails/connection.ts'
import { LIMITS } from '../../src/rails/limits.ts'
import { selfSigned } from '../webhooks/certificate.ts'

test('a network that only poses as one hears nothing, even where NODE_TLS_REJECT_UNAUTHORIZED=0', async (t) => {
  const heard: string[] = []
  const server = createServer(selfSigned('127.0.0.1'), (request, response) => {
    heard.push(String(request.headers.authorization))
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
  t.after(() => {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
  })
  for (const setting of ['0', '1']) {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = setting
    const connection = openConnection('BRE_B', `https://127.0.0.1:${port}/v1`, {
      now: Date.now,
      monotonicMs: () => performance.now(),
      record: () => {},
      limits: LIMITS,
    })
    const sent = {
      method: 'GET',
      resource: '/keys',
      id: 'x',
      reference: '',
      body: null,
      shown: null,
    } as const
    const headers = { authorization: 'Bearer a token' }
    const answer = await connection.send({ ...sent, headers }, AbortSignal.timeout(5_000))
    assert.deepEqual(answer, {
      outcome: 'unknown',
      kind: 'unavailable',
      why: 'no answer (DEPTH_ZERO_SELF_SIGNED_CERT)',
    })
    await connection.close()
  }
  assert.deepEqual(heard, [])
})
