// The page of a payin: a sentence that says how it stands and why, with the times that it names, and everything that happened from
// every source, to whoever may read each.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { amountText, whenText } from '../../../src/console/format.ts'
import { payinSentence } from '../../../src/console/payins/sentence.ts'
import { PAYIN_WORDS } from '../../../src/console/payins/words.ts'
import { operatorNamed } from '../../../src/core/audit/actor.ts'
import { bogotaDay, daysAfter, startOfDay } from '../../../src/core/bogota-day.ts'
import { HOUR_MS } from '../../../src/core/instant.ts'
import type { Payin } from '../../../src/core/payins/payin.ts'
import { recordAct } from '../../../src/flows/record-act.ts'
import type { PayinRail } from '../../../src/rails/rail.ts'
import { insertAlarm } from '../../../src/store/ledger/alarms.ts'
import { nextPayinWork } from '../../../src/store/payins/next-work.ts'
import { type Receiver, startReceiver } from '../../api/webhooks/receiver.ts'
import { lateMoney } from '../../late-money.ts'
import { brebPayin, CUSTOMER, createWorld, endPayin, psePayin, type World } from '../../world.ts'
import { type Person, signIn } from '../person.ts'
import { momentsIn, plain, sentenceIn } from './shown.ts'

const OPEN = { ...CUSTOMER, idNumber: '1000000007' }
const words = PAYIN_WORDS.es

