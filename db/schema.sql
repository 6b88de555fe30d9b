-- The whole schema as the migrations leave it, to be read; a test proves it equal to them. Migrations are what is run.
--
-- organization_id comes first in every key of a merchant's table, so that the same schema can be spread over several
-- machines by organization; tables without it are small directories that every machine may hold. A row that has work to
-- be done carries due_at and is its own queue.

-- One row is reserved, with the id of zeros: money that names no organization of ours is booked there.
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
  updated_at           timestamptz not null,
  -- What a receipt says of the merchant: PSE asks for the NIT, and for a way to reach the merchant.
  tax_id               text,
  contact_email        text,
  contact_phone        text,
  -- What may be paid out in a day in Bogotá, and hours in which nothing may be, such as 22-06. The operator's word.
  payouts_per_day      integer     check (payouts_per_day >= 1),
  payout_sum_per_day   bigint      check (payout_sum_per_day >= 1),
  quiet_hours          text        check (quiet_hours ~ '^([01][0-9]|2[0-3])-([01][0-9]|2[0-3])$'),
  -- What a payment must know of the connections to choose one, in the order of preference. Written with them.
  routes               json        not null default '[]',
  -- Who of its staff is told of its alarms by e-mail, and in which language.
  alarm_emails         text[]      not null default '{}' check (cardinality(alarm_emails) <= 10),
  alarm_language       text        not null default 'es' check (alarm_language in ('es', 'en')),
  -- How many people must approve what, by kind and amount. Empty: nobody is asked.
  approval_rules       json        not null default '[]',
  -- What is charged of a payin when its money is settled: fees and withholdings, by rail. The operator's word; empty charges nothing.
  charges              json        not null default '{}',
  -- Which accounts of the merchant's own books a report names, and whether the tax on movements is estimated there.
  accounting           json        not null default '{}',
  -- The available balance below which it is told, and since when it is below.
  minimum_balance_cents bigint     check (minimum_balance_cents > 0),
  below_minimum_since  timestamptz,
  -- Where it is told of them by an incoming webhook.
  alarm_webhook_url    text,
  -- Until then, what came over its connections was booked with what is available (schema 0060). Null: never.
  connections_apart_since timestamptz
);

-- An organization's accounts at providers. The credentials are sealed with SECRETS_KEY; those before them are kept while the
-- provider changes over.
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
create index connections_earlier_by_age on connections (previous_until) where previous_until is not null;

-- Money that a merchant says it put into its account at a provider, or took out of it. Never changed. A withdrawal takes from deposits
-- first: so much of it is theirs.
create table connection_movements (
  organization_id uuid        not null references organizations,
  movement_id     uuid        not null,
  connection_id   uuid        not null,
  kind            text        not null check (kind in ('DEPOSIT', 'WITHDRAWAL')),
  amount_cents    bigint      not null check (amount_cents > 0),
  deposit_cents   bigint      not null check (deposit_cents between 0 and amount_cents),
  reference       text        not null,
  recorded_by     text        not null,
  created_at      timestamptz not null,
  primary key (organization_id, movement_id)
);
create index connection_movements_by_connection on connection_movements (organization_id, connection_id, kind, movement_id);

-- Directory: a key is presented without its organization. Only the digest of the key is kept.
create table api_keys (
  digest             bytea       primary key check (octet_length(digest) = 32),
  organization_id    uuid        not null references organizations,
  api_key_id         uuid        not null unique,
  display_prefix     text        not null,
  name               text        not null,
  scopes             text[],
  created_at         timestamptz not null,
  expires_at         timestamptz,
  revoked_at         timestamptz,
  last_used_at       timestamptz,
  -- Each is null for no limit.
  max_per_second     integer     check (max_per_second >= 1),
  allowed_addresses  text[]      check (cardinality(allowed_addresses) >= 1),
  payouts_per_day    integer     check (payouts_per_day >= 1),
  payout_sum_per_day bigint      check (payout_sum_per_day >= 1)
);
create index api_keys_of_organization on api_keys (organization_id, created_at);

