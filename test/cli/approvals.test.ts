// recaudo approvals: what waits is read, rules are read and set, and no command decides.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isRefusal } from '../../src/core/refusal.ts'
import type { User } from '../../src/core/team/user.ts'
import { approvalOf, decideAs, payoutBody } from '../flows/approvals/approving.ts'
import { type People, peopleIn } from '../flows/team/people.ts'
import { createWorld, type World } from '../world.ts'
import type { Merchant } from './binary.ts'
import { merchantInProcess } from './in-process.ts'

describe('recaudo approvals', () => {
  let world: World
  let merchant: Merchant
  let people: People
  let approver: User
  before(async () => {
    world = await createWorld()
    merchant = merchantInProcess(world)
    people = peopleIn(world)
    await people.newMember('owner')
    approver = await people.newMember('approver')
  })
  after(async () => {
    merchant[Symbol.dispose]()
    await world[Symbol.asyncDispose]()
  })

  it('sets and shows the rules, and says what is wrong with them', async () => {
    assert.equal((await merchant.run(['approvals', 'rules'])).stdout, 'none\n')
    const set = await merchant.run([
      ...['approvals', 'set-rules', '--rule', 'payout=500000:1,900000000:2'],
      ...['--rule', 'credential=1'],
    ])
    assert.equal(set.code, 0, set.stderr)
    assert.match(set.stdout, /payout +\$ ?5\.000.* 1\npayout +.*9\.000\.000.* 2\ncredential +.* 1/)
    const { json } = await world.client('GET', '/approval-rules')
    assert.deepEqual(json.rules, [
      {
        kind: 'payout',
        tiers: [
          { fromAmountInCents: 500_000, approvers: 1 },
          { fromAmountInCents: 900_000_000, approvers: 2 },
        ],
      },
      { kind: 'credential', tiers: [{ fromAmountInCents: 0, approvers: 1 }] },
    ])
    for (const rule of ['payout', 'payout=a:1', '=1', 'payout=1:']) {
      const wrong = await merchant.run(['approvals', 'set-rules', '--rule', rule])
      assert.equal(wrong.code, 2, rule)
      assert.match(wrong.stderr, /--rule must be like payout=/)
    }
    assert.match((await merchant.run(['approvals', 'set-rules'])).stderr, /--rule or --data is required/)
    assert.equal((await merchant.run(['approvals', 'set-rules', '--rule', 'payout=0:3'])).code, 1)
    assert.deepEqual((await merchant.json('approvals', 'rules')).rules, json.rules)
  })

  it('lists and shows what waits; deciding is not a command', async () => {
    const { json: payout } = await world.client('POST', '/payouts', payoutBody())
    const approval = await approvalOf(world, payout.id)
    const listed = await merchant.run(['approvals', 'list', '--status', 'WAITING', '--kind', 'payout'])
    assert.match(listed.stdout, new RegExp(`${approval.id} .* payout .*10\\.000.* WAITING +0 of 1 +test`))
    const shown = await merchant.run(['approvals', 'get', approval.id])
    assert.match(shown.stdout, new RegExp(`about +${payout.id}`))
    assert.match(shown.stdout, new RegExp(`digest +${approval.digest}`))
    assert.match(shown.stdout, /^lapses +\S+Z$/m)
    assert.ok(!isRefusal(await decideAs(people.ctx, approver, approval, 'REFUSED')))
    const ended = await merchant.run(['approvals', 'get', approval.id])
    assert.match(ended.stdout, /^status +REFUSED$[\s\S]*^approved +0 of 1\nPerson \d+ +REFUSED \(\w+\)$/m)
    assert.doesNotMatch(ended.stdout, /^lapses/m)
    const none = await merchant.json('approvals', 'list', '--subject', approval.id)
    assert.deepEqual(none.data, [])
    const help = await merchant.run(['approvals', '--help'])
    assert.match(help.stdout, /a key never decides/)
    assert.match(help.stdout, /recaudo approvals verify/)
    assert.equal((await merchant.run(['approvals', 'approve', approval.id])).code, 2)
  })

  it('a change of the rules that waits says so', async () => {
    assert.equal((await merchant.run(['approvals', 'set-rules', '--rule', 'approval-rule=1'])).code, 0)
    const waits = await merchant.run(['approvals', 'set-rules', '--data', '{"rules":[]}'])
    assert.match(waits.stdout, /A change waits until people approve it: recaudo approvals get [0-9a-f-]{36}/)
  })
})
