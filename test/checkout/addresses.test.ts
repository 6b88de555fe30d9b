// Unknown addresses, malformed requests, our own failures, and the live status.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import type { CheckoutPayin, CheckoutSubject } from '../../src/checkout/backend.ts'
import { createStreams } from '../../src/checkout/stream.ts'
import { MINUTE_MS } from '../../src/core/instant.ts'
import { eventually } from '../eventually.ts'
import { type Harness, startHarness, TOKEN } from './harness.ts'
import { brebPayin, EVERY_STATE, link, NOW, psePayin } from './subjects.ts'

describe('an unknown address', () => {
  const guesses = [
    'A'.repeat(TOKEN.length),
    'x',
    '..%2f..%2fetc',
    '%00',
    '%zz',
    encodeURIComponent(`'; drop table payins; --`),
    'A'.repeat(5_000),
    `${TOKEN.slice(0, -1)}_`,
  ]

  it('answers with one page, whatever is wrong with it', async () => {
    const { app } = startHarness(link())
    const bodies = new Set<string>()
    for (const guess of guesses) {
      const { statusCode, body, headers } = await app.inject(`/pay/${guess}`)
      assert.equal(statusCode, 404, guess.slice(0, 40))
      assert.match(String(headers['content-type']), /^text\/html/)
      assert.equal(headers['cache-control'], 'no-store')
      bodies.add(body)
    }
    assert.equal(bodies.size, 1)
    assert.match([...bodies][0] as string, /Este enlace no existe/)
  })

  it('is the same for every path below it and for every method', async () => {
    const { app, asked } = startHarness(link())
    const { body } = await app.inject('/pay/x')
    for (const [method, url] of [
      ['POST', '/pay/x'],
      ['POST', '/pay/x/recheck'],
      ['POST', '/pay/x/leave'],
      ['GET', '/pay/x/status'],
      ['GET', '/pay/x/stream'],
      ['GET', '/pay/x/return'],
      ['GET', '/pay/x/qr'],
      ['GET', '/pay/x/other/thing'],
      ['PUT', '/pay/x'],
      ['GET', '/pay/'],
    ] as const) {
      const answer = await app.inject({ method, url })
      assert.equal(answer.statusCode, 404, `${method} ${url}`)
      assert.equal(answer.body, body, `${method} ${url}`)
    }
    assert.deepEqual(asked, [])
  })

  it('takes the same time for a well-formed guess as for nonsense', async () => {
    const { app } = startHarness(link())
    await app.inject('/pay/x')
    const times: number[] = []
    for (const guess of guesses) {
      const from = performance.now()
      await app.inject(`/pay/${guess}`)
      times.push(performance.now() - from)
    }
    assert.ok(Math.min(...times) >= 55, `${times.map(Math.round)} ms`)
  })
})

describe('a request that cannot be read', () => {
  const send = (harness: Harness, headers: Record<string, string>, payload: string) =>
    harness.app.inject({ method: 'POST', url: `/pay/${TOKEN}`, headers, payload })

  it('is answered with a page that says no money moved', async () => {
    const harness = startHarness(link())
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const tooLarge = await send(harness, form, `name=${'x'.repeat(17 * 1_024)}`)
    const json = await send(harness, { 'content-type': 'application/json' }, '{"rail":"PSE"}')
    const multipart = await send(harness, { 'content-type': 'multipart/form-data; boundary=x' }, '--x--')
    assert.deepEqual([tooLarge.statusCode, json.statusCode, multipart.statusCode], [413, 415, 415])
    for (const { body, headers } of [tooLarge, json, multipart]) {
      assert.match(String(headers['content-type']), /^text\/html/)
      assert.match(body, /No se movió dinero/)
      assert.ok(body.includes(`href="/pay/${TOKEN}"`))
    }
    assert.deepEqual(harness.asked, [])
  })

  it('with bytes that are no text is a wrong field, not a failure', async () => {
    const harness = startHarness(link({ rails: ['PSE'] }))
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const { statusCode, body } = await send(harness, form, 'name=%ff%fe&email=%')
    assert.equal(statusCode, 422)
    assert.match(body, /id="name-error"/)
  })
})

