-- What people, keys, clients and operators did, and what they were refused. An entry is written in the transaction of the act, and
-- never changed or deleted: the service's role may only add and read. It holds no secret and no payer (core/audit/fields.ts).
create table audit_entries (
  organization_id uuid        not null references organizations,
  entry_id        uuid        not null,
  at              timestamptz not null,
  actor_kind      text        not null check (actor_kind in ('person', 'key', 'client', 'operator', 'service')),
  actor_id        text,
  actor_name      text,
  session_id      uuid,
  address         text,
  request_id      text,
  act             text        not null,
  object_kind     text        not null,
  object_id       text,
  -- As it was written, so that it is digested as it was written.
  changes         json        not null,
  outcome         text        not null check (outcome in ('done', 'refused')),
  refusal         text        check ((refusal is null) = (outcome = 'done')),
  primary key (organization_id, entry_id)
);
create index audit_entries_by_outcome on audit_entries (organization_id, outcome, entry_id);
create index audit_entries_of_act on audit_entries (organization_id, act, outcome, entry_id);
create index audit_entries_of_actor on audit_entries (organization_id, actor_id, outcome, entry_id);
create index audit_entries_of_actor_by_act on audit_entries (organization_id, actor_id, act, outcome, entry_id);
create index audit_entries_of_object on audit_entries (organization_id, object_id, entry_id);

-- The chain: each line holds the digest of the line before it and of its entry, so that a line that is removed, changed or put in
-- later shows. A worker adds lines after their entries are committed, without a gap; nothing waits for it.
create table audit_chain (
  organization_id uuid   not null,
  sequence        bigint not null check (sequence > 0),
  entry_id        uuid   not null,
  digest          bytea  not null check (octet_length(digest) = 32),
  primary key (organization_id, sequence),
  unique (organization_id, entry_id),
  foreign key (organization_id, entry_id) references audit_entries
);

-- Entries that are not in the chain yet. Written with the entry, deleted with its line.
create table audit_unchained (
  organization_id uuid        not null,
  entry_id        uuid        not null,
  due_at          timestamptz not null,
  primary key (organization_id, entry_id),
  foreign key (organization_id, entry_id) references audit_entries
);
create index audit_unchained_due_by_time on audit_unchained (due_at, organization_id);
