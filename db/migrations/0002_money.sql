-- Money moves: what is due on payins, payouts, what networks tell us, and the ledger. A row that has work to be done carries
-- due_at and is its own queue; a claim writes a lease_token, and only its holder may write down what came of it.

alter table payins
  add column rail_stage  text not null default 'TO_OPEN'
             check (rail_stage in ('TO_OPEN', 'OPEN', 'TO_CLOSE', 'TO_SETTLE', 'DONE')),
  add column bank_url    text,
  add column trace_id    text,
  add column payment_id  text,
  add column due_at      timestamptz,
  add column attempts    integer not null default 0,
  add column lease_token uuid;
drop index payins_to_expire;
create index payins_due on payins (organization_id, due_at) where due_at is not null;

create table payouts (
  organization_id uuid        not null references organizations,
  payout_id       uuid        not null,
  version         integer     not null,
  status          text        not null check (status in ('PROCESSING', 'CONFIRMED', 'CANCELED', 'DECLINED')),
  stage           text        not null check (stage in ('CREATED', 'SENDING', 'SENT', 'STOPPED', 'DONE')),
  amount_cents    bigint      not null check (amount_cents > 0),
  currency        text        not null check (currency = 'COP'),
  reference       text        not null,
  customer        json        not null,
  key_string      text        not null,
  key_type        text        not null,
  error_code      text,
  network_code    text,
  trace_id        text,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  result_at       timestamptz,
  due_at          timestamptz,
  attempts        integer     not null default 0,
  lease_token     uuid,
  primary key (organization_id, payout_id)
);
create index payouts_by_status on payouts (organization_id, status, payout_id);
create index payouts_by_reference on payouts (organization_id, reference, payout_id);
create index payouts_due on payouts (organization_id, due_at) where due_at is not null;

-- What networks have told us, stored under their own id before anything is made of it.
create table rail_notices (
  organization_id uuid        not null,
  rail            text        not null check (rail in ('BRE_B', 'PSE')),
  notice_id       text        not null,
  subject_kind    text        not null check (subject_kind in ('payin', 'payout')),
  subject_id      uuid        not null,
  happening       jsonb       not null,
  network_code    text        not null,
  occurred_at     timestamptz not null,
  received_at     timestamptz not null,
  state           text        not null check (state in ('WAITING', 'DONE', 'ORPHAN')),
  due_at          timestamptz,
  primary key (organization_id, rail, notice_id)
);
create index rail_notices_due on rail_notices (organization_id, due_at) where due_at is not null;
create index rail_notices_of_subject on rail_notices (organization_id, subject_id);

-- Double entry: one row moves one amount from an account to another, so the books balance by construction. Rows are only
-- ever added. `booking` names why, and a subject can be booked so once only.
create table ledger_transfers (
  organization_id uuid        not null references organizations,
  transfer_id     uuid        not null,
  booking         text        not null,
  subject_id      uuid        not null,
  debit_account   text        not null,
  credit_account  text        not null,
  amount_cents    bigint      not null check (amount_cents > 0),
  currency        text        not null check (currency = 'COP'),
  created_at      timestamptz not null,
  primary key (organization_id, transfer_id),
  unique (organization_id, subject_id, booking),
  check (debit_account <> credit_account)
);

-- An account's balance is spread over slots, so that confirmations of one organization do not wait for each other. Slot 0
-- of AVAILABLE is the one that payouts are reserved from, under its lock.
create table ledger_balances (
  organization_id uuid   not null references organizations,
  account         text   not null,
  slot            integer not null,
  debit_cents     bigint not null check (debit_cents >= 0),
  credit_cents    bigint not null check (credit_cents >= 0),
  primary key (organization_id, account, slot)
);

-- Money that arrived and belongs to no open payin, until somebody returns or attaches it.
create table suspense_items (
  organization_id uuid        not null references organizations,
  suspense_id     uuid        not null,
  payin_id        uuid        not null,
  rail            text        not null check (rail in ('BRE_B', 'PSE')),
  payment_id      text        not null,
  amount_cents    bigint      not null check (amount_cents > 0),
  reason          text        not null check (reason in ('LATE', 'AMOUNT_MISMATCH', 'SECOND_PAYMENT')),
  state           text        not null check (state in ('OPEN', 'RETURNING', 'RETURNED', 'ATTACHED')),
  attached_to     uuid,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  primary key (organization_id, suspense_id),
  unique (organization_id, rail, payment_id)
);

-- What a person must look at: a network that contradicts itself, a notice about nothing we know.
create table alarms (
  organization_id uuid        not null,
  alarm_id        uuid        not null,
  kind            text        not null,
  subject_id      uuid        not null,
  detail          text        not null,
  created_at      timestamptz not null,
  resolved_at     timestamptz,
  primary key (organization_id, alarm_id)
);

-- Bre-B keys an organization has looked up, and what is left of its budget for doing so.
create table key_lookups (
  organization_id uuid        not null references organizations,
  key_string      text        not null,
  looked_up_at    timestamptz not null,
  primary key (organization_id, key_string)
);
create table lookup_budgets (
  organization_id uuid             primary key references organizations,
  tokens          double precision not null,
  counted_at      timestamptz      not null
);

-- What went over the wire to a network, personal data taken out: for the operator, for a week.
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
);
create index rail_exchanges_by_reference on rail_exchanges (organization_id, reference, exchange_id);

-- Directory: staging's clock, moved by hand and followed by every process.
create table staging_clock (
  clock_id  integer primary key check (clock_id = 1),
  offset_ms bigint  not null
);
