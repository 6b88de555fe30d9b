// Who can tell staging that a payment was made: its simulated networks, and nobody who has only read the source.

import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { notificationKeysOf } from '../../src/operator/secrets-key.ts'
import { ID_HEADER, SIGNATURE_HEADER, signNotice, TIMESTAMP_HEADER } from '../../src/rails/signature.ts'
import { freePort } from '../free-port.ts'
import { brebPayin, clientOf, createDatabase, eventually } from '../world.ts'
import { readiness, startInProcess } from './in-process.ts'
import { dataDirectory, spawnServer, stop } from './process.ts'

const BOOTSTRAP_API_KEY = 'key-of-a-test-script'
// It was in the source once.
const PUBLISHED = 'staging-only-notification-key'

let database: { url: string; drop: () => Promise<void> }
before(async () => {
  database = await createDatabase()
})
after(() => database.drop())
const dataDir = dataDirectory({ after })

async function notifiedStatus(baseUrl: string, network: 'breb' | 'pse', key: string): Promise<number> {
  const body = '{"type":"collection.paid"}'
  const at = Math.floor(Date.now() / 1_000)
  const answer = await fetch(`${baseUrl}/notifications/${network}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [ID_HEADER]: 'ntf_forged',
      [TIMESTAMP_HEADER]: String(at),
      [SIGNATURE_HEADER]: signNotice(key, 'ntf_forged', at, body),
    },
    body,
  })
  await answer.text()
  return answer.status
}

test('one DATA_DIR makes processes, and networks in a process of their own, agree on keys that are in no source', async (t) => {
  const ports = { PORT: String(await freePort()), SANDBOX_PORT: String(await freePort()) }
  const env = {
    ...{ DATABASE_URL: database.url, DATA_DIR: dataDir, BOOTSTRAP_API_KEY, SANDBOX_DELAY_MS: '50' },
    ...{ ...ports, PUBLIC_URL: `http://127.0.0.1:${ports.PORT}` },
  }
  // The networks are there first, so the key is theirs to make.
  const networks = await spawnServer(t, { args: ['sandbox'], env })
  await eventually(
    async () => networks.stdout(),
    (text) => text.startsWith('Simulated networks'),
  )
  const service = await startInProcess(t, ['start', '--api', '--workers'], env)
  await eventually(
    () => readiness(service),
    (status) => status === 200,
  )
  const client = clientOf(service.baseUrl, { 'x-api-key': BOOTSTRAP_API_KEY })
  const { json: payin } = await client('POST', '/payins', brebPayin())
  await eventually(
    async () => (await client('GET', `/payins/${payin.id}`)).json,
    ({ status }) => status === 'CONFIRMED',
  )
  const file = join(dataDir, 'secrets.key')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const keys = notificationKeysOf(Buffer.from(readFileSync(file, 'utf8').trim(), 'hex'))
  assert.notEqual(keys.breb, keys.pse)
  for (const network of ['breb', 'pse'] as const) {
    assert.equal(await notifiedStatus(service.baseUrl, network, PUBLISHED), 401)
    assert.notEqual(await notifiedStatus(service.baseUrl, network, keys[network]), 401)
    assert.equal(
      await notifiedStatus(service.baseUrl, network, network === 'breb' ? keys.pse : keys.breb),
      401,
    )
  }
  await Promise.all([service.stop(), stop(networks)])
})
