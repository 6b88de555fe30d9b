// Proves the books: recomputes everything from the rows that caused it.

import type { Queryable } from '../db.ts'

export type LedgerFinding = { organizationId: string; check: string; detail: string }

// Each query returns only what is wrong. If all are empty, the books are proven.
export async function verifyLedger(db: Queryable): Promise<LedgerFinding[]> {
  const findings: LedgerFinding[] = []
  for (const [check, text] of Object.entries(CHECKS)) {
    const result = await db.query<{ organization_id: string; detail: string }>({ text })
    for (const row of result.rows)
      findings.push({ organizationId: row.organization_id, check, detail: row.detail })
  }
  return findings
}

const CHECKS: Readonly<Record<string, string>> = {
  'the books sum to zero': `
    select organization_id, sum(credit_cents - debit_cents)::text as detail
      from ledger_balances
     group by organization_id
    having sum(credit_cents - debit_cents) <> 0`,
  'stored balances equal the transfers': `
    select organization_id, concat(account, ' stored ', coalesce(s.held, 0), ' recomputed ', coalesce(r.held, 0)) as detail
      from (select organization_id, account, sum(credit_cents - debit_cents) as held
              from ledger_balances
             group by organization_id, account) s
      full join (select organization_id, account, sum(held) as held
                   from (select organization_id, credit_account as account, amount_cents as held from ledger_transfers
                          union all
                         select organization_id, debit_account, -amount_cents from ledger_transfers) t
                  group by organization_id, account) r using (organization_id, account)
     where coalesce(s.held, 0) <> coalesce(r.held, 0)`,
  'reserved money equals open payouts, refunds and batches': `
    select organization_id, concat('reserved ', coalesce(b.held, 0), ' open ', coalesce(p.open, 0)) as detail
      from (select organization_id, sum(credit_cents - debit_cents) as held
              from ledger_balances
             where account = 'RESERVED'
             group by organization_id) b
      full join (select organization_id, sum(amount_cents) as open
                   from (select organization_id, amount_cents + fee_cents + fee_tax_cents as amount_cents
                           from payouts
                          where status = 'PROCESSING' and stage in ('AWAITING_APPROVAL', 'RESERVED', 'SENDING', 'SENT')
                          union all
                         select organization_id, reserved_cents from refunds where reserved_cents > 0
                          union all
                         select organization_id, reserved_cents from payout_batches where reserved_cents > 0) held
                  group by organization_id) p using (organization_id)
     where coalesce(b.held, 0) <> coalesce(p.open, 0)`,
  'each confirmed payin is booked once, with what arrived': `
    select p.organization_id, concat(p.payin_id, ' confirmed ', p.confirmed_amount_cents, ' booked ', coalesce(t.booked, 0)) as detail
      from payins p
      left join (select organization_id, subject_id, sum(amount_cents) as booked
                   from ledger_transfers
                  where booking in ('payin confirmed', 'payin confirmed from suspense')
                  group by organization_id, subject_id) t
        on t.organization_id = p.organization_id and t.subject_id = p.payin_id
     where p.status = 'CONFIRMED' and coalesce(t.booked, 0) <> p.confirmed_amount_cents`,
  'what was charged back of a payin is booked': `
    select p.organization_id, concat(p.payin_id, ' charged back ', p.charged_back_cents, ' booked ', coalesce(t.booked, 0)) as detail
      from payins p
      left join (select organization_id, subject_id, sum(amount_cents) as booked
                   from ledger_transfers
                  where booking like 'payin charged back%'
                  group by organization_id, subject_id) t
        on t.organization_id = p.organization_id and t.subject_id = p.payin_id
     where coalesce(t.booked, 0) <> p.charged_back_cents`,
  'what was charged back of money in suspense is booked': `
    select s.organization_id, concat(s.suspense_id, ' charged back ', s.charged_back_cents, ' booked ', coalesce(t.booked, 0)) as detail
      from suspense_items s
      left join (select organization_id, subject_id, sum(amount_cents) as booked
                   from ledger_transfers
                  where booking like 'suspense charged back%'
                  group by organization_id, subject_id) t
        on t.organization_id = s.organization_id and t.subject_id = s.suspense_id
     where coalesce(t.booked, 0) <> s.charged_back_cents`,
  'nothing else is booked as a payin': `
    select t.organization_id, concat(t.subject_id, ' ', t.booking) as detail
      from ledger_transfers t
      left join payins p on p.organization_id = t.organization_id and p.payin_id = t.subject_id
     where t.booking in ('payin confirmed', 'payin confirmed from suspense') and p.status is distinct from 'CONFIRMED'`,
  'each confirmed payout left once, and no other': `
    select coalesce(p.organization_id, t.organization_id) as organization_id,
           concat(coalesce(p.payout_id, t.subject_id), ' ', p.status, ' posted ', coalesce(t.amount_cents, 0)) as detail
      from (select * from payouts where status = 'CONFIRMED') p
      full join (select * from ledger_transfers where booking in ('payout confirmed', 'refund paid')) t
        on t.organization_id = p.organization_id and t.subject_id = p.payout_id
     where p.amount_cents is distinct from t.amount_cents`,
  'each returned payout was confirmed and came back once, and no other': `
    select coalesce(p.organization_id, t.organization_id) as organization_id,
           concat(coalesce(p.payout_id, t.subject_id), ' ', p.status, ' returned ', coalesce(p.amount_cents, 0), ' posted ',
                  coalesce(t.posted, 0)) as detail
      from (select * from payouts where returned_at is not null) p
      full join (select organization_id, subject_id, sum(amount_cents) as posted
                   from ledger_transfers
                  where booking in ('payout returned', 'payout returned to deposits')
                  group by organization_id, subject_id) t
        on t.organization_id = p.organization_id and t.subject_id = p.payout_id
     where p.amount_cents is distinct from t.posted or p.status <> 'CONFIRMED'`,
  'each batch’s money was set aside, and came back where it was taken from': `
    select coalesce(b.organization_id, t.organization_id) as organization_id,
           concat(coalesce(b.batch_id, t.subject_id), ' set aside ', coalesce(t.held, 0), ' and of deposits ', coalesce(t.of_deposits, 0)) as detail
      from (select * from payout_batches where reserved_cents > 0) b
      full join (select organization_id, subject_id,
                        sum(case booking when 'batch reserved' then amount_cents
                                         when 'batch released' then -amount_cents end) as held,
                        sum(case booking when 'batch reserved from deposits' then amount_cents
                                         when 'batch released to deposits' then -amount_cents end) as of_deposits
                   from ledger_transfers
                  where booking like 'batch %'
                  group by organization_id, subject_id) t
        on t.organization_id = b.organization_id and t.subject_id = b.batch_id
     where coalesce(t.held, 0) <> coalesce(b.reserved_cents - b.reserved_deposit_cents, 0)
        or coalesce(t.of_deposits, 0) <> coalesce(b.reserved_deposit_cents, 0)`,
  'each refund’s money was set aside, and left over its rail once or came back, and no other': `
    select coalesce(r.organization_id, t.organization_id) as organization_id,
           concat(coalesce(r.refund_id, t.subject_id), ' ', r.stage, ' ', r.status, ' reserved ', coalesce(t.reserved, 0), ' released ',
                  coalesce(t.released, 0), ' given back ', coalesce(t.given, 0)) as detail
      from refunds r
      full join (select organization_id, subject_id,
                        sum(amount_cents) filter (where booking like 'refund reserved%') as reserved,
                        sum(amount_cents) filter (where booking like 'refund released%') as released,
                        sum(amount_cents) filter (where booking = 'refund reserved from deposits') as of_deposits,
                        sum(amount_cents) filter (where booking = 'refund released to deposits') as to_deposits,
                        sum(amount_cents) filter (where booking = 'refund given back') as given
                   from ledger_transfers
                  where booking in ('refund reserved', 'refund reserved from deposits', 'refund released',
                                    'refund released to deposits', 'refund given back')
                  group by organization_id, subject_id) t
        on t.organization_id = r.organization_id and t.subject_id = r.refund_id
     where r.refund_id is null
        or coalesce(t.given, 0) <> case when r.status = 'CONFIRMED' and r.way = 'RAIL' then r.amount_cents else 0 end
        or coalesce(t.reserved, 0) <> coalesce(t.released, 0) + coalesce(t.given, 0) + r.reserved_cents
        or coalesce(t.of_deposits, 0) - coalesce(t.to_deposits, 0) - r.deposit_cents not in (0, coalesce(t.given, 0))
        or (r.reserved_cents <> 0 and r.reserved_cents <> r.amount_cents)
        or (r.stage = 'SENDING' and r.reserved_cents = 0)
        or (r.stage in ('PAYING', 'DONE') and r.reserved_cents <> 0)`,
  'each refund by payout has a payout of its amount that paid it': `
    select r.organization_id, concat(r.refund_id, ' ', r.status, ' payout ', p.payout_id, ' ', p.status, ' ', p.amount_cents) as detail
      from refunds r
      left join payouts p
        on p.organization_id = r.organization_id and p.payout_id = r.payout_id and p.refund_id = r.refund_id
     where r.way <> 'RAIL'
       and (r.stage = 'PAYING' or r.status = 'CONFIRMED')
       and (p.amount_cents is distinct from r.amount_cents or (r.status = 'CONFIRMED' and p.status <> 'CONFIRMED'))`,
  'what refunds hold of a payin is theirs, and not more than arrived': `
    select p.organization_id, concat(p.payin_id, ' confirmed ', p.confirmed_amount_cents, ' held ', p.refund_cents, ' of ',
                                     coalesce(r.held, 0), ' given back ', p.refunded_cents, ' of ', coalesce(r.given, 0)) as detail
      from payins p
      full join (select organization_id, payin_id,
                        sum(amount_cents) filter (where status = 'PROCESSING' or has_left) as held,
                        sum(amount_cents) filter (where has_left) as given
                   from (select *, status = 'CONFIRMED' and returned_at is null
                                   or status in ('DECLINED', 'CANCELED') and error_code = 'RAIL_ERROR' and payout_id is not null as has_left
                           from refunds) f
                  group by organization_id, payin_id) r using (organization_id, payin_id)
     where p.refund_cents is distinct from coalesce(r.held, 0)
        or p.refunded_cents is distinct from coalesce(r.given, 0)
        or p.refund_cents > coalesce(p.confirmed_amount_cents, 0)`,
  'each deposit and withdrawal is booked once, and no other': `
    select coalesce(m.organization_id, t.organization_id) as organization_id,
           concat(coalesce(m.movement_id, t.subject_id), ' ', m.kind, ' ', coalesce(m.amount_cents, 0), ' booked ',
                  coalesce(t.booked, 0)) as detail
      from connection_movements m
      full join (select organization_id, subject_id, sum(amount_cents) as booked,
                        sum(amount_cents) filter (where booking <> 'collected money withdrawn') as of_deposits,
                        bool_or(booking = 'connection deposit') as is_deposit
                   from ledger_transfers
                  where booking in ('connection deposit', 'connection withdrawal', 'collected money withdrawn')
                  group by organization_id, subject_id) t
        on t.organization_id = m.organization_id and t.subject_id = m.movement_id
     where m.amount_cents is distinct from t.booked
        or m.deposit_cents <> coalesce(t.of_deposits, 0)
        or (m.kind = 'DEPOSIT') <> t.is_deposit`,
  // Until schema 0060, one could take a part of the deposits, and only that went back there.
  'what a payout takes of the deposits is booked, and goes back whole': `
    select coalesce(p.organization_id, t.organization_id) as organization_id,
           concat(coalesce(p.payout_id, t.subject_id), ' of deposits ', coalesce(p.deposit_cents, 0), ' reserved ',
                  coalesce(t.reserved, 0), ' back ', coalesce(t.back, 0)) as detail
      from (select * from payouts where connection_id is not null or deposit_cents > 0) p
      full join (select organization_id, subject_id,
                        sum(amount_cents) filter (where booking = 'payout reserved from deposits') as reserved,
                        sum(amount_cents) filter (where booking <> 'payout reserved from deposits') as back
                   from ledger_transfers
                  where booking in ('payout reserved from deposits', 'payout released to deposits', 'payout returned to deposits')
                  group by organization_id, subject_id) t
        on t.organization_id = p.organization_id and t.subject_id = p.payout_id
     where p.connection_id is null
        or p.deposit_cents <> coalesce(t.reserved, 0)
        or case when p.status in ('DECLINED', 'CANCELED') or p.returned_at is not null
                then coalesce(t.back, 0) not in (p.deposit_cents, p.amount_cents)
                else t.back is not null
           end`,
  // Nobody can withdraw or pay out more than there is, but what was collected may be charged back when it is gone, and a provider may pay
  // what it had rejected.
  'deposits are below zero by nothing but chargebacks and payouts paid after rejection': `
    select organization_id, concat(b.held, ' with ', coalesce(t.taken, 0), ' taken back') as detail
      from (select organization_id, sum(credit_cents - debit_cents) as held
              from ledger_balances
             where account = 'DEPOSITED'
             group by organization_id) b
      left join (select organization_id, sum(amount_cents) as taken
                   from ledger_transfers
                  where booking in ('payin charged back from deposits', 'suspense charged back from deposits',
                                    'payout paid after rejection from deposits', 'collected money moved from deposits')
                  group by organization_id) t using (organization_id)
     where b.held + coalesce(t.taken, 0) < 0`,
  // Until schema 0060, what came over connections was available, and paid what left over them.
  'what came or leaves over a connection is of the deposits, and nothing else is': `
    select t.organization_id, concat(t.subject_id, ' ', t.booking, ' ', t.amount_cents) as detail
      from ledger_transfers t
      left join payins p on p.organization_id = t.organization_id and p.payin_id = t.subject_id
      left join payouts o on o.organization_id = t.organization_id and o.payout_id = t.subject_id
      left join refunds r on r.organization_id = t.organization_id and r.refund_id = t.subject_id and r.way = 'RAIL'
      left join suspense_items s on s.organization_id = t.organization_id and s.suspense_id = t.subject_id
      left join payins q on q.organization_id = t.organization_id and q.payin_id = coalesce(r.payin_id, s.payin_id)
      left join organizations g on g.organization_id = t.organization_id
     where (t.booking in ('payin settled', 'payin charged back after settlement', 'payout reserved', 'payout returned',
                          'payout paid after rejection', 'refund reserved', 'suspense attached', 'suspense charged back after attaching')
            and coalesce(p.connection_id, o.connection_id, q.connection_id) is not null
            and t.created_at > coalesce(g.connections_apart_since, '-infinity'))
        or (t.booking in ('payin settled to deposits', 'payin charged back from deposits', 'suspense attached to deposits',
                          'suspense charged back from deposits', 'payout paid after rejection from deposits')
            and coalesce(p.connection_id, o.connection_id, q.connection_id) is null)
        or (t.booking = 'refund reserved from deposits' and r.refund_id is not null and q.connection_id is null)`,
  // The network paid what we had released: suspense pays for it until a person has found out whose money that was.
  'every payout paid after its rejection has an alarm': `
    select t.organization_id, concat(t.subject_id, ' cost ', t.amount_cents, ' and nobody was told') as detail
      from ledger_transfers t
     where t.booking like 'payout paid after rejection%'
       and not exists (select 1
                         from alarms a
                        where a.organization_id = t.organization_id and a.subject_id = t.subject_id)`,
  'suspense is not below zero without an alarm': `
    select b.organization_id, concat('suspense ', sum(b.credit_cents - b.debit_cents)) as detail
      from ledger_balances b
     where b.account = 'SUSPENSE'
       and not exists (select 1
                         from ledger_transfers t
                         join alarms a on a.organization_id = t.organization_id and a.subject_id = t.subject_id
                        where t.organization_id = b.organization_id and t.booking = 'payout paid after rejection')
     group by b.organization_id
    having sum(b.credit_cents - b.debit_cents) < 0`,
  'closed days count every transfer until their end': `
    select c.organization_id, concat('closed ', c.closed, ' until ', c.day, ', booked ', count(t.transfer_id)) as detail
      from (select organization_id, max(day) as day, sum(movements) as closed,
                   lpad(to_hex((extract(epoch from max(day) + 1) * 1000)::bigint + 18000000), 12, '0') as ended
              from daily_closes
             group by organization_id) c
      left join ledger_transfers t
        on t.organization_id = c.organization_id
       and t.transfer_id < (left(c.ended, 8) || '-' || right(c.ended, 4) || '-0000-0000-000000000000')::uuid
     group by c.organization_id, c.day, c.closed
    having c.closed <> count(t.transfer_id)`,
  'a fee is booked with its payin’s settlement, and never more than it': `
    select f.organization_id, concat(f.subject_id, ' charged ', f.charged, ' of ', coalesce(t.amount_cents, 0)) as detail
      from (select organization_id, subject_id, sum(amount_cents) as charged
              from ledger_transfers
             where booking in ('payin fee', 'payin fee tax', 'payin withholding')
             group by organization_id, subject_id) f
      left join ledger_transfers t
        on t.organization_id = f.organization_id and t.subject_id = f.subject_id and t.booking = 'payin settled'
     where coalesce(t.amount_cents, 0) < f.charged`,
  'a payout’s fee is booked when it is confirmed, as it was agreed, and no other': `
    select coalesce(p.organization_id, t.organization_id) as organization_id,
           concat(coalesce(p.payout_id, t.subject_id), ' ', p.status, ' agreed ', p.fee_cents, ' and ', p.fee_tax_cents, ' booked ',
                  coalesce(t.fee, 0), ' and ', coalesce(t.tax, 0)) as detail
      from (select * from payouts where status = 'CONFIRMED' and fee_cents + fee_tax_cents > 0) p
      full join (select organization_id, subject_id,
                        sum(amount_cents) filter (where booking = 'payout fee') as fee,
                        sum(amount_cents) filter (where booking = 'payout fee tax') as tax
                   from ledger_transfers
                  where booking in ('payout fee', 'payout fee tax')
                  group by organization_id, subject_id) t
        on t.organization_id = p.organization_id and t.subject_id = p.payout_id
     where coalesce(t.fee, 0) <> coalesce(p.fee_cents, 0) or coalesce(t.tax, 0) <> coalesce(p.fee_tax_cents, 0)`,
  'suspense equals its open items': `
    select organization_id, concat('suspense ', coalesce(b.held, 0), ' items ', coalesce(s.open, 0)) as detail
      from (select organization_id, sum(held) as held
              from (select organization_id, credit_cents - debit_cents as held from ledger_balances where account = 'SUSPENSE'
                     union all
                    select organization_id, amount_cents from ledger_transfers where booking = 'payout paid after rejection') x
             group by organization_id) b
      full join (select organization_id, sum(amount_cents - charged_back_cents) as open
                   from suspense_items
                  where state in ('OPEN', 'RETURNING')
                  group by organization_id) s using (organization_id)
     where coalesce(b.held, 0) <> coalesce(s.open, 0)`,
}
