// Compares what really moved at the networks with our own records: every peso is in a payin, in suspense, in a payout,
// or in an alarm. The networks write their log themselves; nothing of ours does.

import { parseRailReference, railReference } from '../../src/core/connections/reference.ts'
import type { Account } from '../../src/core/ledger/bookings.ts'
import type { LogEntry } from '../../src/sandbox/records.ts'
import type { Queryable } from '../../src/store/db.ts'
import { verifyLedger } from '../../src/store/ledger/verify.ts'

// The part of an entry that the networks' control API also serves over HTTP.
export type Movement = Pick<LogEntry, 'movement' | 'network' | 'reference' | 'traceId'> & {
  amountInCents: bigint | number
}

// One sentence per discrepancy; none if everything is accounted for.
export async function checkMoney(db: Queryable, log: readonly Movement[]): Promise<string[]> {
  return [
    ...(await verifyLedger(db)).map(({ check, detail }) => `not so that ${check}: ${detail}`),
    ...(await payoutsAgainst(db, log)),
    ...(await payinsAgainst(db, log)),
    ...(await clearingAgainst(db, log)),
    ...(await countedTwice(db)),
    ...(await linksOf(db)),
    ...(await eventsOf(db)),
  ]
}

// What is still in progress: open payments, unfinished notices, work that is due.
export async function unfinished(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ what: string }>({
    text: `select concat('payin ', payin_id, ' is ', status, ' ', rail_stage) as what
             from payins where status in ('PENDING', 'PROCESSING') or rail_stage not in ('DONE', 'TO_SETTLE')
            union all
           select concat('payin ', payin_id, ' is ', rail_stage, ' and due ', due_at)
             from payins where (due_at is not null) <> (rail_stage = 'TO_SETTLE')
            union all
           select concat('payout ', payout_id, ' is ', status, ' ', stage)
             from payouts where stage not in ('DONE', 'STOPPED') or due_at is not null
            union all
           select concat('notice ', notice_id, ' is ', state, ' since ', received_at, ' until ', due_at, ': ', network_update)
             from rail_notices where state = 'WAITING' or due_at is not null`,
  })
  return rows.map((row) => row.what)
}

// Payins that are due to be settled, and whose network has not answered since whether it lists their payment. Until it does, one
// that another merchant's payment confirmed is like any other.
export async function unanswered(db: Queryable, settlementDelayMs: number): Promise<string[]> {
  const { rows: waiting } = await db.query<{ organization_id: string; payin_id: string }>({
    text: `select organization_id, payin_id from payins where rail_stage = 'TO_SETTLE' and attempts > 0`,
  })
  const { rows } = await db.query<{ what: string }>({
    text: `select concat('payin ', p.payin_id, ' waits for an answer') as what
             from unnest($1::uuid[], $2::uuid[], $3::text[]) as w (organization_id, payin_id, reference)
             join payins p on p.organization_id = w.organization_id and p.payin_id = w.payin_id
            where not exists (select 1 from rail_exchanges x
                               where x.organization_id = p.organization_id and x.reference = w.reference and x.status < 500
                                 and x.at >= p.result_at + $4 * interval '1 millisecond')`,
    values: [
      waiting.map((row) => row.organization_id),
      waiting.map((row) => row.payin_id),
      waiting.map((row) => railReference('payin', row.organization_id, row.payin_id)),
      settlementDelayMs,
    ],
  })
  return rows.map((row) => row.what)
}

// The history of one payment by its reference: what was said on both sides of the wire.
export async function historyOf(db: Queryable, reference: string): Promise<string[]> {
  const { rows } = await db.query<{ what: string }>({
    text: `select what
             from (select created_at as at, 0 as place, concat('payin ', status, ' ', rail_stage, ' ', error_code) as what
                     from payins where payin_id = $1
                    union all
                   select created_at, 0, concat('payout ', status, ' ', stage, ' ', error_code, ' to ', key_string)
                     from payouts where payout_id = $1
                    union all
                   select received_at, 1, concat('told ', network_update, ' ', state) from rail_notices where subject_id = $1
                    union all
                   select at, 2, concat('asked ', operation, ': ', status, ' ', failure, ' ', response)
                     from rail_exchanges where reference = $2) story
            order by at, place`,
    values: [parseRailReference(reference)?.id, reference],
  })
  return rows.map((row) => row.what)
}

