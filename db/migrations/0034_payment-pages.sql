-- Pages to sell by: each payer who goes on gets a payment link of their own. A page counts what its links hold and what was paid.
create table payment_pages (
  organization_id  uuid        not null references organizations,
  payment_page_id  uuid        not null,
  token            bytea       not null check (octet_length(token) = 16),
  version          integer     not null,
  status           text        not null check (status in ('OPEN', 'SOLD_OUT', 'CLOSED')),
  name             text        not null,
  description      text,
  items            json,
  image            text,
  metadata         json,
  amount_cents     bigint      check (amount_cents > 0),
  min_amount_cents bigint      check (min_amount_cents > 0),
  max_amount_cents bigint      check (max_amount_cents > 0),
  currency         text        not null check (currency = 'COP'),
  reference        text        not null,
  callback_url     text,
  rail             text        check (rail in ('BRE_B', 'PSE')),
  valid_until      timestamptz,
  max_payments     integer     check (max_payments > 0),
  max_pieces       integer     check (max_pieces > 0),
  held_payments    integer     not null check (held_payments >= 0),
  held_pieces      integer     not null check (held_pieces >= 0),
  paid_payments    integer     not null check (paid_payments >= 0),
  paid_pieces      integer     not null check (paid_pieces >= 0),
  paid_cents       bigint      not null check (paid_cents >= 0),
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  primary key (organization_id, payment_page_id),
  unique (organization_id, token)
);
create index payment_pages_by_status on payment_pages (organization_id, status, payment_page_id);
create index payment_pages_by_reference on payment_pages (organization_id, reference, status, payment_page_id);

alter table payment_links add column payment_page_id uuid;
alter table payment_links add column pieces integer check (pieces > 0);
create index payment_links_of_page on payment_links (organization_id, payment_page_id, status, payment_link_id)
  where payment_page_id is not null;
