-- What has a key that must hold for all time is not split, and leaves by rows: the oldest first, whoever's they are.

drop index idempotency_records_by_age;
create index idempotency_records_by_age on idempotency_records (created_at);
create index rail_notices_by_age on rail_notices (received_at)
  where state = 'DONE' and network_update->>'kind' <> 'payin.chargeback';
create index alarms_by_age on alarms (resolved_at) where resolved_at is not null;
create index key_lookups_by_age on key_lookups (looked_up_at);
create index redeliveries_by_age on redeliveries (requested_at);
create index statement_lines_by_age on statement_lines (day);
create index bookings_of_other_days_by_age on bookings_of_other_days (greatest(own_day, listed_on));

-- A day is fetched at least twice. The second time each line is written once more, next to where it was, and no index is touched.
alter table statement_lines set (fillfactor = 50);
