// Transient failures are retried and never executed twice; permanent ones are reported; nothing waits forever.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { getEventListeners } from 'node:events'
import { after, before, beforeEach, describe, it } from 'node:test'
import { ApiError, ConnectionError, Recaudo, TimeoutError } from '../../sdk/src/recaudo.ts'
import { Team } from '../../sdk/src/team.ts'
import { freePort } from '../free-port.ts'
import { createWorld, type World } from '../world.ts'
import { newPayin } from './bodies.ts'
import { type FaultyProxy, startProxy } from './proxy.ts'

const BUSY = { status: 503, headers: { 'content-type': 'text/html' }, body: '<h1>Busy</h1>' }

describe('a call', () => {
  let world: World
  let proxy: FaultyProxy
  let recaudo: Recaudo
  before(async () => {
    world = await createWorld()
    proxy = await startProxy(world.baseUrl)
    recaudo = new Recaudo({ apiKey: world.apiKey }, { baseUrl: proxy.url })
  })
  beforeEach(() => {
    proxy.seen.length = 0
  })
  after(async () => {
    await proxy[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  const failed = async <Thrown>(
    kind: new (...given: never[]) => Thrown,
    call: PromiseLike<unknown>,
  ): Promise<Thrown> => {
    const thrown = await call.then(
      () => assert.fail('it succeeded'),
      (error: unknown) => error,
    )
    assert.ok(thrown instanceof kind, String(thrown))
    return thrown
  }
  const keysSeen = () => new Set(proxy.seen.map(({ headers }) => headers['idempotency-key']))

  it('whose request or answer is lost is executed once, and answered', async () => {
    const body = newPayin()
    proxy.next('lose', { cutAfterBytes: 20 })
    const payin = await recaudo.payins.create(body)
    assert.equal(proxy.seen.length, 3)
    assert.equal(keysSeen().size, 1, 'every try has the same key')
    const { data } = await recaudo.payins.list({ reference: body.reference })
    assert.deepEqual(
      data.map(({ id }) => id),
      [payin.id],
    )
  })

  it('leaves nothing behind on the signal that its caller gave', async () => {
    const { signal } = new AbortController()
    proxy.next(BUSY)
    await recaudo.payins.create(newPayin(), { signal })
    await recaudo.organization.get({ signal })
    assert.deepEqual(getEventListeners(signal, 'abort'), [])
  })

  it('waits as Retry-After says', async () => {
    proxy.next({
      status: 429,
      headers: { 'retry-after': '1' },
      body: JSON.stringify({ code: 'RATE_LIMITED', detail: '' }),
    })
    await recaudo.balance.get()
    const [first, second] = proxy.seen.map(({ atMs }) => atMs)
    assert.ok((second ?? 0) - (first ?? 0) >= 1_000, `${second} - ${first}`)
  })

  it('that came too slowly, or while the same is under way, is tried again under its key', async () => {
    const refusal = (status: number, code: string) => ({ status, body: JSON.stringify({ code, detail: '' }) })
    proxy.next(refusal(408, 'REQUEST_TIMEOUT'), refusal(409, 'IDEMPOTENCY_KEY_IN_USE'))
    const { id } = await recaudo.payins.create(newPayin())
    assert.deepEqual([proxy.seen.length, keysSeen().size], [3, 1])
    proxy.next(refusal(409, 'PAYIN_ALREADY_FINAL'))
    assert.equal((await failed(ApiError, recaudo.payins.cancel(id))).tries, 1)
  })

  it('that is asked for a long wait fails at once', async () => {
    proxy.next({ ...BUSY, headers: { 'retry-after': '3600' } })
    const error = await failed(ApiError, recaudo.balance.get())
    assert.equal(error.retryAfterMs, 3_600_000)
    assert.equal(proxy.seen.length, 1)
  })

  it('is attempted as often as allowed, and no more', async () => {
    const hasty = new Recaudo({ apiKey: world.apiKey }, { baseUrl: proxy.url, maxRetries: 1 })
    proxy.next(BUSY, BUSY)
    const error = await failed(ApiError, hasty.balance.get())
    assert.deepEqual([error.status, error.code, error.tries], [503, 'UNEXPECTED_ANSWER', 2])
    assert.equal(
      error.message,
      `${proxy.url} answered GET /balance with 503 text/html: a proxy cannot reach the server. [UNEXPECTED_ANSWER ]`,
    )
    proxy.next(BUSY)
    const never = new Recaudo({ apiKey: world.apiKey }, { baseUrl: proxy.url, maxRetries: 0 })
    await failed(ApiError, never.balance.get())
    assert.equal(proxy.seen.length, 3)
  })

  it('that is refused is not retried, and reports every wrong field', async () => {
    const error = await failed(ApiError, recaudo.payins.create(newPayin({ amountInCents: 0, reference: '' })))
    assert.equal(proxy.seen.length, 1)
    assert.deepEqual(
      [error.status, error.code, error.errors.map(({ path }) => path)],
      [400, 'INVALID_INPUT', ['/amountInCents', '/reference']],
    )
    assert.match(error.message, /\/amountInCents must be .+ \/reference must .+ \[INVALID_INPUT /)
    assert.ok(error.message.includes(error.requestId) && error.requestId.length > 0)
    assert.match(error.type, /\/docs\/errors#INVALID_INPUT$/)
    assert.equal(error.idempotencyKey, proxy.seen[0]?.headers['idempotency-key'])
  })

  it('with its own key is the same call again, and is refused with another body', async () => {
    const body = newPayin()
    const idempotencyKey = randomUUID()
    const first = await recaudo.payins.create(body, { idempotencyKey })
    assert.deepEqual(await recaudo.payins.create(body, { idempotencyKey }), first)
    const other = newPayin({ reference: `${body.reference}-2` })
    const error = await failed(ApiError, recaudo.payins.create(other, { idempotencyKey }))
    assert.equal(error.code, 'IDEMPOTENCY_KEY_REUSED')
    for (const wrong of ['', 'ñ', 'a\nb', 'x'.repeat(256)])
      await assert.rejects(
        recaudo.payins.create(body, { idempotencyKey: wrong }),
        /1 to 255 ASCII characters/,
      )
  })

  it('without an answer ends in time, and says how to find out what happened', async () => {
    const patient = new Recaudo({ apiKey: world.apiKey }, { baseUrl: proxy.url, maxRetries: 1 })
    proxy.next('hang', 'hang')
    const error = await failed(TimeoutError, patient.payins.create(newPayin(), { timeoutMs: 100 }))
    const [key] = keysSeen()
    assert.equal(
      error.message,
      `${proxy.url} did not answer within 100 ms, at try 2. Check baseUrl, and that the server runs. It may have been done: repeat it with idempotencyKey ${key}, and it is done once at most.`,
    )
    assert.equal(error.idempotencyKey, key)
    proxy.next({ muteAfterBytes: 10 }, { muteAfterBytes: 10 })
    await failed(TimeoutError, patient.balance.get({ timeoutMs: 100 }))
  })

  it('of a server that is down says so', async () => {
    const down = `http://127.0.0.1:${await freePort()}`
    const error = await failed(
      ConnectionError,
      new Recaudo({ apiKey: world.apiKey }, { baseUrl: down, maxRetries: 0 }).balance.get(),
    )
    assert.equal(
      error.message,
      `${down} cannot be reached (ECONNREFUSED), at try 1. Check baseUrl, and that the server runs.`,
    )
  })

  it('is aborted when its caller asks: before, while it waits for an answer, and between attempts', async () => {
    const reason = new Error('enough')
    await assert.rejects(recaudo.balance.get({ signal: AbortSignal.abort(reason) }), reason)
    const given = async (fault: 'hang' | typeof BUSY) => {
      const controller = new AbortController()
      proxy.next(fault)
      const call = recaudo.balance.get({ signal: controller.signal })
      const seen = proxy.seen.length
      while (proxy.seen.length === seen) await new Promise((resolve) => setTimeout(resolve, 5))
      controller.abort(reason)
      await assert.rejects(call, reason)
    }
    await given('hang')
    await given({ ...BUSY, headers: { 'content-type': 'text/html', 'retry-after': '30' } as never })
  })

  it('to the simulated networks is not retried if it may have been executed', async () => {
    proxy.next('lose')
    const error = await failed(ConnectionError, recaudo.sandbox.advanceClock({ seconds: 1 }))
    assert.match(error.message, /It may have been done\.$/)
    assert.equal(proxy.seen.length, 1)
    proxy.next({ status: 429, body: JSON.stringify({ code: 'RATE_LIMITED', detail: '' }) })
    await recaudo.sandbox.advanceClock({ seconds: 1 })
  })

  it('that deletes succeeds, also when the answer was lost', async () => {
    const { id } = await recaudo.webhookEndpoints.create({ url: 'http://127.0.0.1:9/' })
    proxy.next('lose')
    assert.deepEqual(await recaudo.webhookEndpoints.delete(id), { id, deleted: true })
    const error = await failed(ApiError, recaudo.webhookEndpoints.delete(id))
    assert.equal(error.code, 'NOT_FOUND', 'what was never there is not said to be deleted')
    const { invitations } = new Team({ apiKey: world.apiKey }, { baseUrl: proxy.url })
    const { invitationId } = await invitations.create({ email: 'leo@example.com', role: 'support' })
    proxy.next('lose')
    assert.deepEqual(await invitations.revoke(invitationId), { invitationId, revoked: true })
    assert.equal((await failed(ApiError, invitations.revoke(invitationId))).code, 'NOT_FOUND')
  })
})
