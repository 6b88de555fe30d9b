-- People's data is sealed under a key for each organization, which is stored wrapped under SECRETS_KEY.
create table data_keys (
  organization_id uuid        not null references organizations,
  version         integer     not null check (version between 1 and 255),
  wrapped         bytea       not null,
  created_at      timestamptz not null,
  primary key (organization_id, version)
);

-- Which keys were looked up is remembered by digest from now on. A look-up counts for half an hour.
delete from key_lookups;
