-- Credentials and secrets that were replaced are erased when their overlap is over.
create index connections_earlier_by_age on connections (previous_until) where previous_until is not null;
create index webhook_endpoints_earlier_by_age on webhook_endpoints (previous_until) where previous_until is not null;