describe('an internal failure', () => {
  it('is a page that asks the payer not to pay again, and is logged', async () => {
    const harness = startHarness(link())
    harness.subjects.get = () => {
      throw new Error('the store is away: select secret')
    }
    const { statusCode, body, headers } = await harness.app.inject(`/pay/${TOKEN}`)
    assert.equal(statusCode, 503)
    assert.equal(headers['retry-after'], '5')
    assert.match(body, /no pagues otra vez/)
    assert.doesNotMatch(body, /secret|store is away/)
    assert.equal(harness.errors.length, 1)
  })
})

describe('the status', () => {
  it('names the state, and a version that changes only when the page would', async () => {
    const harness = startHarness(link({ payin: brebPayin() }))
    const ask = async () => (await harness.app.inject(`/pay/${TOKEN}/status`)).json()
    const first = await ask()
    assert.equal(first.state, 'breb')
    harness.become(link({ payin: brebPayin({ updatedAt: NOW }) }))
    assert.deepEqual(await ask(), first)
    harness.become(link({ payin: brebPayin({ status: 'CONFIRMED', resultAt: NOW }) }))
    const paid = await ask()
    assert.equal(paid.state, 'approved')
    assert.notEqual(paid.version, first.version)
    const page = await harness.app.inject(`/pay/${TOKEN}`)
    assert.doesNotMatch(page.body, /data-version/)
  })

  it('has another version for another attempt in the same state: its key is another one', async () => {
    const harness = startHarness(link({ payin: brebPayin() }))
    const ask = async () => (await harness.app.inject(`/pay/${TOKEN}/status`)).json()
    const first = await ask()
    harness.become(link({ payin: brebPayin({ payinId: '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d91' }) }))
    const next = await ask()
    assert.equal(next.state, first.state)
    assert.notEqual(next.version, first.version)
  })

  it('has another version once a canceled attempt can no longer be paid: the payer may try again then', async () => {
    const { subject } = EVERY_STATE['canceled-still-closing'] as { subject: CheckoutSubject }
    const harness = startHarness(subject)
    const ask = async () => (await harness.app.inject(`/pay/${TOKEN}/status`)).json()
    const closing = await ask()
    harness.become({ ...subject, payin: { ...(subject.payin as CheckoutPayin), mayStillBePaid: false } })
    const over = await ask()
    assert.equal(over.state, closing.state)
    assert.notEqual(over.version, closing.version)
  })

  it('changes by the clock alone when it expires', async () => {
    const harness = startHarness(link({ payin: brebPayin() }))
    const ask = async () => (await harness.app.inject(`/pay/${TOKEN}/status`)).json().state
    assert.equal(await ask(), 'breb')
    harness.setNow(brebPayin().expiresAt)
    assert.equal(await ask(), 'overdue')
    // A link that is over takes no payment, however long its attempt had.
    harness.become(link({ payin: brebPayin({ expiresAt: link().expiresAt + 1 }) }))
    harness.setNow(link().expiresAt)
    assert.equal(await ask(), 'overdue')
    harness.become(link())
    assert.equal(await ask(), 'expired')
  })
})