describe('the page of a payin', () => {
  let world: World
  let owner: Person
  let receiver: Receiver
  before(async () => {
    world = await createWorld()
    owner = await signIn(world, 'owner')
    receiver = await startReceiver()
  })
  after(async () => {
    await receiver[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  const create = async (body: Record<string, unknown>): Promise<string> =>
    (await world.client('POST', '/payins', body)).json.id
  const payinOf = async (payinId: string): Promise<Payin> => {
    const payin = await world.ctx.batched.getPayin({
      organizationId: world.organization.organizationId,
      payinId,
    })
    return payin as Payin
  }
  const pageOf = async (id: string, person = owner): Promise<string> =>
    (await person.get(`/payins/${id}`)).text
  const when = (instant: number | null): string =>
    plain(whenText(instant as number, world.ctx.clock.now(), 'es'))
  const told = (...sentences: string[]): string =>
    sentences.map((one) => (one.endsWith('.') ? one : `${one}.`)).join(' ')

  it('says who paid, how and when, and when the money can be used', async () => {
    const id = await create(brebPayin({ inlineCustomer: OPEN }))
    await endPayin(world, world.client, id, 'confirmed')
    const { resultAt } = await payinOf(id)
    const paid = () => plain(words.paid(OPEN.name, amountText(5_000_000n, 'es'), 'Bre-B', when(resultAt)))
    const settlesAt = (resultAt as number) + world.ctx.settings.settlementDelayMs
    assert.equal(sentenceIn(await pageOf(id)), told(paid(), words.availableFrom(when(settlesAt))))
    await world.passTime(world.ctx.settings.settlementDelayMs + 120_000)
    // Settling changed it later than it was paid.
    assert.notEqual(when((await payinOf(id)).updatedAt), when(resultAt))
    assert.equal(sentenceIn(await pageOf(id)), told(paid(), words.available))
    await endPayin(world, world.client, id, 'chargeback')
    const { chargebackAt } = await payinOf(id)
    const back = words.reversed(plain(amountText(5_000_000n, 'es')), when(chargebackAt))
    assert.equal(sentenceIn(await pageOf(id)), told(paid(), back))
    const english = await signIn(world, 'owner', { language: 'en' })
    assert.match(
      sentenceIn(await pageOf(id, english)),
      /^Ana María Gómez paid \$50,000 over Bre-B .* The network took \$50,000 back /,
    )
  })

  it('says how much of it went back, and what was asked for where another amount arrived', async () => {
    const id = await create(brebPayin({ inlineCustomer: OPEN }))
    await endPayin(world, world.client, id, 'confirmed')
    const payin = await payinOf(id)
    const now = world.ctx.clock.now()
    const situation = { payerName: null, work: undefined, inSuspenseInCents: 0n, settlementDelayMs: 0, now }
    const said = (changes: Partial<Payin>) =>
      plain(payinSentence({ ...situation, payin: { ...payin, ...changes } }, 'es'))
    assert.match(
      said({ chargebackAt: now, chargedBackInCents: 700n }),
      /La red se llevó de vuelta \$ 7 a las? /,
    )
    assert.match(
      said({ confirmedAmountInCents: 6_000_000n }),
      /^Alguien pagó \$ 60\.000 .* Se pidieron \$ 50\.000\. El/,
    )
    assert.match(
      said({ confirmedAmountInCents: 4_000_000n }),
      /^Alguien pagó \$ 40\.000 .* Se pidieron \$ 50\.000\. El/,
    )
    assert.ok(!said({}).includes('Se pidieron'))
  })

  it('says why it was not paid, and when it ended', async () => {
    const id = await create(psePayin({ inlineCustomer: OPEN }))
    await endPayin(world, world.client, id, 'declined')
    const { resultAt } = await payinOf(id)
    await world.passTime(120_000)
    const ended = words.ended(when(resultAt))
    assert.equal(
      sentenceIn(await pageOf(id)),
      told('El banco lo rechazó: la cuenta no tenía fondos suficientes.', ended),
    )
  })

  it('says until when it waits, that the network is silent and is asked again when, and that it is overdue', async () => {
    const waiting = await create(brebPayin({ inlineCustomer: OPEN }))
    await world.work()
    const { expiresAt } = await payinOf(waiting)
    assert.equal(sentenceIn(await pageOf(waiting)), told(words.open.payment(when(expiresAt))))

    const { payins } = world.ctx.networks
    const rail = payins.PSE
    const submit: PayinRail['submit'] = async () => ({ outcome: 'unknown', kind: 'timeout', why: 'silence' })
    Object.assign(payins, { PSE: { ...rail, submit } })
    const silent = await create(psePayin({ inlineCustomer: OPEN }))
    assert.equal(
      sentenceIn(await pageOf(silent)),
      told(words.open.bank(when((await payinOf(silent)).expiresAt))),
    )
    await world.work()
    const payin = await payinOf(silent)
    const work = await nextPayinWork(world.db, payin)
    const first = words.open.silent(when(payin.expiresAt))
    // Some minutes from now, so that it is no other time of the sentence's.
    const dueAt = world.ctx.clock.now() + 180_000
    await world.db.query({
      text: 'update payins set due_at = $2 where payin_id = $1',
      values: [silent, new Date(dueAt)],
    })
    assert.equal(sentenceIn(await pageOf(silent)), told(first, words.askAgain(when(dueAt))))
    const situation = {
      payin,
      payerName: null,
      inSuspenseInCents: 0n,
      settlementDelayMs: 0,
      now: world.ctx.clock.now(),
    }
    const said = (isClaimed: boolean, due: number) =>
      plain(payinSentence({ ...situation, work: { dueAt: due, isClaimed } }, 'es'))
    assert.equal(said(true, dueAt), told(first, words.asking))
    assert.equal(said(false, situation.now), told(first, words.asking))
    assert.equal(
      plain(payinSentence({ ...situation, work, now: payin.expiresAt }, 'es')).startsWith('Venció'),
      true,
    )
    Object.assign(payins, { PSE: rail })
    await world.passTime(60_000)
  })

  it('says what is in suspense while it is there, and that money may still come', async () => {
    const { payinId, suspenseId } = await lateMoney(world)
    const held = plain(words.held(amountText(5_000_000n, 'es')))
    const page = await pageOf(payinId)
    assert.ok(sentenceIn(page).endsWith(held), sentenceIn(page))
    assert.ok(
      momentsIn(page).some(
        ({ source, title }) => source === 'Por identificar' && title === 'Dinero por identificar',
      ),
    )
    await world.client('POST', `/suspense/${suspenseId}/return`)
    await world.passTime(60_000)
    assert.ok(!sentenceIn(await pageOf(payinId)).includes(held))

    const payin = await payinOf(payinId)
    const situation = {
      payerName: null,
      work: undefined,
      inSuspenseInCents: 0n,
      settlementDelayMs: 0,
      now: world.ctx.clock.now(),
    }
    const closing: Payin = { ...payin, progress: { ...payin.progress, stage: 'TO_CLOSE' } }
    assert.ok(payinSentence({ ...situation, payin: closing }, 'es').endsWith(words.mayStillBePaid))
    assert.ok(!payinSentence({ ...situation, payin }, 'es').includes(words.mayStillBePaid))
  })

  it('tells everything that happened, newest first, each from its source', async () => {
    // Nine at night, when it is tomorrow already by Greenwich.
    const tomorrow = daysAfter(bogotaDay(world.ctx.clock.now()), 1)
    await world.passTime(startOfDay(tomorrow) + 21 * HOUR_MS - world.ctx.clock.now())
    await world.client('POST', '/webhook-endpoints', { url: receiver.url })
    receiver.answerWith(500, 'no')
    const id = await create(psePayin({ inlineCustomer: OPEN }))
    await endPayin(world, world.client, id, 'confirmed')
    await world.client('POST', `/payins/${id}/cancel`)
    await owner.post(`/payins/${id}/cancel`)
    await owner.post(`/payins/${id}/simulate`, { '/outcome': 'chargeback' })
    await world.passTime(1_000)
    const { organizationId } = world.organization
    const alarm = { alarmId: world.ctx.ids.next(), kind: 'payin-contradiction', detail: 'x' } as const
    await insertAlarm(world.db, organizationId, id, alarm, world.ctx.clock.now())
    const actor = operatorNamed('guardia')
    const canceled = { act: 'payin.cancel', before: null, after: null, organizationId, objectId: id } as const
    await world.db.inTransaction((tx) => recordAct({ ...world.ctx, actor }, tx, canceled))
    await world.api.requestLog.flush()
    const page = await pageOf(id)
    const moments = momentsIn(page)
    const sources = [...new Set(moments.map(({ source }) => source))].toSorted()
    assert.deepEqual(sources, [
      'API',
      'Alarma',
      'Aviso de la red',
      'Evento',
      'Libros',
      'Origen',
      'Red',
      'Registro de auditoría',
      'Webhook',
    ])
    const times = moments.map(({ at }) => at)
    assert.deepEqual(times, times.toSorted().toReversed())
    const titles = moments.map(({ title, notes }) => `${title} ${notes}`)
    for (const said of [
      /^Llamada a la API <code>POST \/payins<\/code>/,
      /^Llamada a la API rechazada <code>POST \/payins\/.*\/cancel<\/code> · <code>PAYIN_ALREADY_FINAL/,
      /^Pidieron cancelarlo por Lucía Peña · rechazado · <code>PAYIN_ALREADY_FINAL<\/code>$/,
      /^Pidieron cancelarlo por guardia$/,
      /^Simularon un resultado por Lucía Peña$/,
      /^La red avisó: pagado/,
      /^La red avisó: contracargo/,
      /^Webhook no entregado a 127\.0\.0\.1:\d+ <code>500<\/code> .* intento 1 · otro intento/,
    ])
      assert.ok(
        titles.some((title) => said.test(title)),
        `${said}: ${titles.join('\n')}`,
      )

    assert.deepEqual(
      [...page.matchAll(/class="day" id="day-([\d-]+)"/g)].map(([, day]) => day),
      [tomorrow],
    )
    // By when we were told, which may be long after it happened.
    const { rows: notices } = await world.db.query<{ at: number }>({
      text: 'select received_at as at from rail_notices where subject_id = $1 order by received_at desc',
      values: [id],
    })
    assert.deepEqual(
      moments.filter(({ source }) => source === 'Aviso de la red').map(({ at }) => Date.parse(at)),
      notices.map(({ at }) => at),
    )

    // What got no answer, and what is not tried again.
    await world.db.query({
      text: `update rail_exchanges set status = null, failure = 'timeout' where organization_id = $1`,
      values: [organizationId],
    })
    await world.db.query({
      text: 'update delivery_attempts set next_at = null where organization_id = $1',
      values: [organizationId],
    })
    const ended = momentsIn(await pageOf(id))
    const notesOf = (asked: string) =>
      ended.filter(({ source }) => source === asked).map(({ notes }) => notes)
    assert.ok(notesOf('Red').every((notes) => notes.includes('sin respuesta')))
    assert.ok(notesOf('Webhook').every((notes) => notes.endsWith('ya no se reintenta solo')))

    // Who reads neither the audit log nor webhooks is told nothing of them.
    const preparer = momentsIn(await pageOf(id, await signIn(world, 'preparer')))
    const hidden = ['Registro de auditoría', 'Webhook']
    assert.deepEqual(
      [...new Set(preparer.map(({ source }) => source))].toSorted(),
      sources.filter((one) => !hidden.includes(one)),
    )
  })

  it('of an attempt on a link tells what was told of the link', async () => {
    const link = (await world.client('POST', '/payment-links', LINK)).json
    const { organizationId } = world.organization
    const id = await create(brebPayin({ inlineCustomer: OPEN }))
    await world.db.query({
      text: 'update payins set payment_link_id = $3 where organization_id = $1 and payin_id = $2',
      values: [organizationId, id, link.paymentLinkId],
    })
    await world.client('POST', `/payment-links/${link.paymentLinkId}/expire`)
    await world.work()
    assert.match(await pageOf(id), /<code>paymentlink\.\w+<\/code>/)
  })
})

const LINK = {
  amountType: 'FIXED',
  amountInCents: 5_000_000,
  reference: 'link of the attempt',
  callbackUrl: 'https://shop.example/',
}
