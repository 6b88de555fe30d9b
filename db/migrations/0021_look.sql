-- A worker looks for due work by time, whoever's it is: the cost of a look follows what is due, not the number of
-- organizations or what waits for later. The indexes that begin with the organization serve the claims that follow.

create index payins_due_by_time on payins (due_at, organization_id) where due_at is not null;
create index payouts_due_by_time on payouts (due_at, organization_id) where due_at is not null;
create index payment_links_due_by_time on payment_links (due_at, organization_id) where due_at is not null;
create index rail_notices_due_by_time on rail_notices (due_at, organization_id) where due_at is not null;
create index deliveries_due_by_time on deliveries (due_at, organization_id, endpoint_id) where due_at is not null;
create index first_attempt_batches_due_by_time on first_attempt_batches (due_at, organization_id, endpoint_id);
create index events_to_number_by_time on events (event_id, organization_id) where sequence is null;

-- What waits for a disabled endpoint is parked: it is due at infinity. Once the endpoint is enabled, workers find it here.
alter table webhook_endpoints add column has_parked boolean not null default false;
create index webhook_endpoints_to_resume on webhook_endpoints (organization_id, endpoint_id) where has_parked and state = 'ENABLED';
