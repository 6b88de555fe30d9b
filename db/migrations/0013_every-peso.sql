-- Money whose owner nobody knows has a place in the books, and what a person must look at is written once.

-- The organization of money that names no organization of ours. It has no credentials, so no merchant ever sees it.
insert into organizations (organization_id, name, rails, on_amount_mismatch, require_key_lookup, payin_expiry_minutes,
                           created_at, updated_at)
values ('00000000-0000-0000-0000-000000000000', 'Unattributed', '{}', 'decline', false, 15, now(), now());

-- A notice that names nothing of ours keeps the name it gave.
alter table rail_notices add column reference text;

alter table suspense_items
  alter column payin_id drop not null,
  drop constraint suspense_items_reason_check,
  add constraint suspense_items_reason_check
    check (reason in ('LATE', 'AMOUNT_MISMATCH', 'SECOND_PAYMENT', 'UNKNOWN_PAYIN', 'UNATTRIBUTED'));

-- How much of a payin was charged back. Until now every chargeback took all.
alter table payins add column charged_back_cents bigint not null default 0 check (charged_back_cents >= 0);
update payins set charged_back_cents = confirmed_amount_cents where settlement_status = 'REVERSED';

create index alarms_of_subject on alarms (organization_id, subject_id);