-- Directory: a client id is presented without its organization.
create table oauth_clients (
  client_id          text        primary key,
  organization_id    uuid        not null references organizations,
  secret_digest      bytea       not null check (octet_length(secret_digest) = 32),
  name               text        not null,
  scopes             text[],
  created_at         timestamptz not null,
  revoked_at         timestamptz,
  last_used_at       timestamptz,
  -- Each is null for no limit.
  max_per_second     integer     check (max_per_second >= 1),
  allowed_addresses  text[]      check (cardinality(allowed_addresses) >= 1),
  payouts_per_day    integer     check (payouts_per_day >= 1),
  payout_sum_per_day bigint      check (payout_sum_per_day >= 1),
  -- The secret before the present one, which works on for a while.
  previous_digest    bytea       check (octet_length(previous_digest) = 32),
  previous_until     timestamptz
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

-- Directory: which SECRETS_KEY seals, by an id that reveals nothing of it: the one activated last. It is finished once nothing is
-- sealed under an earlier one any more.
create table secrets_keys (
  key_id       text        primary key,
  activated_at timestamptz not null,
  finished_at  timestamptz
);

-- What seals the people of one organization (src/core/people). Wrapped under SECRETS_KEY.
create table data_keys (
  organization_id uuid        not null references organizations,
  version         integer     not null check (version between 1 and 255),
  wrapped         bytea       not null,
  created_at      timestamptz not null,
  primary key (organization_id, version)
);

-- A person is found by keyed digests of their document and their e-mail address (blind indexes).
create table people_digests (
  organization_id uuid  not null references organizations,
  digest          bytea not null check (octet_length(digest) = 16),
  object_id       uuid  not null,
  resource        text  not null check (resource in ('payin', 'payout', 'paymentlink', 'batchrow', 'beneficiary')),
  primary key (organization_id, digest, object_id)
);

-- Up to which id an organization's payins, payouts, links, rows of batches and beneficiaries are sealed and have their digests.
create table people_marks (
  organization_id uuid not null references organizations,
  resource        text not null check (resource in ('payin', 'payout', 'paymentlink', 'batchrow', 'beneficiary')),
  through         uuid not null,
  primary key (organization_id, resource)
);

-- What payins, payouts and links are found by, besides their ids. A worker writes these after the rows, so that no payment waits for
-- them. A word says of what and by what (core/search/word.ts); a person's are keyed digests. It is ordered by its bytes, so that what
-- begins so stands together. The organization comes from the row that is found.
create table search_words (
  organization_id uuid                   not null,
  word            text       collate "C" not null,
  object_id       uuid                   not null,
  primary key (organization_id, word, object_id)
);

-- Up to which id an organization's rows have their words, and up to which event what became of them.
create table search_marks (
  organization_id uuid   primary key references organizations,
  payin           uuid   not null default '00000000-0000-0000-0000-000000000000',
  payout          uuid   not null default '00000000-0000-0000-0000-000000000000',
  paymentlink     uuid   not null default '00000000-0000-0000-0000-000000000000',
  event_sequence  bigint not null default 0
);

-- Who erased a person, when, and how much that was. It does not say whom.
create table erasures (
  organization_id uuid        not null references organizations,
  erasure_id      uuid        not null,
  erased_by       text        not null,
  found_by        text        not null check (found_by in ('document', 'email')),
  payins          integer     not null,
  payouts         integer     not null,
  payment_links   integer     not null,
  events          integer     not null,
  answers         integer     not null,
  erased_at       timestamptz not null,
  primary key (organization_id, erasure_id)
);

-- Directory: the people who sign in. One person may belong to several organizations.
create table users (
  user_id          uuid        primary key,
  -- In lower case, as core/team/email.ts writes it. The database's own idea of letters depends on where it runs.
  email            text        not null unique check (email = lower(email collate "C")),
  name             text        not null,
  language         text        not null check (language in ('es', 'en')),
  -- argon2id in its usual text form. Null: signs in by passkey or by the company's own sign-in.
  password_hash    text,
  -- Sealed with SECRETS_KEY. It counts once a first code was typed.
  sealed_totp      bytea,
  totp_enabled_at  timestamptz,
  -- Each code works once: codes up to this step are used up.
  totp_last_step   bigint      not null default 0,
  -- Digests of the recovery codes that are left.
  recovery_digests bytea[]     not null default '{}',
  -- Shortcuts of a single key disturb those who speak to their computer.
  single_keys      boolean     not null default true,
  created_at       timestamptz not null,
  updated_at       timestamptz not null
);

create table passkeys (
  credential_id bytea       primary key check (octet_length(credential_id) between 1 and 1023),
  user_id       uuid        not null references users,
  -- As SubjectPublicKeyInfo.
  public_key    bytea       not null,
  algorithm     integer     not null,
  sign_count    bigint      not null,
  name          text        not null,
  created_at    timestamptz not null,
  last_used_at  timestamptz
);
create index passkeys_of_user on passkeys (user_id);

-- Who a person is to a company's own sign-in (OpenID Connect).
create table external_identities (
  issuer     text        not null,
  subject    text        not null,
  user_id    uuid        not null references users,
  created_at timestamptz not null,
  primary key (issuer, subject)
);
create index external_identities_of_user on external_identities (user_id);

-- Directory: looked up by person before the organization is known.
create table memberships (
  organization_id uuid        not null references organizations,
  user_id         uuid        not null references users,
  role            text        not null
    check (role in ('owner', 'administrator', 'preparer', 'approver', 'support', 'accountant', 'developer')),
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  primary key (organization_id, user_id)
);
create index memberships_of_user on memberships (user_id);

-- Directory: a token is presented without its organization.
create table invitations (
  digest          bytea       primary key check (octet_length(digest) = 32),
  invitation_id   uuid        not null unique,
  organization_id uuid        not null references organizations,
  email           text        not null check (email = lower(email collate "C")),
  name            text,
  role            text        not null
    check (role in ('owner', 'administrator', 'preparer', 'approver', 'support', 'accountant', 'developer')),
  -- Who invited, as people call them, and the user, key or client. Null: an operator.
  invited_by      text        not null,
  inviter_id      text,
  language        text        not null check (language in ('es', 'en')),
  created_at      timestamptz not null,
  expires_at      timestamptz not null,
  used_at         timestamptz,
  revoked_at      timestamptz,
  -- Sealed with SECRETS_KEY, until the e-mail with the link is sent or given up.
  sealed_token    bytea,
  mail_due_at     timestamptz check ((mail_due_at is null) = (sealed_token is null)),
  mail_attempts   integer     not null default 0
);
create index invitations_of_organization on invitations (organization_id, created_at);
create index invitations_due_by_time on invitations (mail_due_at) where mail_due_at is not null;
create index invitations_by_age on invitations (expires_at);

-- The cookie's digest is all that is stored of it.
create table sessions (
  digest     bytea       primary key check (octet_length(digest) = 32),
  session_id uuid        not null unique,
  user_id    uuid        not null references users,
  method     text        not null check (method in ('passkey', 'password', 'oidc', 'link')),
  created_at timestamptz not null,
  seen_at    timestamptz not null,
  expires_at timestamptz not null,
  -- When the person last showed a second time that it is them.
  proved_at  timestamptz not null,
  address    text,
  browser    text,
  ended_at   timestamptz
);
create index sessions_of_user on sessions (user_id, created_at);
create index sessions_by_age on sessions (expires_at);

-- Tokens and challenges that work once: sign-in links, WebAuthn challenges, second steps.
create table sign_in_tokens (
  digest     bytea       primary key check (octet_length(digest) = 32),
  purpose    text        not null,
  user_id    uuid        references users,
  -- What the next step needs to know.
  note       text,
  expires_at timestamptz not null
);
create index sign_in_tokens_of_user on sign_in_tokens (user_id) where user_id is not null;
create index sign_in_tokens_by_age on sign_in_tokens (expires_at);

-- Attempts that failed or are under way, by digest of an e-mail address or a network address, whether or not anybody has it.
create table sign_in_failures (
  subject      bytea       primary key check (octet_length(subject) = 32),
  -- The first that is counted.
  since        timestamptz not null,
  failures     integer     not null check (failures >= 0),
  locked_until timestamptz
);
create index sign_in_failures_by_age on sign_in_failures (since);

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
  rail_stage             text        not null default 'TO_OPEN'
                                     check (rail_stage in ('TO_OPEN', 'OPENING', 'OPEN', 'TO_CLOSE', 'TO_SETTLE', 'DONE')),
  bank_url               text,
  trace_id               text,
  payment_id             text,
  due_at                 timestamptz,
  attempts               integer     not null default 0,
  lease_token            uuid,
  -- How much of what was confirmed the network has taken back.
  charged_back_cents     bigint      not null default 0 check (charged_back_cents >= 0),
  -- What an order takes from settings, as it was when the payin was created: an order is sent again as first sent.
  merchant_name          text,
  return_url             text,
  -- Description and metadata, sealed: they may name a person. So it is in payouts and links.
  note                   json,
  -- Of the page on which the payer began. Null: Spanish.
  payer_language         text,
  -- Null: the installation's own networks. The provider's id is how it knows the payment. So it is in payouts.
  connection_id          uuid,
  provider               text,
  provider_id            text,
  -- Links to the provider's terms that the payer accepted on our page. Null: the payer was not there.
  accepted_terms         text[],
  -- Address and name of the payer's browser, sealed.
  payer_device           json,
  -- What refunds hold of a payin: of all that may still give money back or have, and of those that have.
  refund_cents           bigint      not null default 0
    constraint payins_refunds_fit
    check (refund_cents = 0 or (confirmed_amount_cents is not null and refund_cents between 0 and confirmed_amount_cents)),
  refunded_cents         bigint      not null default 0
    constraint payins_refunded_is_held check (refunded_cents between 0 and refund_cents),
  primary key (organization_id, payin_id),
  -- A key that its provider names comes later.
  check ((rail = 'BRE_B') = (key_string is not null) or (rail = 'BRE_B' and connection_id is not null)),
  check ((rail = 'PSE') = (bank is not null)),
  check ((status = 'CONFIRMED') = (confirmed_amount_cents is not null))
);
-- A merchant's own payins have a reference each; all tries on a payment link's page carry the link's.
create unique index payins_by_reference on payins
  (organization_id, reference, (case when payment_link_id is null then '00000000-0000-0000-0000-000000000000'::uuid else payin_id end));
