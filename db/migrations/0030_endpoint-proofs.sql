-- Whether an endpoint's owner was proven, how fast it may be sent to, and the key of its Ed25519 signatures.

alter table webhook_endpoints drop constraint webhook_endpoints_disabled_reason_check;
alter table webhook_endpoints add constraint webhook_endpoints_disabled_reason_check
  check (disabled_reason in ('BY_MERCHANT', 'GONE', 'FAILING', 'UNVERIFIED'));
alter table webhook_endpoints
  add column verified_at          timestamptz,
  add column challenged_at        timestamptz,
  add column max_per_second       integer check (max_per_second between 1 and 1000),
  -- What was handed to the senders is sent by then at that rate.
  add column sends_until          timestamptz,
  add column public_key           bytea,
  add column sealed_signing_key   bytea,
  add column sealed_previous_key  bytea;
-- Those that are in use were asked for no proof when they were created.
update webhook_endpoints set verified_at = created_at;
