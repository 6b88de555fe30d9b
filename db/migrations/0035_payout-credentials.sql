-- Which key or client asked for a payout: a part of its evidence. Null in payouts from before.

alter table payouts
  add column credential_id text;
