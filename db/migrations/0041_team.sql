-- Directory: the people who sign in. One person may belong to several organizations.
create table users (
  user_id          uuid        primary key,
  -- In lower case, as core/team/email.ts writes it. The database's own idea of letters depends on where it runs.
  email            text        not null unique check (email = lower(email collate "C")),
  name             text        not null,
  language         text        not null check (language in ('es', 'en')),
  -- argon2id in its usual text form. Null: signs in by passkey or by the company's own sign-in.
  password_hash    text,
  -- Sealed with SECRETS_KEY. It counts once a first code was typed.
  sealed_totp      bytea,
  totp_enabled_at  timestamptz,
  -- Each code works once: codes up to this step are used up.
  totp_last_step   bigint      not null default 0,
  -- Digests of the recovery codes that are left.
  recovery_digests bytea[]     not null default '{}',
  -- Shortcuts of a single key disturb those who speak to their computer.
  single_keys      boolean     not null default true,
  created_at       timestamptz not null,
  updated_at       timestamptz not null
);

create table passkeys (
  credential_id bytea       primary key check (octet_length(credential_id) between 1 and 1023),
  user_id       uuid        not null references users,
  -- As SubjectPublicKeyInfo.
  public_key    bytea       not null,
  algorithm     integer     not null,
  sign_count    bigint      not null,
  name          text        not null,
  created_at    timestamptz not null,
  last_used_at  timestamptz
);
create index passkeys_of_user on passkeys (user_id);

-- Who a person is to a company's own sign-in (OpenID Connect).
create table external_identities (
  issuer     text        not null,
  subject    text        not null,
  user_id    uuid        not null references users,
  created_at timestamptz not null,
  primary key (issuer, subject)
);
create index external_identities_of_user on external_identities (user_id);

-- Directory: looked up by person before the organization is known.
create table memberships (
  organization_id uuid        not null references organizations,
  user_id         uuid        not null references users,
  role            text        not null
    check (role in ('owner', 'administrator', 'preparer', 'approver', 'support', 'accountant', 'developer')),
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  primary key (organization_id, user_id)
);
create index memberships_of_user on memberships (user_id);

-- Directory: a token is presented without its organization.
create table invitations (
  digest          bytea       primary key check (octet_length(digest) = 32),
  invitation_id   uuid        not null unique,
  organization_id uuid        not null references organizations,
  email           text        not null check (email = lower(email collate "C")),
  name            text,
  role            text        not null
    check (role in ('owner', 'administrator', 'preparer', 'approver', 'support', 'accountant', 'developer')),
  -- Who invited, as people call them, and the user, key or client. Null: an operator.
  invited_by      text        not null,
  inviter_id      text,
  language        text        not null check (language in ('es', 'en')),
  created_at      timestamptz not null,
  expires_at      timestamptz not null,
  used_at         timestamptz,
  revoked_at      timestamptz,
  -- Sealed with SECRETS_KEY, until the e-mail with the link is sent or given up.
  sealed_token    bytea,
  mail_due_at     timestamptz check ((mail_due_at is null) = (sealed_token is null)),
  mail_attempts   integer     not null default 0
);
create index invitations_of_organization on invitations (organization_id, created_at);
create index invitations_due_by_time on invitations (mail_due_at) where mail_due_at is not null;
create index invitations_by_age on invitations (expires_at);

-- The cookie's digest is all that is stored of it.
create table sessions (
  digest     bytea       primary key check (octet_length(digest) = 32),
  session_id uuid        not null unique,
  user_id    uuid        not null references users,
  method     text        not null check (method in ('passkey', 'password', 'oidc', 'link')),
  created_at timestamptz not null,
  seen_at    timestamptz not null,
  expires_at timestamptz not null,
  -- When the person last showed a second time that it is them.
  proved_at  timestamptz not null,
  address    text,
  browser    text,
  ended_at   timestamptz
);
create index sessions_of_user on sessions (user_id, created_at);
create index sessions_by_age on sessions (expires_at);

-- Tokens and challenges that work once: sign-in links, WebAuthn challenges, second steps.
create table sign_in_tokens (
  digest     bytea       primary key check (octet_length(digest) = 32),
  purpose    text        not null,
  user_id    uuid        references users,
  -- What the next step needs to know.
  note       text,
  expires_at timestamptz not null
);
create index sign_in_tokens_of_user on sign_in_tokens (user_id) where user_id is not null;
create index sign_in_tokens_by_age on sign_in_tokens (expires_at);

-- Attempts that failed or are under way, by digest of an e-mail address or a network address, whether or not anybody has it.
create table sign_in_failures (
  subject      bytea       primary key check (octet_length(subject) = 32),
  -- The first that is counted.
  since        timestamptz not null,
  failures     integer     not null check (failures >= 0),
  locked_until timestamptz
);
create index sign_in_failures_by_age on sign_in_failures (since);
