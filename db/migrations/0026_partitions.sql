-- Old data leaves by partition: events, what became of them, and the exchanges with the networks are split by the time in their
-- ids. No row is copied. A table becomes the default partition of the one that takes its name, and whoever migrates makes of it
-- the first partition, up to the end of the month or day.
--
-- Partitions have no foreign keys: to drop one would lock the table that it refers to against everybody. An event's organization
-- is that of what it tells of, and a delivery's endpoint is that of its batch; neither is ever deleted. A request to send an event
-- again is read together with its event.

alter table redeliveries drop constraint redeliveries_organization_id_event_id_fkey;

alter table events drop constraint events_organization_id_fkey;
alter table events rename to events_default;
alter index events_pkey rename to events_default_pkey;
alter index events_to_number rename to events_default_to_number;
alter index events_to_number_by_time rename to events_default_to_number_by_time;
alter index events_in_order rename to events_default_in_order;
alter index events_of_type rename to events_default_of_type;
alter index events_of_object rename to events_default_of_object;
create table events (
  organization_id uuid        not null,
  event_id        uuid        not null,
  sequence        bigint,
  type            text        not null,
  resource        text        not null,
  object_id       uuid        not null,
  version         integer     not null,
  data            text        not null,
  created_at      timestamptz not null,
  primary key (organization_id, event_id)
) partition by range (event_id);
create index events_to_number on events (organization_id, event_id) where sequence is null;
create index events_to_number_by_time on events (event_id, organization_id) where sequence is null;
create index events_of_type on events (organization_id, type, sequence) where sequence is not null;
create index events_of_object on events (organization_id, object_id, sequence) where sequence is not null;
alter table events attach partition events_default default;

alter table deliveries drop constraint deliveries_organization_id_endpoint_id_fkey;
alter table deliveries rename to deliveries_default;
alter index deliveries_pkey rename to deliveries_default_pkey;
alter index deliveries_due rename to deliveries_default_due;
alter index deliveries_due_by_time rename to deliveries_default_due_by_time;
alter index deliveries_of_event rename to deliveries_default_of_event;
create table deliveries (
  organization_id uuid        not null,
  endpoint_id     uuid        not null,
  event_id        uuid        not null,
  sequence        bigint      not null,
  state           text        not null constraint deliveries_state_check check (state in ('PENDING', 'DELIVERED', 'FAILED')),
  attempts        integer     not null,
  schedule_from   integer     not null,
  due_at          timestamptz,
  lease_token     uuid,
  delivered_at    timestamptz,
  created_at      timestamptz not null,
  primary key (organization_id, endpoint_id, event_id)
) partition by range (event_id);
create index deliveries_due on deliveries (organization_id, endpoint_id, due_at) where due_at is not null;
create index deliveries_due_by_time on deliveries (due_at, organization_id, endpoint_id) where due_at is not null;
create index deliveries_of_event on deliveries (organization_id, event_id);
alter table deliveries attach partition deliveries_default default;

alter table delivery_attempts rename to delivery_attempts_default;
alter index delivery_attempts_pkey rename to delivery_attempts_default_pkey;
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
  primary key (organization_id, event_id, endpoint_id, attempt_id)
) partition by range (event_id);
alter table delivery_attempts attach partition delivery_attempts_default default;

alter table rail_exchanges rename to rail_exchanges_default;
alter index rail_exchanges_pkey rename to rail_exchanges_default_pkey;
alter index rail_exchanges_by_reference rename to rail_exchanges_default_by_reference;
create table rail_exchanges (
  organization_id uuid        not null,
  exchange_id     uuid        not null,
  rail            text        not null,
  operation       text        not null,
  reference       text        not null,
  at              timestamptz not null,
  took_ms         integer     not null,
  status          integer,
  request         text        not null,
  response        text        not null,
  failure         text,
  primary key (organization_id, exchange_id)
) partition by range (exchange_id);
create index rail_exchanges_by_reference on rail_exchanges (organization_id, reference, exchange_id);
alter table rail_exchanges attach partition rail_exchanges_default default;
