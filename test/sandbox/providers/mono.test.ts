// The simulated Mono, held against Mono's documentation: tokens, collections, what is paid to them, and its notices. Transfers are in
// mono-transfers.test.ts.

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { DAY_MS, HOUR_MS, isoInstant, MINUTE_MS } from '../../../src/core/instant.ts'
import { NO_FAULTS } from '../../../src/sandbox/faults.ts'
import { noticeSignature } from '../../../src/sandbox/providers/mono/events.ts'
import { mono } from '../../../src/sandbox/providers/mono/mono.ts'
import { startProvider } from '../../../src/sandbox/providers/server.ts'
import {
  ALL_SCOPES,
  collectionBatch,
  idPattern,
  OUTCOME_DELAY_MS,
  simulateMono,
  tokenRequest,
  webhookSecret,
} from './mono-caller.ts'

describe('the simulated Mono', () => {
  it('gives a token by JSON and by form, and says what is wrong with a request for one', async () => {
    await using simulated = await simulateMono()
    const path = '/api/v1/oauth/token'
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    for (const answer of [
      await simulated.call('POST', path, tokenRequest()),
      await simulated.call('POST', path, new URLSearchParams(tokenRequest()).toString(), form),
    ]) {
      const { access_token: token, refresh_token: refresh, ...others } = answer.json
      assert.deepEqual(others, { token_type: 'Bearer', expires_in: 1_800, scope: ALL_SCOPES })
      assert.ok(token.length > 20 && refresh.length > 20)
    }
    for (const [changes, status, error] of [
      [{ client_secret: 'else' }, 401, 'invalid_client'],
      [{ client_id: 'else' }, 401, 'invalid_client'],
      [{ grant_type: 'password' }, 400, 'unsupported_grant_type'],
      [{ client_id: 7 }, 400, 'invalid_request'],
      [{ client_secret: undefined }, 400, 'invalid_request'],
      [{ grant_type: undefined }, 400, 'invalid_request'],
      [{ scope: undefined }, 400, 'invalid_scope'],
      [{ scope: 'collections everything' }, 400, 'invalid_scope'],
    ] as const) {
      const refused = await simulated.call('POST', path, { ...tokenRequest(), ...changes })
      assert.deepEqual([refused.status, refused.json.error], [status, error], JSON.stringify(changes))
      assert.equal(typeof refused.json.error_description, 'string')
    }
    for (const body of ['{', '[]', 'null'])
      assert.equal((await simulated.call('POST', path, body)).json.error, 'invalid_request')
    assert.equal((await simulated.call('POST', path, 'x', { 'content-type': 'text/plain' })).status, 400)
  })

  it('asks for a token in time and with the scope, and keeps other accounts out', async () => {
    let now = Date.parse('2026-11-16T15:00:00Z')
    await using one = await startProvider(mono, {
      host: '127.0.0.1',
      port: 0,
      storageFile: ':memory:',
      notifyUrl: null,
      delayMs: OUTCOME_DELAY_MS,
      seed: 1,
      faults: NO_FAULTS,
      now: () => now,
    })
    const token = async (scope: string) => {
      const answer = await fetch(`${one.url}/api/v1/oauth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(tokenRequest(scope)),
      })
      return `Bearer ${((await answer.json()) as { access_token: string }).access_token}`
    }
    const list = async (authorization: string, path = '/collections') => {
      const answer = await fetch(`${one.url}/api/v1${path}`, { headers: { authorization } })
      const { errors, code } = (await answer.json()) as { errors?: { error_code: string }[]; code?: string }
      return [answer.status, errors?.[0]?.error_code, code]
    }
    const collections = await token('collections')
    assert.equal((await list(collections))[0], 200)
    assert.deepEqual(await list(''), [401, 'missing_authorization_header', '401 Unauthorized'])
    const altered = collections.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    for (const wrong of ['Bearer x', 'Bearer x.y', 'Basic eDp5', altered])
      assert.deepEqual(await list(wrong), [401, 'invalid_token', '401 Unauthorized'], wrong)
    assert.deepEqual(await list(collections, '/outgoing_transfers'), [403, 'not_authorized', '403 Forbidden'])
    assert.equal((await list(await token('outgoing_transfers')))[0], 403)
    await one.advance(DAY_MS)
    assert.equal((await list(collections))[0], 200, 'a moved clock does not end it')
    now += 1_799_999
    assert.equal((await list(collections))[0], 200)
    now += 1
    assert.equal((await list(collections))[1], 'invalid_token')

    await using simulated = await simulateMono()
    const other = { ...collectionBatch(), tenant_account_id: `bbtacc_${'A'.repeat(22)}` }
    const refused = await simulated.send('POST', '/collections', other)
    assert.deepEqual([refused.status, refused.json.errors[0].error_code], [403, 'not_authorized'])
  })

  it('registers the key of a collection later, and tells it in a notice that is signed', async () => {
    await using simulated = await simulateMono()
    const { inserted_at, updated_at, id, ...others } = await simulated.collect({ expires_in: 3_600 })
    assert.match(id, idPattern('bbcol'))
    assert.deepEqual(others, {
      external_id: 'order-1',
      enabled: true,
      state: 'created',
      state_reason: null,
      keys: [],
      paid_amount: { amount: 0, currency: 'COP' },
      successful_attempts: 0,
      failed_attempts: 0,
      expires_at: '2026-11-16T16:00:00.000Z',
      key_pruned_at: null,
      prune_status: null,
    })
    assert.deepEqual([inserted_at, updated_at], Array(2).fill('2026-11-16T15:00:00.000Z'))
    await simulated.advance(OUTCOME_DELAY_MS - 1)
    assert.deepEqual((await simulated.read(`/collections/${id}`)).keys, [])
    await simulated.advance(1)
    const read = await simulated.read(`/collections/${id}`)
    assert.equal(read.state, 'ready')
    assert.match(read.keys[0].value, /^@MONO[A-Z0-9]{10}$/)
    assert.deepEqual([read.keys.length, read.keys[0].type], [1, 'alphanumeric'])
    assert.deepEqual(
      simulated.events().map(({ type, data }) => [type, data.id, data.state, data.keys.length]),
      [
        ['collection.created', id, 'created', 0],
        ['collection.ready', id, 'ready', 1],
      ],
    )
    assert.deepEqual(simulated.events()[1]?.data, read)
    const [, told] = simulated.received
    assert.equal(JSON.parse(told?.body ?? '').timestamp, isoInstant(simulated.now()))
    const expected = createHmac('sha256', webhookSecret)
      .update(`${Math.floor(simulated.now() / 1_000)}.${told?.body}`)
      .digest('hex')
    assert.match(told?.headers['mono-signature'] ?? '', /^t=1794841202(,v1=[0-9a-f]{64}){1,2}$/)
    assert.ok(told?.headers['mono-signature']?.endsWith(`v1=${expected}`))
  })

  it('signs as the documentation does, at times with a former secret too', async () => {
    assert.equal(
      noticeSignature('whsec_EXAMPLE', 1_767_225_600, '{"a":1}'),
      '6b536c54671d62a128e20201c80175ba62ac8adf71e9d0caf0dad9bf2c029897',
    )
    await using simulated = await simulateMono()
    for (let count = 0; count < 20; count += 1) await simulated.collect({ external_id: `order-${count}` })
    await simulated.advance(OUTCOME_DELAY_MS)
    const counts = simulated.received.map(
      ({ headers }) => headers['mono-signature']?.match(/v1=/g)?.length ?? 0,
    )
    assert.deepEqual(new Set(counts), new Set([1, 2]))
  })

  it('sends a notice again until it is taken, each time with a new time and signature', async () => {
    await using simulated = await simulateMono()
    simulated.answerNotices(503)
    await simulated.collect()
    await simulated.advance(1)
    for (const [passed, times] of [
      [MINUTE_MS - 1, 1],
      [1, 2],
      [5 * MINUTE_MS, 3],
      [30 * MINUTE_MS, 4],
    ] as const) {
      await simulated.advance(passed)
      const created = simulated.received.filter(({ body }) => /collection\.created/.test(body))
      assert.equal(created.length, times)
      assert.equal(new Set(created.map(({ body }) => body)).size, 1)
      assert.equal(new Set(created.map(({ headers }) => headers['mono-signature'])).size, times)
    }
    simulated.answerNotices(200)
    await simulated.advance(2 * HOUR_MS)
    const taken = simulated.received.length
    await simulated.advance(10 * DAY_MS)
    assert.equal(simulated.received.length, taken)
  })

  it('keeps what was asked and what is due over a restart', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'recaudo-mono-'))
    try {
      const storageFile = join(directory, 'mono.sqlite')
      const made = await (async () => {
        await using before = await simulateMono({ storageFile })
        return await before.collect()
      })()
      await using simulated = await simulateMono({ storageFile })
      await simulated.advance(OUTCOME_DELAY_MS)
      const { keys } = await simulated.read(`/collections/${made.id}`)
      assert.equal((await simulated.pay(keys[0].value)).status, 201)
      assert.equal(simulated.events().at(-1)?.type, 'collection.ready')
      const again = await simulated.send('POST', '/collections', collectionBatch())
      assert.equal(again.json.duplicated[0].id, made.id)
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  })

  it('loses answers and notices by the fault plan, the same with the same seed, and does what was asked', async () => {
    const FAULTY = {
      unavailable: 0.2,
      errorAfterAcceptance: 0.2,
      droppedAnswer: 0.2,
      malformedAnswer: 0.2,
      noticeLost: 0.5,
    }
    const run = async (seed: number) => {
      await using simulated = await simulateMono({ seed })
      const set = (plan: unknown) => simulated.call('PUT', '/control/faults', { seed, plan })
      const ids: string[] = []
      const answers: string[] = []
      const kept: number[] = []
      for (let count = 0; count < 20; count += 1) {
        const external_id = `order-${count}`
        await set(FAULTY)
        const made = await simulated
          .send('POST', '/collections', collectionBatch({ external_id }))
          .catch(() => undefined)
        await set('none')
        const { collections } = await simulated.read(`/collections?external_id=${external_id}`)
        answers.push(made === undefined ? 'broken' : String(made.status))
        kept.push(collections.length)
        ids.push(...collections.map(({ id }: { id: string }) => id))
      }
      await set(FAULTY)
      await simulated.advance(OUTCOME_DELAY_MS)
      const deleted = await Promise.all(
        ids.map((id) =>
          simulated.send('DELETE', `/collections/${id}`).then(
            ({ status, text }) => `${status} ${text.slice(0, 1)}`,
            () => 'broken',
          ),
        ),
      )
      return { ids, answers, kept, deleted: deleted.sort(), told: simulated.received.length }
    }
    const first = await run(7)
    assert.deepEqual(await run(7), first)
    assert.notDeepEqual((await run(8)).ids, first.ids)
    assert.deepEqual(new Set(first.answers), new Set(['201', '500', '503', 'broken']))
    assert.deepEqual(new Set(first.deleted), new Set(['200 ', '500 {', '503 {', 'broken']))
    first.answers.forEach((answer, at) => {
      assert.equal(first.kept[at], answer === '503' ? 0 : 1, `${answer} at ${at}`)
    })
    assert.equal(new Set(first.ids).size, first.ids.length)
    assert.ok(first.told > 0 && first.told < 2 * first.ids.length)
  })

  it('answers in its own format where it breaks and where there is nothing', async () => {
    await using simulated = await simulateMono()
    for (const [method, path] of [
      ['GET', '/tenants'],
      ['PUT', '/collections'],
      ['POST', '/collections/x'],
      ['DELETE', '/outgoing_transfers/x'],
      ['GET', '/targets/resolve'],
      ['POST', '/sandbox/collections'],
      ['GET', '/collections/x/attempts/y'],
    ] as const) {
      const { status, json } = await simulated.send(method, path, method === 'GET' ? undefined : {})
      assert.deepEqual([status, json.code], [404, '404 Not Found'], path)
    }
    assert.equal((await simulated.call('GET', '/api/v2/collections')).status, 404)
    await simulated.call('PUT', '/control/faults', { plan: { unavailable: 1 } })
    const away = await simulated.send('GET', '/collections')
    assert.deepEqual([away.status, away.json.code], [503, '503 Service Unavailable'])
    assert.match(away.json.id, idPattern('log'))
    await simulated.call('PUT', '/control/faults', { plan: 'none' })
    const { id } = await simulated.collect()
    await simulated.call('PUT', '/control/faults', { plan: { malformedAnswer: 1 } })
    await assert.rejects(simulated.send('DELETE', `/collections/${id}`), SyntaxError)
    await simulated.call('PUT', '/control/faults', { plan: { noticeLost: 1 } })
    const odd = { value: { toString: 1 }, collections: [{ external_id: { toString: 1 } }] }
    for (const path of ['/collections', '/outgoing_transfers', '/targets/resolve'])
      assert.equal((await simulated.send('POST', path, odd)).status, 400)
  })
})
