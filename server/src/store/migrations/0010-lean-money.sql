drop index holds_by_expiry;

alter table holds add column counted bigint not null default 1;

create table usage_recent (
  account_id text not null,
  hour bigint not null,
  key_id text not null,
  tool text not null,
  provider text not null,
  requests bigint not null,
  failures bigint not null,
  cost bigint not null,
  primary key (account_id, hour, key_id, tool, provider)
);

create index usage_recent_by_age on usage_recent (hour);
