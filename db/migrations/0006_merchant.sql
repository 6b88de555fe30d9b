-- What a receipt says of the merchant, beside its name: PSE asks for the NIT, and for a way to reach the merchant while the
-- outcome is not known.

alter table organizations
  add column tax_id        text,
  add column contact_email text,
  add column contact_phone text;