-- A list that is filtered by rail alone merges its statuses, and so do those of references and accounts.
create index payins_by_status on payins (organization_id, status, rail, payin_id);
create index payins_of_link on payins (organization_id, payment_link_id, payin_id) where payment_link_id is not null;
-- One attempt for each link at a time.
create unique index payins_open_attempt on payins (organization_id, payment_link_id)
  where payment_link_id is not null and status in ('PENDING', 'PROCESSING');
create index payins_due on payins (organization_id, due_at) where due_at is not null;
-- A worker looks by time for what is due, whoever's it is, and claims within an organization. So does it in every queue.
create index payins_due_by_time on payins (due_at, organization_id) where due_at is not null;
-- A payment that names nothing of ours may be counted already. It is looked for by the network's id, in each organization.
-- One payment of a network confirms one payin.
create unique index payins_by_payment on payins (organization_id, rail, payment_id)
  where status = 'CONFIRMED' and payment_id is not null;
-- A provider names the payment that it speaks of by its own id.
create index payins_by_provider_id on payins (organization_id, connection_id, provider_id) where provider_id is not null;
-- A connection that a payment still needs is not deleted.
create index payins_of_connection on payins (organization_id, connection_id)
  where connection_id is not null and due_at is not null;

-- Receipts that are still to be sent by e-mail; gone once each was sent or given up. The payer is read from the payin, sealed.
create table receipt_mails (
  organization_id uuid        not null,
  payin_id        uuid        not null,
  attempts        integer     not null default 0,
  due_at          timestamptz not null,
  primary key (organization_id, payin_id)
);
create index receipt_mails_due_by_time on receipt_mails (due_at, organization_id, payin_id);

