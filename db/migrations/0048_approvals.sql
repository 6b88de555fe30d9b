-- replaces f8a200de6113c266812cd155f3aef4f81fb687a5126059ec347f4287caa497f0
-- How many people must approve what, by kind and amount. Empty: nobody is asked.
alter table organizations add column approval_rules json not null default '[]';

-- A payout whose money is reserved, and which is not sent before it is approved.
alter table payouts drop constraint payouts_stage_check;
alter table payouts add constraint payouts_stage_check
  check (stage in ('CREATED', 'AWAITING_APPROVAL', 'RESERVED', 'SENDING', 'SENT', 'STOPPED', 'DONE')) not valid;

-- What waits for a second pair of eyes, or had it. The digest is of the canonical text, which says exactly what was approved.
create table approvals (
  organization_id uuid        not null,
  approval_id     uuid        not null,
  version         integer     not null,
  kind            text        not null,
  subject_id      text        not null,
  status          text        not null check (status in ('WAITING', 'APPROVED', 'REFUSED', 'LAPSED', 'VOIDED')),
  amount_cents    bigint      check (amount_cents > 0),
  approvers       integer     not null check (approvers between 1 and 2),
  maker_kind      text        not null,
  maker_id        text,
  maker_name      text,
  canonical_text  text        not null,
  digest          bytea       not null check (octet_length(digest) = 32),
  -- What the act needs besides, such as credentials. Sealed, and emptied when it is decided.
  payload         text,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  lapses_at       timestamptz not null,
  decided_at      timestamptz,
  primary key (organization_id, approval_id)
);
create unique index approvals_waiting on approvals (organization_id, kind, subject_id) where status = 'WAITING';
create index approvals_by_status on approvals (organization_id, status, approval_id);
create index approvals_by_subject on approvals (organization_id, subject_id, approval_id);
create index approvals_due_by_time on approvals (lapses_at, organization_id, approval_id) where status = 'WAITING';

-- Who decided, and what proves it: the signature of a passkey over the approval's digest, with the key that checks it.
create table approval_decisions (
  organization_id    uuid        not null,
  approval_id        uuid        not null,
  user_id            uuid        not null,
  user_name          text        not null,
  role               text        not null,
  decision           text        not null check (decision in ('APPROVED', 'REFUSED')),
  proof              text        not null check (proof in ('PASSKEY', 'TOTP', 'SESSION')),
  reason             text,
  digest             bytea       not null check (octet_length(digest) = 32),
  credential_id      bytea,
  public_key         bytea,
  algorithm          integer,
  client_data        bytea,
  authenticator_data bytea,
  signature          bytea,
  decided_at         timestamptz not null,
  primary key (organization_id, approval_id, user_id)
);

-- online
alter table payouts validate constraint payouts_stage_check;
