-- In an organization one payment of a network confirms one payin. Where it has confirmed two, the first keeps it. The others keep
-- their states and their bookings, a person is told of each, and each has the payment under a name of its own from here on: one
-- that is not settled yet never is, because its network lists no such payment.

with confirmed as (
  select organization_id, payin_id, rail, payment_id,
         first_value(payin_id) over payment as first_payin_id
    from payins
   where status = 'CONFIRMED' and payment_id is not null
  window payment as (partition by organization_id, rail, payment_id order by result_at, payin_id)
), told as (
  insert into alarms (organization_id, alarm_id, kind, subject_id, detail, created_at)
  select organization_id, gen_random_uuid(), 'payin-contradiction', payin_id,
         concat('payment ', payment_id, ' confirmed this payin, and payin ', first_payin_id, ' before it'), now()
    from confirmed
   where payin_id <> first_payin_id
)
update payins p
   set payment_id = concat(p.payment_id, ' again for ', p.payin_id)
  from confirmed c
 where p.organization_id = c.organization_id and p.payin_id = c.payin_id and c.payin_id <> c.first_payin_id;

drop index payins_by_payment;
create unique index payins_by_payment on payins (organization_id, rail, payment_id)
  where status = 'CONFIRMED' and payment_id is not null;
