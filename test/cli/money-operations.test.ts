// recaudo report, refunds, payout-batches and balance --at: what the accountant reads, and what is given back and paid from a file.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { newPayout } from '../api/http/calls.ts'
import { goodRow, HEAD } from '../api/payout-batches/files.ts'
import { today } from '../flows/ledger/closing.ts'
import { brebPayin, createWorld, endPayin, type World } from '../world.ts'
import type { Merchant } from './binary.ts'
import { merchantInProcess } from './in-process.ts'

describe('money operations at the command line', () => {
  let world: World
  let merchant: Merchant
  let payinId: string
  before(async () => {
    world = await createWorld()
    merchant = merchantInProcess(world)
    payinId = (await world.client('POST', '/payins', brebPayin({ reference: 'pedido-77' }))).json.id
    await world.passTime(10_000)
  })
  after(async () => {
    merchant?.[Symbol.dispose]()
    await world[Symbol.asyncDispose]()
  })

  it('a day and a month are shown and downloaded, each as itself', async () => {
    const day = today(world)
    const shown = await merchant.json('report', 'day', day)
    assert.deepEqual([shown.day, shown.columns.confirmed.movements], [day, 1])
    const movements = await merchant.run(['report', 'download', day])
    assert.equal(movements.code, 0, movements.stderr)
    assert.match(movements.stdout, /pedido-77/)
    const month = await merchant.run(['report', 'download', day.slice(0, 7)])
    assert.equal(month.code, 0, month.stderr)
    assert.ok(month.stdout.includes(day) && !month.stdout.includes('pedido-77'))
  })

  it('a balance is told as it stood so long ago', async () => {
    // The organization is older than the money that it was given.
    await world.db.query({ text: `update organizations set created_at = created_at - interval '2 hours'` })
    await world.client('PATCH', '/organization', { name: 'Older' })
    assert.equal((await merchant.json('balance', '--at', '1h')).availableInCents, 0)
    assert.notEqual((await merchant.json('balance')).availableInCents, 0)
  })

  it('a refund is asked for, listed and taken back', async () => {
    const made = await merchant.json('refunds', 'create', payinId, '--reason', 'OTHER', '--way', 'CLAIM')
    assert.deepEqual([made.stage, made.reason], ['AWAITING_CLAIM', 'OTHER'])
    const listed = await merchant.run(['refunds', 'list', '--payin', payinId])
    assert.match(listed.stdout, new RegExp(`${made.id} .*PROCESSING`))
    assert.deepEqual(
      (await merchant.json('refunds', 'list', '--payin', made.id)).data,
      [],
      'of no other payin',
    )
    assert.equal((await merchant.json('refunds', 'cancel', made.id)).status, 'CANCELED')
  })

  it('a file with warnings is sent only where they are accepted', async () => {
    const file = join(merchant.home, 'nomina.csv')
    writeFileSync(file, [HEAD, goodRow(1), goodRow(1)].join('\r\n'))
    const { id } = await merchant.json('payout-batches', 'create', file)
    await world.work()
    const refused = await merchant.run(['payout-batches', 'submit', id])
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /BATCH_NOT_READY/)
    const sent = await merchant.json('payout-batches', 'submit', id, '--accept-warnings')
    assert.equal(sent.status, 'PROCESSING')
    const balance = await merchant.run(['balance'])
    assert.match(balance.stdout, /^deposited at providers +\$ 0,00$/m)
    assert.match(balance.stdout, /^reserved for payouts +\$ 100\.000,00$/m)
  })

  it('a statement of money that was taken back, or that is not paid yet, is genuine and good for nobody', async () => {
    const verified = async (statement: string) => merchant.run(['receipts', 'verify', statement])
    const receipt = await merchant.json('payins', 'receipt', payinId)
    assert.equal((await verified(receipt.statement)).code, 0)
    await endPayin(world, world.client, payinId, 'chargeback')
    const reversed = await verified(receipt.statement)
    assert.equal(reversed.code, 1)
    assert.match(reversed.stdout, /^verdict +genuine\ncharged back +\$ 50\.000,00 on \S+Z\n/)
    const { id } = (await world.client('POST', '/payouts', newPayout())).json
    const { statement } = await merchant.json('payouts', 'evidence', id)
    const open = await verified(statement)
    assert.equal(open.code, 1)
    assert.match(open.stdout, /^status +PROCESSING$/m)
    await world.passTime(5_000)
    assert.equal((await verified(statement)).code, 0, 'paid since')
  })
})
