// The lists of payouts and links: what their addresses ask for, and what their rows and files say of each.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { localTime } from '../../src/api/export/csv.ts'
import { newPayout } from '../api/http/calls.ts'
import { CUSTOMER, createWorld, eventually, type World } from '../world.ts'
import { type Person, signIn } from './person.ts'
import { listedRowIds } from './typed.ts'

describe('the lists of payouts and links', () => {
  let world: World
  let owner: Person
  before(async () => {
    world = await createWorld()
    owner = await signIn(world, 'owner')
  })
  after(() => world[Symbol.asyncDispose]())

  const rowsOf = async (path: string) => listedRowIds((await owner.get(path)).text)

  it('have payouts by why they failed, with when they ended', async () => {
    const make = async (changes = {}) => (await world.client('POST', '/payouts', newPayout(changes))).json.id
    const inlineCustomer = { ...CUSTOMER, idNumber: '1000000003' }
    const [paid, declined] = [await make(), await make({ inlineCustomer })]
    const get = async (id: string) => (await world.client('GET', `/payouts/${id}`)).json
    const ended = await eventually(
      async () => {
        await world.passTime(2_000)
        return Promise.all([paid, declined].map(get))
      },
      (all) => all.every(({ status }) => status !== 'PROCESSING'),
    )
    const [, { errorCode }] = ended
    assert.deepEqual(await rowsOf('/payouts'), [declined, paid])
    assert.deepEqual(await rowsOf(`/payouts?reason=${errorCode}`), [declined])
    const [heads = '', ...lines] = (await owner.get('/payouts.csv?order=oldest')).text.trim().split('\r\n')
    const column = heads.replace('\uFEFF', '').split(';').indexOf('Resultado')
    assert.deepEqual(
      lines.map((line) => line.split(';')[column]),
      ended.map(({ resultAt }) => localTime(Date.parse(resultAt))),
    )
  })

  it('have the links of a page, with until when each can be paid and when it was', async () => {
    const terms = { amountType: 'FIXED', amountInCents: 500_000, reference: 'te' }
    const page = (await world.client('POST', '/payment-pages', { name: 'Té', ...terms })).json
    const begun = { method: 'POST', body: new URLSearchParams(), redirect: 'manual' } as const
    assert.equal((await fetch(page.paymentPageUrl, begun)).status, 303)
    const link = { ...terms, callbackUrl: 'https://shop.example/' }
    await world.client('POST', '/payment-links', link)
    const [own, ofPage] = (await world.client('GET', '/payment-links')).json.data
    assert.deepEqual(await rowsOf('/links'), [own.paymentLinkId, ofPage.paymentLinkId])
    assert.deepEqual(await rowsOf(`/links?page=${page.paymentPageId}`), [ofPage.paymentLinkId])
    const { text } = await owner.get('/links')
    assert.match(text, />Hasta \d/)
    assert.doesNotMatch(text, />Pagado \d/)
  })
})
