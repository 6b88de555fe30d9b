// The accountant's reports over HTTP: days, movements, files and months; balances as they stood; what is refused, and why.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { daysAfter } from '../../../src/core/bogota-day.ts'
import { isoInstant } from '../../../src/core/instant.ts'
import type { Scope } from '../../../src/core/organizations/scope.ts'
import { monthOf } from '../../../src/flows/ledger/read-days.ts'
import { watchMinimums } from '../../../src/flows/ledger/watch-minimums.ts'
import { closeAllDue, closeToday, today } from '../../flows/ledger/closing.ts'
import { brebPayin, CUSTOMER, createWorld, eventually, type World } from '../../world.ts'
import { newPayout } from '../http/calls.ts'
import { checkedBatch, goodRow } from '../payout-batches/files.ts'

const NIT = { ...CUSTOMER, name: 'Café La Palma S.A.S.', idType: 'CO_NIT', idNumber: '900123456' }

describe('reports', () => {
  let world: World
  let day: string
  before(async () => {
    world = await createWorld()
    await world.client(
      'POST',
      '/payins',
      brebPayin({ amountInCents: 5_000_000, reference: 'uno', inlineCustomer: NIT }),
    )
    await world.client('POST', '/payins', brebPayin({ amountInCents: 700_001, reference: '=dos' }))
    await world.client('POST', '/payouts', newPayout({ amountInCents: 2_000_000, reference: 'nomina' }))
    await world.passTime(10_000)
    day = await closeToday(world)
  })
  after(() => world[Symbol.asyncDispose]())

  const get = (path: string) => world.client('GET', path)

  it('a closed day adds up to its closing balance, and says what it is proven by', async () => {
    const { status, json } = await get(`/reports/days/${day}`)
    assert.equal(status, 200)
    assert.equal(json.status, 'CLOSED')
    assert.equal(json.columns.confirmed.amountInCents, 5_700_001)
    assert.equal(json.columns.paidOut.amountInCents, 2_000_000)
    const opening = 100_000_000_000
    assert.equal(json.openingBalanceInCents, 0)
    assert.equal(json.columns.deposited.amountInCents, opening)
    assert.equal(json.closingBalanceInCents, opening + 5_700_001 - 2_000_000)
    assert.match(json.digest, /^[0-9a-f]{64}$/)
    assert.match(json.movementsDigest, /^[0-9a-f]{64}$/)
    const again = await get(`/reports/days/${day}`)
    assert.equal(again.text, (await get(`/reports/days/${day}`)).text)
  })

  it('days are listed, the latest first, and each opens with the balance of the one before', async () => {
    const { json } = await get('/reports/days')
    assert.deepEqual(
      json.data.map((one: { day: string }) => one.day),
      [daysAfter(day, 1), day],
    )
    assert.equal(json.data[0].openingBalanceInCents, json.data[1].closingBalanceInCents)
    assert.equal(json.data[0].status, 'OPEN')
  })

  it('movements name the third party with its check digit, the reference and the network’s id', async () => {
    const { json } = await get(`/reports/days/${day}/movements?column=confirmed&pageSize=1`)
    const rest = await get(
      `/reports/days/${day}/movements?column=confirmed&pageSize=1&cursor=${json.pageInfo.nextCursor}`,
    )
    // Which of both was confirmed first is the network's business.
    const movements = [...json.data, ...rest.json.data]
    assert.equal(rest.json.pageInfo.hasNext, false)
    assert.deepEqual(movements.map(({ reference }) => reference).sort(), ['=dos', 'uno'])
    const one = movements.find(({ reference }) => reference === 'uno')
    assert.deepEqual(one.thirdParty, {
      name: NIT.name,
      idType: 'CO_NIT',
      idNumber: '900123456',
      checkDigit: '8',
    })
    assert.equal(typeof one.networkId, 'string')
    assert.equal(one.ownDay, day)
    assert.deepEqual(one.columns, ['confirmed'])
  })

  it('movements of a refund name the payer and the reference of its payin, whatever way it goes', async () => {
    const { client } = await world.newMerchant()
    const inlineCustomer = { ...CUSTOMER, idNumber: '1020304050' }
    const { id } = (await client('POST', '/payins', brebPayin({ reference: 'devuelto', inlineCustomer })))
      .json
    await world.passTime(10_000)
    const ways = [{}, { breb: { keyString: inlineCustomer.idNumber } }]
    for (const way of ways)
      await client('POST', `/payins/${id}/refunds`, { amountInCents: 1_000, reason: 'OTHER', ...way })
    const refunded = await eventually(
      async () => {
        await world.passTime(1_000)
        const path = `/reports/days/${today(world)}/movements?column=refunded`
        return (await client('GET', path)).json.data as {
          reference: string
          thirdParty: { idNumber: string }
        }[]
      },
      (all) => all.length === ways.length,
    )
    for (const { reference, thirdParty } of refunded)
      assert.deepEqual([reference, thirdParty?.idNumber], ['devuelto', inlineCustomer.idNumber])
  })

  it('what is learned a day later is booked then, with its own date beside it', async () => {
    const later = today(world)
    await world.passTime(2 * 86_400_000)
    const days = [later, daysAfter(later, 1), daysAfter(later, 2)]
    const pages = await Promise.all(days.map((one) => get(`/reports/days/${one}/movements?column=settled`)))
    const settled = pages.flatMap(({ json }) => json.data)
    assert.equal(settled.length, 2)
    for (const movement of settled) {
      assert.equal(movement.ownDay, day)
      assert.ok(movement.day > day)
    }
  })

  it('what its network lists on another day has that day’s date beside it', async () => {
    const dates = async () => {
      const { json } = await get(`/reports/days/${day}/movements?column=confirmed`)
      return json.data.map(({ ownDay }: { ownDay: string }) => ownDay).sort()
    }
    assert.deepEqual(await dates(), [day, day])
    await world.db.query({
      text: `insert into bookings_of_other_days (organization_id, transfer_id, rail, line_key, own_day, listed_on)
             select organization_id, transfer_id, 'BRE_B', 'line', $1, $2
               from ledger_transfers where booking = 'payin confirmed' limit 1`,
      values: [day, daysAfter(day, -1)],
    })
    assert.deepEqual(await dates(), [daysAfter(day, -1), day])
    await world.db.query({ text: 'delete from bookings_of_other_days' })
  })

  it('a credential that may not read payins sees no payer', async () => {
    const { client } = await world.key(['ledger:read'])
    const { json } = await client('GET', `/reports/days/${day}/movements?column=confirmed`)
    assert.deepEqual(
      json.data.map((one: { thirdParty: unknown }) => one.thirdParty),
      [null, null],
    )
    const file = await client('GET', `/reports/days/${day}/movements/file`)
    assert.ok(!file.text.includes(NIT.name))
  })

  it('a credential sees the people of what it may read, and no others', async () => {
    const seen = async (...scopes: Scope[]) => {
      const { client } = await world.key(['ledger:read', ...scopes])
      const named = async (column: string) => {
        const { json } = await client('GET', `/reports/days/${day}/movements?column=${column}`)
        return json.data.some((one: { thirdParty: unknown }) => one.thirdParty !== null)
      }
      const { text } = await client('GET', `/reports/days/${day}/movements/file`)
      return [await named('confirmed'), await named('paidOut'), text.includes(NIT.name)]
    }
    assert.deepEqual(await seen('payins:read'), [true, false, true])
    assert.deepEqual(await seen('payouts:read'), [false, true, false])
  })

  it('the check digit of a NIT is the one that was given, or that of nine digits, and otherwise not known', async () => {
    const { client } = await world.newMerchant()
    const given = { '900123456': '8', '900.123.456-8': '8', '9001234568': null }
    for (const idNumber of Object.keys(given))
      await client('POST', '/payins', brebPayin({ inlineCustomer: { ...NIT, idNumber } }))
    await world.passTime(10_000)
    const { json } = await client('GET', `/reports/days/${today(world)}/movements?column=confirmed`)
    const digits = json.data.map(
      ({ thirdParty }: { thirdParty: { idNumber: string; checkDigit: string } }) => [
        thirdParty.idNumber,
        thirdParty.checkDigit,
      ],
    )
    assert.deepEqual(digits.sort(), [
      ['900123456', '8'],
      ['900123456', '8'],
      ['9001234568', null],
    ])
  })

  it('files hold every movement once, as Excel in Colombia reads them', async () => {
    const csv = await get(`/reports/days/${day}/movements/file?format=csv`)
    assert.equal(csv.status, 200)
    assert.match(csv.headers['content-type'] ?? '', /text\/csv/)
    assert.match(csv.headers['content-disposition'] ?? '', new RegExp(`Movimientos-${day}\\.csv`))
    const lines = csv.text.trim().split('\r\n')
    const { json } = await get(`/reports/days/${day}`)
    assert.equal(lines.length - 1, json.movements)
    assert.equal(
      lines[0]?.replace('\uFEFF', ''),
      'Día contable;Fecha propia;Registrado;Movimiento;Valor;Débito;Crédito;Cuenta PUC;Referencia;CUS o id de la red;Red;Tercero;Tipo de documento;Documento;DV;Id del cobro o pago;Id del movimiento',
    )
    assert.ok(csv.text.includes('50000,00'))
    assert.ok(csv.text.includes("'=dos"))
    const xlsx = await get(`/reports/days/${day}/movements/file?format=xlsx&language=en`)
    assert.equal(xlsx.status, 200)
    assert.ok(xlsx.text.startsWith('PK'))
  })

  it('files are sent to two of an organization at a time, and whoever asks for more is told when to ask again', async () => {
    const headers = { 'x-api-key': world.apiKey }
    const address = `${world.baseUrl}/reports/days/${day}/movements/file`
    const answers = await world.db.inTransaction(async (tx) => {
      // No movement can be read, so that none of them ends.
      await tx.query({ text: 'lock table ledger_transfers in access exclusive mode' })
      return Promise.all(Array.from({ length: 3 }, () => fetch(address, { headers })))
    })
    const told = answers.map((answer) => [answer.status, answer.headers.get('retry-after')]).sort()
    for (const answer of answers) await answer.text()
    assert.deepEqual(told, [
      [200, null],
      [200, null],
      [429, '10'],
    ])
  })

  it('a month is the sum of its days, in JSON and as a file', async () => {
    const month = day.slice(0, 7)
    const { json } = await get(`/reports/months/${month}`)
    const sum = json.days.reduce((total: number, one: { movements: number }) => total + one.movements, 0)
    assert.equal(json.movements, sum)
    type Day = { columns: Record<string, { movements: number }> }
    for (const [column, { movements }] of Object.entries<{ movements: number }>(json.columns)) {
      const ofDays = json.days.map((one: Day) => one.columns[column]?.movements ?? 0)
      assert.equal(
        movements,
        ofDays.reduce((total: number, count: number) => total + count),
        column,
      )
    }
    assert.equal(json.columns.confirmed.amountInCents, 5_700_001)
    assert.equal(json.closingBalanceInCents, json.days.at(-1).closingBalanceInCents)
    assert.equal(json.isFinal, false)
    const file = await get(`/reports/months/${month}/file?language=en`)
    assert.match(file.text, /Opening balance/)
    const lines = file.text.trim().split('\r\n')
    assert.equal(lines.length, json.days.length + 1)
    const [heads = 0, ...cells] = lines.map((line: string) => line.split(',').length)
    assert.deepEqual(new Set(cells), new Set([heads]), 'a head over each cell')
    assert.ok(heads > Object.keys(json.columns).length)
  })

  it('accounts of the chart and the estimated tax show where they are asked for', async () => {
    const before = (await get(`/reports/days/${day}`)).json
    assert.equal(before.estimatedMovementTaxInCents, null)
    const accounting = { pucAccounts: { fees: '530515', balance: '111005' }, estimatesMovementTax: true }
    const changed = await world.client('PATCH', '/organization', { accounting })
    assert.deepEqual(changed.json.accounting, accounting)
    const { json } = await get(`/reports/days/${day}`)
    assert.equal(json.columns.fees.pucAccount, '530515')
    assert.equal(json.balancePucAccount, '111005')
    assert.equal(json.estimatedMovementTaxInCents, 8_000)
    assert.equal(json.digest, before.digest)
    const wrong = await world.client('PATCH', '/organization', {
      accounting: { pucAccounts: { fees: '53051' }, estimatesMovementTax: true },
    })
    assert.equal(wrong.status, 400)
    assert.equal(wrong.json.errors[0].path, '/accounting/pucAccounts/fees')
  })

  it('a month has the days that it has, from the organization’s first to today', () => {
    const at = (text: string) => Date.parse(`${text}T12:00:00-05:00`)
    const born = { createdAt: at('2026-01-20') }
    const now = at('2028-03-05')
    for (const [month, from, until] of [
      ['2026-01', '2026-01-20', '2026-01-31'],
      ['2026-02', '2026-02-01', '2026-02-28'],
      ['2026-04', '2026-04-01', '2026-04-30'],
      ['2026-12', '2026-12-01', '2026-12-31'],
      ['2028-02', '2028-02-01', '2028-02-29'],
      ['2028-03', '2028-03-01', '2028-03-05'],
    ] as const)
      assert.deepEqual(monthOf(month, born, now), { from, until })
  })

  it('days and months that are none, in the future or before the organization are refused with the reason', async () => {
    const first = day
    for (const [path, reason] of [
      ['/reports/days/2026-02-30', /must be a day/],
      ['/reports/days/ayer', /must be a day/],
      [`/reports/days/${daysAfter(today(world), 1)}`, /future/],
      [`/reports/days/${daysAfter(first, -1)}`, new RegExp(`first day is ${first}`)],
      [`/reports/days/${daysAfter(first, -1)}/movements`, /existed/],
      [`/reports/days/x/movements/file`, /must be a day/],
      ['/reports/months/2026-13', /must be a month/],
      ['/reports/months/2199-01', /future/],
      ['/reports/months/2001-01/file', /existed/],
      [`/reports/days?from=${today(world)}&to=${first}`, /after/],
      [`/balance?at=${isoInstant(world.ctx.clock.now() + 60_000)}`, /future/],
      ['/balance?at=2001-01-01T00:00:00.000Z', /existed/],
    ] as const) {
      const { status, json } = await get(path)
      assert.equal(status, 400, path)
      assert.match(json.detail, reason)
    }
  })

  it('today cannot be closed; a day that has ended is closed on request, once', async () => {
    const now = today(world)
    assert.equal((await world.client('POST', `/reports/days/${now}/close`)).json.code, 'DAY_NOT_OVER')
    const { client } = await world.key(['ledger:read'])
    const ended = daysAfter(now, -1)
    assert.equal((await client('POST', `/reports/days/${ended}/close`)).status, 403)
    const asked = await world.client('POST', `/reports/days/${ended}/close`)
    assert.equal(asked.status, 202)
    assert.equal(asked.json.status, 'CLOSING')
    await world.passTime(60_000)
    await closeAllDue(world)
    assert.equal((await get(`/reports/days/${ended}`)).json.status, 'CLOSED')
    const again = await world.client('POST', `/reports/days/${ended}/close`)
    assert.equal(again.json.status, 'CLOSED')
    const audit = await get('/audit?act=day.close')
    assert.equal(audit.json.data.filter((one: { outcome: string }) => one.outcome !== 'refused').length, 1)
  })

  it('a balance of the past is told, and transfers of an account run up to its balance', async () => {
    const at = isoInstant(world.ctx.clock.now())
    const before = (await get('/balance')).json
    await world.passTime(1_000)
    await world.client('POST', '/payouts', newPayout({ amountInCents: 1_500, reference: 'poco' }))
    await world.passTime(5_000)
    const now = (await get('/balance')).json
    assert.equal(before.availableInCents - now.availableInCents, 1_500)
    assert.deepEqual((await get(`/balance?at=${at}`)).json, before)
    const first = await get('/ledger/transfers?account=AVAILABLE&pageSize=2')
    const second = await get(
      `/ledger/transfers?account=AVAILABLE&pageSize=100&cursor=${first.json.pageInfo.nextCursor}`,
    )
    const rows = [...first.json.data, ...second.json.data]
    assert.equal(rows[0].balanceAfterInCents, now.availableInCents)
    for (const [index, row] of rows.entries()) {
      const older = rows[index + 1]
      const change = row.creditAccount === 'AVAILABLE' ? row.amountInCents : -row.amountInCents
      assert.equal(row.balanceAfterInCents - change, older?.balanceAfterInCents ?? 0)
    }
    assert.equal('balanceAfterInCents' in (await get('/ledger/transfers')).json.data[0], false)
    const [{ subjectId, createdAt }] = rows
    const ofOne = await get(`/ledger/transfers?account=AVAILABLE&subjectId=${subjectId}`)
    assert.equal(
      'balanceAfterInCents' in ofOne.json.data[0],
      false,
      'of one subject they do not follow each other',
    )
    // What is booked in that very millisecond is booked by then.
    assert.equal((await get(`/balance?at=${createdAt}`)).json.availableInCents, rows[0].balanceAfterInCents)
  })

  it('a payout that the balance does not cover says what was missing', async () => {
    const { client } = await world.newMerchant()
    const { json } = await client(
      'POST',
      '/payouts',
      newPayout({ amountInCents: 1_211_000_000, reference: 'mucho' }),
    )
    await world.passTime(5_000)
    assert.equal('missingAmountInCents' in (await client('GET', `/payouts/${json.id}`)).json, false)
    const { availableInCents } = (await client('GET', '/balance')).json
    const count = Math.floor(availableInCents / 1_211_000_000)
    for (let made = 0; made < count; made += 1)
      await client('POST', '/payouts', newPayout({ amountInCents: 1_211_000_000, reference: `r${made}` }))
    const last = await client(
      'POST',
      '/payouts',
      newPayout({ amountInCents: 1_211_000_000, reference: 'last' }),
    )
    await world.passTime(10_000)
    const declined = (await client('GET', `/payouts/${last.json.id}`)).json
    assert.equal(declined.errorCode, 'INSUFFICIENT_FUNDS')
    assert.equal(declined.missingAmountInCents, 1_211_000_000 - (availableInCents - count * 1_211_000_000))
  })

  it('an alarm tells when less than the minimum is available, once each time', async () => {
    const open = async () =>
      (await get('/alarms?kind=balance-below-minimum')).json.data as { detail: string; status: string }[]
    const { availableInCents } = (await get('/balance')).json
    await world.client('PATCH', '/organization', { minimumBalanceInCents: availableInCents })
    assert.equal(await watchMinimums(world.ctx), 0)
    await world.client('POST', '/payouts', newPayout({ amountInCents: 1_000, reference: 'bajo' }))
    await world.passTime(5_000)
    assert.equal(await watchMinimums(world.ctx), 1)
    assert.equal(await watchMinimums(world.ctx), 0)
    assert.equal((await open()).length, 1)
    await world.client('PATCH', '/organization', { minimumBalanceInCents: 100 })
    assert.equal(await watchMinimums(world.ctx), 0)
    await world.client('PATCH', '/organization', { minimumBalanceInCents: availableInCents + 1 })
    assert.equal(await watchMinimums(world.ctx), 1)
    assert.equal((await open()).length, 2)
    assert.match(
      (await open())[0]?.detail ?? '',
      /^[\d.]+ COP can be paid out, and the minimum is [\d.]+ COP$/,
    )
    await world.client('PATCH', '/organization', { minimumBalanceInCents: null })
    assert.equal(await watchMinimums(world.ctx), 0)
    const other = await world.newMerchant()
    assert.deepEqual((await other.client('GET', '/alarms?kind=balance-below-minimum')).json.data, [])
  })

  it('a balance that is back at its minimum is not below it, and tells again when it falls', async () => {
    const { client } = await world.newMerchant()
    const { availableInCents } = (await client('GET', '/balance')).json
    await client('PATCH', '/organization', { minimumBalanceInCents: availableInCents })
    // The network declines it, so its money comes back.
    const inlineCustomer = { ...CUSTOMER, idNumber: '1000000003' }
    for (const times of [1, 2]) {
      await client('POST', '/payouts', newPayout({ amountInCents: times, inlineCustomer }))
      await world.work()
      assert.equal(await watchMinimums(world.ctx), 1, 'it fell')
      await world.passTime(10_000)
      assert.equal((await client('GET', '/balance')).json.availableInCents, availableInCents)
      assert.equal(await watchMinimums(world.ctx), 1, 'it came back')
      assert.equal(await watchMinimums(world.ctx), 0)
      const { data } = (await client('GET', '/alarms?kind=balance-below-minimum')).json
      assert.equal(data.length, times)
    }
    await client('PATCH', '/organization', { minimumBalanceInCents: null })
  })

  it('money given back names its payer and the payin’s reference, and money set aside for a file its name', async () => {
    const on = today(world)
    const payin = (await get('/payins?reference=uno')).json.data[0]
    const asked = { amountInCents: 100_000, reason: 'OTHER', way: 'RAIL' }
    const refund = await world.client('POST', `/payins/${payin.id}/refunds`, asked)
    assert.equal(refund.status, 201, refund.text)
    await world.passTime(2_000)
    const path = `/reports/days/${on}/movements`
    const [given] = (await get(`${path}?column=refunded`)).json.data
    assert.deepEqual(
      [given.reference, given.rail, given.thirdParty?.name, given.ownDay],
      ['uno', 'BRE_B', NIT.name, on],
    )
    const { client } = await world.key(['ledger:read'])
    assert.equal((await client('GET', `${path}?column=refunded`)).json.data[0].thirdParty, null)

    const batch = await checkedBatch(world, world.client, goodRow(1))
    await world.client('POST', `/payout-batches/${batch.id}/submit`)
    const movements = (await get(path)).json.data as { reference: string | null }[]
    assert.ok(movements.some(({ reference }) => reference === batch.fileName))
  })

  it('another organization sees nothing of it', async () => {
    const { client } = await world.newMerchant()
    const { json } = await client('GET', `/reports/days/${today(world)}/movements?pageSize=100`)
    assert.equal(json.data.length, 1)
    assert.equal((await client('GET', `/reports/days/${day}`)).status, 400)
  })
})
