alter table requests add column asked text;
alter table requests add column forget_at bigint;
alter table requests add column detail text;
alter table requests add column tags text;

create index requests_to_forget on requests (forget_at) where forget_at is not null;

alter table holds add column tags text;
alter table transfers add column tags text;

create table usage_tags (
  account_id text not null,
  tag text not null,
  day bigint not null,
  value text not null,
  key_id text not null,
  requests bigint not null,
  failures bigint not null,
  cost bigint not null,
  primary key (account_id, tag, day, value, key_id)
);
