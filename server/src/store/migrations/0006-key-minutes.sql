create table key_minutes (
  minute bigint not null,
  account_id text not null,
  key_id text not null,
  requests bigint not null,
  primary key (minute, account_id, key_id)
);
