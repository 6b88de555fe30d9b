// Back and on again, or a second click without a script: on a payment page they are as harmless as on a link's.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createWorld } from '../../world.ts'

describe('a payer who sends the same form of a payment page twice', () => {
  it('still has the last piece, and does not read that others are paying for it', async () => {
    await using world = await createWorld({ env: { PAYER_ACTIONS_PER_MINUTE: '0' } })
    const { json: page } = await world.client('POST', '/payment-pages', {
      name: 'Coffee',
      amountType: 'FIXED',
      amountInCents: 100_000,
      reference: 'coffee',
      maxPieces: 1,
    })
    const path = new URL(page.paymentPageUrl).pathname
    const shown = await (await fetch(world.baseUrl + path)).text()
    // Everything that the page put into its form, as a browser sends it.
    const fields = [...shown.matchAll(/<input [^>]*name="(\w+)"[^>]*value="([^"]*)"/g)]
    const form = new URLSearchParams(fields.map(([, name = '', value = '']) => [name, value]))
    const send = async () => {
      const answer = await fetch(world.baseUrl + path, { method: 'POST', body: form, redirect: 'manual' })
      return { status: answer.status, text: await answer.text() }
    }
    assert.equal((await send()).status, 303)
    const again = await send()
    assert.equal(again.status, 303, /Otras personas están pagando[^.]*\./.exec(again.text)?.[0] ?? again.text)
  })

  it('pays for what they ask for now, when they come back and ask for more', async () => {
    await using world = await createWorld({ env: { PAYER_ACTIONS_PER_MINUTE: '0' } })
    const { json: page } = await world.client('POST', '/payment-pages', {
      name: 'Coffee',
      amountType: 'FIXED',
      amountInCents: 100_000,
      reference: 'coffee',
      maxPieces: 5,
    })
    const path = new URL(page.paymentPageUrl).pathname
    const shown = await (await fetch(world.baseUrl + path)).text()
    const form = /name="form" value="([^"]+)"/.exec(shown)?.[1] ?? assert.fail('the form has no name')
    for (const [pieces, amountInCents] of [
      ['1', 100_000],
      ['3', 300_000],
    ] as const) {
      const body = new URLSearchParams({ form, pieces })
      await fetch(world.baseUrl + path, { method: 'POST', body, redirect: 'manual' })
      const { json } = await world.client('GET', `/payment-links?paymentPageId=${page.paymentPageId}`)
      assert.equal(json.data[0].amountInCents, amountInCents)
    }
  })

  it('pays the amount that they type now, and for the page that they are on now', async () => {
    await using world = await createWorld({ env: { PAYER_ACTIONS_PER_MINUTE: '0' } })
    const terms = { amountType: 'OPEN', reference: 'donation' }
    const one = (await world.client('POST', '/payment-pages', { ...terms, name: 'School' })).json
    const other = (await world.client('POST', '/payment-pages', { ...terms, name: 'Hospital' })).json
    const typed = async ({ paymentPageId, paymentPageUrl }: Record<string, string>, amount: string) => {
      const body = new URLSearchParams({ form: 'the-same-form-as-ever1', amount })
      const path = new URL(paymentPageUrl as string).pathname
      await fetch(world.baseUrl + path, { method: 'POST', body, redirect: 'manual' })
      const { json } = await world.client('GET', `/payment-links?paymentPageId=${paymentPageId}`)
      return json.data.map(({ amountInCents }: { amountInCents: number }) => amountInCents)
    }
    assert.deepEqual(await typed(one, '20000'), [2_000_000])
    assert.deepEqual(await typed(one, '20000'), [2_000_000])
    assert.deepEqual(await typed(one, '30000'), [3_000_000, 2_000_000])
    assert.deepEqual(await typed(other, '30000'), [3_000_000])
  })
})
