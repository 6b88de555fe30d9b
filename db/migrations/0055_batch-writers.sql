-- Whoever handed a batch in or changed a row of it: people, keys and clients. None of them approves it.
alter table payout_batches add column written_by text[] not null default '{}';
update payout_batches set written_by = array[credential_id];

-- Rows that are to become payouts, for whoever is about to pay the same.
create index payout_batch_rows_queued on payout_batch_rows (organization_id, key_digest, amount_cents)
  where state = 'QUEUED';
