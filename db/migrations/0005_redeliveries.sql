-- Whoever listens to the stream gets what was asked to be sent again. One row for each such request, numbered in the order
-- of their commits, kept for a day.

alter table event_counters add column last_redelivery bigint not null default 0;

create table redeliveries (
  organization_id uuid        not null,
  number          bigint      not null,
  event_id        uuid        not null,
  requested_at    timestamptz not null,
  primary key (organization_id, number),
  foreign key (organization_id, event_id) references events
);
