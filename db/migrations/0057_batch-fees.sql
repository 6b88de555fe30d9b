-- works with 0056
-- What is set aside for a batch has the fees of its payouts too, and how much of it they are. Nothing may be left of it once the batch is
-- neither waiting nor sent: code that forgets some is refused.
alter table payout_batches
  add column reserved_fees_cents bigint not null default 0;
alter table payout_batches
  add constraint payout_batches_reserved_fees_check
    check (reserved_fees_cents between 0 and reserved_cents - reserved_deposit_cents) not valid,
  add constraint payout_batches_reserved_status_check
    check (reserved_cents = 0 or status in ('WAITING', 'PROCESSING')) not valid;

-- online
alter table payout_batches validate constraint payout_batches_reserved_fees_check;
alter table payout_batches validate constraint payout_batches_reserved_status_check;
