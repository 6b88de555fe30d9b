// SECRETS_KEY is changed while two processes serve: they are restarted one after the other, and nothing that was answered is lost.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { deriveKeys } from '../../src/core/seal.ts'
import { openDb } from '../../src/store/db.ts'
import { listSealed, SEALED_PLACES, type SealedPlace } from '../../src/store/secrets.ts'
import { byDepth, isDeep } from '../depth.ts'
import { freePort } from '../free-port.ts'
import { answering, receiver } from '../webhooks/receiver.ts'
import { brebPayin, CUSTOMER, clientOf, createDatabase, eventually } from '../world.ts'
import { readiness, recaudoInProcess } from './in-process.ts'
import { openNetworks } from './networks.ts'
import { dataDirectory, type Running, start, stop } from './process.ts'

const OLD = randomBytes(32).toString('hex')
const NEW = randomBytes(32).toString('hex')
const BOOTSTRAP_API_KEY = 'key-of-a-test-script'
// Restarts take seconds, on a busy machine many of them. There is a payin in each phase all the same.
const LOAD_PAUSE_MS = byDepth(500, 100)

let PORTS: readonly [string, string]
let SANDBOX_PORT: string
let database: { url: string; drop: () => Promise<void> }
before(async () => {
  PORTS = [String(await freePort()), String(await freePort())]
  SANDBOX_PORT = String(await freePort())
  database = await createDatabase()
})
after(() => database.drop())
const dataDir = dataDirectory({ after })

const env = (keys: Record<string, string>, own: Record<string, string> = {}) => ({
  DATABASE_URL: database.url,
  BOOTSTRAP_API_KEY,
  PUBLIC_URL: `http://127.0.0.1:${PORTS[0]}`,
  SANDBOX_PORT,
  SANDBOX_DELAY_MS: '20',
  DATA_DIR: dataDir,
  ...keys,
  ...own,
})
const BOTH = { SECRETS_KEY: NEW, SECRETS_KEY_PREVIOUS: OLD }

