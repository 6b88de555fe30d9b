// The tables of the sandbox guide, row by row against the simulated networks: each row is true.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { brebPayin, CUSTOMER, createWorld, eventually, psePayin, type World } from '../world.ts'
import { guideOf } from './guide.ts'

const MINUTE_MS = 60_000

// The rows of the table under a heading, without the header.
function tableUnder(heading: string): string[][] {
  const [, section = ''] = guideOf('sandbox').prose.split(new RegExp(`^## ${heading}$`, 'm'))
  const rows = section.split(/^## /m)[0]?.match(/^\|.+\|$/gm) ?? []
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}
const codesIn = (cell: string): string[] =>
  [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => code as string)

let count = 0
const payout = (idNumber: string, keyString = '@ANAMARIA36') => {
  count += 1
  return {
    amountInCents: 100_000,
    currency: 'COP',
    rail: 'BRE_B',
    reference: `table-${count}`,
    inlineCustomer: { ...CUSTOMER, idNumber },
    breb: { keyString },
  }
}

describe('the tables of the guide to the sandbox', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world?.[Symbol.asyncDispose]())

  const create = async (kind: 'payins' | 'payouts', body: unknown): Promise<string> => {
    const { status, json } = await world.client('POST', `/${kind}`, body)
    assert.equal(status, 201)
    return `/${kind}/${json.id}`
  }

  it('by document number: every row and column', async () => {
    const rows = tableUnder('By document number')
    assert.equal(rows.length, 8)
    const made = []
    for (const [number = '', ...cells] of rows) {
      const idNumber = number.replaceAll('`', '')
      const inlineCustomer = { ...CUSTOMER, idNumber }
      const addresses = [
        await create('payins', brebPayin({ inlineCustomer })),
        await create('payins', psePayin({ inlineCustomer })),
        await create('payouts', payout(idNumber)),
      ]
      made.push(...cells.map((cell, column) => ({ idNumber, cell, address: addresses[column] as string })))
    }
    assert.equal(made.length, 24)
    // Past the delay, the chargeback and the longest wait for a query, but before the expiry.
    for (const ms of [2_000, 20_000, 30_000, 8 * MINUTE_MS]) await world.passTime(ms)
    for (const { idNumber, cell, address } of made) {
      const found = await eventually(
        async () => {
          await world.work()
          const { json } = await world.client('GET', address)
          return [json.status, json.errorCode].filter(Boolean)
        },
        (seen) => seen.join() === codesIn(cell).join(),
      )
      assert.deepEqual(found, codesIn(cell), `${idNumber} ${address}`)
      const { json } = await world.client('GET', address)
      assert.equal(Boolean(json.chargebackAt), cell.includes('charged back'), `${idNumber} ${address}`)
    }
  })

  it('by key: look-up and payout', async () => {
    const rows = tableUnder('By key')
    assert.equal(rows.length, 4)
    const made: { address: string; paid: string }[] = []
    for (const [key = '', lookup = '', paid = ''] of rows) {
      const keyString = `${key.replaceAll('`', '')}1`
      const answer = await world.client('GET', `/breb/keys/${encodeURIComponent(keyString)}`)
      assert.equal(answer.status, Number(lookup.slice(0, 3)), keyString)
      assert.equal(answer.json.code, codesIn(lookup)[0], keyString)
      made.push({ paid, address: await create('payouts', payout('1000000001', keyString)) })
    }
    await world.passTime(2_000)
    for (const { address, paid } of made) {
      const { json } = await world.client('GET', address)
      assert.deepEqual([json.status, json.errorCode].filter(Boolean), codesIn(paid))
    }
  })

  it('by request: what each outcome does to an open payin, a paid one and one that ended', async () => {
    const inlineCustomer = { ...CUSTOMER, idNumber: '1000000007' }
    const rows = tableUnder('By request')
    assert.equal(rows.length, 4)
    for (const [name = '', ...cells] of rows) {
      const outcome = name.replaceAll('`', '')
      for (const [column, before] of [null, 'confirmed', 'declined'].entries()) {
        const address = await create('payins', brebPayin({ inlineCustomer }))
        await world.work()
        const simulate = (what: string) =>
          world.client('POST', `/sandbox${address}/simulate`, { outcome: what })
        if (before !== null) assert.equal((await simulate(before)).status, 200)
        const { status, json } = await simulate(outcome)
        const isRefused = cells[column] === 'refused'
        assert.equal(json.code, isRefused ? 'SIMULATION_REFUSED' : undefined, `${outcome} after ${before}`)
        assert.equal(status, isRefused ? 409 : 200)
      }
    }
  })
})