// One link is paid at most once, with one event, and ends with nothing open behind it.
async function linksOf(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ what: string }>({
    text: `with attempts as (
             select organization_id, payment_link_id, count(*) filter (where status = 'CONFIRMED') as paid,
                    count(*) filter (where status in ('PENDING', 'PROCESSING')) as open
               from payins where payment_link_id is not null group by organization_id, payment_link_id
           ), sent as (
             select object_id as payment_link_id, count(*) filter (where type = 'paymentlink.completed') as completed,
                    count(*) filter (where type = 'paymentlink.expired') as expired
               from events where resource = 'paymentlink' group by object_id
           )
           select concat('link ', l.payment_link_id, ' is ', l.status, ' with ', coalesce(a.paid, 0), ' paid and ', coalesce(a.open, 0),
                         ' open attempts, reported completed ', coalesce(s.completed, 0), ' and expired ', coalesce(s.expired, 0),
                         ' times') as what
             from payment_links l
             left join attempts a using (organization_id, payment_link_id)
             left join sent s using (payment_link_id)
            where coalesce(a.paid, 0) <> (l.status = 'COMPLETED')::integer
               or coalesce(s.completed, 0) <> (l.status = 'COMPLETED')::integer
               or coalesce(s.expired, 0) <> (l.status = 'EXPIRED')::integer
               or (l.status <> 'PENDING' and coalesce(a.open, 0) > 0)
               or coalesce(a.open, 0) > 1`,
  })
  return rows.map((row) => row.what)
}

// At no time can two attempts of one link be paid at the networks.
export async function attemptsOpenAtOnce(
  db: Queryable,
  openReferences: readonly string[],
): Promise<string[]> {
  const ids = openReferences.flatMap((reference) => parseRailReference(reference)?.id ?? [])
  const { rows } = await db.query<{ what: string }>({
    text: `select concat('link ', payment_link_id, ' has ', count(*), ' attempts open at its networks') as what
             from payins where payin_id = any($1::uuid[]) and payment_link_id is not null
            group by organization_id, payment_link_id having count(*) > 1`,
    values: [ids],
  })
  return rows.map((row) => row.what)
}

// A contradiction of the network is shown to a person.
export async function withoutAlarm(db: Queryable, subjectIds: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ subject_id: string }>({
    text: 'select distinct subject_id from alarms where subject_id = any($1::uuid[])',
    values: [subjectIds],
  })
  const shown = new Set(rows.map((row) => row.subject_id))
  return subjectIds.filter((id) => !shown.has(id)).map((id) => `nobody was alarmed about ${id}`)
}

async function payoutsAgainst(db: Queryable, log: readonly Movement[]): Promise<string[]> {
  const { rows } = await db.query<PayoutRow>({
    text: 'select organization_id, payout_id, status, stage, amount_cents::text as amount, trace_id from payouts',
  })
  const debits = Map.groupBy(
    log.filter(({ movement }) => movement === 'debit'),
    ({ reference }) => parseRailReference(reference)?.id ?? reference,
  )
  const wrong = rows.flatMap(({ organization_id, payout_id, status, stage, amount, trace_id }) => {
    const own = debits.get(payout_id) ?? []
    debits.delete(payout_id)
    const expected = status === 'CONFIRMED' || stage === 'STOPPED' ? 1 : 0
    const isTraced = status !== 'CONFIRMED' || own.every((debit) => debit.traceId === trace_id)
    return own.length === expected &&
      isTraced &&
      own.every((debit) => BigInt(debit.amountInCents) === BigInt(amount))
      ? []
      : [
          `payout ${railReference('payout', organization_id, payout_id)} of ${amount} is ${status} ${stage} under trace ${trace_id}, and was debited ${inWords(own)}`,
        ]
  })
  return [...wrong, ...[...debits.keys()].map((id) => `the network paid ${id}, which is no payout of ours`)]
}

