// What whoever opens a receipt sees while it cannot be read: a page that says so, and when to come again.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { CONNECT_TIMEOUT_MS, STATEMENT_TIMEOUT_MS } from '../../../src/store/db.ts'
import { freezableDatabase } from '../../frozen-database.ts'
import { brebPayin, createWorld, endPayin } from '../../world.ts'

const BROWSER = { accept: 'text/html', 'accept-language': 'es-CO' }

it('a receipt of a database that does not answer is a page with 503, and there again when it does', async () => {
  await using database = freezableDatabase()
  await using world = await createWorld({
    databaseVia: database.via,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
  })
  const { json: payin } = await world.client('POST', '/payins', brebPayin())
  await endPayin(world, world.client, payin.id, 'confirmed')
  const { json: receipt } = await world.client('GET', `/payins/${payin.id}/receipt`)
  const open = () => world.anonymous('GET', new URL(receipt.url).pathname, undefined, BROWSER)
  assert.equal((await open()).status, 200)
  database.freeze()
  const away = await open()
  database.thaw()
  assert.deepEqual([away.status, away.headers['retry-after']], [503, '5'])
  assert.match(away.headers['content-type'] ?? '', /^text\/html/)
  assert.equal((await open()).status, 200)
})

it('whoever asks too often gets a page with 429', async () => {
  await using world = await createWorld({ env: { UNAUTHENTICATED_PER_SECOND: '1' } })
  const headers = { ...BROWSER, 'x-forwarded-for': '203.0.113.9' }
  const open = () => world.anonymous('GET', '/verify', undefined, headers)
  let answer = await open()
  for (let asked = 1; answer.status === 200 && asked < 100; asked += 1) answer = await open()
  assert.equal(answer.status, 429)
  assert.ok(Number(answer.headers['retry-after']) >= 1)
  assert.match(answer.headers['content-type'] ?? '', /^text\/html/)
})
