create table tag_days (
  account_id text not null,
  tag text not null,
  value text not null,
  day bigint not null,
  spent bigint not null,
  held bigint not null,
  primary key (account_id, tag, value, day)
);

create table budgets (
  account_id text not null,
  tag text not null,
  value text not null,
  daily_cap bigint,
  monthly_cap bigint,
  created_at bigint not null,
  primary key (account_id, tag, value)
);

alter table keys add column own_use_only bigint not null default 0;
