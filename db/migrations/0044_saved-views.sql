-- Filters of a list that a person keeps under a name: their own, in one organization.
create table saved_views (
  organization_id uuid        not null references organizations,
  user_id         uuid        not null references users,
  view_id         uuid        not null,
  list            text        not null check (list in ('payins', 'payouts', 'links', 'pages', 'events', 'movements')),
  name            text        not null,
  -- As it stands behind the question mark of the list's address.
  query           text        not null,
  created_at      timestamptz not null,
  primary key (organization_id, user_id, view_id)
);
