-- Money that a merchant says it put into its account at a provider, or took out of it. Never changed. A withdrawal takes from deposits
-- first: so much of it is theirs.
create table connection_movements (
  organization_id uuid        not null references organizations,
  movement_id     uuid        not null,
  connection_id   uuid        not null,
  kind            text        not null check (kind in ('DEPOSIT', 'WITHDRAWAL')),
  amount_cents    bigint      not null check (amount_cents > 0),
  deposit_cents   bigint      not null check (deposit_cents between 0 and amount_cents),
  reference       text        not null,
  recorded_by     text        not null,
  created_at      timestamptz not null,
  primary key (organization_id, movement_id)
);
create index connection_movements_by_connection on connection_movements (organization_id, connection_id, kind, movement_id);

-- How much of a payout is paid from deposits. The rest is from what was collected.
alter table payouts add column deposit_cents bigint not null default 0 check (deposit_cents between 0 and amount_cents);
