-- replaces 27b3b2cfe079bd47a67bb826d2a1b735beb5b2362d364c3723813b96c1889e65
-- Payouts of one file. Whoever changes a batch or a row of it has the lock of the batch.
create table payout_batches (
  organization_id        uuid        not null references organizations,
  batch_id               uuid        not null,
  version                integer     not null,
  status                 text        not null check (status in ('CHECKING', 'DRAFT', 'WAITING', 'PROCESSING', 'COMPLETED', 'CANCELED')),
  file_name              text        not null,
  file_digest            bytea       not null,
  -- Who submitted it, or made it while nobody has, and what they may pay out in a day.
  credential_id          text        not null,
  payouts_per_day        integer,
  payout_sum_per_day     bigint,
  -- The batch whose failed rows it tries again.
  retry_of               uuid,
  -- What is set aside for rows that are no payouts yet, and how much of it is from deposits.
  reserved_cents         bigint      not null default 0 check (reserved_cents >= 0),
  reserved_deposit_cents bigint      not null default 0 check (reserved_deposit_cents between 0 and reserved_cents),
  created_at             timestamptz not null,
  updated_at             timestamptz not null,
  submitted_at           timestamptz,
  completed_at           timestamptz,
  due_at                 timestamptz,
  lease_token            uuid,
  primary key (organization_id, batch_id)
);
create index payout_batches_by_status on payout_batches (organization_id, status, batch_id);
create index payout_batches_by_file on payout_batches (organization_id, file_digest, batch_id);
create index payout_batches_due on payout_batches (organization_id, due_at) where due_at is not null;
create index payout_batches_due_by_time on payout_batches (due_at, organization_id) where due_at is not null;

-- The rows of a file. The first has the newest id, so that they are listed in the order of the file.
create table payout_batch_rows (
  organization_id uuid    not null,
  row_id          uuid    not null,
  batch_id        uuid    not null,
  row_number      integer not null,
  version         integer not null,
  state           text    not null check (state in ('DRAFT', 'LEFT_OUT', 'QUEUED', 'SENT', 'REFUSED')),
  -- Sealed: the receiver, and the cells as they were written.
  customer        json    not null,
  amount_cents    bigint  check (amount_cents > 0),
  key_digest      bytea,
  key_from_book   boolean not null,
  key_check       text    not null check (key_check in ('PENDING', 'UNCHECKED', 'FOUND', 'VERIFIED')),
  problems        json    not null,
  has_errors      boolean not null,
  has_warnings    boolean not null,
  -- The first row of the batch with the same key and amount.
  duplicate_of    integer,
  payout_id       uuid,
  refusal         text,
  -- The batch that tries it again.
  retried_in      uuid,
  primary key (organization_id, row_id),
  unique (organization_id, batch_id, row_number),
  -- A row is a payout once, and a payout is one row's.
  unique (organization_id, payout_id)
);
create index payout_batch_rows_of_batch on payout_batch_rows (organization_id, batch_id, row_id);

-- Whose key is which: what fills rows that name a person and no key.
create table beneficiaries (
  organization_id uuid        not null references organizations,
  beneficiary_id  uuid        not null,
  version         integer     not null,
  document_digest bytea       not null,
  -- Sealed, like the receiver of a payout.
  customer        json        not null,
  -- When the directory last named the same document for the key.
  verified_at     timestamptz,
  -- How: the directory named the document itself, or showed only a part of it.
  verified_by     text        check (verified_by in ('DOCUMENT', 'MASKED_DOCUMENT')),
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  primary key (organization_id, beneficiary_id),
  unique (organization_id, document_digest)
);

-- Rows of batches and the book name people too.
alter table people_marks drop constraint people_marks_resource_check;
alter table people_marks add constraint people_marks_resource_check
  check (resource in ('payin', 'payout', 'paymentlink', 'batchrow', 'beneficiary'));
alter table people_digests drop constraint people_digests_resource_check;
alter table people_digests add constraint people_digests_resource_check
  check (resource in ('payin', 'payout', 'paymentlink', 'batchrow', 'beneficiary')) not valid;

-- online
alter table people_digests validate constraint people_digests_resource_check;