type PayoutRow = {
  organization_id: string
  payout_id: string
  status: string
  stage: string
  amount: string
  trace_id: string | null
}

// Payins of two merchants that were confirmed by one payment: the network lists it for one of them. The other is under an alarm that
// names the first, and is not settled.
const IS_CONTESTED = `(settlement_status = 'PENDING_SETTLEMENT'
  and exists (select 1 from alarms a
               where a.organization_id = payins.organization_id and a.subject_id = payins.payin_id
                 and a.detail like 'the network does not list payment % it confirmed payin %'
                 and a.detail not like concat('% of organization ', payins.organization_id)))`

// Rows of all organizations, as one PostgreSQL has them: a distributed one compares those of several only after it has collected them.
const IN_ONE_PLACE = ['payins', 'suspense_items', 'ledger_transfers', 'alarms', 'rail_notices']
  .map((table) => `${table} as materialized (select * from ${table})`)
  .join(', ')

async function payinsAgainst(db: Queryable, log: readonly Movement[]): Promise<string[]> {
  const { rows } = await db.query<{ rail: string; payment_id: string; amount: string; what: string }>({
    text: `select rail, payment_id, confirmed_amount_cents::text as amount, concat('payin ', payin_id) as what
             from payins where status = 'CONFIRMED' and not ${IS_CONTESTED}
            union all
           select rail, payment_id, amount_cents::text, concat('suspense ', suspense_id, ' of payin ', payin_id)
             from suspense_items where state <> 'COUNTED'`,
  })
  const nameOf = (rail: string, paymentId: string) => `${rail} ${paymentId}`
  const believed = Map.groupBy(rows, ({ rail, payment_id }) => nameOf(rail, payment_id))
  const wrong: string[] = []
  for (const credit of log.filter(({ movement }) => movement === 'credit')) {
    const name = nameOf(credit.network === 'pse' ? 'PSE' : 'BRE_B', credit.traceId)
    const own = believed.get(name) ?? []
    believed.delete(name)
    if (own.length !== 1 || BigInt(own[0]?.amount ?? 0) !== BigInt(credit.amountInCents))
      wrong.push(
        `${credit.amountInCents} came as ${name} (${credit.reference}), and is in ${JSON.stringify(own)}`,
      )
  }
  return [
    ...wrong,
    ...[...believed.values()].flat().map(({ what, amount }) => `${what} counts ${amount} that never came`),
  ]
}

// One payment of a network is in one place, whether the network's log has it or not. An item that was counted is that of the payin
// which its payment confirmed, or of another item of the payment, which may have been counted since.
async function countedTwice(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ what: string }>({
    text: `with ${IN_ONE_PLACE}, places as (
             select rail, payment_id, concat('payin ', payin_id) as place
               from payins where status = 'CONFIRMED' and not ${IS_CONTESTED}
              union all
             select rail, payment_id, concat('suspense ', suspense_id, ' ', state) from suspense_items where state <> 'COUNTED'
           )
           select concat(rail, ' ', payment_id, ' is in ', count(*), ' places: ', string_agg(place, ', ' order by place)) as what
             from places group by rail, payment_id having count(*) > 1
            union all
           select concat('suspense ', s.suspense_id, ' is COUNTED for payin ', s.attached_to, ', which payment ', s.payment_id,
                         ' has not confirmed')
             from suspense_items s
            where s.state = 'COUNTED'
              and not exists (select 1 from payins p
                               where (s.attached_to is null or p.payin_id = s.attached_to) and p.rail = s.rail
                                 and p.payment_id = s.payment_id and p.status = 'CONFIRMED')
              and not exists (select 1 from suspense_items o
                               where o.payin_id is not distinct from s.attached_to and o.rail = s.rail
                                 and o.payment_id = s.payment_id and o.state <> 'COUNTED')`,
  })
  return rows.map((row) => row.what)
}

