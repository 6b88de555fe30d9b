// Payins and payouts under network faults. The networks lose answers, fail after accepting, and duplicate, delay,
// reorder, lose and contradict notices, while merchants cancel and several workers race. Then the faults stop, and
// every payment must end with every peso accounted for. Each seed is a different history. SIM_SEED=7 repeats one,
// SIM_SEEDS=50 runs more.

import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { railReference } from '../../src/core/connections/reference.ts'
import type { Organization } from '../../src/core/organizations/organization.ts'
import type { Payin } from '../../src/core/payins/payin.ts'
import type { Payout } from '../../src/core/payouts/payout.ts'
import { isRefusal } from '../../src/core/refusal.ts'
import { changeOrganization } from '../../src/flows/organizations/change.ts'
import { cancelPayin } from '../../src/flows/payins/cancel.ts'
import { cancelPayout } from '../../src/flows/payouts/cancel.ts'
import { STORMY } from '../../src/sandbox/faults.ts'
import { checkMoney, historyOf, unfinished } from './checker.ts'
import { type Simulation, startSimulation } from './harness.ts'
import { newPayin, newPayout, OVER_BREB, OVER_PSE, payer } from './payments.ts'

const SEEDS = process.env.SIM_SEED
  ? [Number(process.env.SIM_SEED)]
  : Array.from({ length: Number(process.env.SIM_SEEDS ?? 5) }, (_, index) => index + 1)
const STEPS = 14
const PAYINS_A_STEP = 3
const PAYOUTS_A_STEP = 2
const WORKERS = 2
const DELAY_MS = 2_000
// A hanging network costs real time, so the timeouts are shorter than in production.
const RAIL_LIMITS = { submitMs: 250, queryMs: 250, lookUpMs: 250, tokenMs: 2_000, pauseToMs: 60, breakMs: 30 }
// About a bad day, with waits short enough to run many of them.
const FAULTS = { ...STORMY, latencyMs: 20, noticeContradicted: 0.08 }

const DOCUMENTS = [
  '1000000001',
  '1000000003',
  '1000000005',
  '1000000007',
  '1000000011',
  '1000000013',
  '1000000015',
  '1000000017',
  '52123456',
] as const
const KEYS = [
  { keyString: '@ANAGOMEZ', keyType: 'ALPHANUMERIC' },
  { keyString: '3001234567', keyType: 'PHONE' },
  { keyString: 'ana@example.com', keyType: 'EMAIL' },
  { keyString: '@NOEXISTE1', keyType: 'ALPHANUMERIC' },
  { keyString: '@SUSPENDIDA1', keyType: 'ALPHANUMERIC' },
] as const

// What must occur over all seeds: a history in which nothing went wrong proves nothing.
const seen = new Map<string, number>()
const sometimes = (what: string, times: number) => seen.set(what, (seen.get(what) ?? 0) + times)

describe('under network faults', () => {
  for (const seed of SEEDS) {
    it(`every payment ends and every peso is accounted for (seed ${seed})`, async (t) => {
      t.diagnostic(`seed ${seed}: SIM_SEED=${seed} tells it again`)
      await using simulation = await startSimulation({
        seed,
        workers: WORKERS,
        faults: FAULTS,
        delayMs: DELAY_MS,
        railLimits: RAIL_LIMITS,
      })
      const merchants = await Promise.all([
        simulation.newOrganization('Café La Palma'),
        patientMerchant(simulation),
      ])
      await storm(simulation, merchants)
      await simulation.setFaults('none')
      await lateMoney(simulation)
      await passTime(simulation, UNTIL_ALL_WAS_ASKED_MS)
      await decideTheRest(simulation)
      await passTime(simulation, UNTIL_ALL_HAS_ENDED_MS)

      const findings = [
        ...(await unfinished(simulation.db)),
        ...(await checkMoney(simulation.db, simulation.sandbox.log())),
      ]
      for (const reference of referencesIn(findings))
        for (const line of await historyOf(simulation.db, reference)) t.diagnostic(`${reference}: ${line}`)
      assert.deepEqual(findings, [])
      assert.deepEqual(simulation.failures(), [])
      await countOutcomes(simulation)
    })
  }

  after(() => {
    if (SEEDS.length > 1) assert.deepEqual(neverSeen(), [], 'something never happened in any history')
  })
})

async function patientMerchant(simulation: Simulation): Promise<Organization> {
  const { organizationId } = await simulation.newOrganization('Panadería El Trigal')
  const changes = { onAmountMismatch: 'accept', payinExpiryMinutes: 5 } as const
  const organization = await changeOrganization(simulation.ctx, organizationId, changes)
  if (isRefusal(organization)) throw new Error(organization.detail)
  return organization
}

async function storm(simulation: Simulation, merchants: readonly Organization[]): Promise<void> {
  const payins: Payin[] = []
  const payouts: Payout[] = []
  for (let step = 0; step < STEPS; step += 1) {
    for (let each = 0; each < PAYINS_A_STEP; each += 1)
      payins.push(await anyPayin(simulation, pick(simulation, merchants)))
    for (let each = 0; each < PAYOUTS_A_STEP; each += 1)
      payouts.push(await anyPayout(simulation, pick(simulation, merchants), payins))
    // While the workers run, a merchant cancels something.
    await Promise.all([simulation.work(), changeOfMind(simulation, payins, payouts)])
    await simulation.passTime(1_000 + Math.floor(simulation.chance() * 25_000))
  }
  await simulation.work()
}

