// recaudo pages does what the API does with payment pages.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createWorld, type World } from '../world.ts'
import type { Merchant } from './binary.ts'
import { merchantInProcess } from './in-process.ts'
import { scanned } from './scanned.ts'

describe('recaudo', () => {
  let world: World
  let merchant: Merchant
  before(async () => {
    world = await createWorld()
    merchant = merchantInProcess(world)
  })
  after(async () => {
    merchant[Symbol.dispose]()
    await world[Symbol.asyncDispose]()
  })

  const get = async (path: string) => (await world.client('GET', path)).json

  it('pages create, get, list and close, with a QR code that leads to the page', async () => {
    const made = ['--page-name', 'Tip jar', '--reference', 'page-1', '--description', 'Thanks']
    const page = await merchant.json('pages', 'create', ...made)
    assert.deepEqual([page.name, page.amountType, page.description], ['Tip jar', 'OPEN', 'Thanks'])
    const { stdout } = await merchant.run(['pages', 'get', page.paymentPageId, '--qr'])
    assert.equal(scanned(stdout), page.paymentPageUrl)
    assert.deepEqual((await merchant.json('pages', 'list', '--reference', 'page-1')).data, [page])
    assert.equal((await merchant.json('pages', 'close', page.paymentPageId)).status, 'CLOSED')
  })

  it('pages update changes what is said and leaves the rest; none takes an optional field away', async () => {
    const limits = [
      '--max-pieces',
      '40',
      '--max-payments',
      '30',
      '--valid-until',
      '2090-11-30T18:00:00-05:00',
    ]
    const made = [
      '--page-name',
      'Coffee',
      '--reference',
      'page-2',
      '--description',
      'Two bags',
      '--amount-in-cents',
      '5000000',
    ]
    const page = await merchant.json('pages', 'create', ...made, ...limits)
    const id = page.paymentPageId
    assert.deepEqual(
      [page.amountInCents, page.maxPieces, page.maxPayments, page.validUntil],
      [5_000_000, 40, 30, '2090-11-30T23:00:00.000Z'],
    )
    const changed = await merchant.json('pages', 'update', id, '--max-pieces', '60', '--page-name', 'Tea')
    const { updatedAt } = changed
    assert.deepEqual(changed, { ...page, maxPieces: 60, name: 'Tea', updatedAt })
    assert.deepEqual(changed, await get(`/payment-pages/${id}`))
    await fetch(page.paymentPageUrl, { method: 'POST', body: new URLSearchParams({ pieces: '2' }) })
    const left = await merchant.run(['pages', 'get', id])
    assert.match(left.stdout, /^open +1$[\s\S]*^pieces left +58\npayments left +29$/m)
    const cleared = ['--max-payments', 'none', '--valid-until', 'none', '--description', 'none']
    const shown = await merchant.run(['pages', 'update', id, ...cleared, '--data', '{"maxPieces":null}'])
    assert.deepEqual([shown.code, shown.stderr], [0, ''])
    assert.match(shown.stdout, /^name +Tea$/m)
    assert.doesNotMatch(shown.stdout, /^(?:pieces left|payments left|until|description) /m)
    const { maxPieces, maxPayments, validUntil, description } = await get(`/payment-pages/${id}`)
    assert.deepEqual([maxPieces, maxPayments, validUntil, description], [null, null, null, null])

    const tips = await merchant.json('pages', 'create', '--page-name', 'Tips', '--reference', 'page-3')
    const least = ['--min-amount-in-cents', '100000', '--max-amount-in-cents', '900000']
    const open = await merchant.run(['pages', 'update', tips.paymentPageId, ...least])
    assert.match(open.stdout, /^at least +\$ 1\.000,00\nat most +\$ 9\.000,00$/m)
    const any = await merchant.json('pages', 'update', tips.paymentPageId, '--min-amount-in-cents', 'none')
    assert.deepEqual([any.minAmountInCents, any.maxAmountInCents], [null, 900_000])
    // A page always has a name, which may be this word.
    const named = await merchant.json('pages', 'update', tips.paymentPageId, '--page-name', 'none')
    assert.equal(named.name, 'none')
    const refused = await merchant.run(['pages', 'update', tips.paymentPageId, '--max-pieces', '5'])
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /\/maxPieces \(--max-pieces\) /)
  })
})
