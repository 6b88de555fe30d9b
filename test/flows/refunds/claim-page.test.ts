// What the page of a refund says while it waits and after it has ended, and how often a stranger may ask it for names.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { CUSTOMER, createWorld, type World } from '../../world.ts'
import { refunding } from './refunding.ts'

const OWN = '1020304050'
const PAYER = { ...CUSTOMER, idNumber: OWN }
const DAY_MS = 24 * 3_600_000

describe('the page of a refund', () => {
  let world: World
  before(async () => {
    world = await createWorld({ env: { PAYER_ACTIONS_PER_MINUTE: '3' } })
    await world.client('PATCH', '/organization', { contactEmail: 'hola@cafe.example' })
  })
  after(() => world[Symbol.asyncDispose]())
  const { asked, confirmed, reaches, refund, spend } = refunding(() => world)

  const claimable = async () => {
    const made = await asked(await confirmed({ inlineCustomer: PAYER }), { way: 'CLAIM' })
    return { id: made.id as string, path: new URL(made.claimUrl).pathname as string }
  }
  const read = async (path: string) => (await world.anonymous('GET', path)).text
  const post = (path: string, fields: Record<string, string>) =>
    world.anonymous('POST', path, new URLSearchParams(fields).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    })

  it('says that a key is enough, and that the money waits for the merchant’s', async () => {
    await spend()
    const { id, path } = await claimable()
    assert.equal((await post(path, { key: OWN, sure: '1' })).status, 303)
    await reaches(id, 'AWAITING_FUNDS')
    const text = await read(path)
    assert.match(text, /<h1>Tu devolución está en espera<\/h1>/)
    assert.match(text, /mailto:hola@cafe\.example/)
    assert.equal((await post(path, { key: OWN })).status, 303, 'a key from an old tab is looked up no more')
  })

  it('takes a key with spaces around it, as it is pasted', async () => {
    const { path } = await claimable()
    const review = await post(path, { key: `  ${OWN} ` })
    assert.equal(review.status, 200, review.text)
    assert.match(review.text, new RegExp(`name="key" value="${OWN}"`))
  })

  it('says why it can no longer be claimed: its time is over, or the merchant took it back', async () => {
    const [late, canceled] = [await claimable(), await claimable()]
    assert.equal((await world.client('POST', `/refunds/${canceled.id}/cancel`)).status, 200)
    await world.passTime(30 * DAY_MS)
    assert.equal((await refund(late.id)).errorCode, 'CLAIM_EXPIRED')
    assert.match(await read(late.path), /Se acabó el tiempo para pedirla/)
    const text = await read(canceled.path)
    assert.match(text, /Si tienes preguntas, escríbele a/)
    assert.doesNotMatch(text, /Se acabó el tiempo/)
  })

  it('is answered by no more keys in a minute than one payer types', async () => {
    const { path } = await claimable()
    const statuses: number[] = []
    for (let tried = 0; tried < 5; tried += 1) statuses.push((await post(path, { key: OWN })).status)
    assert.ok(statuses.includes(429), statuses.join())
    assert.equal((await world.anonymous('GET', path)).status, 200, 'it is read without limit')
  })
})
