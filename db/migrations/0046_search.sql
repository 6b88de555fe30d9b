-- What payins, payouts and links are found by, besides their ids. A worker writes these after the rows, so that no payment waits for
-- them. A word says of what and by what (core/search/word.ts); a person's are keyed digests. It is ordered by its bytes, so that what
-- begins so stands together. The organization comes from the row that is found.
create table search_words (
  organization_id uuid                   not null,
  word            text       collate "C" not null,
  object_id       uuid                   not null,
  primary key (organization_id, word, object_id)
);

-- Up to which id an organization's rows have their words, and up to which event what became of them.
create table search_marks (
  organization_id uuid   primary key references organizations,
  payin           uuid   not null default '00000000-0000-0000-0000-000000000000',
  payout          uuid   not null default '00000000-0000-0000-0000-000000000000',
  paymentlink     uuid   not null default '00000000-0000-0000-0000-000000000000',
  event_sequence  bigint not null default 0
);

-- What was told before now is in the rows, which are all still to be looked through.
insert into search_marks (organization_id, event_sequence)
select organization_id, last_sequence
  from event_counters;
