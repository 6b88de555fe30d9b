// Mono's own list of payments, page by page, as a day's statement.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Gateway } from '../../../src/rails/gateway.ts'
import { LIMITS } from '../../../src/rails/limits.ts'
import { monoStatement } from '../../../src/rails/mono/statement.ts'

const FROM = Date.UTC(2026, 10, 16, 5)
const TO = FROM + 24 * 60 * 60_000

const attempt = (number: number, at: number, changes: Record<string, unknown> = {}) => ({
  id: `bbcolat_${String(number).padStart(22, '0')}`,
  collection_id: `bbcol_${String(number).padStart(22, '0')}`,
  amount: { amount: 100 + number, currency: 'COP' },
  state: 'successful',
  state_reason: null,
  inserted_at: new Date(at).toISOString(),
  ...changes,
})

function listing(pages: readonly (readonly object[])[]) {
  const asked: unknown[] = []
  const gateway: Gateway = {
    isAway: () => false,
    ask: async ({ resource, part, query }) => {
      asked.push([resource, part, query])
      const page = Number(query?.page_number)
      const body = {
        attempts: pages[page - 1] ?? [],
        pagination: { page_number: page, total_pages: pages.length },
      }
      return { outcome: 'answered', httpStatus: 200, body }
    },
  }
  const read = async () => {
    const lines: unknown[] = []
    const statement = monoStatement(gateway, LIMITS)
    let cursor: string | null = null
    do {
      const answer = await statement(FROM, TO, cursor)
      if (answer.outcome !== 'accepted') return answer
      lines.push(...answer.value.lines)
      cursor = answer.value.nextCursor
    } while (cursor !== null)
    return lines
  }
  return { asked, read }
}

describe('Mono’s list of payments', () => {
  it('is asked for successful attempts, and gives those of the day with the collection’s id', async () => {
    const { asked, read } = listing([[attempt(2, TO - 1), attempt(1, FROM), attempt(0, FROM - 1)]])
    assert.deepEqual(await read(), [
      {
        movement: 'credit',
        reference: '',
        providerId: 'bbcol_0000000000000000000002',
        networkId: 'mono:bbcolat_0000000000000000000002',
        amountInCents: 102n,
        occurredAt: TO - 1,
      },
      {
        movement: 'credit',
        reference: '',
        providerId: 'bbcol_0000000000000000000001',
        networkId: 'mono:bbcolat_0000000000000000000001',
        amountInCents: 101n,
        occurredAt: FROM,
      },
    ])
    assert.deepEqual(asked, [
      ['/api/v1/collections', '/attempts', { state: 'successful', page_number: '1', page_size: '500' }],
    ])
  })

  it('is read no further than the day, if the newest come first', async () => {
    const { asked, read } = listing([
      [attempt(3, TO + 5)],
      [attempt(2, FROM + 1), attempt(1, FROM - 1)],
      [attempt(0, FROM - 2)],
    ])
    assert.equal(((await read()) as unknown[]).length, 1)
    assert.equal(asked.length, 2)
  })

  it('is read to its end, if it comes in another order', async () => {
    const { asked, read } = listing([[attempt(1, FROM - 2), attempt(2, FROM - 1)], [attempt(3, FROM + 1)]])
    assert.equal(((await read()) as unknown[]).length, 1)
    assert.equal(asked.length, 2)
  })

  for (const [what, changes] of Object.entries({
    'an attempt that failed': { state: 'failed' },
    'a time that is none': { inserted_at: 'yesterday' },
    'another currency': { amount: { amount: 1, currency: 'USD' } },
  }))
    it(`says nothing about the day, if it holds ${what}`, async () => {
      const { read } = listing([[attempt(1, FROM, changes)]])
      assert.equal(((await read()) as { outcome: string }).outcome, 'unknown')
    })
})
