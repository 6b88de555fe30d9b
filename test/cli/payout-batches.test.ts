// recaudo payout-batches and recaudo beneficiaries: a file is handed in, corrected and submitted, and a document's key comes from the
// book.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { goodRow, HEAD, person } from '../api/payout-batches/files.ts'
import { createWorld, type World } from '../world.ts'
import type { Merchant } from './binary.ts'
import { merchantInProcess } from './in-process.ts'

describe('recaudo payout-batches', () => {
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

  it('pays a file whose wrong cells are corrected, one of them by the beneficiary book', async () => {
    const { idNumber, name } = person(3)
    const withoutKey = `;50.000;nomina-3;${name};CC;${idNumber};`
    const file = join(merchant.home, 'nomina.csv')
    writeFileSync(file, [HEAD, goodRow(1), goodRow(2, '-1'), withoutKey, goodRow(4)].join('\r\n'))
    const { id } = await merchant.json('payout-batches', 'create', file)
    await world.work()
    const wrong = await merchant.run(['payout-batches', 'rows', id, '--only', 'errors'])
    assert.match(wrong.stdout, /amount: AMOUNT_NOT_POSITIVE[\s\S]*key: KEY_NOT_KNOWN/)

    const document = ['--document-type', 'CC', '--document-number', idNumber]
    const refused = await merchant.run(['beneficiaries', 'write', ...document])
    assert.equal(refused.code, 2)
    assert.match(refused.stderr, /--name, --key are required/)
    const entry = await merchant.json(
      'beneficiaries',
      'write',
      ...document,
      '--name',
      name,
      '--key',
      idNumber,
    )
    assert.deepEqual([entry.idType, entry.verifiedBy], ['CO_CC', 'DOCUMENT'])
    assert.match((await merchant.run(['beneficiaries', 'list'])).stdout, new RegExp(`${entry.id}.*${name}`))
    assert.match((await merchant.run(['beneficiaries', 'get', entry.id])).stdout, /verified .*\(DOCUMENT\)/)

    const correct = (...args: string[]) => merchant.run(['payout-batches', 'correct', id, ...args])
    assert.match((await correct('--amount', '1')).stderr, /--row is required/)
    assert.match((await correct('--row', '3')).stderr, /Say what to change/)
    assert.match((await correct('--row', '3', '--leave-out', '--take-in')).stderr, /contradict/)
    assert.match((await correct('--row', '3', '--amount', '70.000', '--email', 'none')).stdout, /70\.000/)
    const fromBook = await merchant.json('payout-batches', 'correct', id, '--row', '4', '--key', 'none')
    assert.deepEqual([fromBook.key, fromBook.keyFromBook], ['', true])
    assert.match((await correct('--row', '5', '--leave-out')).stdout, /LEFT_OUT/)
    await world.work()
    const checked = await merchant.json('payout-batches', 'check', id)
    assert.deepEqual([checked.rowsWithErrors, checked.rowsToSend, checked.keysPending], [0, 3, 0])
    assert.match((await correct('--row', '5', '--take-in')).stdout, /DRAFT/)
    await correct('--row', '5', '--leave-out')
    await world.work()

    const submitted = await merchant.json('payout-batches', 'submit', id)
    assert.deepEqual([submitted.rowsToSend, submitted.totalInCents], [3, 17_000_000])
    for (let step = 0; step < 4; step += 1) await world.passTime(2_000)
    assert.match((await merchant.run(['payout-batches', 'show', id])).stdout, /COMPLETED[\s\S]*paid +3/)
    assert.deepEqual(await merchant.json('beneficiaries', 'delete', entry.id), {
      id: entry.id,
      deleted: true,
    })
    assert.equal((await merchant.json('beneficiaries', 'list')).data.length, 0)
  })
})
