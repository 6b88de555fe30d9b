-- What a day's fetch must remember: the cursors that it has met, so that pages that lead in a circle are noticed, and the alarm
-- about a statement that does not come. And what all comparisons have read and found, for the metrics.

alter table reconciliation_runs
  add column seen_cursors  text[] not null default '{}',
  add column late_alarm_id uuid,
  add column total_lines   bigint not null default 0,
  add column total_found   jsonb  not null default '{}';

-- A payout that its network lists under another id than it told us.
alter table reconciliations
  add column trace_differs       bigint not null default 0,
  add column trace_differs_cents bigint not null default 0;
alter table reconciliations
  alter column trace_differs       drop default,
  alter column trace_differs_cents drop default;
alter table reconciliation_findings
  drop constraint reconciliation_findings_kind_check,
  add constraint reconciliation_findings_kind_check
      check (kind in ('NETWORK_ONLY', 'OURS_ONLY', 'AMOUNT_DIFFERS', 'TRACE_DIFFERS', 'DOUBLED', 'OTHER_DAY', 'UNREADABLE'));
