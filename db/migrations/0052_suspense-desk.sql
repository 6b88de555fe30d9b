-- What staff write about money in suspense, sealed: it may name a person.
alter table suspense_items add column note text;
-- A list of what somebody has yet to decide about.
create index suspense_items_undecided on suspense_items (organization_id, suspense_id) where state in ('OPEN', 'RETURNING');

-- Who looks after an alarm and since when, who resolved it, and their word about it, sealed.
alter table alarms
  add column taken_by jsonb,
  add column taken_at timestamptz,
  add column resolved_by jsonb,
  add column resolution text;

-- Where an organization is told of its alarms by an incoming webhook. A message to it has no e-mail address.
alter table organizations add column alarm_webhook_url text;
alter table alarm_mails alter column email drop not null;
