-- A payment that names nothing of ours may be counted already. It is looked for by the network's id, in each organization.
create index payins_by_payment on payins (organization_id, rail, payment_id) where payment_id is not null;
