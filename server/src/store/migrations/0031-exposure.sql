alter table holds add column exposure bigint not null default 0
  check (exposure between 0 and 10000000000);

alter table jobs add column exposure bigint;

alter table uploads add column seconds bigint;

create index holds_exposed on holds (account_id) where exposure > 0;
