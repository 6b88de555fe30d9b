-- A payer's page says whether money for it is held.
create index suspense_items_of_payin on suspense_items (organization_id, payin_id) where payin_id is not null;