-- The answer to a request that took effect, kept at least thirty days. Written in the transaction of the effect.
create table idempotency_records (
  organization_id uuid        not null,
  idempotency_key text        not null,
  fingerprint     bytea       not null,
  status          integer     not null,
  -- Often packed, like an event's data.
  body            text        not null,
  created_at      timestamptz not null,
  primary key (organization_id, idempotency_key)
);
create index idempotency_records_by_age on idempotency_records (created_at);

create table payouts (
  organization_id uuid        not null references organizations,
  payout_id       uuid        not null,
  version         integer     not null,
  status          text        not null check (status in ('PROCESSING', 'CONFIRMED', 'CANCELED', 'DECLINED')),
  stage           text        not null check (stage in ('CREATED', 'AWAITING_APPROVAL', 'RESERVED', 'SENDING', 'SENT', 'STOPPED', 'DONE')),
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
  -- The key as the merchant wrote it. Null if that is its canonical form.
  key_string_sent text,
  note            json,
  -- The key or client that asked for it. Null in payouts from before this was kept.
  credential_id   text,
  connection_id   uuid,
  provider        text,
  provider_id     text,
  -- When the money of a paid payout came back.
  returned_at     timestamptz,
  -- How much of it is paid from deposits. The rest is from what was collected.
  deposit_cents   bigint      not null default 0 check (deposit_cents between 0 and amount_cents),
  -- The refund that it pays.
  refund_id       uuid,
  -- What the available balance lacked of a payout that was declined for it.
  missing_cents   bigint      check (missing_cents > 0),
  -- What it costs beside its amount, as it was agreed when it was made: our fee, and the IVA on it. Both are set aside with the amount.
  fee_cents       bigint      not null default 0 check (fee_cents >= 0),
  fee_tax_cents   bigint      not null default 0 check (fee_tax_cents >= 0),
  primary key (organization_id, payout_id)
);
create index payouts_by_status on payouts (organization_id, status, payout_id);
create index payouts_by_reference on payouts (organization_id, reference, status, payout_id);
create index payouts_due on payouts (organization_id, due_at) where due_at is not null;
create index payouts_due_by_time on payouts (due_at, organization_id) where due_at is not null;
create index payouts_by_provider_id on payouts (organization_id, connection_id, provider_id) where provider_id is not null;
create index payouts_of_connection on payouts (organization_id, connection_id)
  where connection_id is not null and due_at is not null;
-- One refund has one payout at a time that may pay it.
create unique index payouts_of_refund on payouts (organization_id, refund_id)
  where refund_id is not null and status in ('PROCESSING', 'CONFIRMED') and returned_at is null;

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
  -- What is set aside for it, and how much of it is from deposits. What a payout has is the payout's to hold.
  reserved_cents   bigint      not null default 0 check (reserved_cents >= 0),
  deposit_cents    bigint      not null default 0 check (deposit_cents between 0 and reserved_cents),
  primary key (organization_id, refund_id)
);
create index refunds_by_status on refunds (organization_id, status, refund_id);
create index refunds_of_payin on refunds (organization_id, payin_id, refund_id);
create index refunds_due on refunds (organization_id, due_at) where due_at is not null;
create index refunds_due_by_time on refunds (due_at, organization_id) where due_at is not null;

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
  -- When the maker did what was approved. Only of what the maker does themselves, such as taking a new key; the rest happens with the approval.
  used_at         timestamptz,
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
  -- What is set aside for rows that are no payouts yet and their fees, and how much of it is from deposits.
  reserved_cents         bigint      not null default 0 check (reserved_cents >= 0),
  reserved_deposit_cents bigint      not null default 0 check (reserved_deposit_cents between 0 and reserved_cents),
  created_at             timestamptz not null,
  updated_at             timestamptz not null,
  submitted_at           timestamptz,
  completed_at           timestamptz,
  due_at                 timestamptz,
  lease_token            uuid,
  -- Whoever handed it in or changed a row of it: people, keys and clients. None of them approves it.
  written_by             text[]      not null default '{}',
  -- How much of what is set aside is for the fees of its payouts.
  reserved_fees_cents    bigint      not null default 0,
  primary key (organization_id, batch_id),
  constraint payout_batches_reserved_fees_check check (reserved_fees_cents between 0 and reserved_cents - reserved_deposit_cents),
  constraint payout_batches_reserved_status_check check (reserved_cents = 0 or status in ('WAITING', 'PROCESSING'))
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
create index payout_batch_rows_queued on payout_batch_rows (organization_id, key_digest, amount_cents)
  where state = 'QUEUED';

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

