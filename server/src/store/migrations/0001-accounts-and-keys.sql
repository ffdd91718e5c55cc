create table accounts (
  id text primary key,
  name text not null,
  created_at bigint not null
);

create table keys (
  id text primary key,
  account_id text not null references accounts (id),
  name text not null,
  hash text not null unique,
  display text not null,
  created_at bigint not null,
  revoked_at bigint
);

create index keys_by_account on keys (account_id);

create table changes (
  topic text primary key,
  counter bigint not null
);
