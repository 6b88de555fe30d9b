// Every page of the payer says whether money moved. Money that came for a link and lies in suspense has moved, and we know it.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createWorld, eventually, type World } from '../../world.ts'

describe('the page of a link for which money came and was not counted', () => {
  let world: World
  before(async () => {
    world = await createWorld({ env: { PAYER_ACTIONS_PER_MINUTE: '0' } })
  })
  after(() => world[Symbol.asyncDispose]())

  const newLink = async () => {
    const { json } = await world.client('POST', '/payment-links', {
      amountType: 'FIXED',
      amountInCents: 5_000_000,
      reference: 'order',
      callbackUrl: 'https://shop.example/return',
    })
    const path = new URL(json.paymentLinkUrl).pathname
    const send = async (below: string, form: Record<string, string> = {}) => {
      const body = new URLSearchParams(form)
      const answer = await fetch(world.baseUrl + path + below, { method: 'POST', body, redirect: 'manual' })
      assert.equal(answer.status, 303, await answer.text())
      await world.work()
      return answer.headers.get('location') ?? ''
    }
    const attempt = async () =>
      (await world.client('GET', `/payins?paymentLinkId=${json.paymentLinkId}`)).json.data[0].id as string
    const read = async () => (await world.anonymous('GET', path, undefined, { 'accept-language': 'es' })).text
    return { send, attempt, read }
  }
  const arrives = async (payinId: string, amountInCents?: number) => {
    const { organizationId } = world.organization
    const held = async () => {
      await world.work()
      const text = 'select 1 from suspense_items where organization_id = $1 and payin_id = $2'
      return (await world.db.query({ text, values: [organizationId, payinId] })).rowCount
    }
    const body = { outcome: 'confirmed', ...(amountInCents && { amountInCents }) }
    const told = await world.client('POST', `/sandbox/payins/${payinId}/simulate`, body)
    assert.equal(told.status, 200, told.text)
    await eventually(held, (count) => count === 1)
  }

  it('does not say that none moved, when it came after the payer had left the attempt', async () => {
    const { send, attempt, read } = await newLink()
    await send('', { rail: 'BRE_B' })
    assert.match(await send('/leave'), /step=retry/)
    await arrives(await attempt())
    assert.doesNotMatch(await read(), /No se movió dinero/)
  })

  it('does not say that none moved, when another amount came and the payer left the next attempt', async () => {
    const { send, attempt, read } = await newLink()
    await send('', { rail: 'BRE_B' })
    await arrives(await attempt(), 4_000_000)
    assert.match(await read(), /no se aplicó a este cobro/)
    await send('', { rail: 'BRE_B' })
    assert.match(await send('/leave'), /step=retry/)
    assert.doesNotMatch(await read(), /No se movió dinero/)
  })
})