-- What networks have told us, stored under their own id before anything is made of it.
create table rail_notices (
  organization_id uuid        not null,
  rail            text        not null check (rail in ('BRE_B', 'PSE')),
  notice_id       text        not null,
  subject_kind    text        not null check (subject_kind in ('payin', 'payout')),
  subject_id      uuid        not null,
  network_update  jsonb       not null,
  network_code    text        not null,
  occurred_at     timestamptz not null,
  received_at     timestamptz not null,
  state           text        not null check (state in ('WAITING', 'DONE', 'ORPHAN')),
  due_at          timestamptz,
  -- What the notice calls its payment, where that is no name we gave.
  reference       text,
  primary key (organization_id, rail, notice_id)
);
create index rail_notices_due on rail_notices (organization_id, due_at) where due_at is not null;
create index rail_notices_due_by_time on rail_notices (due_at, organization_id) where due_at is not null;
create index rail_notices_by_subject on rail_notices (subject_id, organization_id);
-- What was told before of chargebacks of a payment, under whichever name.
create index rail_notices_chargebacks on rail_notices (organization_id, rail, (network_update->>'paymentId'))
  where network_update->>'kind' = 'payin.chargeback';
-- What may leave: not what was told of chargebacks, of which more may come.
create index rail_notices_by_age on rail_notices (received_at)
  where state = 'DONE' and network_update->>'kind' <> 'payin.chargeback';

-- Double entry: one row moves one amount from an account to another, so the books balance by construction. Rows are only
-- ever added. `booking` names why, and a subject can be booked so once only, or once for each part.
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
  -- A chargeback's amount and the network's id of it: a payment can be charged back in parts. Empty for anything else.
  part            text        not null default '',
  primary key (organization_id, transfer_id),
  unique (organization_id, subject_id, booking, part),
  check (debit_account <> credit_account)
);
create index ledger_transfers_by_accounts on ledger_transfers (organization_id, debit_account, credit_account, transfer_id);

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

-- How far an organization's days are closed. Nothing is booked before `open_from` any more: what comes late takes the first id of the
-- day that is open. Days before `next_day` have their close.
create table closing_marks (
  organization_id uuid        not null references organizations,
  open_from       timestamptz not null,
  first_open_id   uuid        not null,
  next_day        date        not null,
  due_at          timestamptz not null,
  primary key (organization_id)
);
create index closing_marks_due_by_time on closing_marks (due_at, organization_id);

-- A day's close, written once and never changed: the service's role may only add and read. A day without a movement has none.
create table daily_closes (
  organization_id uuid        not null references organizations,
  day             date        not null,
  movements       bigint      not null check (movements > 0),
  -- As they were written, so that they are digested as they were written.
  figures         json        not null,
  digest          bytea       not null check (octet_length(digest) = 32),
  -- Of the close before it. Null: this is the first.
  previous_digest bytea       check (octet_length(previous_digest) = 32),
  closed_at       timestamptz not null,
  primary key (organization_id, day)
);

-- Money that arrived and belongs to no open payin, until somebody returns or attaches it, or it is found to be a payin's and
-- counted there. Without a payin: money that names none we know. `attached_to` is the payin that got it.
create table suspense_items (
  organization_id uuid        not null references organizations,
  suspense_id     uuid        not null,
  payin_id        uuid,
  rail            text        not null check (rail in ('BRE_B', 'PSE')),
  payment_id      text        not null,
  amount_cents    bigint      not null check (amount_cents > 0),
  reason          text        not null check (reason in ('LATE', 'AMOUNT_MISMATCH', 'SECOND_PAYMENT', 'UNKNOWN_PAYIN', 'UNATTRIBUTED')),
  state           text        not null check (state in ('OPEN', 'RETURNING', 'RETURNED', 'ATTACHED', 'CHARGED_BACK', 'COUNTED')),
  attached_to     uuid,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  charged_back_cents bigint   not null default 0 check (charged_back_cents between 0 and amount_cents),
  -- What staff write about it, sealed: it may name a person.
  note            text,
  primary key (organization_id, suspense_id),
  unique (organization_id, rail, payment_id)
);
-- A list of what somebody has yet to decide about.
create index suspense_items_undecided on suspense_items (organization_id, suspense_id) where state in ('OPEN', 'RETURNING');
-- A payer's page says whether money for it is held.
create index suspense_items_of_payin on suspense_items (organization_id, payin_id) where payin_id is not null;

