-- replaces 2ecdc18a937121dcc36344e3da044a3877611187b4182c56f93d6f957287ef34
-- What is set aside for a refund from the moment it is made, and how much of it is from deposits. Until now that was only done for what was
-- being sent. What waits for people is looked at again, and its money set aside.
alter table refunds
  add column reserved_cents bigint not null default 0 check (reserved_cents >= 0),
  add column deposit_cents  bigint not null default 0 check (deposit_cents between 0 and reserved_cents);
update refunds set reserved_cents = amount_cents where stage = 'SENDING';
update refunds set due_at = now() where stage in ('AWAITING_CLAIM', 'AWAITING_APPROVAL');

-- What a payout costs beside its amount, as it was agreed when it was made: our fee, and the IVA on it. Both are set aside with the amount.
alter table payouts
  add column fee_cents     bigint not null default 0,
  add column fee_tax_cents bigint not null default 0;
alter table payouts
  add constraint payouts_fee_cents_check check (fee_cents >= 0) not valid,
  add constraint payouts_fee_tax_cents_check check (fee_tax_cents >= 0) not valid;

-- online
alter table payouts validate constraint payouts_fee_cents_check;
alter table payouts validate constraint payouts_fee_tax_cents_check;
