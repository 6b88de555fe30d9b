-- A network may take money back that nobody has claimed yet.

alter table suspense_items
  drop constraint suspense_items_state_check,
  add constraint suspense_items_state_check
    check (state in ('OPEN', 'RETURNING', 'RETURNED', 'ATTACHED', 'CHARGED_BACK'));