-- What a person must look at: a network that contradicts itself, a notice about nothing we know.
create table alarms (
  organization_id uuid        not null,
  alarm_id        uuid        not null,
  kind            text        not null,
  subject_id      uuid        not null,
  detail          text        not null,
  created_at      timestamptz not null,
  resolved_at     timestamptz,
  -- When it is to be told by e-mail: a new one at once. Null: it was handed on, or nobody is to be told.
  mail_due_at     timestamptz default '-infinity',
  -- Who looks after it and since when, who resolved it, and their word about it, sealed.
  taken_by        jsonb,
  taken_at        timestamptz,
  resolved_by     jsonb,
  resolution      text,
  primary key (organization_id, alarm_id)
);
create index alarms_of_subject on alarms (organization_id, subject_id);
-- The same open alarm exists once. A comparison of a day raises its own alarms, each once for its finding.
create unique index alarms_open on alarms (organization_id, subject_id, kind, md5(detail))
  where resolved_at is null and kind <> 'reconciliation';
-- About one subject there is one open alarm of these kinds, whatever address or moment its detail names.
create unique index alarms_open_of_abuse on alarms (organization_id, subject_id, kind)
  where resolved_at is null and kind in ('address-refused', 'failed-sign-ins', 'many-refusals', 'many-missed-lookups');
create index alarms_open_by_id on alarms (organization_id, alarm_id) where resolved_at is null;
create index alarms_by_age on alarms (resolved_at) where resolved_at is not null;
create index alarms_to_mail_by_time on alarms (mail_due_at, organization_id) where mail_due_at is not null;
create index alarms_to_mail on alarms (organization_id, alarm_id) where mail_due_at is not null;

-- Mails about alarms that are still to be sent: one for each address, and one without for the incoming webhook. A row is deleted when its mail is sent or given up.
create table alarm_mails (
  organization_id uuid        not null,
  mail_id         uuid        not null,
  email           text,
  alarm_ids       uuid[]      not null,
  attempts        integer     not null default 0,
  due_at          timestamptz not null,
  created_at      timestamptz not null,
  primary key (organization_id, mail_id)
);
create index alarm_mails_due_by_time on alarm_mails (due_at, organization_id, mail_id);

-- Bre-B keys an organization has looked up, by their digests, and what is left of its budget for doing so.
create table key_lookups (
  organization_id uuid        not null references organizations,
  key_string      text        not null,
  looked_up_at    timestamptz not null,
  primary key (organization_id, key_string)
);
create index key_lookups_by_age on key_lookups (looked_up_at);
create table lookup_budgets (
  organization_id uuid             primary key references organizations,
  tokens          double precision not null,
  counted_at      timestamptz      not null
);

-- What went over the wire to a network, personal data taken out: for the operator, for a week. A partition for each day.
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
) partition by range (exchange_id);
create index rail_exchanges_by_reference on rail_exchanges (organization_id, reference, exchange_id);
create table rail_exchanges_default partition of rail_exchanges default;

-- Directory: staging's clock, moved by hand and followed by every process.
create table staging_clock (
  clock_id  integer primary key check (clock_id = 1),
  offset_ms bigint  not null
);

-- Events: written with what caused them, numbered in the order of their commits by a sequencer. They, their deliveries and their
-- attempts have a partition for each month, by the time in the event's id. Workers make partitions ahead; what finds none falls
-- into the default one. Partitions have no foreign keys: to drop one would lock the table that it refers to.
create table events (
  organization_id uuid        not null,
  event_id        uuid        not null,
  sequence        bigint,
  type            text        not null,
  resource        text        not null,
  object_id       uuid        not null,
  version         integer     not null,
  -- JSON, or only its values if it is a payin's (src/core/events/packed-text.ts).
  data            text        not null,
  created_at      timestamptz not null,
  primary key (organization_id, event_id)
) partition by range (event_id);
create index events_to_number on events (organization_id, event_id) where sequence is null;
create index events_to_number_by_time on events (event_id, organization_id) where sequence is null;
create index events_of_type on events (organization_id, type, sequence) where sequence is not null;
create index events_of_object on events (organization_id, object_id, sequence) where sequence is not null;
create table events_default partition of events default;
-- Each partition has this one. The table as a whole cannot have it, and the counter's lock takes its place.
create unique index events_default_in_order on events_default (organization_id, sequence) where sequence is not null;

-- The numbers an organization's last event and last redelivery got. Its lock lets one number after the other.
create table event_counters (
  organization_id uuid   primary key references organizations,
  last_sequence   bigint not null,
  last_redelivery bigint not null default 0
);

-- Requests to send an event again, for whoever listens to the stream; kept for a day.
create table redeliveries (
  organization_id uuid        not null,
  number          bigint      not null,
  event_id        uuid        not null,
  requested_at    timestamptz not null,
  primary key (organization_id, number)
);
create index redeliveries_by_age on redeliveries (requested_at);

