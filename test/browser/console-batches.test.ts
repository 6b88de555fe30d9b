// A file of 5,000 payouts in a real browser: every bad cell is named, and each good row is sent once though the button is pressed twice
// and the page is loaded again.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sendBatch } from '../../src/flows/payout-batches/send.ts'
import { getBatch } from '../../src/store/payout-batches/batches.ts'
import { goodRow, HEAD } from '../api/payout-batches/files.ts'
import { type Person, signIn } from '../console/person.ts'
import { createWorld, type World } from '../world.ts'
import { closeBrowser } from './payer.ts'
import { openStaff, pictures } from './staff.ts'

const ROWS = 5_000
const BAD = 37

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

describe('a file of payouts', () => {
  it('is checked, corrected and sent once', async () => {
    const rows = Array.from({ length: ROWS }, (_, at) =>
      at % 135 === 7 && Math.floor(at / 135) < BAD ? goodRow(at, '-1') : goodRow(at, '1.000'),
    )
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
    assert.equal(await page.locator('.cell-problem.is-error').count(), BAD)
    assert.equal(await page.locator('#row-9 td.is-wrong').count(), 1)

    await pictures(page, 'batch-errors')
    await page.locator('a[href$="/rows/9"]').click()
    await page.locator('[name="/amount"]').fill('2.000')
    await page.locator('.form button.main').click()
    await page.locator('.batch-rows').first().waitFor()
    await world.work()
    await open(`/batches/${batchId}`)
    await page.locator('form[action$="/leave-out"] button').click()
    await page.locator('form[action$="/submit"]').waitFor()
    await pictures(page, 'batch-ready')

    const submit = page.locator('form[action$="/submit"] button.main')
    await submit.dblclick()
    await page.locator('form[action$="/submit"]').waitFor({ state: 'detached' })
    await page.reload()
    await page.goBack().catch(() => null)

    const { organization } = world
    const batch = await getBatch(world.db, organization.organizationId, batchId)
    assert.equal(batch?.status, 'PROCESSING')
    const claim = { batch, leaseToken: world.ctx.ids.next() }
    while (await sendBatch(world.ctx, claim, organization)) {}
    const found = await world.db.query<{ payouts: number; references: number }>({
      text: `select count(*)::integer as payouts, count(distinct reference)::integer as references
               from payouts where organization_id = $1`,
      values: [organization.organizationId],
    })
    // One of the bad ones was corrected.
    const sent = ROWS - BAD + 1
    assert.deepEqual(found.rows, [{ payouts: sent, references: sent }])
    assert.deepEqual(staff.complaints, [])
    await staff.close()
  })
})
