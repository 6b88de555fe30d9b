// A receipt says what was paid and what was taken back, also where neither is what was asked for, and to whom, whatever they are called now.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { brebPayin, createWorld, endPayin, eventually, type World } from '../../world.ts'
import { chargeBackPayin } from './charge-back.ts'
import { shownVerdictOf } from './shown-verdict.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const SPANISH = { accept: 'text/html', 'accept-language': 'es-CO' }

describe('a receipt', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const receiptOf = async (id: string) => (await world.client('GET', `/payins/${id}/receipt`)).json
  const verify = (statement: string, headers: Record<string, string>) =>
    world.anonymous('POST', '/verify', `${new URLSearchParams({ statement })}`, { ...FORM, ...headers })
  // As a person reads it.
  const pageAt = async (url: string) => {
    const path = url.slice(world.config.checkoutUrl.length)
    return (await world.anonymous('GET', path, undefined, SPANISH)).text.replaceAll('\u00a0', ' ')
  }

  it('is about the amount that was paid, where the merchant accepts another than it asked for', async () => {
    await world.client('PATCH', '/organization', { onAmountMismatch: 'accept' })
    const { json: payin } = await world.client('POST', '/payins', brebPayin())
    await world.work()
    const told = { outcome: 'confirmed', amountInCents: 123_400 }
    await world.client('POST', `/sandbox/payins/${payin.id}/simulate`, told)
    await eventually(
      async () => {
        await world.work()
        return (await world.client('GET', `/payins/${payin.id}`)).json.status
      },
      (status) => status === 'CONFIRMED',
    )
    const receipt = await receiptOf(payin.id)
    assert.equal(receipt.amountInCents, 123_400)
    const { json: verified } = await verify(receipt.statement, { accept: 'application/json' })
    assert.deepEqual([verified.verdict, verified.facts.amountInCents], ['genuine', 123_400])
    const page = await pageAt(receipt.url)
    assert.ok(page.includes('$ 1.234') && !page.includes('$ 50.000'), page)
    assert.ok((await pageAt(receipt.imageUrl)).includes('$ 1.234'))
    await chargeBackPayin(world, payin.id, 123_400n)
    assert.match(await pageAt(receipt.url), /Este pago fue devuelto: \$ 1\.234 el /, 'all of it, and no part')
  })

  it('names the merchant as it was called when it asked for the payment, and says what it was for', async () => {
    const { json: asked } = await world.client('POST', '/payins', brebPayin({ description: 'Café molido' }))
    const named = await world.client('PATCH', '/organization', { name: 'Panadería El Sol' })
    assert.equal(named.status, 200, named.text)
    await endPayin(world, world.client, asked.id, 'confirmed')
    const receipt = await receiptOf(asked.id)
    const { json } = await verify(receipt.statement, { accept: 'application/json' })
    const { name } = world.organization
    assert.deepEqual([receipt.merchant.name, json.facts.merchant], [name, name])
    assert.equal(receipt.description, 'Café molido')
    const { resultAt } = (await world.client('GET', `/payins/${asked.id}`)).json
    assert.deepEqual([receipt.paidAt, receipt.chargebackAmountInCents], [resultAt, null])
    assert.ok((await pageAt(receipt.url)).includes(name))
  })

  it('of which a part was charged back says how much, on its page and to whoever verifies it', async () => {
    const { json: payin } = await world.client('POST', '/payins', brebPayin())
    await endPayin(world, world.client, payin.id, 'confirmed')
    const before = await receiptOf(payin.id)
    await chargeBackPayin(world, payin.id, 1_000_000n)
    const { amountInCents, chargebackAmountInCents } = await receiptOf(payin.id)
    assert.deepEqual([amountInCents, chargebackAmountInCents], [5_000_000, 1_000_000])
    const { json } = await verify(before.statement, { accept: 'application/json' })
    assert.equal(json.since.chargebackAmountInCents, 1_000_000)
    const verdict = shownVerdictOf((await verify(before.statement, SPANISH)).text)
    for (const text of [await pageAt(before.url), verdict]) {
      assert.match(text.replaceAll('\u00a0', ' '), /(?:de este pago:|Se devolvieron) \$ 10\.000 el /)
      assert.match(text, /[Ss]e devolvió una parte de[l ]/)
    }
    assert.match(await pageAt(payin.sourceData.checkoutUrl), /Se devolvió una parte de este pago/)
  })
})
