// Payers, merchants and networks at many payment links at once, on two API nodes and two workers whose clocks differ by
// seconds: a link has one open attempt, at the bank too, and is paid and reported once. SIM_SEEDS=50 runs more.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { railReference } from '../../src/core/connections/reference.ts'
import { createIdSource } from '../../src/core/ids.ts'
import type { Organization } from '../../src/core/organizations/organization.ts'
import type { Payin } from '../../src/core/payins/payin.ts'
import type { PaymentLink } from '../../src/core/payment-links/payment-link.ts'
import { isRefusal } from '../../src/core/refusal.ts'
import type { Context } from '../../src/flows/context.ts'
import { handleOf } from '../../src/flows/payins/apply-rail-status.ts'
import { abandonAttempt } from '../../src/flows/payment-links/abandon-attempt.ts'
import { createPaymentLink } from '../../src/flows/payment-links/create.ts'
import { expireLinkEarly } from '../../src/flows/payment-links/expire.ts'
import { startAttempt } from '../../src/flows/payment-links/start-attempt.ts'
import { NO_FAULTS } from '../../src/sandbox/faults.ts'
import { attemptToShow } from '../../src/store/payins/attempts.ts'
import { runAllDue } from '../../src/workers/start.ts'
import { byDepth } from '../depth.ts'
import { checkMoney, unfinished } from './checker.ts'
import { type Simulation, startSimulation } from './harness.ts'
import { OVER_BREB, OVER_PSE, payer } from './payments.ts'

const SEEDS = Array.from({ length: Number(process.env.SIM_SEEDS ?? byDepth(2, 5)) }, (_, index) => index + 1)
const LINKS = 6
const STEPS = 120
const API_CLOCKS_MS = [0, 4_000]
const WORKER_CLOCKS_MS = [-2_000, 3_000]
// No notice is lost: money that comes after a network has said that an attempt ended is known from its notice alone.
const FAULTS = { ...NO_FAULTS, noticeDoubled: 0.2, noticeLate: 0.2, noticeReordered: 0.2 }
// Pays nothing until somebody says so.
const PAYER = payer('1000000007')

type Page = { link: PaymentLink; attempts: Payin[] }

describe('payment links on nodes whose clocks differ', () => {
  for (const seed of SEEDS)
    it(`are paid once, one attempt at a time (seed ${seed})`, async () => {
      await using simulation = await startSimulation({ seed, workers: 2, faults: FAULTS, delayMs: 1_000 })
      const merchant = await simulation.newOrganization('Café La Palma')
      const nodes = API_CLOCKS_MS.map((aheadMs) => withClock(simulation.ctx, aheadMs))
      const pages: Page[] = []
      for (let count = 0; count < LINKS; count += 1) pages.push(await newPage(simulation, merchant))
      for (let step = 0; step < STEPS; step += 1) await takeStep(simulation, merchant, nodes, pages)
      await finish(simulation)
      assert.deepEqual(
        [
          ...(await unfinished(simulation.db)),
          ...(await checkMoney(simulation.db, simulation.sandbox.log())),
          ...(await linksPaidOrToldTwice(simulation)),
          ...simulation.failures(),
        ],
        [],
      )
    })
})

async function takeStep(
  simulation: Simulation,
  merchant: Organization,
  nodes: Context[],
  pages: Page[],
): Promise<void> {
  const { chance, sandbox } = simulation
  const pick = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(chance() * values.length)] as Value
  const page = pick(pages)
  const { organizationId, paymentLinkId } = page.link
  const begin = async (node: Context) => {
    const request = { customer: PAYER, way: pick([OVER_BREB, OVER_PSE]) }
    const begun = await startAttempt(node, merchant, page.link, request)
    if (begun?.isNew !== true) return
    await assertNoneOpenAtNetwork(simulation, page.attempts)
    page.attempts.push(begun.payin)
  }
  const attempt = page.attempts.length > 0 ? pick(page.attempts) : undefined
  const action = chance()
  if (action < 0.2) await begin(pick(nodes))
  else if (action < 0.35) await Promise.all(nodes.map(begin))
  else if (action < 0.5) {
    const shown = await attemptToShow(simulation.db, organizationId, paymentLinkId)
    if (shown) await Promise.all(nodes.map((node) => abandonAttempt(node, merchant, shown)))
  } else if (action < 0.6) {
    if (attempt) sandbox.openedByPayer(referenceOf(attempt))
  } else if (action < 0.72) {
    // Now and then an attempt that was abandoned long ago: late money.
    if (attempt)
      await simulation.ctx.networks.simulator?.simulate(referenceOf(attempt), { outcome: 'confirmed' })
  } else if (action < 0.75) await expireLinkEarly(pick(nodes), organizationId, paymentLinkId, null)
  else if (action < 0.9) await work(simulation)
  else await simulation.passTime(Math.floor(chance() * 5_000))
}

// What the payer left behind can no longer be paid when the next attempt begins.
async function assertNoneOpenAtNetwork({ ctx }: Simulation, attempts: readonly Payin[]): Promise<void> {
  for (const attempt of attempts) {
    const answer = await ctx.networks.payins[attempt.source.rail].query(handleOf(attempt))
    assert.ok(
      answer.outcome !== 'accepted' || answer.value.state !== 'open',
      `${attempt.payinId} is still open`,
    )
  }
}

async function newPage({ ctx, chance }: Simulation, merchant: Organization): Promise<Page> {
  const link = await createPaymentLink(
    ctx,
    merchant,
    {
      amountInCents: 1_000_000n,
      reference: `order-${chance()}`,
      callbackUrl: 'https://shop.example/return',
      rail: null,
      customer: null,
      bank: null,
    },
    null,
  )
  if (isRefusal(link)) throw new Error(link.detail)
  return { link, attempts: [] }
}

async function work(simulation: Simulation): Promise<void> {
  await Promise.all(
    simulation.workers.map((worker, index) =>
      runAllDue(withClock(worker, WORKER_CLOCKS_MS[index] as number), simulation.log),
    ),
  )
}

async function finish(simulation: Simulation): Promise<void> {
  for (const minutes of [1, 1, 1, 15, 15, 60, 60, 24 * 60]) {
    await simulation.passTime(minutes * 60_000)
    await work(simulation)
  }
}

async function linksPaidOrToldTwice({ db }: Simulation): Promise<string[]> {
  const { rows } = await db.query<{ what: string }>({
    text: `select concat(payment_link_id, ' was paid ', count(*), ' times') as what
             from payins where payment_link_id is not null and status = 'CONFIRMED'
            group by payment_link_id having count(*) > 1
            union all
           select concat(payment_link_id, ' is ', l.status, ' and was told ', count(e.event_id), ' times')
             from payment_links l
             left join events e on e.organization_id = l.organization_id and e.object_id = l.payment_link_id
            group by payment_link_id, l.status
           having count(e.event_id) <> 1`,
  })
  return rows.map(({ what }) => what)
}

function referenceOf({ organizationId, payinId }: Payin): string {
  return railReference('payin', organizationId, payinId)
}

// The same process with a clock of its own.
function withClock(ctx: Context, aheadMs: number): Context {
  const now = () => ctx.clock.now() + aheadMs
  const ids = createIdSource((count) => randomBytes(count))
  return { ...ctx, clock: { ...ctx.clock, now }, ids: { ...ctx.ids, next: () => ids(now()) } }
}
