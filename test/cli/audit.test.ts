// recaudo audit and recaudo requests: what was done and asked is listed and exported, and what is typed wrongly is refused.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { brebPayin, createWorld, type World } from '../world.ts'
import type { Merchant } from './binary.ts'
import { merchantInProcess } from './in-process.ts'

describe('recaudo audit', () => {
  let world: World
  let merchant: Merchant
  let payinId: string
  before(async () => {
    world = await createWorld()
    merchant = merchantInProcess(world)
    payinId = (await world.client('POST', '/payins', brebPayin())).json.id
    await world.client('POST', `/payins/${payinId}/cancel`)
    await world.client('POST', `/payins/${payinId}/cancel`)
    await world.client('PATCH', '/organization', { payinExpiryMinutes: 20 })
    await world.work()
    await world.api.requestLog.flush()
  })
  after(async () => {
    merchant[Symbol.dispose]()
    await world[Symbol.asyncDispose]()
  })

  it('lists who did what, with its filters', async () => {
    const { stdout, code, stderr } = await merchant.run(['audit', 'list'])
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^5 +\S+Z +key test +\S+ +organization\.change +\S+ +done +payinExpiryMinutes$/m)
    assert.match(stdout, new RegExp(`^4 .* payin\\.cancel +${payinId} +PAYIN_ALREADY_FINAL +–$`, 'm'))
    const refused = await merchant.json('audit', 'list', '--outcome', 'refused', '--since', '1h')
    assert.deepEqual(
      refused.data.map(({ act, refusal }: Record<string, string>) => [act, refusal]),
      [['payin.cancel', 'PAYIN_ALREADY_FINAL']],
    )
    const ofPayin = await merchant.json('audit', 'list', '--object', payinId, '--act', 'payin.cancel')
    assert.equal(ofPayin.data.length, 2)
    const one = await merchant.json('audit', 'list', '--limit', '1')
    assert.deepEqual([one.data.length, one.hasMore], [1, true])
  })

  it('exports every entry, one a line', async () => {
    const { stdout, code } = await merchant.run(['audit', 'export'])
    assert.equal(code, 0)
    const entries = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { sequence: number; digest: string })
    assert.deepEqual(
      entries.map(({ sequence }) => sequence),
      [5, 4, 3, 2, 1],
    )
    assert.ok(entries.every(({ digest }) => /^[0-9a-f]{64}$/.test(digest)))
  })

  it('lists requests, with their filters', async () => {
    const { stdout } = await merchant.run(['requests', 'list', '--object', payinId])
    assert.match(stdout, new RegExp(`POST +/payins +201 +\\d+ ms +– +${payinId}`))
    assert.match(stdout, new RegExp(`/payins/${payinId}/cancel +409 +\\d+ ms +PAYIN_ALREADY_FINAL`))
    const patched = await merchant.json('requests', 'list', '--method', 'PATCH', '--since', '1h')
    assert.deepEqual(
      patched.data.map(({ path }: { path: string }) => path),
      ['/organization'],
    )
    const refused = await merchant.json('requests', 'list', '--status', '409')
    assert.equal(refused.data.length, 1)
  })

  it('refuses a time or a status that is none', async () => {
    for (const args of [
      ['audit', 'list', '--since', 'yesterday'],
      ['audit', 'export', '--since', '2026-11-15'],
      ['requests', 'list', '--status', '99'],
    ])
      assert.equal((await merchant.run(args)).code, 2, args.join(' '))
  })
})
