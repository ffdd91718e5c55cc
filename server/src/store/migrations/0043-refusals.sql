alter table usage_recent add column refusals bigint not null default 0;
alter table usage_days add column refusals bigint not null default 0;
alter table usage_tags add column refusals bigint not null default 0;
