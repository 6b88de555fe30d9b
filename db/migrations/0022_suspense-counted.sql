-- Money in suspense can turn out to be that of a payin, and is counted there.

alter table suspense_items
  drop constraint suspense_items_state_check,
  add constraint suspense_items_state_check
    check (state in ('OPEN', 'RETURNING', 'RETURNED', 'ATTACHED', 'CHARGED_BACK', 'COUNTED'));
