-- An organization's accounts at providers.
create table connections (
  organization_id    uuid        not null,
  connection_id      uuid        not null,
  version            integer     not null,
  name               text        not null,
  provider           text        not null,
  environment        text        not null check (environment in ('test', 'live')),
  uses               text[]      not null,
  priority           integer     not null,
  minimum_cents      bigint      check (minimum_cents > 0),
  maximum_cents      bigint      check (maximum_cents > 0),
  enabled            boolean     not null,
  sealed_credentials bytea       not null,
  sealed_previous    bytea,
  previous_until     timestamptz,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  -- The last day that was compared with the provider's list, and when the next may be: a worker that compares one, or could not, is
  -- given time.
  reconciled_day     date,
  reconcile_after    timestamptz not null default 'epoch',
  primary key (organization_id, connection_id)
);

-- What a payment must know of the connections to choose one, in the order of preference. Written with them, and read with the
-- organization, so that no payment needs another read.
alter table organizations add column routes json not null default '[]';

-- Null: the installation's own networks. The provider's id is how it knows the payment.
alter table payins
  add column connection_id uuid,
  add column provider text,
  add column provider_id text,
  -- Links to the provider's terms that the payer accepted on our page. Null: the payer was not there.
  add column accepted_terms text[],
  -- Address and name of the payer's browser, sealed.
  add column payer_device json;
-- A key that its provider names comes later. The installation's own networks take ours, which is there from the beginning.
alter table payins
  drop constraint payins_check,
  drop constraint payins_rail_stage_check;
alter table payins
  add constraint payins_check
      check ((rail = 'BRE_B') = (key_string is not null) or (rail = 'BRE_B' and connection_id is not null)),
  add constraint payins_rail_stage_check
      check (rail_stage in ('TO_OPEN', 'OPENING', 'OPEN', 'TO_CLOSE', 'TO_SETTLE', 'DONE'));
create index payins_by_provider_id on payins (organization_id, connection_id, provider_id) where provider_id is not null;
create index payins_of_connection on payins (organization_id, connection_id)
  where connection_id is not null and due_at is not null;

alter table payouts
  add column connection_id uuid,
  add column provider text,
  add column provider_id text,
  -- When the money of a paid payout came back.
  add column returned_at timestamptz;
create index payouts_by_provider_id on payouts (organization_id, connection_id, provider_id) where provider_id is not null;
create index payouts_of_connection on payouts (organization_id, connection_id)
  where connection_id is not null and due_at is not null;
