-- A booking belongs to one line of a statement. Most are of the day on which they were booked, and need no row. One that the
-- statement of another day lists has a row, and is compared with that day only.
create table bookings_of_other_days (
  organization_id uuid not null,
  transfer_id     uuid not null,
  rail            text not null,
  line_key        text not null,
  own_day         date not null,
  listed_on       date not null,
  primary key (organization_id, transfer_id),
  check (own_day <> listed_on)
);
create index bookings_of_other_days_own on bookings_of_other_days (organization_id, rail, own_day);
create index bookings_of_other_days_listed on bookings_of_other_days (organization_id, rail, listed_on);

-- What was told before of chargebacks of a payment, under whichever name.
create index rail_notices_chargebacks on rail_notices (organization_id, rail, (network_update->>'paymentId'))
  where network_update->>'kind' = 'payin.chargeback';