create table webhook_endpoints (
  organization_id  uuid        not null references organizations,
  endpoint_id      uuid        not null,
  url              text        not null,
  events           text[],
  description      text,
  state            text        not null check (state in ('ENABLED', 'DISABLED')),
  disabled_reason  text        check (disabled_reason in ('BY_MERCHANT', 'GONE', 'FAILING', 'UNVERIFIED')),
  sealed_secret    bytea       not null,
  sealed_previous  bytea,
  previous_until   timestamptz,
  failing_since    timestamptz,
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  deleted_at       timestamptz,
  -- Deliveries or batches of it are due at infinity: they waited while it was disabled.
  has_parked       boolean     not null default false,
  -- When its owner was proven, and when we last asked for the proof.
  verified_at      timestamptz,
  challenged_at    timestamptz,
  max_per_second   integer     check (max_per_second between 1 and 1000),
  -- What was handed to the senders is sent by then at that rate.
  sends_until      timestamptz,
  -- Of its Ed25519 signatures. Null: it is signed for by its secret alone.
  public_key       bytea,
  sealed_signing_key   bytea,
  sealed_previous_key  bytea,
  primary key (organization_id, endpoint_id)
);
create index webhook_endpoints_earlier_by_age on webhook_endpoints (previous_until) where previous_until is not null;
create index webhook_endpoints_to_resume on webhook_endpoints (organization_id, endpoint_id) where has_parked and state = 'ENABLED';

-- Events that an endpoint is to be told for the first time, up to a hundred together; gone once each was tried. Whoever took
-- one last is named even when its lease is over: some of its events may have been tried.
create table first_attempt_batches (
  organization_id uuid        not null,
  endpoint_id     uuid        not null,
  first_sequence  bigint      not null,
  event_ids       uuid[]      not null check (cardinality(event_ids) > 0),
  due_at          timestamptz not null,
  lease_token     uuid,
  lease_until     timestamptz,
  primary key (organization_id, endpoint_id, first_sequence),
  foreign key (organization_id, endpoint_id) references webhook_endpoints
);
create index first_attempt_batches_due_by_time on first_attempt_batches (due_at, organization_id, endpoint_id);

-- One event for one endpoint, where the first try did not end it or it was sent again by hand; none is dropped while it is due.
create table deliveries (
  organization_id uuid        not null,
  endpoint_id     uuid        not null,
  event_id        uuid        not null,
  sequence        bigint      not null,
  state           text        not null check (state in ('PENDING', 'DELIVERED', 'FAILED')),
  attempts        integer     not null,
  schedule_from   integer     not null,
  due_at          timestamptz,
  lease_token     uuid,
  delivered_at    timestamptz,
  created_at      timestamptz not null,
  primary key (organization_id, endpoint_id, event_id)
) partition by range (event_id);
create index deliveries_due on deliveries (organization_id, endpoint_id, due_at) where due_at is not null;
create index deliveries_due_by_time on deliveries (due_at, organization_id, endpoint_id) where due_at is not null;
create index deliveries_of_event on deliveries (organization_id, event_id);
create table deliveries_default partition of deliveries default;

-- Every try. One without a failure was acknowledged.
create table delivery_attempts (
  organization_id uuid        not null,
  attempt_id      uuid        not null,
  endpoint_id     uuid        not null,
  event_id        uuid        not null,
  number          integer     not null,
  at              timestamptz not null,
  status          integer,
  latency_ms      integer     not null,
  failure         text,
  response        text        not null,
  next_at         timestamptz,
  primary key (organization_id, event_id, endpoint_id, attempt_id)
) partition by range (event_id);
create table delivery_attempts_default partition of delivery_attempts default;

-- A payment link's page is found by its token within the organization, whose id the token carries.
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
  note            json,
  -- Of a link that a payment page made, which holds so many pieces of it until it ends. It stays due until its page has counted that.
  payment_page_id uuid,
  pieces          integer     check (pieces > 0),
  primary key (organization_id, payment_link_id),
  unique (organization_id, token)
);
create index payment_links_by_status on payment_links (organization_id, status, payment_link_id);
create index payment_links_by_reference on payment_links (organization_id, reference, status, payment_link_id);
create index payment_links_due on payment_links (organization_id, due_at) where due_at is not null;
create index payment_links_due_by_time on payment_links (due_at, organization_id) where due_at is not null;
create index payment_links_of_page on payment_links (organization_id, payment_page_id, status, payment_link_id)
  where payment_page_id is not null;

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
  -- Null where the payer types it, within the two that follow.
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
  -- Of links that are open, and of links that were paid.
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

-- Directory: each day of each network, and how far its statement was fetched and compared. A row that is due is claimed by one
-- worker. `run` counts the fetches that were begun, `compared_run` is the last one that was compared. The totals are of all
-- comparisons of the day.
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
  -- Digests of the cursors that this fetch has met: one that comes again leads in a circle.
  seen_cursors text[]      not null default '{}',
  -- The alarm about a statement that is late, while it is.
  late_alarm_id uuid,
  total_lines  bigint      not null default 0,
  total_found  jsonb       not null default '{}',
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
) with (fillfactor = 50);
create index statement_lines_by_age on statement_lines (day);

