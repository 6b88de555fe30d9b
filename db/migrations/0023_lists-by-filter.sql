-- Every filter of a list is read from one end of an index, also where nothing matches.

drop index payins_by_status;
create index payins_by_status on payins (organization_id, status, rail, payin_id);
drop index payouts_by_reference;
create index payouts_by_reference on payouts (organization_id, reference, status, payout_id);
drop index payment_links_by_reference;
create index payment_links_by_reference on payment_links (organization_id, reference, status, payment_link_id);
create index ledger_transfers_by_accounts on ledger_transfers (organization_id, debit_account, credit_account, transfer_id);
