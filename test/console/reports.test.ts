// The pages of reports: a month, a day, its movements; every number leads to what it is made of, and roles see people as they may.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { daysAfter } from '../../src/core/bogota-day.ts'
import { newPayout } from '../api/http/calls.ts'
import { closeAllDue, closeToday, today } from '../flows/ledger/closing.ts'
import { brebPayin, CUSTOMER, createWorld, type World } from '../world.ts'
import { type Person, signIn } from './person.ts'

describe('the pages of reports', () => {
  let world: World
  let accountant: Person
  let day: string
  before(async () => {
    world = await createWorld()
    const inlineCustomer = { ...CUSTOMER, name: 'Ana María Gómez' }
    await world.client(
      'POST',
      '/payins',
      brebPayin({ amountInCents: 5_000_000, reference: 'uno', inlineCustomer }),
    )
    await world.client('POST', '/payouts', newPayout({ amountInCents: 2_000_000, reference: 'nomina' }))
    await world.passTime(10_000)
    day = await closeToday(world)
    accountant = await signIn(world, 'accountant')
  })
  after(() => world[Symbol.asyncDispose]())

  const linksIn = (text: string): string[] =>
    [...text.matchAll(/href="([^"]*\/reports\/[^"]*)"/g)].map(([, href = '']) =>
      href.replaceAll('&amp;', '&'),
    )

  it('every number of a month and of a day leads to a page with its movements', async () => {
    const month = await accountant.get(`/reports?month=${day.slice(0, 7)}`)
    assert.equal(month.status, 200)
    assert.match(month.text, /Cerrado/)
    assert.match(month.text, /Abierto/)
    const shown = await accountant.get(`/reports/${day}`)
    assert.match(shown.text, /Huella/)
    const links = [...linksIn(month.text), ...linksIn(shown.text)].filter((href) =>
      /movements\?column/.test(href),
    )
    assert.ok(links.length >= 4)
    for (const href of new Set(links)) {
      const { status, text } = await accountant.get(href.slice(accountant.home.length))
      assert.equal(status, 200, href)
      assert.match(text, /<tbody><tr>/, href)
    }
  })

  it('files are what the page shows', async () => {
    const csv = await accountant.get(`/reports/${day}/movements.csv?column=confirmed`)
    assert.equal(csv.status, 200)
    assert.match(csv.text, /Ana María Gómez/)
    assert.equal(csv.text.trim().split('\r\n').length, 2)
    assert.equal((await accountant.get(`/reports/month.xlsx?month=${day.slice(0, 7)}`)).status, 200)
  })

  it('whoever sees payers masked sees them masked here, in files too', async () => {
    const support = await signIn(world, 'support')
    for (const path of [`/reports/${day}/movements`, `/reports/${day}/movements.csv`]) {
      const { text } = await support.get(path)
      assert.ok(!text.includes('Ana María Gómez'), path)
      assert.ok(!text.includes(CUSTOMER.idNumber), path)
    }
  })

  it('a day that is none, to come or before the organization is no page, and says why', async () => {
    const wrong = {
      ayer: /Un día se escribe así/,
      [daysAfter(today(world), 1)]: /Ese día no ha llegado: en Bogotá hoy es/,
      [daysAfter(day, -1)]: /Tu organización empezó después: su primer día es/,
    }
    for (const [named, why] of Object.entries(wrong))
      for (const rest of ['', '/movements', '/movements.csv']) {
        const { status, text } = await accountant.get(`/reports/${named}${rest}`)
        assert.equal(status, 404, named + rest)
        assert.match(text, why)
      }
    assert.equal((await accountant.get('/reports?month=2026-99')).status, 200)
  })

  it('a month is named in words', async () => {
    const { text } = await accountant.get('/reports?month=2026-99')
    const name = new Intl.DateTimeFormat('es-CO', { month: 'long', timeZone: 'UTC' }).format(
      Date.parse(today(world)),
    )
    assert.match(text, new RegExp(`Extracto de ${name} de ${today(world).slice(0, 4)}`))
  })

  it('an accountant closes a day that has ended; a developer cannot', async () => {
    const now = today(world)
    assert.ok(!(await accountant.get(`/reports/${now}`)).text.includes(`/reports/${now}/close`))
    await world.passTime(86_400_000 - 8 * 60_000)
    const ended = daysAfter(today(world), -1)
    assert.match((await accountant.get(`/reports/${ended}`)).text, /\/close"/)
    const developer = await signIn(world, 'developer')
    const refused = await developer.post(`/reports/${ended}/close`)
    assert.equal(refused.status, 403)
    const done = await accountant.post(`/reports/${ended}/close`)
    assert.equal(done.status, 303)
    assert.match((await accountant.get(`/reports/${ended}`)).text, /Cerrando/)
    await world.passTime(60_000)
    await closeAllDue(world)
    assert.match((await accountant.get(`/reports/${ended}`)).text, /Cerrado/)
  })
})
