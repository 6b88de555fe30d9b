// The evidence of a payout has a page and a QR code however long the texts are that it was asked with.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { HOUR_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import { qrSvg } from '../../../src/core/qr-image.ts'
import { newPayout } from '../../api/http/calls.ts'
import { CUSTOMER, createWorld, eventually } from '../../world.ts'

describe('evidence of a payout with long texts', () => {
  it('has a QR code and a page to print', async () => {
    await using world = await createWorld()
    const name = 'Asociación de Productores Ñ '.repeat(5).slice(0, 120).trim()
    const named = await world.client('PATCH', '/organization', { name, taxId: '900.123.456-8' })
    assert.equal(named.status, 200, named.text)
    const { json: payout, text } = await world.client('POST', '/payouts', {
      amountInCents: 100_000_000,
      currency: 'COP',
      rail: 'BRE_B',
      reference: 'factura '.repeat(30).trim(),
      inlineCustomer: CUSTOMER,
      breb: { keyString: `${'contaduría.ñ'.repeat(3).slice(0, 30)}@${'pagos.'.repeat(9)}example` },
    })
    assert.ok(payout.id, text)
    await eventually(
      async () => {
        await world.passTime(60_000)
        return (await world.client('GET', `/payouts/${payout.id}`)).json.status
      },
      (status) => status === 'CONFIRMED',
    )
    const { json: signed } = await world.client('GET', `/payouts/${payout.id}/evidence`)
    const page = await world.anonymous('GET', new URL(signed.url).pathname, undefined, {
      accept: 'text/html',
    })
    assert.equal(page.status, 200, /<h1>[^<]*/.exec(page.text)?.[0] ?? page.text)
    assert.match(qrSvg(signed.qrText), /^<svg/)
  })
})

describe('evidence of a payout of which the network spoke often', () => {
  it('has what was asked and what was told in the order in which it came, and no end before there is one', async () => {
    await using world = await createWorld()
    const { json: payout } = await world.client('POST', '/payouts', newPayout())
    const receivedAt = world.ctx.clock.now()
    await world.ctx.batched.insertNotice({
      organizationId: world.organization.organizationId,
      rail: 'BRE_B',
      noticeId: randomUUID(),
      subjectKind: 'payout',
      subjectId: payout.id,
      update: { kind: 'payout.completed', traceId: 'trace-early' },
      networkCode: '',
      occurredAt: receivedAt,
      receivedAt,
      dueAt: receivedAt + HOUR_MS,
    })
    world.advance(MINUTE_MS)
    await world.work()
    const { evidence } = (await world.client('GET', `/payouts/${payout.id}/evidence`)).json
    assert.deepEqual([evidence.outcome.status, evidence.outcome.at], ['PROCESSING', null])
    const [first, ...others] = evidence.network.answers.map(({ how }: { how: string }) => how)
    assert.deepEqual([first, [...new Set(others)]], ['told', ['asked']])
  })

  it('holds the last twenty answers, each with when it came and when it happened, and can be verified', async () => {
    await using world = await createWorld()
    const { json: payout } = await world.client('POST', '/payouts', {
      amountInCents: 100_000,
      currency: 'COP',
      rail: 'BRE_B',
      reference: 'supplier-7',
      inlineCustomer: CUSTOMER,
      breb: { keyString: '@proveedor1' },
    })
    const now = world.ctx.clock.now() + HOUR_MS
    // Longer than any network's.
    const traceOf = (at: number) => `trace-${at}-${'x'.repeat(300)}`
    for (let at = 0; at < 25; at += 1)
      await world.ctx.batched.insertNotice({
        organizationId: world.organization.organizationId,
        rail: 'BRE_B',
        noticeId: randomUUID(),
        subjectKind: 'payout',
        subjectId: payout.id,
        update: { kind: 'payout.completed', traceId: traceOf(at) },
        networkCode: '',
        occurredAt: now - MINUTE_MS,
        receivedAt: now + at,
      })
    const { json: signed } = await world.client('GET', `/payouts/${payout.id}/evidence`)
    const expected = Array.from({ length: 20 }, (_, at) => ({
      at: new Date(now + at + 5).toISOString(),
      occurredAt: new Date(now - MINUTE_MS).toISOString(),
      trace: traceOf(at + 5),
    }))
    const told = signed.evidence.network.answers.map(({ at, occurredAt, trace }: Record<string, string>) => ({
      at,
      occurredAt,
      trace,
    }))
    assert.deepEqual(told, expected)
    const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
    const body = `${new URLSearchParams({ statement: signed.statement })}`
    assert.equal((await world.anonymous('POST', '/verify', body, form)).json.verdict, 'genuine')
  })
})
