// The sandbox page: samples, outcomes and the clock, in staging alone.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ROUTES } from '../../src/console/routes.ts'
import { PRODUCTION } from '../cli/production.ts'
import { createWorld, type World } from '../world.ts'
import { type Person, signIn } from './person.ts'
import { formAt, shows } from './typed.ts'

let world: World
let developer: Person
before(async () => {
  world = await createWorld()
  developer = await signIn(world, 'developer')
})
after(() => world[Symbol.asyncDispose]())

const idIn = (location: string | null) => /([0-9a-f-]{36})\?/.exec(location ?? '')?.[1] ?? ''
const samples = async () => formAt((await developer.get('/sandbox')).text, '/sandbox/samples/breb')

describe('the sandbox', () => {
  it('makes samples of each kind, with the ending that was chosen, and each once', async () => {
    shows((await developer.get('/sandbox')).text, 'Todavía no hay ninguno. Crea un ejemplo.')
    const form = { ...(await samples()), '/inlineCustomer/idNumber': '1000000003' }
    const breb = await developer.post('/sandbox/samples/breb', form)
    const again = await developer.post('/sandbox/samples/breb', form)
    assert.equal(breb.location, again.location)
    const { json } = await world.client('GET', `/payins/${idIn(breb.location)}`)
    assert.deepEqual(
      [json.rail, json.amountInCents, json.inlineCustomer.idNumber],
      ['BRE_B', 5_000_000, '1000000003'],
    )
    const pse = await developer.post('/sandbox/samples/pse', await samples())
    assert.equal((await world.client('GET', `/payins/${idIn(pse.location)}`)).json.rail, 'PSE')
    const lacking = await developer.post('/sandbox/samples/payout', await samples())
    assert.equal(lacking.status, 403)
    shows((await developer.get('/sandbox')).text, /formaction="[^"]*\/samples\/payout" disabled/)
    const owner = await signIn(world, 'owner')
    const page = (await owner.get('/sandbox')).text
    const payout = await owner.post('/sandbox/samples/payout', formAt(page, '/sandbox/samples/breb'))
    assert.match(payout.location ?? '', /\/payouts\/[0-9a-f-]{36}\?done=createPayout/)
  })

  it('decides how an open payin and payout end, and shows it', async () => {
    const { json: payin } = await world.client('POST', '/payins', {
      amountInCents: 1_000_000,
      currency: 'COP',
      rail: 'BRE_B',
      reference: 'por-decidir',
      breb: { keyType: 'SINGLE_USE' },
    })
    await world.work()
    const page = (await developer.get('/sandbox')).text
    const form = formAt(page, `/sandbox/payins/${payin.id}`)
    const sent = await developer.post(`/sandbox/payins/${payin.id}`, { ...form, '/outcome': 'declined' })
    assert.equal(sent.location, `${developer.home}/sandbox?done=simulatePayin`)
    await world.work()
    assert.equal((await world.client('GET', `/payins/${payin.id}`)).json.status, 'DECLINED')
    const after = (await developer.get('/sandbox?done=simulatePayin')).text
    shows(after, 'La red simulada recibió la orden.')
    shows(after, /por-decidir[\s\S]{0,400}Rechazado/)
    const wrong = await developer.post(`/sandbox/payins/${payin.id}`, { '/outcome': 'nonsense' })
    assert.equal(wrong.status, 400)
    shows(wrong.text, 'role="alert"')
    const other = await world.newMerchant()
    const { json: foreign } = await other.client('POST', '/payins', {
      amountInCents: 1_000_000,
      currency: 'COP',
      rail: 'BRE_B',
      reference: 'ajeno',
      breb: { keyType: 'SINGLE_USE' },
    })
    const refused = await developer.post(`/sandbox/payins/${foreign.id}`, { '/outcome': 'declined' })
    assert.equal(refused.status, 404)
  })

  it('moves the clock once for two clicks, and says why somebody may not', async () => {
    const before = world.ctx.clock.now()
    const form = formAt((await developer.get('/sandbox')).text, '/sandbox/clock')
    const typed = { ...form, '/seconds': '3600' }
    await Promise.all([developer.post('/sandbox/clock', typed), developer.post('/sandbox/clock', typed)])
    const moved = world.ctx.clock.now() - before
    assert.ok(moved >= 3_600_000 && moved < 7_200_000, `${moved}`)
    shows((await developer.get('/sandbox')).text, 'adelante del reloj real')
    const fresh = formAt((await developer.get('/sandbox')).text, '/sandbox/clock')
    const wrong = await developer.post('/sandbox/clock', { ...fresh, '/seconds': '-5' })
    assert.equal(wrong.status, 400)
    const support = await signIn(world, 'support')
    assert.equal((await support.get('/sandbox')).status, 403)
    assert.equal((await support.post('/sandbox/clock', typed)).status, 403)
  })

  it('is not there in production, and makes nothing there', async () => {
    await using production = await createWorld({ env: PRODUCTION })
    const owner = await signIn(production, 'owner')
    const cookie = owner.cookie.replace('recaudo_session', '__Host-recaudo')
    assert.equal((await owner.get('', { cookie })).status, 200)
    const paths = ROUTES.filter(({ path }) => path.startsWith('/sandbox'))
    assert.ok(paths.length >= 6)
    for (const { method, path } of paths) {
      const at = path.replace(/:\w+/, production.ctx.ids.next())
      const answer = method === 'GET' ? owner.get(at, { cookie }) : owner.post(at, {}, { cookie })
      assert.equal((await answer).status, 404, path)
    }
  })
})
