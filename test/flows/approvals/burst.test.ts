// Many payouts above the tier at once: each is answered for what it is, and waits.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createWorld, type World } from '../../world.ts'
import { peopleIn, SITE } from '../team/people.ts'
import { payoutBody, setRules } from './approving.ts'

const MANY = 120

describe('many payouts that must be approved at once', () => {
  let world: World
  before(async () => {
    world = await createWorld({ env: { PUBLIC_URL: SITE.origin } })
    await peopleIn(world).newMember('approver')
    await setRules(world, [{ kind: 'payout', tiers: [{ fromAmountInCents: 0, approvers: 1 }] }])
  })
  after(() => world[Symbol.asyncDispose]())

  it('are all taken, each with its money reserved and an approval of its own', async () => {
    const answers = await Promise.all(
      Array.from({ length: MANY }, (_, at) =>
        world.client('POST', '/payouts', payoutBody(), { 'idempotency-key': `burst-${at}` }),
      ),
    )
    const refused = answers.filter(({ status }) => status !== 201).map(({ text }) => text)
    assert.deepEqual(refused, [])
    assert.ok(answers.every(({ json }) => json.status === 'PROCESSING' && json.stage === 'AWAITING_APPROVAL'))
    const { json } = await world.client('GET', '/balance')
    assert.equal(json.reservedInCents, MANY * 1_000_000)
  })
})