describe('the stream', () => {
  async function listening(harness: Harness) {
    await harness.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = harness.app.server.address() as AddressInfo
    const version = (await harness.app.inject(`/pay/${TOKEN}/status`)).json().version as string
    return {
      version,
      [Symbol.asyncDispose]: () => harness.app.close(),
      open: async (seen = version) => {
        const asked = request({ port, path: `/pay/${TOKEN}/stream?version=${seen}` }).end()
        const [response] = await once(asked, 'response')
        response.setEncoding('utf8')
        let text = ''
        response.on('data', (part: string) => {
          text += part
        })
        return { asked, response, text: () => text, ended: once(response, 'end') }
      },
    }
  }

  it('sends one message when the page would look different, and then ends', async () => {
    const harness = startHarness(link({ payin: psePayin({ status: 'PENDING', bankUrl: null }) }))
    await using server = await listening(harness)
    const stream = await server.open()
    assert.equal(stream.response.headers['content-type'], 'text/event-stream')
    // Otherwise a proxy such as nginx keeps the message until the stream ends.
    assert.equal(stream.response.headers['x-accel-buffering'], 'no')
    harness.become(link({ payin: psePayin({ status: 'PENDING', bankUrl: null, updatedAt: NOW }) }))
    harness.become(link({ payin: psePayin() }))
    await stream.ended
    assert.deepEqual(stream.text().match(/data: .+/g)?.length, 1)
    assert.equal(harness.watching(), 0)
  })

  it('sends one at once if the page is already outdated', async () => {
    const harness = startHarness(link({ payin: brebPayin() }))
    await using server = await listening(harness)
    const stream = await server.open('older')
    await stream.ended
    assert.match(stream.text(), new RegExp(`data: ${server.version}`))
  })

  it('stops watching when the payer leaves, and ends when the server stops', async () => {
    const harness = startHarness(link({ payin: brebPayin() }))
    await using server = await listening(harness)
    const gone = await server.open()
    const staying = await server.open()
    assert.equal(harness.watching(), 2)
    gone.ended.catch(() => {})
    gone.asked.destroy()
    while (harness.watching() > 1) await new Promise(setImmediate)
    await harness.app.close()
    await staying.ended
    assert.equal(harness.watching(), 0)
  })

  it('is refused to the ninth tab of one payment, which polls instead', async () => {
    const harness = startHarness(link({ payin: brebPayin() }))
    await using server = await listening(harness)
    const tabs = []
    for (let tab = 0; tab < 8; tab++) tabs.push(await server.open())
    assert.deepEqual(new Set(tabs.map(({ response }) => response.statusCode)), new Set([200]))
    const ninth = await server.open()
    assert.equal(ninth.response.statusCode, 503)
    assert.equal(ninth.response.headers['retry-after'], '5')
    tabs[0]?.ended.catch(() => {})
    tabs[0]?.asked.destroy()
    await eventually(
      async () => harness.watching(),
      (count) => count === 7,
    )
    assert.equal((await server.open()).response.statusCode, 200, 'a tab that is closed makes room')
  })

  it('asks again for a state that could not be read, also if nothing changes any more', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const { backend } = startHarness()
    let asked = 0
    const versionNow = async () => {
      asked += 1
      if (asked === 1) throw new Error('the store is away')
      return 'newer'
    }
    const stream = createStreams(backend).open({
      organizationId: 'o',
      token: 't',
      seenVersion: 'x',
      versionNow,
    })
    assert.ok(stream)
    let text = ''
    stream.on('data', (part) => {
      text += String(part)
    })
    const ended = once(stream, 'end')
    await eventually(
      async () => asked,
      (count) => count === 1,
    )
    t.mock.timers.tick(20_000)
    await ended
    assert.match(text, /data: newer/)
  })

  it('ends after ten minutes, so that a forgotten tab holds nothing for ever', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
    const harness = startHarness()
    const page = { organizationId: 'o', token: 't', seenVersion: 'x', versionNow: async () => 'x' }
    const stream = createStreams(harness.backend).open(page)
    assert.ok(stream)
    stream.resume()
    const closed = once(stream, 'close')
    t.mock.timers.tick(10 * MINUTE_MS - 1)
    assert.equal(stream.readableEnded, false)
    t.mock.timers.tick(1)
    await closed
    assert.equal(harness.watching(), 0)
  })

  it('is refused beyond the number that one organization has, and others have theirs', async () => {
    const streams = createStreams(startHarness().backend)
    const opened: Readable[] = []
    const open = (organizationId: string, token: string): boolean => {
      const versionNow = async () => 'x'
      const stream = streams.open({ organizationId, token, seenVersion: 'x', versionNow })
      if (stream !== undefined) opened.push(stream)
      return stream !== undefined
    }
    const close = async (stream: Readable): Promise<void> => {
      stream.destroy()
      await once(stream, 'close')
    }
    for (let at = 0; at < 1_000; at++) assert.equal(open('crowded', `token ${at}`), true)
    assert.equal(open('crowded', 'one more'), false)
    assert.equal(open('another', 'its first'), true)
    await close(opened.shift() as Readable)
    assert.equal(open('crowded', 'one more'), true, 'who leaves makes room')
    assert.equal(open('crowded', 'and one more'), false)
    await Promise.all(opened.map(close))
  })

  it('and a page that has none works on: it asks for its state, and without a script it reloads', async () => {
    const harness = startHarness(link({ payin: brebPayin() }))
    await using server = await listening(harness)
    for (let tab = 0; tab < 8; tab++) await server.open()
    assert.equal((await server.open()).response.statusCode, 503)
    const page = await harness.app.inject(`/pay/${TOKEN}`)
    assert.equal(page.statusCode, 200)
    assert.match(page.body, /<noscript><meta http-equiv="refresh"/)
    assert.equal((await harness.app.inject(`/pay/${TOKEN}/status`)).json().version, server.version)
  })
})
