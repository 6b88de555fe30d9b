-- How much a credential may be used, and from where; what may be paid out in a day, by a credential and in all, and when nothing
-- may be.

alter table api_keys
  add column max_per_second     integer check (max_per_second >= 1),
  add column allowed_addresses  text[]  check (cardinality(allowed_addresses) >= 1),
  add column payouts_per_day    integer check (payouts_per_day >= 1),
  add column payout_sum_per_day bigint  check (payout_sum_per_day >= 1);
alter table oauth_clients
  add column max_per_second     integer check (max_per_second >= 1),
  add column allowed_addresses  text[]  check (cardinality(allowed_addresses) >= 1),
  add column payouts_per_day    integer check (payouts_per_day >= 1),
  add column payout_sum_per_day bigint  check (payout_sum_per_day >= 1);
alter table organizations
  add column payouts_per_day    integer check (payouts_per_day >= 1),
  add column payout_sum_per_day bigint  check (payout_sum_per_day >= 1),
  -- Hours of the day in Bogotá, such as 22-06.
  add column quiet_hours        text    check (quiet_hours ~ '^([01][0-9]|2[0-3])-([01][0-9]|2[0-3])$');

-- What was paid out on a day in Bogotá. Written with the payouts themselves, whether there is a limit or not.
create table payout_usage (
  organization_id uuid    not null references organizations,
  day             date    not null,
  -- Empty for the organization as a whole.
  credential_id   text    not null,
  payouts         integer not null,
  sum_cents       bigint  not null,
  primary key (organization_id, day, credential_id)
);
create index payout_usage_by_age on payout_usage (day);

-- About one subject there is one open alarm of these kinds, whatever address or moment its detail names.
create unique index alarms_open_of_abuse on alarms (organization_id, subject_id, kind)
  where resolved_at is null and kind in ('address-refused', 'failed-sign-ins', 'many-refusals', 'many-missed-lookups');
