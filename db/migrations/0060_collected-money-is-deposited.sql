-- works with none
-- What was collected over a merchant's connections lies at its providers, and was available all the same: the installation's own networks
-- paid it out. It is settled to deposits now. What is left of it goes there, too: what the payments over connections have added to the
-- balance and taken from it, and no more than is available.

insert into ledger_transfers (organization_id, transfer_id, booking, subject_id, part, debit_account, credit_account, amount_cents,
                              currency, created_at)
select organization_id,
       (left(mark, 8) || '-' || right(mark, 4) || '-7' || left(digest, 3) || '-8' || substr(digest, 4, 3) || '-' || right(digest, 12))::uuid,
       'collected money moved to deposits', organization_id, '', 'AVAILABLE', 'DEPOSITED', moved, 'COP',
       date_trunc('milliseconds', now())
  from (select c.organization_id, least(c.collected, b.available) as moved, md5(c.organization_id::text) as digest,
               lpad(to_hex(floor(extract(epoch from now()) * 1000)::bigint), 12, '0') as mark
          from (select t.organization_id,
                       sum(case when t.credit_account = 'AVAILABLE' then t.amount_cents else -t.amount_cents end) as collected
                  from ledger_transfers t
                  left join payins p on p.organization_id = t.organization_id and p.payin_id = t.subject_id
                  left join payouts o on o.organization_id = t.organization_id and o.payout_id = t.subject_id
                  left join refunds r on r.organization_id = t.organization_id and r.refund_id = t.subject_id and r.way = 'RAIL'
                  left join suspense_items s on s.organization_id = t.organization_id and s.suspense_id = t.subject_id
                  left join payins q on q.organization_id = t.organization_id and q.payin_id = coalesce(r.payin_id, s.payin_id)
                 where 'AVAILABLE' in (t.debit_account, t.credit_account)
                   and (t.booking = 'collected money withdrawn'
                        or coalesce(p.connection_id, o.connection_id, q.connection_id) is not null)
                 group by t.organization_id) c
          join (select organization_id, sum(credit_cents - debit_cents) as available
                  from ledger_balances
                 where account = 'AVAILABLE'
                 group by organization_id) b on b.organization_id = c.organization_id) m
 where moved > 0;

insert into ledger_balances as b (organization_id, account, slot, debit_cents, credit_cents)
select organization_id, 'AVAILABLE', 0, amount_cents, 0
  from ledger_transfers
 where booking = 'collected money moved to deposits'
    on conflict (organization_id, account, slot) do update
   set debit_cents = b.debit_cents + excluded.debit_cents;

insert into ledger_balances as b (organization_id, account, slot, debit_cents, credit_cents)
select organization_id, 'DEPOSITED', 0, 0, amount_cents
  from ledger_transfers
 where booking = 'collected money moved to deposits'
    on conflict (organization_id, account, slot) do update
   set credit_cents = b.credit_cents + excluded.credit_cents;
