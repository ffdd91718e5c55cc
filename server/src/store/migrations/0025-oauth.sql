create table oauth_codes (
  hash text primary key,
  client text not null,
  client_name text not null,
  redirect_uri text not null,
  challenge text not null,
  person_id text not null references people (id) on delete cascade,
  account_id text not null references accounts (id),
  expires_at bigint not null,
  grant_id text
);

create index oauth_codes_by_expiry on oauth_codes (expires_at);

create table oauth_grants (
  id text primary key references keys (id),
  client text not null,
  person_id text not null references people (id) on delete cascade,
  created_at bigint not null
);

create index oauth_grants_by_person on oauth_grants (person_id);

create table oauth_refresh_tokens (
  hash text primary key,
  grant_id text not null references oauth_grants (id) on delete cascade,
  expires_at bigint not null,
  used_at bigint
);

create index oauth_refresh_tokens_by_expiry on oauth_refresh_tokens (expires_at);
create index oauth_refresh_tokens_by_grant on oauth_refresh_tokens (grant_id);
