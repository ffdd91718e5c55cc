create table gateways (
  id text primary key,
  beat bigint not null
);

create table allowances (
  account_id text not null,
  gateway_id text not null,
  granted bigint not null,
  booked bigint not null,
  version bigint not null,
  recalled bigint not null default 0,
  primary key (account_id, gateway_id)
);

create index allowances_by_gateway on allowances (gateway_id);

alter table accounts add column exact_until bigint not null default 0;

alter table deferred add column id text;
alter table deferred add column gateway_id text;

create unique index deferred_by_id on deferred (id) where id is not null;

create index deferred_waiting on deferred (created_at, id)
  where trouble is null and id is not null;
