// The list of movements: each leads to the page of what it is about, where there is one.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { amountText } from '../../../src/console/format.ts'
import { newPayout } from '../../api/http/calls.ts'
import { checkedBatch, goodRow } from '../../api/payout-batches/files.ts'
import { refunding } from '../../flows/refunds/refunding.ts'
import { lateMoney } from '../../late-money.ts'
import { CUSTOMER, createWorld, type World } from '../../world.ts'
import { type Person, signIn } from '../person.ts'

describe('the list of movements', () => {
  let world: World
  let owner: Person
  before(async () => {
    world = await createWorld()
    owner = await signIn(world, 'owner')
  })
  after(() => world[Symbol.asyncDispose]())
  const { asked, confirmed, ends } = refunding(() => world)

  it('leads to the payin, payout, refund, batch or money in suspense that each is about', async () => {
    const payinId = await confirmed({ inlineCustomer: { ...CUSTOMER, idNumber: '1020304050' } })
    const overRail = await asked(payinId, { amountInCents: 1_000 })
    await ends(overRail.id, 'CONFIRMED')
    const byPayout = await asked(payinId, { amountInCents: 2_000, breb: { keyString: '1020304050' } })
    const { payoutId: paidBy } = await ends(byPayout.id, 'CONFIRMED')
    const payoutId = (await world.client('POST', '/payouts', newPayout())).json.id
    const { id: batchId } = await checkedBatch(world, world.client, goodRow(1))
    await world.client('POST', `/payout-batches/${batchId}/submit`)
    const { suspenseId } = await lateMoney(world)
    await world.client('POST', `/suspense/${suspenseId}/return`)
    await world.passTime(5_000)
    const { text } = await owner.get('/movements?period=all')
    const links = new Set([...text.matchAll(/href="([^"?]*)"/g)].map(([, href]) => href))
    const places = {
      ...{ payins: [payinId], payouts: [payoutId, paidBy], refunds: [overRail.id, byPayout.id] },
      ...{ batches: [batchId], suspense: [suspenseId] },
    }
    for (const [place, ids] of Object.entries(places))
      for (const id of ids) {
        assert.ok(links.has(`${owner.home}/${place}/${id}`), `${place} ${id}`)
        assert.equal((await owner.get(`/${place}/${id}`)).status, 200, place)
      }
    assert.ok(!links.has(`${owner.home}/refunds/${paidBy}`), 'a refund that was paid is booked as its payout')
  })

  it('adds up to every balance that the home page leads from, to the cent, in its file too', async () => {
    const { text: home } = await owner.get('')
    const balances = [...home.matchAll(/href="([^"]*)"><span class="balance-name">.*?balance-sum">([^<]*)</g)]
    assert.equal(balances.length, 4)
    for (const [, href = '', sum = ''] of balances.filter(([, href]) => !href?.endsWith('/suspense'))) {
      const { text } = await owner.get(href.replaceAll('&amp;', '&'))
      assert.ok(text.includes(`<dt>Saldo</dt><dd>${sum}</dd>`), `${href}: ${sum}`)
      const file = await owner.get(href.replaceAll('&amp;', '&').replace('/movements', '/movements.csv'))
      const amounts = file.text
        .split('\r\n')
        .slice(1, -1)
        .map((line) => BigInt((line.split(';')[1] ?? '').replace(',', '')))
      assert.equal(
        amountText(
          amounts.reduce((all, one) => all + one, 0n),
          'es',
        ),
        sum,
        `${href}: file`,
      )
    }
    // It is on the home page of whoever has put money into an account at a provider.
    const { text: deposited } = await owner.get('/movements?account=DEPOSITED&period=all')
    assert.match(deposited, /account=DEPOSITED[^"]*" aria-current="true"/)
    // Of a part of them it is what that part changed.
    const { text: part } = await owner.get('/movements?account=RESERVED&period=7d')
    assert.match(part, /<dt>Entró<\/dt><dd>[^<]+<\/dd>.*<dt>Salió<\/dt><dd>[^<]+<\/dd>.*<dt>Diferencia<\/dt>/)
    assert.match(part, /c-amount">−\$/)
    for (const filter of ['booking=payin+confirmed', 'min=1', 'max=1']) {
      const { text } = await owner.get(`/movements?account=PENDING_SETTLEMENT&period=all&${filter}`)
      assert.match(text, /<dt>Diferencia<\/dt>/, filter)
    }
    const { text: all } = await owner.get('/movements?period=all')
    assert.doesNotMatch(all, /list-sums|c-amount">[−+]/)
  })
})
