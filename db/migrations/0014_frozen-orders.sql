-- An order is sent again exactly as first sent, so what it takes from settings is kept with the payin: the merchant's
-- name, and on PSE the address the payer returns to. Older payins have neither and use the settings of the day.
alter table payins add column merchant_name text;
alter table payins add column return_url text;

-- The key as the merchant wrote it. Null if that is its canonical form.
alter table payouts add column key_string_sent text;
