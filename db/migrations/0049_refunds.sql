-- replaces 7e1e54c9021b539126eedfe59a213415a5bfde043813656894c5632fce233382
-- Money that a merchant gives back of a confirmed payin: over the payin's own rail, by a payout to a key that is known, or by a
-- payout to a key that the payer types on a page of ours.
create table refunds (
  organization_id  uuid        not null references organizations,
  refund_id        uuid        not null,
  payin_id         uuid        not null,
  version          integer     not null,
  status           text        not null check (status in ('PROCESSING', 'CONFIRMED', 'CANCELED', 'DECLINED')),
  stage            text        not null check (stage in ('READY', 'AWAITING_FUNDS', 'AWAITING_CLAIM', 'AWAITING_APPROVAL', 'SENDING', 'PAYING', 'DONE')),
  way              text        not null check (way in ('RAIL', 'KEY', 'CLAIM')),
  amount_cents     bigint      not null check (amount_cents > 0),
  currency         text        not null check (currency = 'COP'),
  reason           text        not null,
  -- The payin's.
  rail             text        not null,
  error_code       text,
  network_code     text,
  trace_id         text,
  -- Whom the payout pays, sealed. Null once the payout has it.
  receiver         json,
  key_type         text,
  -- What the directory said of the key that was named, masked.
  claim            json,
  claim_attempts   integer     not null default 0,
  claim_expires_at timestamptz,
  -- The last payout that was made for it.
  payout_id        uuid,
  credential_id    text        not null,
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  result_at        timestamptz,
  returned_at      timestamptz,
  due_at           timestamptz,
  attempts         integer     not null default 0,
  lease_token      uuid,
  primary key (organization_id, refund_id)
);
create index refunds_by_status on refunds (organization_id, status, refund_id);
create index refunds_of_payin on refunds (organization_id, payin_id, refund_id);
create index refunds_due on refunds (organization_id, due_at) where due_at is not null;
create index refunds_due_by_time on refunds (due_at, organization_id) where due_at is not null;

-- What refunds hold of a payin: of all that may still give money back or have, and of those that have.
alter table payins
  add column refund_cents bigint not null default 0,
  add column refunded_cents bigint not null default 0;
alter table payins
  add constraint payins_refunds_fit
    check (refund_cents = 0 or (confirmed_amount_cents is not null and refund_cents between 0 and confirmed_amount_cents)) not valid,
  add constraint payins_refunded_is_held check (refunded_cents between 0 and refund_cents) not valid;

-- The refund that a payout pays. One refund has one payout at a time that may pay it.
alter table payouts add column refund_id uuid;

alter table saved_views drop constraint saved_views_list_check;
alter table saved_views add constraint saved_views_list_check
  check (list in ('payins', 'payouts', 'refunds', 'links', 'pages', 'events', 'movements'));

-- online
alter table payins validate constraint payins_refunds_fit;
alter table payins validate constraint payins_refunded_is_held;
create unique index concurrently payouts_of_refund on payouts (organization_id, refund_id)
  where refund_id is not null and status in ('PROCESSING', 'CONFIRMED') and returned_at is null;
