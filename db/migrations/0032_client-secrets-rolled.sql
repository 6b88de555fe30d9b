-- The secret before a client's present one, which works on for a while.

alter table oauth_clients
  add column previous_digest bytea check (octet_length(previous_digest) = 32),
  add column previous_until  timestamptz;
