alter table accounts add column policy text;
alter table keys add column policy text;

alter table holds add column gateway_id text;

create index holds_in_progress on holds (account_id, key_id) where gateway_id is not null;
