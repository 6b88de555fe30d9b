-- How much of the money in suspense was charged back. Until now every chargeback took all.

alter table suspense_items
  add column charged_back_cents bigint not null default 0 check (charged_back_cents between 0 and amount_cents);
update suspense_items set charged_back_cents = amount_cents where state = 'CHARGED_BACK';
