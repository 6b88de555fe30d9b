// Refunds in the console: asked for on a payin's page, listed, looked at and canceled.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refunding } from '../flows/refunds/refunding.ts'
import { createWorld, type World } from '../world.ts'
import { type Person, signIn } from './person.ts'
import { formAt, shows, wrongAt } from './typed.ts'

describe('a refund in the console', () => {
  let world: World
  let owner: Person
  before(async () => {
    world = await createWorld()
    owner = await signIn(world, 'owner')
  })
  after(() => world[Symbol.asyncDispose]())
  const { asked, confirmed, ends, refund } = refunding(() => world)

  const refundsOf = async (id: string) => (await world.client('GET', `/refunds?payinId=${id}`)).json.data

  it('is asked for on the payin’s page, and its page tells what became of it', async () => {
    const id = await confirmed()
    shows((await owner.get(`/payins/${id}`)).text, `href="${owner.home}/payins/${id}/refunds"`)
    const page = await owner.get(`/payins/${id}/refunds`)
    shows(page.text, 'Puedes devolver hasta')
    const form = formAt(page.text, `/payins/${id}/refunds`)
    const sent = await owner.post(`/payins/${id}/refunds`, {
      ...form,
      '/reason': 'NOT_RECEIVED',
      '/amountInCents': '20.000',
    })
    assert.equal(sent.status, 303, sent.text)
    const [made] = await refundsOf(id)
    assert.equal(made.amountInCents, 2_000_000)
    assert.equal(sent.location, `${owner.home}/refunds/${made.id}?done=createRefund`)
    await ends(made.id, 'CONFIRMED')
    const shown = (await owner.get(`/refunds/${made.id}`)).text
    shows(shown, 'El pagador recibió')
    shows(shown, '(estimado)')
    shows(shown, 'Dinero devuelto al pagador')
    shows((await owner.get(`/payins/${id}`)).text, `${owner.home}/refunds/${made.id}`)
    // The same form again: the button was pressed twice.
    await owner.post(`/payins/${id}/refunds`, {
      ...form,
      '/reason': 'NOT_RECEIVED',
      '/amountInCents': '20.000',
    })
    assert.equal((await refundsOf(id)).length, 1)
  })

  it('is asked for by whoever has shown that it is them', async () => {
    const id = await confirmed()
    const support = await signIn(world, 'support')
    const prove = (minutesAgo: number) =>
      world.db.query({
        text: `update sessions set proved_at = now() - make_interval(mins => $2) where user_id = $1`,
        values: [support.userId, minutesAgo],
      })
    await prove(10)
    assert.equal((await support.post(`/payins/${id}/refunds`, { '/reason': 'OTHER' })).status, 403)
    assert.deepEqual(await refundsOf(id), [])
    await prove(0)
    assert.equal((await support.post(`/payins/${id}/refunds`, { '/reason': 'OTHER' })).status, 303)
  })

  it('of too much is refused at the amount, with what was typed', async () => {
    const id = await confirmed()
    const form = formAt((await owner.get(`/payins/${id}/refunds`)).text, `/payins/${id}/refunds`)
    const typed = { ...form, '/reason': 'OTHER', '/amountInCents': '90.000' }
    const answer = await owner.post(`/payins/${id}/refunds`, typed)
    assert.equal(answer.status, 422)
    assert.equal(wrongAt(answer.text, '/amountInCents')?.replaceAll(/\s/g, ' '), 'Debe ser máximo $ 50.000.')
    shows(answer.text, 'value="90.000"')
    const { '/reason': _, ...unchosen } = typed
    const without = await owner.post(`/payins/${id}/refunds`, { ...unchosen, '/amountInCents': '10.000' })
    assert.equal(without.status, 400)
    assert.ok(wrongAt(without.text, '/reason'), 'nobody sends a reason that they did not choose')
    assert.deepEqual(await refundsOf(id), [])
  })

  it('that waits for an approval leads there', async () => {
    const id = await confirmed()
    const made = await asked(id, { way: 'KEY', breb: { keyString: '1100000099' } })
    assert.equal(made.stage, 'AWAITING_APPROVAL')
    const [, way = ''] =
      /href="([^"]+\/approvals\/[0-9a-f-]{36})"/.exec((await owner.get(`/refunds/${made.id}`)).text) ?? []
    shows((await owner.get(way)).text, made.id)
  })

  it('is listed by status, stage and reason, exported as shown, and canceled on its page', async () => {
    const id = await confirmed()
    const made = await asked(id, { way: 'CLAIM', reason: 'WITHDRAWAL' })
    const list = await owner.get('/refunds?status=PROCESSING&stage=AWAITING_CLAIM&reason=WITHDRAWAL')
    shows(list.text, `/refunds/${made.id}`)
    assert.doesNotMatch((await owner.get('/refunds?stage=SENDING')).text, new RegExp(made.id))
    shows((await owner.get(`/refunds.csv?payin=${id}`)).text, made.id)
    const page = (await owner.get(`/refunds/${made.id}`)).text
    // An owner may approve whatever key is named there.
    assert.ok(!page.includes(made.claimUrl))
    shows(page, 'quien puede devolver y no aprobar')
    shows(page, 'en la página que le envía quien pidió la devolución')
    assert.ok(!page.includes('la dirección de abajo'))
    const support = await signIn(world, 'support')
    const shared = (await support.get(`/refunds/${made.id}`)).text
    shows(shared, made.claimUrl)
    shows(shared, 'la dirección de abajo')
    shows(shared, `https://wa.me/?text=`)
    assert.ok(!page.includes('https://wa.me/'))
    const canceled = await owner.post(
      `/refunds/${made.id}/cancel`,
      formAt(page, `/refunds/${made.id}/cancel`),
    )
    assert.equal(canceled.status, 303)
    assert.equal((await refund(made.id)).status, 'CANCELED')
  })

  it('is nothing for whoever may not ask for it, and nobody else’s', async () => {
    const id = await confirmed()
    const accountant = await signIn(world, 'accountant')
    shows((await accountant.get(`/payins/${id}/refunds`)).text, 'disabled')
    const answer = await accountant.post(`/payins/${id}/refunds`, { '/reason': 'OTHER' })
    assert.equal(answer.status, 403)
    assert.deepEqual(await refundsOf(id), [])
    const made = await asked(id, { way: 'CLAIM' })
    const other = await world.newMerchant()
    const stranger = await signIn(world, 'owner', { organization: other.organization })
    assert.equal((await stranger.get(`/refunds/${made.id}`)).status, 404)
    assert.equal((await stranger.get(`/payins/${id}/refunds`)).status, 404)
  })
})
