// A receipt arrives in a chat, among words.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { receiptIdOf } from '../../../src/core/receipts/statement.ts'
import { brebPayin, createWorld, endPayin, type World } from '../../world.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

describe('what is shown as genuine', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const verify = async (statement: string, accept: string) =>
    world.anonymous('POST', '/verify', `${new URLSearchParams({ statement })}`, { ...FORM, accept })

  it('is not called altered because somebody wrote a word after it', async () => {
    const { json: payin } = await world.client('POST', '/payins', brebPayin())
    await endPayin(world, world.client, payin.id, 'confirmed')
    const { json: receipt } = await world.client('GET', `/payins/${payin.id}/receipt`)
    for (const text of [`${receipt.qrText} Gracias`, `${receipt.qrText}\nYa te pagué, mira.`])
      assert.equal((await verify(text, 'application/json')).json.verdict, 'genuine', text.slice(-20))
  })

  it('may be the address of its page, also when it was charged back, and only on our own host', async () => {
    const { json: payin } = await world.client('POST', '/payins', brebPayin())
    const id = receiptIdOf(world.organization.organizationId, payin.id)
    const address = `${world.ctx.settings.checkoutUrl}/receipts/${id}`
    const verdictOf = async (text: string) => (await verify(text, 'application/json')).json.verdict
    assert.equal(await verdictOf(address), 'unknown', 'nobody has paid')
    await endPayin(world, world.client, payin.id, 'confirmed')
    for (const text of [address, `Mira: ${address}?lang=en gracias`, address.replace('http://', '')])
      assert.equal(await verdictOf(text), 'genuine', text)
    for (const text of [
      `https://elsewhere.example/receipts/${id}`,
      `${address}A`,
      address.slice(0, -1),
      address.replace('/receipts/', '/evidence/'),
      address.replace('/receipts/', '/pay/'),
    ])
      assert.equal(await verdictOf(text), 'unknown', text)
    const { json } = await verify(address, 'application/json')
    assert.deepEqual([json.facts.reference, json.facts.amountInCents], [payin.reference, payin.amountInCents])
    await endPayin(world, world.client, payin.id, 'chargeback')
    const { json: reversed } = await verify(address, 'application/json')
    assert.deepEqual(
      [reversed.verdict, reversed.since.chargebackAmountInCents],
      ['genuine', payin.amountInCents],
    )
    const { text } = await verify(address, 'text/html')
    assert.doesNotMatch(text, /\.\.</)
  })

  it('shows what was paid for, on the page, in the picture and to programs', async () => {
    const { json: payin } = await world.client(
      'POST',
      '/payins',
      brebPayin({ description: 'Dos libras de café' }),
    )
    await endPayin(world, world.client, payin.id, 'confirmed')
    const { json: receipt } = await world.client('GET', `/payins/${payin.id}/receipt`)
    assert.equal(receipt.description, 'Dos libras de café')
    for (const path of ['', '/image.svg']) {
      const { text } = await world.anonymous('GET', new URL(receipt.url).pathname + path)
      assert.match(text, /Dos libras de café/, path)
    }
  })
})
