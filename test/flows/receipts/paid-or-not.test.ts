// What the guide calls paid is a payment that was made to somebody.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { CUSTOMER, createWorld, eventually, type World } from '../../world.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

describe('what is shown as genuine', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const verify = async (statement: string, accept: string) =>
    world.anonymous('POST', '/verify', `${new URLSearchParams({ statement })}`, { ...FORM, accept })

  const payoutBody = (keyString = '@proveedor1') => ({
    amountInCents: 100_000,
    currency: 'COP',
    rail: 'BRE_B',
    reference: 'supplier-7',
    inlineCustomer: CUSTOMER,
    breb: { keyString },
  })

  it('is not what the guide calls paid, when it is about a payout that was declined', async () => {
    const { json: payout } = await world.client('POST', '/payouts', payoutBody())
    await world.work()
    await world.client('POST', `/sandbox/payouts/${payout.id}/simulate`, { outcome: 'declined' })
    await eventually(
      async () => {
        await world.work()
        return (await world.client('GET', `/payouts/${payout.id}`)).json.status
      },
      (status) => status === 'DECLINED',
    )
    const { json: signed } = await world.client('GET', `/payouts/${payout.id}/evidence`)
    assert.ok(signed.qrText.startsWith(`${signed.verifyUrl}#`), signed.qrText)
    const { json: verified } = await verify(signed.qrText, 'application/json')
    assert.equal(verified.facts.status, 'DECLINED')
    const guide = readFileSync(new URL('../../../docs/guides/en/receipts.md', import.meta.url), 'utf8')
    const [, rule = assert.fail('the guide has no isPaid')] = /isPaid[\s\S]*?return (.+)/.exec(guide) ?? []
    const isPaid = new Function('verified', `return ${rule}`)
    assert.equal(isPaid(verified), false)
  })
})
