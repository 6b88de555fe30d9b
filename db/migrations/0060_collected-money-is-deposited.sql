-- replaces ecf2dfc7d25550587697dc8a4aed9ed6e0836b879a7283d93ce2fbef27b327ae
-- works with none
-- takes longer the more payments there are
-- What was collected over a merchant's connections lies at its providers, and was available all the same: the installation's own networks
-- paid it out. It is settled to deposits now, and what is left of it goes there, too.

-- Until when an organization's bookings are of the old kind. Null: none is.
alter table organizations add column connections_apart_since timestamptz;

-- What is left at the providers is what the payments over connections have added to the balance and taken from it. It goes to the
-- deposits, whatever the installation has paid with it or set aside of it meanwhile: that is below zero then, and is owed. Where less than
-- nothing is left because payins were charged back, that is owed at the providers. Otherwise it was paid with money that the merchant put
-- there and recorded nowhere. Payouts over connections that are still open have taken nothing yet.
insert into ledger_transfers (organization_id, transfer_id, booking, subject_id, part, debit_account, credit_account, amount_cents,
                              currency, created_at)
select m.organization_id,
       (left(mark, 8) || '-' || right(mark, 4) || '-7' || left(digest, 3) || '-8' || substr(digest, 4, 3) || '-' || right(digest, 12))::uuid,
       case when moved > 0 then 'collected money moved to deposits' else 'collected money moved from deposits' end, m.organization_id,
       '0060', case when moved > 0 then 'AVAILABLE' else 'DEPOSITED' end, case when moved > 0 then 'DEPOSITED' else 'AVAILABLE' end,
       abs(moved), 'COP', at
  from (select c.organization_id, greatest(c.collected, -c.charged_back) as moved, a.at,
               md5(c.organization_id::text) as digest,
               lpad(to_hex(round(extract(epoch from a.at) * 1000)::bigint), 12, '0') as mark
          from (select t.organization_id,
                       sum(case when t.credit_account = 'AVAILABLE' then t.amount_cents else -t.amount_cents end) as collected,
                       coalesce(sum(t.amount_cents) filter (where t.booking in ('payin charged back after settlement',
                                                                                'suspense charged back after attaching')), 0) as charged_back
                  from (select organization_id, payin_id as subject_id from payins where connection_id is not null
                         union all
                        select organization_id, payout_id from payouts where connection_id is not null and status <> 'PROCESSING'
                         union all
                        select r.organization_id, r.refund_id
                          from refunds r
                          join payins p on p.organization_id = r.organization_id and p.payin_id = r.payin_id
                         where r.way = 'RAIL' and p.connection_id is not null
                         union all
                        select s.organization_id, s.suspense_id
                          from suspense_items s
                          join payins p on p.organization_id = s.organization_id and p.payin_id = s.payin_id
                         where p.connection_id is not null
                         union all
                        select organization_id, movement_id from connection_movements where kind = 'WITHDRAWAL') over_connections
                  join ledger_transfers t
                    on t.organization_id = over_connections.organization_id and t.subject_id = over_connections.subject_id
                 where 'AVAILABLE' in (t.debit_account, t.credit_account)
                 group by t.organization_id) c
          -- In a day that is open, and after all that was booked: staging's clock may be ahead of the database's. Bookings are in the order of
          -- their ids but for a moment.
         cross join lateral (select greatest(date_trunc('milliseconds', now()), max(created_at) + interval '1 millisecond',
                                             (select open_from from closing_marks k where k.organization_id = c.organization_id)) as at
                               from (select created_at
                                       from ledger_transfers t
                                      where t.organization_id = c.organization_id
                                      order by transfer_id desc
                                      limit 1000) newest) a) m
 where moved <> 0;

-- It pays the open payouts over connections first, the oldest before the others: what is not sent after all goes back there.
update payouts p
   set deposit_cents = p.deposit_cents + c.part
  from (select organization_id, payout_id, least(rest, greatest(0, moved - before)) as part
          from (select o.organization_id, o.payout_id, o.rest, t.amount_cents as moved,
                       coalesce(sum(o.rest) over (partition by o.organization_id order by o.payout_id
                                                  rows between unbounded preceding and 1 preceding), 0) as before
                  from (select organization_id, payout_id, amount_cents + fee_cents + fee_tax_cents - deposit_cents as rest
                          from payouts
                         where connection_id is not null
                           and status = 'PROCESSING'
                           and stage in ('AWAITING_APPROVAL', 'RESERVED', 'SENDING', 'SENT')) o
                  join ledger_transfers t
                    on t.organization_id = o.organization_id and t.booking = 'collected money moved to deposits') waiting) c
 where p.organization_id = c.organization_id and p.payout_id = c.payout_id and c.part > 0;

insert into ledger_transfers (organization_id, transfer_id, booking, subject_id, part, debit_account, credit_account, amount_cents,
                              currency, created_at)
select organization_id,
       (left(mark, 8) || '-' || right(mark, 4) || '-7' || left(digest, 3) || '-8' || substr(digest, 4, 3) || '-' || right(digest, 12))::uuid,
       booking, payout_id, '0060', debit, credit, cents, 'COP', at
  from (select p.organization_id, p.payout_id, w.booking, w.debit, w.credit, p.deposit_cents - coalesce(t.booked, 0) as cents,
               m.created_at as at, md5(w.booking || p.payout_id::text) as digest,
               lpad(to_hex(round(extract(epoch from m.created_at) * 1000)::bigint), 12, '0') as mark
          from payouts p
          join ledger_transfers m on m.organization_id = p.organization_id and m.booking = 'collected money moved to deposits'
          left join (select organization_id, subject_id, sum(amount_cents) as booked
                       from ledger_transfers
                      where booking = 'payout reserved from deposits'
                      group by organization_id, subject_id) t
            on t.organization_id = p.organization_id and t.subject_id = p.payout_id
         cross join (values ('payout released', 'RESERVED', 'AVAILABLE'),
                            ('payout reserved from deposits', 'DEPOSITED', 'RESERVED')) w (booking, debit, credit)
         where p.connection_id is not null and p.status = 'PROCESSING') converted
 where cents > 0;

insert into ledger_balances as b (organization_id, account, slot, debit_cents, credit_cents)
select organization_id, account, 0, sum(debit_cents), sum(credit_cents)
  from (select organization_id, debit_account as account, amount_cents as debit_cents, 0 as credit_cents
          from ledger_transfers
         where part = '0060'
         union all
        select organization_id, credit_account, 0, amount_cents
          from ledger_transfers
         where part = '0060') moved
 group by organization_id, account
    on conflict (organization_id, account, slot) do update
   set debit_cents = b.debit_cents + excluded.debit_cents,
       credit_cents = b.credit_cents + excluded.credit_cents;

-- A directory takes nothing from a spread table but by a list that was made before.
with apart as materialized (
  select c.organization_id, newest.since
    from (select organization_id from payins where connection_id is not null
           union
          select organization_id from payouts where connection_id is not null) c
   cross join lateral (select max(created_at) as since
                         from (select created_at
                                 from ledger_transfers t
                                where t.organization_id = c.organization_id
                                order by transfer_id desc
                                limit 1000) newest) newest
)
update organizations o
   set connections_apart_since = apart.since
  from apart
 where o.organization_id = apart.organization_id;
