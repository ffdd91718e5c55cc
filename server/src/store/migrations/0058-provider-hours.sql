alter table usage_recent add column answers bigint not null default 0;
alter table usage_recent add column answer_ms bigint not null default 0;

create table provider_hours (
  provider text not null,
  hour bigint not null,
  served bigint not null,
  failed bigint not null,
  answers bigint not null,
  answer_ms bigint not null,
  primary key (provider, hour)
);

create index provider_hours_by_age on provider_hours (hour);
