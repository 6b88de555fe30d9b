-- Results arrive: the event log and its deliveries. An event is written with what caused it, without a number; a stamper
-- numbers an organization's events in the order in which they were committed, and makes their deliveries.

create table events (
  organization_id uuid        not null references organizations,
  event_id        uuid        not null,
  sequence        bigint,
  type            text        not null,
  resource        text        not null,
  object_id       uuid        not null,
  version         integer     not null,
  data            text        not null,
  created_at      timestamptz not null,
  primary key (organization_id, event_id),
  unique (organization_id, sequence)
);
create index events_to_number on events (organization_id, event_id) where sequence is null;
create index events_of_type on events (organization_id, type, sequence);
create index events_of_object on events (organization_id, object_id, sequence);

-- The number an organization's last event got. Its lock lets one stamper number after the other.
create table event_counters (
  organization_id uuid   primary key references organizations,
  last_sequence   bigint not null
);

create table webhook_endpoints (
  organization_id  uuid        not null references organizations,
  endpoint_id      uuid        not null,
  url              text        not null,
  events           text[],
  description      text,
  state            text        not null check (state in ('ENABLED', 'DISABLED')),
  disabled_reason  text        check (disabled_reason in ('BY_MERCHANT', 'GONE', 'FAILING')),
  sealed_secret    bytea       not null,
  sealed_previous  bytea,
  previous_until   timestamptz,
  failing_since    timestamptz,
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  deleted_at       timestamptz,
  primary key (organization_id, endpoint_id)
);

-- One event for one endpoint, until it is acknowledged or its tries are used up; never dropped.
create table deliveries (
  organization_id uuid        not null,
  endpoint_id     uuid        not null,
  event_id        uuid        not null,
  sequence        bigint      not null,
  state           text        not null check (state in ('PENDING', 'DELIVERED', 'FAILED')),
  attempts        integer     not null,
  schedule_from   integer     not null,
  due_at          timestamptz,
  lease_token     uuid,
  delivered_at    timestamptz,
  created_at      timestamptz not null,
  primary key (organization_id, endpoint_id, event_id),
  foreign key (organization_id, endpoint_id) references webhook_endpoints
);
create index deliveries_due on deliveries (organization_id, endpoint_id, due_at) where due_at is not null;
create index deliveries_of_event on deliveries (organization_id, event_id);

create table delivery_attempts (
  organization_id uuid        not null,
  attempt_id      uuid        not null,
  endpoint_id     uuid        not null,
  event_id        uuid        not null,
  number          integer     not null,
  at              timestamptz not null,
  status          integer,
  latency_ms      integer     not null,
  failure         text,
  response        text        not null,
  next_at         timestamptz,
  primary key (organization_id, attempt_id)
);
create index delivery_attempts_of_event on delivery_attempts (organization_id, event_id, endpoint_id, attempt_id);
