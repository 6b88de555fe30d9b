// A file of many payouts in a real browser: every bad cell is named, and each good row is sent to the network once though the button is
// pressed twice and the page is loaded again.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Directory, PayoutRail } from '../../src/rails/rail.ts'
import { goodRow, HEAD, person } from '../api/payout-batches/files.ts'
import { type Person, signIn } from '../console/person.ts'
import { byDepth } from '../depth.ts'
import { createWorld, type World } from '../world.ts'
import { closeBrowser } from './payer.ts'
import { openStaff, pictures } from './staff.ts'

const ROWS = byDepth(700, 5_000)
const BAD = byDepth(5, 37)

let world: World
let owner: Person
before(async () => {
  world = await createWorld()
  owner = await signIn(world, 'owner')
})
after(async () => {
  await closeBrowser()
  await world[Symbol.asyncDispose]()
})

// Pays at once, and counts what it is asked for. The simulated network takes a minute for so many.
function quickNetwork(): { payouts: PayoutRail; directory: Directory; submitted: Map<string, number> } {
  const submitted = new Map<string, number>()
  const payouts: PayoutRail = {
    submit: async ({ reference, keyString }) => {
      submitted.set(keyString, (submitted.get(keyString) ?? 0) + 1)
      return { outcome: 'accepted', value: { state: 'completed', traceId: reference } }
    },
    query: async () => ({ outcome: 'accepted', value: { state: 'absent' } }),
  }
  const directory: Directory = {
    lookUp: async (keyString, keyType) => ({
      outcome: 'accepted',
      value: {
        keyString,
        keyType,
        holder: { name: 'Ana', personType: 'INDIVIDUAL', idType: 'CO_CC', idNumber: keyString },
        participant: { name: 'Banco', code: '1' },
        account: null,
      },
    }),
  }
  return { payouts, directory, submitted }
}

describe('a file of payouts', () => {
  it('has every bad cell named, and is sent once', async () => {
    const isBad = (at: number): boolean => at % 135 === 7 && Math.floor(at / 135) < BAD
    const all = Array.from({ length: ROWS }, (_, at) => at)
    const rows = all.map((at) => goodRow(at, isBad(at) ? '-1' : '1.000'))
    const staff = await openStaff(world, owner)
    const { page, open } = staff
    await open('/batches/new')
    const buffer = Buffer.from([HEAD, ...rows].join('\r\n'))
    await page.locator('[name="/file"]').setInputFiles({ name: 'nomina.csv', mimeType: 'text/csv', buffer })
    await page.locator('.form button.main').click()
    await page.waitForURL(/\/batches\/[0-9a-f-]{36}/)
    const batchId = /batches\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? ''
    await world.work()
    await open(`/batches/${batchId}?only=errors`)
    // The first line of the file has the heads.
    const named = await page
      .locator('.batch-rows tbody tr')
      .evaluateAll((shown) =>
        shown.map((row) => [row.id, row.querySelector('td.is-wrong .is-error')?.textContent]),
      )
    assert.deepEqual(
      named,
      all.filter(isBad).map((at) => [`row-${at + 2}`, 'Debe ser mayor que cero.']),
    )
    await pictures(page, 'batch-errors')
    await page.locator('form[action$="/leave-out"] button').click()
    await page.locator('form[action$="/submit"]').waitFor()
    await pictures(page, 'batch-ready')

    // Most of its keys are beyond the budget of look-ups.
    await page.locator('form[action$="/submit"] [name="/acceptWarnings"]').check()
    const submit = page.locator('form[action$="/submit"] button.main')
    await submit.dblclick()
    await page.locator('form[action$="/submit"]').waitFor({ state: 'detached' })
    await page.reload()
    await page.goBack().catch(() => null)
    await open(`/batches/${batchId}`)

    const { payouts, directory, submitted } = quickNetwork()
    Object.assign(world.ctx.networks, { payouts, directory })
    await world.work()
    // When its last payout has ended, a batch is looked at once more.
    await world.passTime(5_000)
    const good = all.filter((at) => !isBad(at)).map((at) => person(at).idNumber)
    assert.deepEqual([...submitted.keys()].sort(), good)
    assert.deepEqual(new Set(submitted.values()), new Set([1]))
    const batch = (await world.client('GET', `/payout-batches/${batchId}`)).json
    assert.deepEqual(
      [batch.status, batch.payoutsConfirmed, batch.payoutsFailed],
      ['COMPLETED', ROWS - BAD, 0],
    )
    // The page, which stands open, shows it by itself.
    await page.locator('.head .status', { hasText: 'Terminado' }).waitFor()
    assert.deepEqual(staff.complaints, [])
    await staff.close()
  })
})
