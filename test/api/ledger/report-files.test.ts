// The files of reports say what the reports say, cell by cell; and what a month and a day say beside their sums.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { daysAfter } from '../../../src/core/bogota-day.ts'
import { isoInstant } from '../../../src/core/instant.ts'
import { transfer } from '../../../src/core/ledger/bookings.ts'
import { postTransfers } from '../../../src/store/ledger/transfers.ts'
import { closeAllDue, closeToday, today } from '../../flows/ledger/closing.ts'
import { brebPayin, CUSTOMER, createWorld, type World } from '../../world.ts'
import { newPayout } from '../http/calls.ts'

const NIT = { ...CUSTOMER, name: 'Café La Palma S.A.S.', idType: 'CO_NIT', idNumber: '900123456' }

describe('the files of reports', () => {
  let world: World
  let day: string
  before(async () => {
    world = await createWorld()
    const accounting = {
      pucAccounts: { confirmed: '130505', paidOut: '220505' },
      estimatesMovementTax: true,
    }
    await world.client('PATCH', '/organization', { accounting, taxId: '900123456-8' })
    await world.client('POST', '/payins', brebPayin({ reference: 'uno', inlineCustomer: NIT }))
    await world.client('POST', '/payouts', newPayout({ amountInCents: 2_000_000 }))
    await world.passTime(10_000)
    day = await closeToday(world)
  })
  after(() => world[Symbol.asyncDispose]())

  const get = async (path: string) => (await world.client('GET', path)).json
  // The cells of each line, without the quotes that keep a spreadsheet from reading numbers.
  const linesOf = async (path: string): Promise<string[][]> => {
    const { text } = await world.client('GET', path)
    return text
      .replace('\uFEFF', '')
      .trim()
      .split('\r\n')
      .map((line) => line.split(',').map((cell) => /^"=""(.*)"""$/.exec(cell)?.[1] ?? cell))
  }

  it('name of a movement what it says in JSON, and the account of the chart', async () => {
    const path = `/reports/days/${day}/movements`
    const [movement] = (await get(`${path}?column=confirmed`)).data
    const [, cells] = await linesOf(`${path}/file?column=confirmed&language=en`)
    const bookedAt = isoInstant(Date.parse(movement.bookedAt) - 5 * 3_600_000)
    assert.deepEqual(cells, [
      day,
      day,
      bookedAt.slice(0, 19).replace('T', ' '),
      'Payin confirmed',
      '50000.00',
      'Bre-B network',
      'To be settled',
      '130505',
      'uno',
      movement.networkId,
      'BRE_B',
      NIT.name,
      'CO_NIT',
      '900123456',
      '8',
      movement.subjectId,
      movement.id,
    ])
  })

  it('have a line for each day, which ends with its balance, its tax and its digest', async () => {
    const month = day.slice(0, 7)
    const shown = (await get(`/reports/months/${month}`)).days[0]
    const [heads = [], cells = []] = await linesOf(`/reports/months/${month}/file?language=en`)
    const pesos = (cents: number) => (cents / 100).toFixed(2)
    assert.deepEqual(cells.slice(0, 5), [day, 'Closed', String(shown.movements), '0.00', '50000.00'])
    assert.deepEqual(heads.slice(3, 5), ['Opening balance', 'Confirmed payins (130505)'])
    assert.deepEqual(cells.slice(-3), [pesos(shown.closingBalanceInCents), '80.00', shown.digest])
  })

  it('are named by what they are and when it was, in the language that is asked for', async () => {
    const month = day.slice(0, 7)
    const nameOf = async (path: string) => {
      const { headers, status } = await world.client('GET', path)
      return [status, headers['content-disposition']?.split(';')[1]?.trim()]
    }
    const files = {
      [`/reports/days/${day}/movements/file?`]: { en: `Movements-${day}`, es: `Movimientos-${day}` },
      [`/reports/months/${month}/file?`]: { en: `Statement-${month}`, es: `Extracto-${month}` },
    }
    for (const [path, names] of Object.entries(files))
      for (const [language, name] of Object.entries(names))
        for (const kind of ['csv', 'xlsx'])
          assert.deepEqual(await nameOf(`${path}language=${language}&format=${kind}`), [
            200,
            `filename="${name}.${kind}"`,
          ])
  })

  it('have every movement of a day that has many, each once', async () => {
    const { client, organization } = await world.newMerchant()
    const { ctx, db } = world
    const made = Array.from({ length: 600 }, (_, index) =>
      transfer('payin settled', 'BRE_B', {
        organizationId: organization.organizationId,
        transferId: ctx.ids.next(),
        subjectId: ctx.ids.next(),
        amountInCents: BigInt(100 + index),
      }),
    )
    await postTransfers(db, made, 1)
    const { text } = await client(
      'GET',
      `/reports/days/${today(world)}/movements/file?language=en&column=settled`,
    )
    const lines = text.trim().split('\r\n').slice(1)
    const amounts = lines.map((line) => Number(line.split(',')[4]))
    assert.deepEqual(
      amounts,
      made.map(({ amountInCents }) => Number(amountInCents) / 100),
    )
  })

  it('have neither accounts of a chart nor a tax where the merchant has set none', async () => {
    const { client } = await world.newMerchant()
    const { text } = await client('GET', `/reports/months/${day.slice(0, 7)}/file?language=en`)
    const [heads = '', ...lines] = text.replace('\uFEFF', '').trim().split('\r\n')
    assert.deepEqual(heads.split(',').slice(0, 5), [
      'Accounting day',
      'Status',
      'Movements',
      'Opening balance',
      'Confirmed payins',
    ])
    assert.deepEqual(heads.split(',').slice(-2), ['Closing balance', 'Digest'])
    for (const line of lines) assert.equal(line.split(',').length, heads.split(',').length)
  })

  it('are of days that are chained by their digests, and of a month that is final once all are closed', async () => {
    await world.client('POST', '/payouts', newPayout())
    await world.passTime(10_000)
    await closeToday(world)
    const [second, first] = (await get(`/reports/days?from=${day}&to=${daysAfter(day, 1)}`)).data
    assert.deepEqual([first.previousDigest, second.previousDigest], [null, first.digest])
    await world.passTime(32 * 86_400_000)
    await closeAllDue(world)
    await world.passTime(60_000)
    await closeAllDue(world)
    const { organizationId, name } = world.organization
    const month = await get(`/reports/months/${day.slice(0, 7)}`)
    assert.deepEqual(
      [month.isFinal, month.organizationId, month.organizationName, month.taxId],
      [true, organizationId, name, '900123456-8'],
    )
  })

  it('are of the last 31 days where none are named', async () => {
    const { data } = await get('/reports/days')
    assert.deepEqual([data[0].day, data.at(-1).day], [today(world), daysAfter(today(world), -30)])
  })
})
