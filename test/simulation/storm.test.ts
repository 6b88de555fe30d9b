// Payins and payouts in bad weather: the networks lose answers, fail after they have accepted, double, delay, reorder, lose and
// contradict what they tell, while merchants cancel and several workers race. Then the sky clears, and everything must have
// ended, with every peso where it belongs. Each seed is a history of its own; SIM_SEED=7 tells one again, SIM_SEEDS=50 tells
// more of them.

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
import { checkMoney, storyOf, unfinished } from './checker.ts'
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
// A network that hangs costs real time: it is not waited for as long as in earnest.
const RAIL_LIMITS = { submitMs: 250, queryMs: 250, lookUpMs: 250, tokenMs: 2_000, pauseToMs: 60, breakMs: 30 }
// About a bad day, with waits that are short enough to live through many of them.
const WEATHER = { ...STORMY, latencyMs: 20, noticeContradicted: 0.08 }

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

// What must have been seen over all seeds: a history in which nothing went wrong proves nothing.
const seen = new Map<string, number>()
const sometimes = (what: string, times: number) => seen.set(what, (seen.get(what) ?? 0) + times)

describe('in bad weather', () => {
  for (const seed of SEEDS) {
    it(`every payment ends and every peso is accounted for (seed ${seed})`, async (t) => {
      t.diagnostic(`seed ${seed}: SIM_SEED=${seed} tells it again`)
      await using stage = await startSimulation({
        seed,
        workers: WORKERS,
        faults: WEATHER,
        delayMs: DELAY_MS,
        railLimits: RAIL_LIMITS,
      })
      const merchants = await Promise.all([stage.newOrganization('Café La Palma'), patientMerchant(stage)])
      await storm(stage, merchants)
      await stage.setFaults('none')
      await lateMoney(stage)
      await live(stage, UNTIL_ALL_WAS_ASKED_MS)
      await decideTheRest(stage)
      await live(stage, UNTIL_ALL_HAS_ENDED_MS)

      const findings = [...(await unfinished(stage.db)), ...(await checkMoney(stage.db, stage.sandbox.log()))]
      for (const reference of referencesIn(findings))
        for (const line of await storyOf(stage.db, reference)) t.diagnostic(`${reference}: ${line}`)
      assert.deepEqual(findings, [])
      assert.deepEqual(stage.failures(), [])
      await count(stage)
    })
  }

  after(() => {
    if (SEEDS.length > 1) assert.deepEqual(neverSeen(), [], 'something never happened in any history')
  })
})

async function patientMerchant(stage: Simulation): Promise<Organization> {
  const { organizationId } = await stage.newOrganization('Panadería El Trigal')
  const changes = { onAmountMismatch: 'accept', payinExpiryMinutes: 5 } as const
  const organization = await changeOrganization(stage.ctx, organizationId, changes)
  if (isRefusal(organization)) throw new Error(organization.detail)
  return organization
}

async function storm(stage: Simulation, merchants: readonly Organization[]): Promise<void> {
  const payins: Payin[] = []
  const payouts: Payout[] = []
  for (let step = 0; step < STEPS; step += 1) {
    for (let each = 0; each < PAYINS_A_STEP; each += 1)
      payins.push(await anyPayin(stage, pick(stage, merchants)))
    for (let each = 0; each < PAYOUTS_A_STEP; each += 1)
      payouts.push(await anyPayout(stage, pick(stage, merchants), payins))
    // While the workers are at it, a merchant changes its mind about something.
    await Promise.all([stage.work(), changeOfMind(stage, payins, payouts)])
    await stage.passTime(1_000 + Math.floor(stage.chance() * 25_000))
  }
  await stage.work()
}

function anyPayin(stage: Simulation, organization: Organization): Promise<Payin> {
  return newPayin(stage, organization, {
    amountInCents: amountOf(stage),
    customer: payer(pick(stage, DOCUMENTS)),
    way: stage.chance() < 0.5 ? OVER_BREB : OVER_PSE,
  })
}

// Some pay a payin of ours: what leaves by one comes in by the other.
function anyPayout(stage: Simulation, organization: Organization, payins: readonly Payin[]): Promise<Payout> {
  const { source, amountInCents } = pick(stage, payins)
  const order =
    source.rail === 'BRE_B' && stage.chance() < 0.4
      ? { keyString: source.keyString, keyType: 'ALPHANUMERIC' as const, amountInCents }
      : { ...pick(stage, KEYS), amountInCents: amountOf(stage) }
  return newPayout(stage, organization, { ...order, customer: payer(pick(stage, DOCUMENTS)) })
}

async function changeOfMind(
  stage: Simulation,
  payins: readonly Payin[],
  payouts: readonly Payout[],
): Promise<void> {
  const payin = pick(stage, payins.slice(-2 * PAYINS_A_STEP))
  const payout = pick(stage, payouts.slice(-PAYOUTS_A_STEP))
  if (stage.chance() < 0.5) await cancelPayin(stage.ctx, payin, null)
  if (stage.chance() < 0.3) await cancelPayout(stage.ctx, payout, null)
}

// Somebody pays what has ended already. Of the silent ones nobody would ever hear.
async function lateMoney(stage: Simulation): Promise<void> {
  const { rows } = await stage.db.query<{ organization_id: string; payin_id: string }>({
    text: `select organization_id, payin_id from payins
            where status in ('CANCELED', 'DECLINED') and customer->>'idNumber' <> '1000000015'
            order by payin_id limit 3`,
  })
  for (const { organization_id, payin_id } of rows) {
    const reference = railReference('payin', organization_id, payin_id)
    await stage.ctx.networks.simulator?.simulate(reference, { outcome: 'confirmed' })
  }
}

// A transfer that its network keeps open ends when somebody there decides.
async function decideTheRest(stage: Simulation): Promise<void> {
  const { rows } = await stage.db.query<{ organization_id: string; payout_id: string }>({
    text: `select organization_id, payout_id from payouts where status = 'PROCESSING' order by payout_id`,
  })
  for (const { organization_id, payout_id } of rows) {
    const reference = railReference('payout', organization_id, payout_id)
    const outcome = stage.chance() < 0.5 ? 'confirmed' : 'declined'
    await stage.ctx.networks.simulator?.simulate(reference, { outcome })
  }
}

const times = (count: number, ms: number): number[] => Array.from({ length: count }, () => ms)
// Longer than the longest pause between two tries.
const UNTIL_ALL_WAS_ASKED_MS = [...times(10, 5_000), ...times(5, 61_000)]
// The last expiry, the grace after it, and then settlement.
const UNTIL_ALL_HAS_ENDED_MS = [...times(15, 61_000), 30 * 60_000, 60 * 60_000, 60 * 60_000, 25 * 60 * 60_000]

async function live(stage: Simulation, pausesMs: readonly number[]): Promise<void> {
  for (const ms of pausesMs) {
    await stage.passTime(ms)
    await stage.work()
  }
}

async function count(stage: Simulation): Promise<void> {
  for (const [fault, hits] of Object.entries(stage.sandbox.faultHits())) sometimes(`fault ${fault}`, hits)
  const { rows } = await stage.db.query<{ what: string; times: bigint }>({
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
  ...Object.entries(WEATHER)
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

function pick<Value>(stage: Simulation, from: readonly Value[]): Value {
  return from[Math.floor(stage.chance() * from.length)] as Value
}

function amountOf(stage: Simulation): bigint {
  return 100n + BigInt(Math.floor(stage.chance() * 50_000_000))
}
