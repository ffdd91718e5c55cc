create table people (
  id text primary key,
  name text not null,
  email text not null unique,
  email_verified bigint not null,
  image text,
  role text not null,
  account_id text references accounts (id),
  created_at text not null,
  updated_at text not null
);

create table sessions (
  id text primary key,
  person_id text not null references people (id) on delete cascade,
  token text not null unique,
  expires_at text not null,
  ip_address text,
  user_agent text,
  created_at text not null,
  updated_at text not null
);

create index sessions_by_person on sessions (person_id);

create table credentials (
  id text primary key,
  person_id text not null references people (id) on delete cascade,
  provider_id text not null,
  provider_account_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at text,
  refresh_token_expires_at text,
  scope text,
  password text,
  created_at text not null,
  updated_at text not null
);

create index credentials_by_person on credentials (person_id);

create table verifications (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at text not null,
  created_at text not null,
  updated_at text not null
);

create index verifications_by_identifier on verifications (identifier);

create table sign_in_limits (
  id text primary key,
  key text not null unique,
  count bigint not null,
  last_request bigint not null
);

create table invites (
  hash text primary key,
  id text not null unique,
  role text not null,
  account_id text references accounts (id),
  created_at bigint not null,
  expires_at bigint,
  used_at bigint
);