function anyPayin(simulation: Simulation, organization: Organization): Promise<Payin> {
  return newPayin(simulation, organization, {
    amountInCents: amountOf(simulation),
    customer: payer(pick(simulation, DOCUMENTS)),
    way: simulation.chance() < 0.5 ? OVER_BREB : OVER_PSE,
  })
}

// Some pay a payin of ours: the payout's debit is the payin's credit.
function anyPayout(
  simulation: Simulation,
  organization: Organization,
  payins: readonly Payin[],
): Promise<Payout> {
  const { source, amountInCents } = pick(simulation, payins)
  const order =
    source.rail === 'BRE_B' && simulation.chance() < 0.4
      ? { keyString: source.keyString, keyType: 'ALPHANUMERIC' as const, amountInCents }
      : { ...pick(simulation, KEYS), amountInCents: amountOf(simulation) }
  return newPayout(simulation, organization, { ...order, customer: payer(pick(simulation, DOCUMENTS)) })
}

async function changeOfMind(
  simulation: Simulation,
  payins: readonly Payin[],
  payouts: readonly Payout[],
): Promise<void> {
  const payin = pick(simulation, payins.slice(-2 * PAYINS_A_STEP))
  const payout = pick(simulation, payouts.slice(-PAYOUTS_A_STEP))
  if (simulation.chance() < 0.5) await cancelPayin(simulation.ctx, payin, null)
  if (simulation.chance() < 0.3) await cancelPayout(simulation.ctx, payout, null)
}

// Pays some payins that have already ended. Silent ones are left out, because the network would never report them.
async function lateMoney(simulation: Simulation): Promise<void> {
  const { rows } = await simulation.db.query<{ organization_id: string; payin_id: string }>({
    text: `select organization_id, payin_id from payins
            where status in ('CANCELED', 'DECLINED') and customer->>'idNumber' <> '1000000015'
            order by payin_id limit 3`,
  })
  for (const { organization_id, payin_id } of rows) {
    const reference = railReference('payin', organization_id, payin_id)
    await simulation.ctx.networks.simulator?.simulate(reference, { outcome: 'confirmed' })
  }
}

// A transfer that its network keeps open ends when somebody decides there.
async function decideTheRest(simulation: Simulation): Promise<void> {
  const { rows } = await simulation.db.query<{ organization_id: string; payout_id: string }>({
    text: `select organization_id, payout_id from payouts where status = 'PROCESSING' order by payout_id`,
  })
  for (const { organization_id, payout_id } of rows) {
    const reference = railReference('payout', organization_id, payout_id)
    const outcome = simulation.chance() < 0.5 ? 'confirmed' : 'declined'
    await simulation.ctx.networks.simulator?.simulate(reference, { outcome })
  }
}

const times = (count: number, ms: number): number[] => Array.from({ length: count }, () => ms)
// Longer than the longest pause between two attempts.
const UNTIL_ALL_WAS_ASKED_MS = [...times(10, 5_000), ...times(5, 61_000)]
// The last expiry, the grace period after it, and then settlement.
const UNTIL_ALL_HAS_ENDED_MS = [...times(15, 61_000), 30 * 60_000, 60 * 60_000, 60 * 60_000, 25 * 60 * 60_000]

async function passTime(simulation: Simulation, pausesMs: readonly number[]): Promise<void> {
  for (const ms of pausesMs) {
    await simulation.passTime(ms)
    await simulation.work()
  }
}

async function countOutcomes(simulation: Simulation): Promise<void> {
  for (const [fault, hits] of Object.entries(simulation.sandbox.faultHits()))
    sometimes(`fault ${fault}`, hits)
  const { rows } = await simulation.db.query<{ what: string; times: bigint }>({
    text: `select concat('payin ', status) as what, count(*) as times from payins group by status
            union all
           select concat('payin ', settlement_status), count(*) from payins where settlement_status is not null group by settlement_status
            union all
           select concat('payout ', status), count(*) from payouts group by status
            union all
           select concat('suspense ', reason), count(*) from suspense_items group by reason
            union all
           select concat('alarm ', kind), count(*) from alarms group by kind
            union all
           select 'payout confirmed though the answer to it was lost', count(distinct p.payout_id)
             from payouts p
             join events e on e.object_id = p.payout_id and e.type = 'payout.confirmed'
             join rail_exchanges x on x.organization_id = p.organization_id and x.operation = 'PUT /transfers'
            where (x.status is null or x.status >= 500) and p.trace_id is not null`,
  })
  for (const { what, times } of rows) sometimes(what, Number(times))
}

const EXPECTED = [
  ...Object.entries(FAULTS)
    .filter(([name, chance]) => chance > 0 && name !== 'latencyMs' && name !== 'lateFactor')
    .map(([name]) => `fault ${name}`),
  'payin CONFIRMED',
  'payin DECLINED',
  'payin CANCELED',
  'payin SETTLED',
  'payin REVERSED',
  'payout CONFIRMED',
  'payout DECLINED',
  'payout CANCELED',
  'suspense LATE',
  'suspense AMOUNT_MISMATCH',
  'payout confirmed though the answer to it was lost',
]

function neverSeen(): string[] {
  return EXPECTED.filter((what) => (seen.get(what) ?? 0) === 0)
}

function referencesIn(findings: readonly string[]): string[] {
  return [...new Set(findings.join(' ').match(/\b[POR][A-Za-z0-9_-]{43}\b/g))]
}

function pick<Value>(simulation: Simulation, from: readonly Value[]): Value {
  return from[Math.floor(simulation.chance() * from.length)] as Value
}

function amountOf(simulation: Simulation): bigint {
  return 100n + BigInt(Math.floor(simulation.chance() * 50_000_000))
}