// Clearing holds what the networks owe us. A chargeback of money that was returned is reported to a person instead of
// booked, and one that the network never reported cannot be known.
async function clearingAgainst(db: Queryable, log: readonly Movement[]): Promise<string[]> {
  const { rows: accounts } = await db.query<{ account: Account; held: string }>({
    text: `select account, sum(debit_cents - credit_cents)::text as held
             from ledger_balances where account like 'CLEARING%' group by account`,
  })
  const { rows: contested } = await db.query<{ account: Account; cents: string }>({
    text: `select concat('CLEARING_', rail) as account, sum(confirmed_amount_cents)::text as cents
             from payins where status = 'CONFIRMED' and ${IS_CONTESTED} group by rail`,
  })
  const { rows: openings } = await db.query<{ opened: string }>({
    text: `select coalesce(sum(amount_cents), 0)::text as opened from ledger_transfers where booking = 'opening balance'`,
  })
  const { rows: chargebacks } = await db.query<{ subject_id: string; booked: boolean; shown: boolean }>({
    text: `with ${IN_ONE_PLACE}
           select subject_id,
                  exists (select 1 from payins p
                            join ledger_transfers t on t.subject_id = p.payin_id and t.booking like 'payin charged back%'
                           where p.rail = n.rail and p.payment_id = n.network_update->>'paymentId')
                  or exists (select 1 from suspense_items s
                              where s.rail = n.rail and s.payment_id = n.network_update->>'paymentId'
                                and s.state = 'CHARGED_BACK') as booked,
                  exists (select 1 from alarms a where a.subject_id = n.subject_id) as shown
             from rail_notices n
            where network_update->>'kind' = 'payin.chargeback'`,
  })
  const reported = new Map(chargebacks.map((row) => [row.subject_id, row]))
  const wrong = chargebacks
    .filter(({ booked, shown }) => !booked && !shown)
    .map(({ subject_id }) => `the chargeback of ${subject_id} is neither booked nor shown`)
  const isBooked = ({ movement, reference }: Movement) =>
    movement !== 'chargeback' || reported.get(parseRailReference(reference)?.id ?? '')?.booked === true
  for (const [network, account] of [
    ['breb', 'CLEARING_BRE_B'],
    ['pse', 'CLEARING_PSE'],
  ] as const) {
    const moved = log
      .filter((entry) => entry.network === network && isBooked(entry))
      .reduce((sum, entry) => sum + signOf(entry) * BigInt(entry.amountInCents), 0n)
    const opened = network === 'breb' ? BigInt(openings[0]?.opened ?? 0) : 0n
    const twice = BigInt(contested.find((row) => row.account === account)?.cents ?? 0)
    const held = BigInt(accounts.find((row) => row.account === account)?.held ?? 0) - twice
    if (held !== moved + opened) wrong.push(`${account} holds ${held}, and ${moved + opened} moved`)
  }
  return wrong
}

function signOf({ movement }: Movement): bigint {
  return movement === 'credit' ? 1n : -1n
}

// Exactly one event reports how a payin, payout or refund ended, and an organization's sequences have no gap.
async function eventsOf(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ what: string }>({
    text: `with ended as (
             select payin_id as id, concat('payin.', lower(status)) as type from payins
              where status not in ('PENDING', 'PROCESSING') and payment_link_id is null
              union all
             select payout_id, concat('payout.', lower(status)) from payouts where status <> 'PROCESSING'
              union all
             select refund_id, concat('refund.', lower(status)) from refunds where status <> 'PROCESSING'
           ), told as (
             select object_id as id, type from events where type similar to '%.(confirmed|canceled|declined)'
           )
           select concat(coalesce(e.type, 'nothing'), ' of ', coalesce(e.id, t.id), ' was told as ', coalesce(t.type, 'nothing')) as what
             from ended e full join told t using (id)
            where e.type is distinct from t.type
            union all
           select concat(object_id, ' was told to have ended ', count(*), ' times')
             from events where type similar to '%.(confirmed|canceled|declined)' group by object_id having count(*) > 1
            union all
           select concat('the events of ', organization_id, ' are numbered up to ', max(sequence), ' and are ', count(*))
             from events group by organization_id having max(sequence) <> count(*) or count(sequence) <> count(*)`,
  })
  return rows.map((row) => row.what)
}

function inWords(debits: readonly Movement[]): string {
  return debits.length === 0 ? 'nothing' : debits.map((debit) => String(debit.amountInCents)).join(' and ')
}
