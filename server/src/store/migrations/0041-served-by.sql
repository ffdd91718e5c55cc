alter table holds add column served_by text;
alter table idempotency add column served_by text;
