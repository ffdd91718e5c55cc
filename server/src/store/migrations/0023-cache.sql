create table cache_entries (
  id text primary key,
  account_id text not null,
  tool text not null,
  value text not null,
  bytes bigint not null,
  stored_at bigint not null
);

create index cache_entries_by_age on cache_entries (stored_at, id);
create index cache_entries_by_account on cache_entries (account_id);

create table cache_claims (
  id text primary key,
  owner text not null,
  claimed_until bigint not null
);
