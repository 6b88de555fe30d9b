-- replaces c592289c8670a0fcde33d9982bd93b2ab825a37cbb88ada2d9d809c15e108427
-- What is charged of a payin when its money is settled: fees and withholdings, by rail. The operator's word; empty charges nothing.
-- The merchant's own: which accounts of its books a report names, whether the tax on movements is estimated there, and the available
-- balance below which it is told. Since when that is so.
alter table organizations
  add column charges json not null default '{}',
  add column accounting json not null default '{}',
  add column minimum_balance_cents bigint check (minimum_balance_cents > 0),
  add column below_minimum_since timestamptz;

-- What the available balance lacked of a payout that was declined for it.
alter table payouts add column missing_cents bigint;
alter table payouts add constraint payouts_missing_cents_check check (missing_cents > 0) not valid;

-- How far an organization's days are closed. Nothing is booked before `open_from` any more: what comes late takes the first id of the
-- day that is open. Days before `next_day` have their close.
create table closing_marks (
  organization_id uuid        not null references organizations,
  open_from       timestamptz not null,
  first_open_id   uuid        not null,
  next_day        date        not null,
  due_at          timestamptz not null,
  primary key (organization_id)
);
create index closing_marks_due_by_time on closing_marks (due_at, organization_id);

-- A day's close, written once and never changed: the service's role may only add and read. A day without a movement has none.
create table daily_closes (
  organization_id uuid        not null references organizations,
  day             date        not null,
  movements       bigint      not null check (movements > 0),
  -- As they were written, so that they are digested as they were written.
  figures         json        not null,
  digest          bytea       not null check (octet_length(digest) = 32),
  -- Of the close before it. Null: this is the first.
  previous_digest bytea       check (octet_length(previous_digest) = 32),
  closed_at       timestamptz not null,
  primary key (organization_id, day)
);

-- Every organization's days are closed from the first one on, in Bogotá: five hours behind UTC all year round.
insert into closing_marks (organization_id, open_from, first_open_id, next_day, due_at)
select organization_id, '1970-01-01T00:00:00Z', '00000000-0000-0000-0000-000000000000',
       ((created_at at time zone 'UTC') - interval '5 hours')::date, created_at
  from organizations;

-- online
alter table payouts validate constraint payouts_missing_cents_check;
