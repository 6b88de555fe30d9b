-- Most events are acknowledged at the first try. Until then an endpoint's share of the log is kept in parcels of up to a
-- hundred events, so that handing events out writes one row for many; and a first try that was acknowledged is an attempt
-- and nothing else. A delivery of its own has only what is to be tried again, or was.

create table delivery_parcels (
  organization_id uuid        not null,
  endpoint_id     uuid        not null,
  first_sequence  bigint      not null,
  event_ids       uuid[]      not null check (cardinality(event_ids) > 0),
  due_at          timestamptz not null,
  lease_token     uuid,
  lease_until     timestamptz,
  primary key (organization_id, endpoint_id, first_sequence),
  foreign key (organization_id, endpoint_id) references webhook_endpoints
);

-- Attempts are only ever looked for by their event.
alter table delivery_attempts drop constraint delivery_attempts_pkey;
drop index delivery_attempts_of_event;
alter table delivery_attempts add primary key (organization_id, event_id, endpoint_id, attempt_id);

-- An event enters the indexes of the log when it gets its number. The stamper, which looks for those without one, is then
-- led to the one index that has them in order.
alter table events drop constraint events_organization_id_sequence_key;
create unique index events_in_order on events (organization_id, sequence) where sequence is not null;
drop index events_of_type;
create index events_of_type on events (organization_id, type, sequence) where sequence is not null;
drop index events_of_object;
create index events_of_object on events (organization_id, object_id, sequence) where sequence is not null;
