-- Which SECRETS_KEY seals: the one activated last. It is finished once nothing is sealed under an earlier one any more.
create table secrets_keys (
  key_id       text        primary key,
  activated_at timestamptz not null,
  finished_at  timestamptz
);
