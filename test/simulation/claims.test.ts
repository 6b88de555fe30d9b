// Claims of due work: no more than was asked for, and nothing twice, however many claim at once. A limit that is none would
// let one organization fill all the room there is.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Organization } from '../../src/core/organizations/organization.ts'
import { NO_FAULTS } from '../../src/sandbox/faults.ts'
import { claimDueNotices } from '../../src/store/connections/notices.ts'
import { claimDuePayins } from '../../src/store/payins/payins.ts'
import { claimDuePayouts } from '../../src/store/payouts/payouts.ts'
import { type Simulation, startSimulation } from './harness.ts'
import { newPayin, newPayout } from './payments.ts'

const DUE = 120
const LIMIT = 50
const LEASE_MS = 60_000

describe('claiming due work', () => {
  let stage: Simulation
  let organization: Organization
  before(async () => {
    stage = await startSimulation({ seed: 1, workers: 0, faults: NO_FAULTS, delayMs: 1_000 })
    organization = await stage.newOrganization('Café La Palma')
    const each = Array.from({ length: DUE }, (_, index) => index)
    await Promise.all(each.map(() => newPayin(stage, organization)))
    await Promise.all(each.map(() => newPayout(stage, organization)))
    await Promise.all(each.map((index) => notice(index)))
  })
  after(() => stage[Symbol.asyncDispose]())

  const notice = (index: number) =>
    stage.ctx.batched.insertNotice({
      organizationId: organization.organizationId,
      rail: index % 2 === 0 ? 'BRE_B' : 'PSE',
      noticeId: `notice-${index}`,
      subjectKind: 'payin',
      subjectId: stage.ctx.ids.next(),
      happening: { kind: 'payin.canceled', reason: 'CANCELED_BY_PAYER' },
      networkCode: '',
      occurredAt: stage.ctx.clock.now(),
      receivedAt: stage.ctx.clock.now(),
    })

  const lease = () => ({ token: stage.ctx.ids.next(), until: stage.ctx.clock.now() + LEASE_MS })
  const claims: Readonly<Record<string, (limit: number) => Promise<string[]>>> = {
    payins: async (limit) => {
      const { db, ctx } = stage
      const claimed = await claimDuePayins(db, organization.organizationId, ctx.clock.now(), lease(), limit)
      return claimed.map(({ payin }) => payin.payinId)
    },
    payouts: async (limit) => {
      const { db, ctx } = stage
      const claimed = await claimDuePayouts(db, organization.organizationId, ctx.clock.now(), lease(), limit)
      return claimed.map(({ payout }) => payout.payoutId)
    },
    notices: async (limit) => {
      const { db, ctx } = stage
      const { until } = lease()
      const claimed = await claimDueNotices(db, organization.organizationId, ctx.clock.now(), until, limit)
      return claimed.map(({ noticeId }) => noticeId)
    },
  }

  for (const [what, claim] of Object.entries(claims)) {
    it(`takes no more ${what} than the limit, and every one once`, async () => {
      const first = await claim(LIMIT)
      assert.equal(first.length, LIMIT)
      const rest = await Promise.all(Array.from({ length: 4 }, () => claim(LIMIT)))
      for (const claimed of rest) assert.ok(claimed.length <= LIMIT)
      // Those who came at the same moment may have passed over each other's.
      const all = [...first, ...rest.flat(), ...(await claim(LIMIT)), ...(await claim(LIMIT))]
      assert.equal(all.length, DUE)
      assert.equal(new Set(all).size, DUE)
      assert.deepEqual(await claim(LIMIT), [])
    })

    it(`gives ${what} out again when the lease has ended`, async () => {
      await stage.passTime(LEASE_MS)
      assert.equal((await claim(LIMIT)).length, LIMIT)
    })
  }
})