test('a key is changed under load: every answer holds, every webhook is signed, everybody is readable', async (t) => {
  const begin = (node: 0 | 1, keys: Record<string, string>): Promise<Running> =>
    start(t, { args: ['start', '--api', '--workers'], env: env(keys, { PORT: PORTS[node] }) })
  const networks = { notified: PORTS[0], port: SANDBOX_PORT, secretsKey: OLD, delayMs: 20 }
  await using _networks = await openNetworks(networks)
  // One has the new key already.
  const nodes = [await begin(0, { SECRETS_KEY: OLD }), await begin(1, BOTH)]
  const told = await receiver(answering('200 OK'))
  t.after(() => told[Symbol.asyncDispose]())

  const client = async (...call: Parameters<ReturnType<typeof clientOf>>) => {
    // The other one answers while one is restarted.
    for (let tries = 0; ; tries += 1) {
      const port = PORTS[tries % 2]
      const node = clientOf(`http://127.0.0.1:${port}`, { 'x-api-key': BOOTSTRAP_API_KEY })
      try {
        const answer = await node(...call)
        if (answer.status !== 503 || tries > 200) return answer
      } catch (error) {
        if (tries > 200) throw error
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const secrets = new Map<string, string>()
  const addEndpoint = async () => {
    const path = `/hooks/${secrets.size}`
    const { status, json, text } = await client('POST', '/webhook-endpoints', { url: told.url + path })
    assert.equal(status, 201, text)
    secrets.set(new URL(told.url + path).pathname, json.secret)
  }
  await addEndpoint()

  let isOver = false
  const answered = new Map<string, { key: string; body: unknown; text: string }>()
  const load = async () => {
    while (!isOver) {
      const body = brebPayin()
      const key = `rotation-${body.reference}`
      const { status, text, json } = await client('POST', '/payins', body, { 'idempotency-key': key })
      assert.equal(status, 201, text)
      answered.set(json.id, { key, body, text })
      await new Promise((resolve) => setTimeout(resolve, LOAD_PAUSE_MS))
    }
  }
  const loads = [load(), load()]
  const restart = async (node: 0 | 1, keys: Record<string, string>) => {
    await stop(nodes[node] as Running)
    nodes[node] = await begin(node, keys)
    await addEndpoint()
  }
  await restart(0, BOTH)
  const rotated = await recaudoInProcess(['secrets', 'rotate', '--json'], env(BOTH))
  assert.equal(rotated.code, 0, rotated.stderr)
  const places = JSON.parse(rotated.stdout) as { sealed: string; resealed: number; unreadable: number }[]
  for (const { sealed, resealed, unreadable } of places) {
    assert.equal(unreadable, 0, sealed)
    if (['signing keys', 'data keys', 'webhook secrets'].includes(sealed)) assert.ok(resealed > 0, sealed)
  }
  await restart(0, { SECRETS_KEY: NEW })
  if (isDeep) await restart(1, { SECRETS_KEY: NEW })
  const before = answered.size
  await eventually(
    async () => answered.size,
    (count) => count >= before + 4,
  )
  isOver = true
  await Promise.all(loads)

  // The first and the last, and some between.
  const all = [...answered]
  for (const [id, { key, body, text }] of all.filter((_, at) => at % Math.ceil(all.length / 20) === 0)) {
    const read = await client('GET', `/payins/${id}`)
    assert.deepEqual(read.json.inlineCustomer, CUSTOMER, id)
    const replayed = await client('POST', '/payins', body, { 'idempotency-key': key })
    assert.equal(replayed.text, text)
  }
  const first = new URL(told.url).pathname
  await eventually(
    async () =>
      new Set(told.requests.filter(({ line }) => line.includes(`${first}/hooks/0 `)).map(eventOf)).size,
    (count) => count >= answered.size,
  )
  for (const { line, headers, body } of told.requests) {
    const secret = secrets.get(line.split(' ')[1] as string) as string
    assert.ok(new Webhook(secret).verify(body, headers), 'signed with the secret that was shown')
    assert.deepEqual(JSON.parse(body).data.inlineCustomer, CUSTOMER)
  }
})

function eventOf({ body }: { body: string }): string {
  return JSON.parse(body).data.id
}

test('nothing is left that the old key opens', async () => {
  const db = openDb({ url: database.url, poolSize: 3 })
  const { openSecret } = await import('../../src/core/seal.ts')
  const old = deriveKeys(Buffer.from(OLD, 'hex')).rest
  for (const place of Object.keys(SEALED_PLACES) as SealedPlace[]) {
    for (const { key, sealed } of await listSealed(db, place, null, 1_000)) {
      if (typeof sealed === 'string') continue
      const labels = [`signing-key ${key[0]}`, `data-key ${key[0]} ${key[1]}`, `webhook ${key[1]}`]
      for (const label of labels) assert.equal(openSecret(old, sealed, label), undefined, place)
    }
  }
  await db.close()
})

test('a process with the old key, or half-way without it, is told what to do', async () => {
  const refused = async (keys: Record<string, string>, says: RegExp) => {
    const { code, stderr } = await recaudoInProcess(['start'], env(keys, { PORT: String(await freePort()) }))
    assert.equal(code, 1)
    assert.match(stderr, says)
  }
  await refused({ SECRETS_KEY: OLD }, SAYS)
  const db = openDb({ url: database.url, poolSize: 3 })
  await db.query({ text: 'update secrets_keys set finished_at = null where finished_at is not null' })
  await refused({ SECRETS_KEY: NEW }, /still sealed under the one before.*recaudo secrets rotate/)
  // Run again, it leaves alone what is done.
  const again = JSON.parse((await recaudoInProcess(['secrets', 'rotate', '--json'], env(BOTH))).stdout)
  for (const { sealed, resealed } of again) assert.equal(resealed, 0, sealed)
  await db.close()
  await refused({ ...BOTH, SECRETS_KEY_PREVIOUS: NEW }, /SECRETS_KEY_PREVIOUS must be another key/)
})

const SAYS = /SECRETS_KEY is not the one this database was set up with.*SECRETS_KEY_PREVIOUS/

test('a key is changed, and a process without it ends and says what to do', async (t) => {
  const own = await createDatabase()
  t.after(own.drop)
  const given = { DATABASE_URL: own.url, PORT: String(await freePort()), SHUTDOWN_GRACE_MS: '1000' }
  // One process is what there is without a number, too.
  const args = ['start', '--api', '--workers', '--processes', '1']
  const ended = recaudoInProcess(args, env({ SECRETS_KEY: OLD }, given))
  await eventually(
    () => readiness({ baseUrl: `http://127.0.0.1:${given.PORT}` }),
    (status) => status === 200,
  )
  const rotated = await recaudoInProcess(['secrets', 'rotate', '--json'], env(BOTH, given))
  assert.equal(rotated.code, 0, rotated.stderr)
  const { code, stdout, stderr } = await ended
  assert.equal(code, 1)
  assert.match(stderr, SAYS)
  assert.match(stdout, / ready in \d/)
  assert.doesNotMatch(stdout, /Processes/)
})
