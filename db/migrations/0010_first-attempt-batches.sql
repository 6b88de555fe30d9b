-- The same table under the name of what it holds: batches of events that an endpoint is still to be sent for the first time.
-- Made anew and not renamed, so that the names of its constraints are those of a new installation, too.

create table first_attempt_batches (
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

insert into first_attempt_batches (organization_id, endpoint_id, first_sequence, event_ids, due_at, lease_token, lease_until)
select organization_id, endpoint_id, first_sequence, event_ids, due_at, lease_token, lease_until
  from delivery_parcels;

drop table delivery_parcels;
