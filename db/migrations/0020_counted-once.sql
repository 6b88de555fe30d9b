-- What is told twice is counted once: alarms, chargebacks, and payments that are in suspense.

-- The same open alarm exists once. Of those that exist more than once, the first stays open. A comparison of a day raises its
-- own alarms, each once for its finding.
update alarms a
   set resolved_at = now()
 where a.resolved_at is null
   and a.kind <> 'reconciliation'
   and exists (select 1
                 from alarms b
                where b.organization_id = a.organization_id and b.subject_id = a.subject_id and b.kind = a.kind
                  and b.detail = a.detail and b.resolved_at is null and b.alarm_id < a.alarm_id);
create unique index alarms_open on alarms (organization_id, subject_id, kind, md5(detail))
  where resolved_at is null and kind <> 'reconciliation';

-- A subject is booked once in each way, or once for each part: a payment can be charged back in parts, and each part has a name.
-- Bookings from before have none.
alter table ledger_transfers add column part text not null default '';
alter table ledger_transfers
  drop constraint ledger_transfers_organization_id_subject_id_booking_key,
  add unique (organization_id, subject_id, booking, part);