-- The comparison of one day of one network with an organization's books. `run` counts the comparisons.
create table reconciliations (
  organization_id      uuid        not null references organizations,
  reconciliation_id    uuid        not null,
  rail                 text        not null,
  day                  date        not null,
  run                  integer     not null,
  matched_in           bigint      not null,
  matched_in_cents     bigint      not null,
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
  matched_out          bigint      not null,
  matched_out_cents    bigint      not null,
  trace_differs        bigint      not null,
  trace_differs_cents  bigint      not null,
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
                              check (kind in ('NETWORK_ONLY', 'OURS_ONLY', 'AMOUNT_DIFFERS', 'TRACE_DIFFERS', 'DOUBLED', 'OTHER_DAY',
                                              'UNREADABLE')),
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

-- A booking belongs to one line of a statement. Most are of the day on which they were booked, and need no row. One that the
-- statement of another day lists has a row, and is compared with that day only.
create table bookings_of_other_days (
  organization_id uuid not null,
  transfer_id     uuid not null,
  rail            text not null,
  line_key        text not null,
  own_day         date not null,
  listed_on       date not null,
  primary key (organization_id, transfer_id),
  check (own_day <> listed_on)
);
create index bookings_of_other_days_own on bookings_of_other_days (organization_id, rail, own_day);
create index bookings_of_other_days_listed on bookings_of_other_days (organization_id, rail, listed_on);
create index bookings_of_other_days_by_age on bookings_of_other_days (greatest(own_day, listed_on));

-- What people, keys, clients and operators did, and what they were refused. An entry is written in the transaction of the act, and
-- never changed or deleted: the service's role may only add and read. It holds no secret and no payer (core/audit/fields.ts).
create table audit_entries (
  organization_id uuid        not null references organizations,
  entry_id        uuid        not null,
  at              timestamptz not null,
  actor_kind      text        not null check (actor_kind in ('person', 'key', 'client', 'operator', 'service')),
  actor_id        text,
  actor_name      text,
  session_id      uuid,
  address         text,
  request_id      text,
  act             text        not null,
  object_kind     text        not null,
  object_id       text,
  -- As it was written, so that it is digested as it was written.
  changes         json        not null,
  outcome         text        not null check (outcome in ('done', 'refused')),
  refusal         text        check ((refusal is null) = (outcome = 'done')),
  primary key (organization_id, entry_id)
);
create index audit_entries_by_outcome on audit_entries (organization_id, outcome, entry_id);
create index audit_entries_of_act on audit_entries (organization_id, act, outcome, entry_id);
create index audit_entries_of_actor on audit_entries (organization_id, actor_id, outcome, entry_id);
create index audit_entries_of_actor_by_act on audit_entries (organization_id, actor_id, act, outcome, entry_id);
create index audit_entries_of_object on audit_entries (organization_id, object_id, entry_id);

-- The chain: each line holds the digest of the line before it and of its entry, so that a line that is removed, changed or put in
-- later shows. A worker adds lines after their entries are committed, without a gap; nothing waits for it.
create table audit_chain (
  organization_id uuid   not null,
  sequence        bigint not null check (sequence > 0),
  entry_id        uuid   not null,
  digest          bytea  not null check (octet_length(digest) = 32),
  primary key (organization_id, sequence),
  unique (organization_id, entry_id),
  foreign key (organization_id, entry_id) references audit_entries
);

-- Entries that are not in the chain yet. Written with the entry, deleted with its line.
create table audit_unchained (
  organization_id uuid        not null,
  entry_id        uuid        not null,
  due_at          timestamptz not null,
  primary key (organization_id, entry_id),
  foreign key (organization_id, entry_id) references audit_entries
);
create index audit_unchained_due_by_time on audit_unchained (due_at, organization_id);

-- What was asked of the API: every write, and every refusal of somebody we know. Addresses without what follows the path, ids of
-- things and of credentials, no bodies. Added in bulk from memory about once a second, so a process that is killed loses its last
-- second. The time is in the id. Split by days, which leave as a whole; partitions have no foreign keys (0026).
create table request_log (
  organization_id uuid     not null,
  log_id          uuid     not null,
  method          text     not null,
  path            text     not null,
  status          smallint not null,
  duration_ms     integer  not null,
  credential_kind text     not null,
  credential_id   text     not null,
  request_id      text     not null,
  object_id       uuid,
  refusal         text,
  primary key (organization_id, log_id)
) partition by range (log_id);
-- What created something has the id of that.
create index request_log_of_object on request_log (organization_id, object_id, log_id) where object_id <> log_id;
create index request_log_of_credential on request_log (organization_id, credential_id, log_id);
-- Nearly all are a POST that created something, so these have few rows.
create index request_log_by_status on request_log (organization_id, status, log_id) where status <> 201;
create index request_log_by_method on request_log (organization_id, method, log_id) where method <> 'POST';
create table request_log_default partition of request_log default;
-- Filters of a list that a person keeps under a name: their own, in one organization.
create table saved_views (
  organization_id uuid        not null references organizations,
  user_id         uuid        not null references users,
  view_id         uuid        not null,
  list            text        not null check (list in ('payins', 'payouts', 'refunds', 'links', 'pages', 'events', 'movements')),
  name            text        not null,
  -- As it stands behind the question mark of the list's address.
  query           text        not null,
  created_at      timestamptz not null,
  primary key (organization_id, user_id, view_id)
);
