// Home tells the truth: its numbers are those of the rows that they lead to, by the days of Bogotá, and what waits for somebody
// is named with the way there.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { amountText, dayText } from '../../../src/console/format.ts'
import { createHomeFigures } from '../../../src/console/home/figures.ts'
import { HOME_WORDS } from '../../../src/console/home/words.ts'
import { bogotaDay, type Day, daysAfter, startOfDay } from '../../../src/core/bogota-day.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import { payinFigures } from '../../../src/store/payins/figures.ts'
import { chargeBackSuspense, lateMoney } from '../../late-money.ts'
import { brebPayin, CUSTOMER, createWorld, endPayin, psePayin, type World } from '../../world.ts'
import { type Person, signIn } from '../person.ts'
import { listedRowIds } from '../typed.ts'

const OPEN = { ...CUSTOMER, idNumber: '1000000007' }

describe('home', () => {
  let world: World
  let owner: Person
  let today: Day
  let text: string
  const plain = (html: string): string => html.replaceAll('\u00a0', ' ').replaceAll('&amp;', '&')
  const money = (pesos: number): string => plain(amountText(BigInt(pesos) * 100n, 'es'))
  const dated = (day: Day): string => plain(dayText(day, world.ctx.clock.now(), 'es'))

  // Half past eleven at night, when it is tomorrow already by Greenwich.
  before(async () => {
    world = await createWorld()
    const first = daysAfter(bogotaDay(world.ctx.clock.now()), 1)
    today = daysAfter(first, 7)
    const until = (day: Day, hours: number, minutes: number) =>
      world.passTime(startOfDay(day) + hours * HOUR_MS + minutes * MINUTE_MS - world.ctx.clock.now())
    const paid = async (body: Record<string, unknown>, outcome = 'confirmed', client = world.client) => {
      const { id } = (await client('POST', '/payins', body)).json
      await endPayin(world, client, id, outcome)
    }
    await until(first, 22, 0)
    await paid(brebPayin({ amountInCents: 1_000_000, inlineCustomer: OPEN }))
    await until(first, 23, 45)
    await paid(brebPayin({ amountInCents: 4_000_000, inlineCustomer: OPEN }))
    await until(daysAfter(today, -1), 23, 50)
    await paid(brebPayin({ amountInCents: 500_000, inlineCustomer: OPEN }))
    await until(today, 0, 10)
    await paid(psePayin({ amountInCents: 1_200_000, inlineCustomer: OPEN }))
    await paid(psePayin({ amountInCents: 900_000, inlineCustomer: OPEN }), 'declined')
    await paid(psePayin({ amountInCents: 900_000, inlineCustomer: OPEN }), 'declined')
    const davivienda = { bank: 'CO_DAVIVIENDA', personType: 'INDIVIDUAL' }
    await paid(psePayin({ amountInCents: 700_000, inlineCustomer: OPEN, pse: davivienda }), 'canceled')
    await until(today, 23, 20)
    // Which raises an alarm, too.
    await chargeBackSuspense(
      world,
      await lateMoney(world, world.client, { amountInCents: 900_000 }),
      100_000n,
    )
    await world.client('POST', '/payins', brebPayin({ amountInCents: 3_300_000, inlineCustomer: OPEN }))
    const endpoints = ['off', 'failing', 'fine'].map((name) => ({ url: `http://127.0.0.1:9/${name}` }))
    const ids: string[] = []
    for (const body of endpoints) ids.push((await world.client('POST', '/webhook-endpoints', body)).json.id)
    await world.client('PATCH', `/webhook-endpoints/${ids[0]}`, { status: 'DISABLED' })
    await world.db.query({
      text: 'update webhook_endpoints set failing_since = now() where endpoint_id = $1',
      values: [ids[1]],
    })
    await until(today, 23, 30)
    owner = await signIn(world, 'owner')
    text = plain((await owner.get('')).text)
  })
  after(() => world[Symbol.asyncDispose]())

  const rowsAt = async (address: string): Promise<number> => {
    const page = await owner.get(address)
    assert.equal(page.status, 200, address)
    return listedRowIds(page.text).length
  }

  it('has what was paid today, and against the same weekday until the same hour', async () => {
    const weekday = HOME_WORDS.es.weekdays[new Date(`${today}T12:00:00Z`).getUTCDay()] as string
    const [, href = '', sum] = /class="today-sum"><a href="([^"]*)">([^<]*)</.exec(text) ?? []
    assert.equal(sum, money(12_000))
    assert.equal(await rowsAt(href), 1)
    assert.match(text, /class="status plain good">▲ 20 %</)
    assert.ok(text.includes(HOME_WORDS.es.versus(weekday)), weekday)
  })

  it('has how many were paid, are open, and how many of those that ended were paid, each with its rows', async () => {
    const found = [...text.matchAll(/<dt>([^<]*)<\/dt><dd><a href="([^"]*\/payins\?[^"]*)">([^<]*)</g)]
    const said = found.map(([, label, , value]) => [label, value])
    const { confirmed, open, success } = HOME_WORDS.es
    assert.deepEqual(said, [
      [confirmed, '1'],
      [open, '1'],
      // Of five that ended, one was paid; two were declined, and two canceled.
      [success, '20,0 %'],
    ])
    for (const [, label = '', href = '', value] of found.slice(0, 2))
      assert.equal(await rowsAt(href), Number(value), label)
  })

  it('has bars and a table of fourteen days, each with the rows of its day', async () => {
    const bars = [...text.matchAll(/<a href="([^"]*)" aria-label="([^"]*)">/g)]
    const days = Array.from({ length: 14 }, (_, index) => daysAfter(today, index - 13))
    const paid: Record<Day, [pesos: number, count: number]> = {
      [today]: [12_000, 1],
      [daysAfter(today, -1)]: [5_000, 1],
      [daysAfter(today, -7)]: [50_000, 2],
    }
    const expected = days.map((day): [Day, number, number] => [day, ...(paid[day] ?? ([0, 0] as const))])
    assert.deepEqual(
      bars.map(([, , label]) => label),
      expected.map(([day, pesos, count]) => `${dated(day)}: ${money(pesos)}, ${count}`),
    )
    for (const [index, [day, , count]] of expected.entries())
      if (count > 0) assert.equal(await rowsAt(bars[index]?.[1] ?? ''), count, day)
    const [, table = ''] = /id="chart-table">(.*?)<\/table>/s.exec(text) ?? []
    const rows = [
      ...table.matchAll(/<th scope="row"><a href="[^"]*">([^<]*)<\/a><\/th><td>(\d+)<\/td><td>([^<]*)</g),
    ]
    assert.deepEqual(
      rows.map(([, day, count, sum]) => [day, count, sum]),
      expected.toReversed().map(([day, pesos, count]) => [dated(day), String(count), money(pesos)]),
    )
    assert.ok(text.includes(`<span>${dated(days[0] as Day)}</span><span>${dated(today)}</span>`))
  })

  it('says how payins ended by rail and bank, and why, each with its rows', async () => {
    const [, table = ''] = /class="card home-sources">(.*?)<\/section>/s.exec(text) ?? []
    const lines = [...table.matchAll(/<tr(?: class="sub")?><th scope="row".*?<\/tr>/g)].map(([line]) => {
      const links = [...line.matchAll(/<a (?:class="share-link" )?href="([^"]*)">(.*?)<\/a>/g)]
      const [, count] = /<td>(\d+)<\/td>/.exec(line) ?? []
      return {
        count,
        links: links.map(([, href = '', shown = '']) => [href, shown.replace(/<svg.*<\/svg>/, '')]),
      }
    })
    const said = lines.map(({ count, links }) => [count, ...links.map(([, shown]) => shown)])
    assert.deepEqual(said.toSorted(), [
      ['1', 'Bre-B', '0 %', 'Lo canceló el comercio (1)'],
      ['1', 'Davivienda', '0 %', 'Lo canceló quien paga (1)'],
      ['3', 'Bancolombia', '33,3 %', 'Fondos insuficientes (2)'],
      ['4', 'PSE', '25,0 %', 'Fondos insuficientes (2)'],
    ])
    for (const { links } of lines) {
      const [[where = '', name] = [], [share = ''] = [], [reason = '', why = ''] = []] = links
      const isPse = name !== 'Bre-B'
      // The open one is there as well: the list shows how all of today's stand.
      const ended = Number(lines.find(({ links: [first] }) => first?.[1] === name)?.count)
      assert.equal(await rowsAt(where), ended + (isPse ? 0 : 1), where)
      assert.equal(await rowsAt(share), name === 'PSE' || name === 'Bancolombia' ? 1 : 0, share)
      assert.equal(await rowsAt(reason), Number(/\((\d+)\)/.exec(why)?.[1]), reason)
    }
  })

  it('has each balance with the movements that make it', async () => {
    const { json } = await world.client('GET', '/balance')
    const shown = [...text.matchAll(/class="balance" href="([^"]*)".*?class="balance-sum">([^<]*)</g)].map(
      ([, href = '', sum]) => [href.replace(owner.home, ''), sum],
    )
    const inPesos = (cents: number) => money(cents / 100)
    assert.deepEqual(shown, [
      ['/movements?account=AVAILABLE&period=all', inPesos(json.availableInCents)],
      ['/movements?account=PENDING_SETTLEMENT&period=all', inPesos(json.pendingSettlementInCents)],
      ['/movements?account=RESERVED&period=all', inPesos(json.reservedInCents)],
      ['/suspense', money(8_000)],
    ])
  })

  it('names what somebody should look at, to whoever may see it', async () => {
    const itemsOf = (page: string) =>
      [...page.matchAll(/<li><a href="([^"]*)"><i class="dot \w+"><\/i><span>([^<]*)(?:<small>([^<]*))?/g)]
        .map(([, href = '', ...said]) => [href.replace(/.*\/console\/[^/]*/, ''), ...said])
        .filter(([href]) => !href?.startsWith('/events/'))
    const attention = itemsOf(text).map(([href = '', said]) => [href.replace(/[0-9a-f-]{36}/, '{id}'), said])
    assert.deepEqual(attention, [
      ['/alarms', 'Una alarma abierta'],
      ['/suspense', `${money(8_000)} por identificar`],
      ['/webhooks/{id}', 'El webhook 127.0.0.1:9/off está apagado'],
      ['/webhooks/{id}', 'El webhook 127.0.0.1:9/failing está fallando'],
    ])
    const accountant = await signIn(world, 'accountant', { language: 'en' })
    const seen = itemsOf(plain((await accountant.get('')).text))
    assert.deepEqual(
      seen.map(([href]) => href),
      ['/alarms', '/suspense'],
    )
  })

  it('counts what arrived, where that is not what was asked for', async () => {
    const { organizationId } = world.organization
    const all = {
      fromId: '00000000-0000-0000-0000-000000000000',
      beforeId: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
    }
    const sumOf = async (maxRows = 1_000) => {
      const { figures, isPartial } = await payinFigures(world.db, organizationId, all, maxRows)
      const count = figures.reduce((sum, figure) => sum + figure.count, 0)
      return { isPartial, count, sum: figures.reduce((sum, { sumInCents }) => sum + sumInCents, 0n) }
    }
    const before = await sumOf()
    const change = (cents: number) =>
      world.db.query({
        text: `update payins set confirmed_amount_cents = confirmed_amount_cents + $2
                where organization_id = $1 and status = 'CONFIRMED' and amount_cents = 4000000`,
        values: [organizationId, cents],
      })
    await change(7)
    assert.deepEqual(await sumOf(), { ...before, sum: before.sum + 7n })
    await change(-7)
    assert.equal(before.isPartial, false)
    // As many as are read may be all or not: so it says that they may not be.
    assert.equal((await sumOf(before.count)).isPartial, true)
    assert.equal((await sumOf(before.count + 1)).isPartial, false)
  })

  it('is another day after midnight, and another organization’s own', async () => {
    const other = await world.newMerchant()
    const { id } = (await other.client('POST', '/payins', brebPayin({ inlineCustomer: OPEN }))).json
    await endPayin(world, other.client, id, 'confirmed')
    const theirs = await signIn(world, 'owner', { organization: other.organization })
    const theirText = plain((await theirs.get('')).text)
    assert.ok(theirText.includes(`${dated(today)}: ${money(50_000)}, 1`))
    assert.ok(!theirText.includes(money(5_000)))
    assert.ok(theirText.includes('pasado a esta hora no había cobros'))
    await world.passTime(startOfDay(daysAfter(today, 1)) - MINUTE_MS - world.ctx.clock.now())
    const figuresOf = createHomeFigures(world.ctx)
    const { organizationId } = world.organization
    assert.ok((await figuresOf(organizationId)).today.figures.length > 0)
    world.advance(6 * MINUTE_MS)
    assert.deepEqual((await figuresOf(organizationId)).today.figures, [], 'what was just read is yesterday’s')
    const next = plain((await signIn(world, 'owner').then((person) => person.get(''))).text)
    assert.match(next, new RegExp(`class="today-sum"><a href="[^"]*">${RegExp.escape(money(0))}<`))
    assert.ok(next.includes(`${dated(today)}: ${money(12_000)}, 1`))
    assert.ok(next.includes(`${dated(daysAfter(today, 1))}: ${money(0)}, 0`))
  })
})
