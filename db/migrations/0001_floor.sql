-- The floor: who may ask (organizations and their credentials), what was asked (payins) and what was answered
-- (idempotency records). organization_id comes first in every key of a merchant's table, so that the same schema can be
-- spread over several machines by organization. Tables without it are small directories that every machine may hold.

create table organizations (
  organization_id      uuid        primary key,
  name                 text        not null,
  logo_url             text,
  accent_color         text,
  rails                text[]      not null,
  on_amount_mismatch   text        not null check (on_amount_mismatch in ('decline', 'accept')),
  require_key_lookup   boolean     not null,
  payin_expiry_minutes integer     not null check (payin_expiry_minutes between 5 and 1440),
  created_at           timestamptz not null,
  updated_at           timestamptz not null
);

-- Directory: a key is presented without its organization. Only the digest of the key is kept.
create table api_keys (
  digest          bytea       primary key check (octet_length(digest) = 32),
  organization_id uuid        not null references organizations,
  api_key_id      uuid        not null unique,
  display_prefix  text        not null,
  name            text        not null,
  scopes          text[],
  created_at      timestamptz not null,
  expires_at      timestamptz,
  revoked_at      timestamptz,
  last_used_at    timestamptz
);
create index api_keys_of_organization on api_keys (organization_id, created_at);

-- Directory: a client id is presented without its organization.
create table oauth_clients (
  client_id       text        primary key,
  organization_id uuid        not null references organizations,
  secret_digest   bytea       not null check (octet_length(secret_digest) = 32),
  name            text        not null,
  scopes          text[],
  created_at      timestamptz not null,
  revoked_at      timestamptz,
  last_used_at    timestamptz
);
create index oauth_clients_of_organization on oauth_clients (organization_id, created_at);

-- Directory: the keys that sign access tokens, shared by all nodes. The private half is sealed with SECRETS_KEY.
create table signing_keys (
  key_id         text        primary key,
  public_jwk     jsonb       not null,
  sealed_private bytea       not null,
  created_at     timestamptz not null,
  retired_at     timestamptz
);

-- The id is a UUIDv7 that holds created_at, so id order is creation order and the primary key serves the list. The
-- organization comes from a credential, which has its own reference to it: checking it again for every row is a fifth of
-- what an insert costs.
create table payins (
  organization_id        uuid        not null,
  payin_id               uuid        not null,
  version                integer     not null,
  status                 text        not null check (status in ('PENDING', 'PROCESSING', 'CONFIRMED', 'CANCELED', 'DECLINED')),
  settlement_status      text        check (settlement_status in ('PENDING_SETTLEMENT', 'SETTLED', 'REVERSED')),
  rail                   text        not null check (rail in ('BRE_B', 'PSE')),
  amount_cents           bigint      not null check (amount_cents > 0),
  confirmed_amount_cents bigint      check (confirmed_amount_cents > 0),
  currency               text        not null check (currency = 'COP'),
  reference              text        not null,
  payment_link_id        uuid,
  customer               json,
  callback_url           text,
  error_code             text,
  network_code           text,
  key_type               text        check (key_type in ('SINGLE_USE', 'QR_CODE')),
  key_string             text,
  qr_payload             text,
  bank                   text,
  person_type            text        check (person_type in ('INDIVIDUAL', 'BUSINESS')),
  created_at             timestamptz not null,
  updated_at             timestamptz not null,
  expires_at             timestamptz not null,
  result_at              timestamptz,
  chargeback_at          timestamptz,
  primary key (organization_id, payin_id),
  check ((rail = 'BRE_B') = (key_string is not null)),
  check ((rail = 'PSE') = (bank is not null)),
  check ((status = 'CONFIRMED') = (confirmed_amount_cents is not null))
);
-- A merchant's own payins have a reference each; all tries on a payment link's page carry the link's.
create unique index payins_by_reference on payins
  (organization_id, reference, (case when payment_link_id is null then '00000000-0000-0000-0000-000000000000'::uuid else payin_id end));
create index payins_by_status on payins (organization_id, status, payin_id);
create index payins_of_link on payins (organization_id, payment_link_id, payin_id) where payment_link_id is not null;
create index payins_to_expire on payins (organization_id, expires_at) where status in ('PENDING', 'PROCESSING');

-- The answer to a request that took effect, kept at least thirty days. Written in the transaction of the effect.
create table idempotency_records (
  organization_id uuid        not null,
  idempotency_key text        not null,
  fingerprint     bytea       not null,
  status          integer     not null,
  body            text        not null,
  created_at      timestamptz not null,
  primary key (organization_id, idempotency_key)
);
create index idempotency_records_by_age on idempotency_records (organization_id, created_at);
