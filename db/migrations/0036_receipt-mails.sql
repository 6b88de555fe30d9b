-- Receipts that are still to be sent by e-mail. A row is written with the payin's confirmation, and deleted when the mail is sent or
-- given up. It holds no address: the payer is read, sealed, from the payin.
create table receipt_mails (
  organization_id uuid        not null,
  payin_id        uuid        not null,
  attempts        integer     not null default 0,
  due_at          timestamptz not null,
  primary key (organization_id, payin_id)
);
create index receipt_mails_due_by_time on receipt_mails (due_at, organization_id, payin_id);

-- The language of the page on which the payer began. Null: Spanish.
alter table payins add column payer_language text;
