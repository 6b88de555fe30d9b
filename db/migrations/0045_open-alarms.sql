-- Merchants look at their open alarms, which are few among many that were resolved.
create index alarms_open_by_id on alarms (organization_id, alarm_id) where resolved_at is null;
