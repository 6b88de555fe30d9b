-- What was asked of the API: every write, and every refusal of somebody we know. Addresses without what follows the path, ids of
-- things and of credentials, no bodies. Added in bulk from memory about once a second, so a process that is killed loses its last
-- second. The time is in the id. Split by days, which leave as a whole; partitions have no foreign keys (0026).
create table request_log (
  organization_id uuid     not null,
  log_id          uuid     not null,
  method          text     not null,
  path            text     not null,
  status          smallint not null,
  duration_ms     integer  not null,
  credential_kind text     not null,
  credential_id   text     not null,
  request_id      text     not null,
  object_id       uuid,
  refusal         text,
  primary key (organization_id, log_id)
) partition by range (log_id);
-- What created something has the id of that.
create index request_log_of_object on request_log (organization_id, object_id, log_id) where object_id <> log_id;
create index request_log_of_credential on request_log (organization_id, credential_id, log_id);
-- Nearly all are a POST that created something, so these have few rows.
create index request_log_by_status on request_log (organization_id, status, log_id) where status <> 201;
create index request_log_by_method on request_log (organization_id, method, log_id) where method <> 'POST';
create table request_log_default (like request_log including all);
alter table request_log attach partition request_log_default default;
