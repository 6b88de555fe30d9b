-- A payment link has one open attempt at a time, whatever the clocks of the processes that begin them. Where two are open,
-- the page has shown the later one. The others end here, and their networks are asked to end them: money that still arrives
-- for them goes to suspense.

update payins p
   set status = 'CANCELED', error_code = 'CANCELED_BY_PAYER', version = version + 1, updated_at = now(), result_at = now(),
       rail_stage = 'TO_CLOSE', attempts = 0, due_at = now(), lease_token = null
 where payment_link_id is not null
   and status in ('PENDING', 'PROCESSING')
   and exists (select 1
                 from payins later
                where later.organization_id = p.organization_id
                  and later.payment_link_id = p.payment_link_id
                  and later.status in ('PENDING', 'PROCESSING')
                  and later.payin_id > p.payin_id);

create unique index payins_open_attempt on payins (organization_id, payment_link_id)
  where payment_link_id is not null and status in ('PENDING', 'PROCESSING');
