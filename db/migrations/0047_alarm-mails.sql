-- Who of an organization's staff is told of its alarms by e-mail, and in which language.
alter table organizations
  add column alarm_emails text[] not null default '{}' check (cardinality(alarm_emails) <= 10),
  add column alarm_language text not null default 'es' check (alarm_language in ('es', 'en'));

-- When an alarm is to be told by e-mail: a new one at once. Null: it was handed on, or nobody is to be told. Those from before stay so.
alter table alarms add column mail_due_at timestamptz;
alter table alarms alter column mail_due_at set default '-infinity';
create index alarms_to_mail_by_time on alarms (mail_due_at, organization_id) where mail_due_at is not null;
create index alarms_to_mail on alarms (organization_id, alarm_id) where mail_due_at is not null;

-- Mails about alarms that are still to be sent: one for each address. A row is deleted when its mail is sent or given up.
create table alarm_mails (
  organization_id uuid        not null,
  mail_id         uuid        not null,
  email           text        not null,
  alarm_ids       uuid[]      not null,
  attempts        integer     not null default 0,
  due_at          timestamptz not null,
  created_at      timestamptz not null,
  primary key (organization_id, mail_id)
);
create index alarm_mails_due_by_time on alarm_mails (due_at, organization_id, mail_id);
