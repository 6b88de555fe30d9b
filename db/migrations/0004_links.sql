-- Payment links: a page on which a payer pays once, within the hour. The page's token is random and found within its
-- organization, whose id the token carries.

create table payment_links (
  organization_id uuid        not null references organizations,
  payment_link_id uuid        not null,
  token           bytea       not null check (octet_length(token) = 16),
  version         integer     not null,
  status          text        not null check (status in ('PENDING', 'COMPLETED', 'EXPIRED')),
  amount_cents    bigint      not null check (amount_cents > 0),
  currency        text        not null check (currency = 'COP'),
  reference       text        not null,
  callback_url    text        not null,
  rail            text        check (rail in ('BRE_B', 'PSE')),
  customer        json,
  bank            text,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  expires_at      timestamptz not null,
  completed_at    timestamptz,
  due_at          timestamptz,
  primary key (organization_id, payment_link_id),
  unique (organization_id, token)
);
create index payment_links_by_status on payment_links (organization_id, status, payment_link_id);
create index payment_links_by_reference on payment_links (organization_id, reference, payment_link_id);
create index payment_links_due on payment_links (organization_id, due_at) where due_at is not null;
