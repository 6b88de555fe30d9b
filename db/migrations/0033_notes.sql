-- What a merchant notes on a payment: a description that the payer reads, and metadata. Sealed, for it may name a person.
alter table payins add column note json;
alter table payouts add column note json;
alter table payment_links add column note json;
