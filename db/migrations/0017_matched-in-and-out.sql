-- Money that came in and money that went out are counted apart: their sum meant nothing.

alter table reconciliations rename column matched to matched_in;
alter table reconciliations rename column matched_cents to matched_in_cents;
alter table reconciliations
  add column matched_out       bigint not null default 0,
  add column matched_out_cents bigint not null default 0;

-- What went out is counted from the lines of the last comparison, without what it found to be missing or different.
update reconciliations r
   set matched_out = o.movements, matched_out_cents = o.cents
  from (select organization_id, rail, day, count(*) as movements, sum(cents) as cents
          from (select l.organization_id, l.rail, l.day, l.line_key, min(l.amount_cents) as cents
                  from statement_lines l
                  join reconciliation_runs d on d.rail = l.rail and d.day = l.day and d.compared_run = l.run
                 where l.movement in ('debit', 'return', 'chargeback')
                   and not exists (select 1
                                     from reconciliation_findings f
                                    where f.organization_id = l.organization_id and f.rail = l.rail and f.day = l.day
                                      and f.line_key = l.line_key and f.run = l.run
                                      and f.kind in ('NETWORK_ONLY', 'AMOUNT_DIFFERS'))
                 group by l.organization_id, l.rail, l.day, l.line_key) m
         group by organization_id, rail, day) o
 where r.organization_id = o.organization_id and r.rail = o.rail and r.day = o.day;

update reconciliations
   set matched_in = matched_in - matched_out, matched_in_cents = matched_in_cents - matched_out_cents;

alter table reconciliations
  alter column matched_out       drop default,
  alter column matched_out_cents drop default;
