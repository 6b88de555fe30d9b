-- When the maker did what was approved. Only of what the maker does themselves, such as taking a new key; the rest happens with the approval.
alter table approvals add column used_at timestamptz;
