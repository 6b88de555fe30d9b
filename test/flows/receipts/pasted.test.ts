// A receipt arrives in a chat, among words.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
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
})
