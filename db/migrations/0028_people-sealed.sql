-- People's data is sealed under a key for each organization, which is stored wrapped under SECRETS_KEY.
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
  resource        text  not null check (resource in ('payin', 'payout', 'paymentlink')),
  primary key (organization_id, digest, object_id)
);

-- Up to which id an organization's payins, payouts and links are sealed and have their digests.
create table people_marks (
  organization_id uuid not null references organizations,
  resource        text not null check (resource in ('payin', 'payout', 'paymentlink')),
  through         uuid not null,
  primary key (organization_id, resource)
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

-- Which keys were looked up is remembered by digest from now on. A look-up counts for half an hour.
delete from key_lookups;
