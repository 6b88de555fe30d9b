-- The networks' own record of each day, and its comparison with our books.

-- Directory: each day of each network, and how far its statement was fetched and compared. A row that is due is claimed by one
-- worker. `run` counts the fetches that were begun, `compared_run` is the last one that was compared.
create table reconciliation_runs (
  rail         text        not null check (rail in ('BRE_B', 'PSE')),
  day          date        not null,
  state        text        not null check (state in ('WAITING', 'FETCHING', 'COMPARING', 'LATE', 'DONE')),
  run          integer     not null,
  compared_run integer     not null,
  cursor       text,
  lines        bigint      not null,
  attempts     integer     not null,
  failure      text,
  due_at       timestamptz,
  lease_token  uuid,
  lease_until  timestamptz,
  started_at   timestamptz,
  finished_at  timestamptz,
  primary key (rail, day)
);

-- What a network says moved, as its statement of a day lists it. A line that is listed twice is one row that says so; `run` is
-- the fetch that saw it last. Lines that name no organization of ours are kept under the one that is called Unattributed. A
-- line without a movement could not be read, and is kept as it came.
create table statement_lines (
  organization_id uuid        not null,
  rail            text        not null,
  day             date        not null,
  line_key        text        not null,
  network_id      text        not null,
  amount_cents    bigint      not null check (amount_cents >= 0),
  run             integer     not null,
  times           integer     not null check (times > 0),
  movement        text        check (movement in ('credit', 'debit', 'return', 'chargeback')),
  subject_id      uuid,
  reference       text        not null,
  occurred_at     timestamptz,
  raw             text,
  primary key (organization_id, rail, day, line_key, network_id, amount_cents)
);

-- The comparison of one day of one network with an organization's books. `run` counts the comparisons.
create table reconciliations (
  organization_id      uuid        not null references organizations,
  reconciliation_id    uuid        not null,
  rail                 text        not null,
  day                  date        not null,
  run                  integer     not null,
  matched              bigint      not null,
  matched_cents        bigint      not null,
  network_only         bigint      not null,
  network_only_cents   bigint      not null,
  ours_only            bigint      not null,
  ours_only_cents      bigint      not null,
  amount_differs       bigint      not null,
  amount_differs_cents bigint      not null,
  doubled              bigint      not null,
  doubled_cents        bigint      not null,
  other_day            bigint      not null,
  other_day_cents      bigint      not null,
  unreadable           bigint      not null,
  unreadable_cents     bigint      not null,
  finished_at          timestamptz not null,
  primary key (organization_id, reconciliation_id),
  unique (organization_id, rail, day)
);

-- Where the two do not agree. A finding is resolved when a later comparison no longer makes it.
create table reconciliation_findings (
  organization_id uuid        not null,
  finding_id      uuid        not null,
  rail            text        not null,
  day             date        not null,
  kind            text        not null
                              check (kind in ('NETWORK_ONLY', 'OURS_ONLY', 'AMOUNT_DIFFERS', 'DOUBLED', 'OTHER_DAY', 'UNREADABLE')),
  line_key        text        not null,
  movement        text,
  reference       text,
  network_id      text,
  network_cents   bigint,
  our_cents       bigint,
  times           integer     not null,
  subject_id      uuid,
  state           text        not null check (state in ('OPEN', 'RESOLVED')),
  run             integer     not null,
  alarm_id        uuid,
  created_at      timestamptz not null,
  resolved_at     timestamptz,
  primary key (organization_id, finding_id),
  unique (organization_id, rail, day, kind, line_key)
);
create index reconciliation_findings_open on reconciliation_findings (organization_id, rail) where state = 'OPEN';

-- Holds what names no organization of ours.
insert into organizations (organization_id, name, rails, on_amount_mismatch, require_key_lookup, payin_expiry_minutes,
                           created_at, updated_at)
values ('00000000-0000-0000-0000-000000000000', 'Unattributed', '{BRE_B,PSE}', 'decline', false, 15, now(), now())
    on conflict do nothing;
