// What payers may do, and how often: each action may call a network.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createActionLimit } from '../../src/checkout/action-limit.ts'
import { railReference } from '../../src/core/connections/reference.ts'
import { queryPauseMs } from '../../src/core/payins/schedule.ts'
import { type Answer, CUSTOMER, createWorld, eventually, psePayin, type World } from '../world.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

describe('payer actions', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const newPage = async (): Promise<string> => {
    const { json } = await world.client('POST', '/payment-links', {
      amountType: 'FIXED',
      amountInCents: 5_000_000,
      reference: 'actions',
      callbackUrl: 'https://shop.example/back',
      inlineCustomer: CUSTOMER,
    })
    return new URL(json.paymentLinkUrl).pathname
  }
  const post = (path: string, body = '', headers: Record<string, string> = {}): Promise<Answer> =>
    world.anonymous('POST', path, body, { ...FORM, ...headers })

  it('on one link are limited, with a page in the payer’s language that says when to come again', async () => {
    const page = await newPage()
    const statuses: number[] = []
    for (let round = 0; round < 15; round += 1) {
      statuses.push((await post(page, 'rail=BRE_B')).status, (await post(`${page}/leave`)).status)
    }
    const limited = statuses.filter((status) => status === 429).length
    // On a slow machine some time passes meanwhile.
    assert.ok(limited >= 10 && limited <= 20, `${limited} of 30`)
    const { rows } = await world.db.query<{ count: bigint }>({
      text: `select count(*) from payins where reference = 'actions'`,
    })
    assert.ok(Number(rows[0]?.count) <= 10, `${rows[0]?.count} payins were begun`)

    const spanish = await eventually(
      () => post(`${page}/recheck`),
      ({ status }) => status === 429,
    )
    assert.match(spanish.headers['content-type'] ?? '', /^text\/html/)
    assert.match(spanish.text, /<h1>Espera un momento<\/h1>[\s\S]*No se perdió nada/)
    assert.ok(spanish.text.includes(`href="${page}"`), 'it leads back to the payment')
    assert.ok(Number(spanish.headers['retry-after']) >= 1)
    const english = await eventually(
      () => post(page, 'rail=BRE_B', { 'accept-language': 'en' }),
      ({ status }) => status === 429,
    )
    assert.match(english.text, /<h1>One moment, please<\/h1>/)

    assert.equal((await world.anonymous('GET', page)).status, 200, 'pages are read without limit')
    assert.equal((await post(await newPage(), 'rail=BRE_B')).status, 303, 'and another link has its own')
  })

  it('of one address are limited too, over all links', () => {
    let nowMs = 0
    const waits = createActionLimit(10, () => nowMs)
    for (let action = 0; action < 60; action += 1)
      assert.equal(waits(`link ${action}`, '203.0.113.7'), undefined)
    assert.equal(waits('another link', '203.0.113.7'), 1)
    assert.equal(waits('another link', '203.0.113.8'), undefined)
    assert.equal(waits('another link', null), undefined, 'nobody is named')
    nowMs += 1_000
    assert.equal(waits('yet another link', '203.0.113.7'), undefined)
    assert.equal(createActionLimit(0, () => nowMs)('link', '203.0.113.7'), undefined, '0 is off')
    for (let action = 0; action < 10; action += 1) waits('spent', null)
    assert.equal(waits('spent', null), 6)
  })

  for (const rail of ['PSE', 'BRE_B'] as const) {
    it(`“I have paid” over ${rail} asks the network once in its pause`, async () => {
      const inlineCustomer = { ...CUSTOMER, idNumber: '1000000007' }
      const changes = rail === 'PSE' ? {} : { rail, breb: { keyType: 'QR_CODE' }, pse: undefined }
      const { json } = await world.client('POST', '/payins', psePayin({ ...changes, inlineCustomer }))
      await world.work()
      const page = new URL(json.sourceData.pseUrl ?? json.sourceData.checkoutUrl).pathname
      const asked = async (): Promise<number> => {
        const { rows } = await world.db.query<{ count: bigint }>({
          text: `select count(*) from rail_exchanges where operation like 'GET %' and reference = $1`,
          values: [railReference('payin', json.organizationId, json.id)],
        })
        return Number(rows[0]?.count)
      }
      const press = async (): Promise<void> => {
        const answer = await post(`${page}/recheck`)
        assert.equal(answer.status, 303, 'the page answers as ever')
        assert.match(answer.headers.location ?? '', /step=checked/)
        await world.work()
      }
      assert.equal(await asked(), 0)
      await press()
      await eventually(asked, (count) => count === 1)
      for (let again = 0; again < 4; again += 1) await press()
      world.advance(queryPauseMs(rail) - 60_000)
      await press()
      assert.equal(await asked(), 1, 'within the pause it answers from what is known')
    })
  }
})
