// The suspense desk and the alarms in the console: every act is an operation of the API, money asks for a proof, and nothing of another
// organization is shown or moved.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { watchMinimums } from '../../src/flows/ledger/watch-minimums.ts'
import type { PayinRail } from '../../src/rails/rail.ts'
import { insertAlarm } from '../../src/store/ledger/alarms.ts'
import { newAlarm } from '../api/http/calls.ts'
import { lateMoney } from '../late-money.ts'
import { createWorld, type World } from '../world.ts'
import { type Person, signIn } from './person.ts'

describe('the suspense desk of the console', () => {
  let world: World
  let owner: Person
  before(async () => {
    world = await createWorld()
    owner = await signIn(world, 'owner')
  })
  after(() => world[Symbol.asyncDispose]())

  const state = async (suspenseId: string) =>
    (await world.client('GET', `/suspense/${suspenseId}`)).json.state
  const prove = (isProved: boolean) =>
    world.db.query({
      text: `update sessions set proved_at = now() - $2::interval where user_id = $1`,
      values: [owner.userId, isProved ? '0 minutes' : '10 minutes'],
    })

  it('is where home’s number leads, and lists what waits', async () => {
    const { suspenseId } = await lateMoney(world)
    assert.ok((await owner.get('')).text.includes(`href="${owner.home}/suspense"`))
    const { text } = await owner.get('/suspense')
    assert.ok(text.includes(`href="${owner.home}/suspense/${suspenseId}"`))
    assert.match(text, /50\.000/)
    assert.ok(text.includes('Llegó cuando el cobro ya había terminado'))
    await world.client('POST', `/suspense/${suspenseId}/return`)
    assert.ok(!(await owner.get('/suspense')).text.includes(suspenseId))
    assert.ok((await owner.get('/suspense?show=all')).text.includes(suspenseId))
  })

  it('attaches to a candidate, or to a payin that is typed, after a proof', async () => {
    const { suspenseId, payinId } = await lateMoney(world)
    const path = `/suspense/${suspenseId}`
    const { text } = await owner.get(path)
    assert.ok(text.includes('lo nombró la red, mismo valor'))
    assert.match(text, /curl[\s\S]*\/attach/)
    assert.match(text, /curl[\s\S]*\/return/)
    await prove(false)
    const asked = await owner.post(`${path}/attach`, { '/payinId': payinId })
    assert.notEqual(asked.location?.split('?')[0], owner.home + path)
    assert.equal(await state(suspenseId), 'OPEN')
    await prove(true)
    const typed = { '/payinId': payinId, '/otherPayinId': world.ctx.ids.next() }
    const wrong = await owner.post(`${path}/attach`, typed)
    assert.equal(wrong.status, 400)
    assert.equal(await state(suspenseId), 'OPEN')
    const done = await owner.post(`${path}/attach`, { '/payinId': payinId })
    assert.deepEqual([done.status, done.location?.split('?')[0]], [303, owner.home + path])
    assert.equal(await state(suspenseId), 'ATTACHED')
    assert.ok((await owner.get(path)).text.includes('Asignado al comercio'))
  })

  it('says that a return is unknown, and asks again', async () => {
    const { suspenseId } = await lateMoney(world)
    const path = `/suspense/${suspenseId}`
    const { payins } = world.ctx.networks
    const rail = payins.BRE_B
    const silent: PayinRail['returnPayment'] = async () => ({
      outcome: 'unknown',
      kind: 'timeout',
      why: 'silence',
    })
    await prove(false)
    await owner.post(`${path}/return`)
    assert.equal(await state(suspenseId), 'OPEN')
    await prove(true)
    Object.assign(payins, { BRE_B: { ...rail, returnPayment: silent } })
    await owner.post(`${path}/return`)
    Object.assign(payins, { BRE_B: rail })
    const { text } = await owner.get(path)
    assert.ok(text.includes('La red no ha dicho si devolvió el dinero.'))
    assert.ok(text.includes('Volver a pedir la devolución') && !text.includes('/attach"'))
    await owner.post(`${path}/return`)
    assert.equal(await state(suspenseId), 'RETURNED')
  })

  it('keeps a note, and lets whoever may not decide look only', async () => {
    const { suspenseId } = await lateMoney(world)
    const path = `/suspense/${suspenseId}`
    await owner.post(`${path}/note`, { '/note': 'Llamó <b>Ana</b>' })
    assert.ok((await owner.get(path)).text.includes('Llamó &lt;b&gt;Ana'))
    await owner.post(`${path}/note`, { '/note': '' })
    assert.equal((await world.client('GET', path)).json.note, null)
    for (const role of ['accountant', 'preparer'] as const) {
      const person = await signIn(world, role)
      assert.ok((await person.get(path)).text.includes('lock-note'), role)
      assert.equal((await person.post(`${path}/return`)).status, 403, role)
    }
    assert.equal(await state(suspenseId), 'OPEN')
  })

  it('does not say whose payin counted a payment that is counted elsewhere', async () => {
    const { suspenseId } = await lateMoney(world)
    const theirs = world.ctx.ids.next()
    await world.db.query({
      text: `update suspense_items set state = 'COUNTED', attached_to = $2 where suspense_id = $1`,
      values: [suspenseId, theirs],
    })
    for (const path of [`/suspense/${suspenseId}`, '/suspense?show=all']) {
      const { status, text } = await owner.get(path)
      assert.equal(status, 200)
      assert.ok(!text.includes(theirs), path)
    }
    await world.db.query({
      text: `update suspense_items set state = 'OPEN', attached_to = null where suspense_id = $1`,
      values: [suspenseId],
    })
  })

  it('shows and decides nothing of another organization', async () => {
    const { organization, client } = await world.newMerchant()
    const { suspenseId } = await lateMoney(world, client)
    const alarmId = await newAlarm(world, client)
    assert.equal((await owner.get(`/suspense/${suspenseId}`)).status, 404)
    assert.ok(!(await owner.get('/suspense?show=all')).text.includes(suspenseId))
    await prove(true)
    assert.equal((await owner.post(`/suspense/${suspenseId}/return`)).status, 404)
    await owner.post(`/alarms/${alarmId}/resolve`, { '/word': 'x' })
    const theirs = await signIn(world, 'owner', { organization })
    assert.equal((await theirs.get(`/suspense/${suspenseId}`)).status, 200)
    assert.equal((await client('GET', `/suspense/${suspenseId}`)).json.state, 'OPEN')
    assert.equal((await client('GET', '/alarms')).json.data[0].status, 'OPEN')
  })

  it('an alarm of a low balance says in pesos what there was and what is wanted', async () => {
    const { availableInCents } = (await world.client('GET', '/balance')).json
    await world.client('PATCH', '/organization', { minimumBalanceInCents: availableInCents + 100_050 })
    await watchMinimums(world.ctx)
    const text = (await owner.get('/alarms')).text.replaceAll('\u00a0', ' ')
    assert.match(text, /Se podían pagar \$ [\d.,]+, y el mínimo es \$ [\d.]+,50\./)
    await world.client('PATCH', '/organization', { minimumBalanceInCents: null })
  })

  it('an alarm is taken by one and resolved with a word', async () => {
    const alarmId = await newAlarm(world, world.client)
    const path = `/alarms?alarm=${alarmId}`
    assert.ok((await owner.get('/alarms')).text.includes(`alarm=${alarmId}">Atender`))
    const support = await signIn(world, 'support', { name: 'Eva Ruiz' })
    const taken = await support.post(`/alarms/${alarmId}/take`)
    assert.deepEqual([taken.status, taken.location?.startsWith(`${owner.home}${path}`)], [303, true])
    assert.ok((await owner.get(path)).text.includes('La tiene Eva Ruiz desde'))
    const second = await owner.post(`/alarms/${alarmId}/take`)
    assert.equal(second.status, 409)
    assert.ok(second.text.includes('Eva Ruiz'))
    assert.equal((await owner.post(`/alarms/${alarmId}/resolve`, { '/word': ' ' })).status, 400)
    assert.equal((await owner.post(`/alarms/${alarmId}/resolve`, { '/word': 'Era nuestra.' })).status, 303)
    const { text } = await owner.get(path)
    assert.ok(text.includes('Era nuestra.') && text.includes('por Lucía Peña'))
    const accountant = await signIn(world, 'accountant')
    const other = await newAlarm(world, world.client)
    assert.equal((await accountant.post(`/alarms/${other}/take`)).status, 403)
  })

  it('alarms lead to what they are about', async () => {
    const { ctx, db, organization } = world
    const places = {
      'payin-contradiction': 'payins',
      'payout-unresolved': 'payouts',
      'refund-unresolved': 'refunds',
      'batch-altered': 'batches',
    } as const
    for (const [kind, place] of Object.entries(places)) {
      const subjectId = ctx.ids.next()
      const alarm = { alarmId: ctx.ids.next(), kind: kind as keyof typeof places, detail: 'Look.' }
      await insertAlarm(db, organization.organizationId, subjectId, alarm, ctx.clock.now())
      const { text } = await owner.get(`/alarms?alarm=${alarm.alarmId}`)
      assert.ok(text.includes(`href="${owner.home}/${place}/${subjectId}"`), kind)
    }
  })

  it('lists of what waits go on with what is older, page by page', async () => {
    const { client, organization } = await world.newMerchant()
    const staff = await signIn(world, 'owner', { organization })
    const made: string[] = []
    for (let count = 0; count < 35; count += 1) made.push(await newAlarm(world, client))
    for (const show of ['', '?show=all']) {
      const first = await staff.get(`/alarms${show}`)
      const [, next = ''] = /rel="next" href="([^"]*)"/.exec(first.text) ?? []
      // As a browser reads it.
      const second = await staff.get(`/alarms${next.replaceAll('&amp;', '&')}`)
      const shown = (text: string) => made.filter((id) => text.includes(`id="alarm-${id}"`))
      assert.deepEqual(shown(first.text), made.slice(5), show)
      assert.deepEqual(shown(second.text), made.slice(0, 5), show)
    }
  })
})
