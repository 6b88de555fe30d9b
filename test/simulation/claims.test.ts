// Claims of due work: no more than the limit, and nothing twice, however many claim at once. Without a limit that
// holds, one organization would take all capacity.

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
  let simulation: Simulation
  let organization: Organization
  before(async () => {
    simulation = await startSimulation({ seed: 1, workers: 0, faults: NO_FAULTS, delayMs: 1_000 })
    organization = await simulation.newOrganization('Café La Palma')
    const each = Array.from({ length: DUE }, (_, index) => index)
    await Promise.all(each.map(() => newPayin(simulation, organization)))
    await Promise.all(each.map(() => newPayout(simulation, organization)))
    await Promise.all(each.map((index) => notice(index)))
  })
  after(() => simulation[Symbol.asyncDispose]())

  const notice = (index: number) =>
    simulation.ctx.batched.insertNotice({
      organizationId: organization.organizationId,
      rail: index % 2 === 0 ? 'BRE_B' : 'PSE',
      noticeId: `notice-${index}`,
      subjectKind: 'payin',
      subjectId: simulation.ctx.ids.next(),
      update: { kind: 'payin.canceled', reason: 'CANCELED_BY_PAYER' },
      networkCode: '',
      occurredAt: simulation.ctx.clock.now(),
      receivedAt: simulation.ctx.clock.now(),
    })

  const lease = () => ({ token: simulation.ctx.ids.next(), until: simulation.ctx.clock.now() + LEASE_MS })
  const claims: Readonly<Record<string, (limit: number) => Promise<string[]>>> = {
    payins: async (limit) => {
      const { db, ctx } = simulation
      const claimed = await claimDuePayins(db, organization.organizationId, ctx.clock.now(), lease(), limit)
      return claimed.map(({ payin }) => payin.payinId)
    },
    payouts: async (limit) => {
      const { db, ctx } = simulation
      const claimed = await claimDuePayouts(db, organization.organizationId, ctx.clock.now(), lease(), limit)
      return claimed.map(({ payout }) => payout.payoutId)
    },
    notices: async (limit) => {
      const { db, ctx } = simulation
      const { until } = lease()
      const claimed = await claimDueNotices(db, organization.organizationId, ctx.clock.now(), until, limit)
      return claimed.map(({ noticeId }) => noticeId)
    },
  }

  for (const [what, claim] of Object.entries(claims)) {
    it(`takes no more ${what} than the limit, and each one once`, async () => {
      const first = await claim(LIMIT)
      assert.equal(first.length, LIMIT)
      const rest = await Promise.all(Array.from({ length: 4 }, () => claim(LIMIT)))
      for (const claimed of rest) assert.ok(claimed.length <= LIMIT)
      // Concurrent claims may have skipped each other's rows.
      const all = [...first, ...rest.flat(), ...(await claim(LIMIT)), ...(await claim(LIMIT))]
      assert.equal(all.length, DUE)
      assert.equal(new Set(all).size, DUE)
      assert.deepEqual(await claim(LIMIT), [])
    })

    it(`claims ${what} again when the lease has ended`, async () => {
      await simulation.passTime(LEASE_MS)
      assert.equal((await claim(LIMIT)).length, LIMIT)
    })
  }
})
