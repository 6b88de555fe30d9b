-- A payout whose key cannot be resolved has its money reserved and is with nobody: it can still be called back.

alter table payouts
  drop constraint payouts_stage_check,
  add constraint payouts_stage_check check (stage in ('CREATED', 'RESERVED', 'SENDING', 'SENT', 'STOPPED', 'DONE'));
