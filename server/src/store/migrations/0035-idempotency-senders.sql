alter table idempotency add column value_hash text;
alter table idempotency add column sent_by text;
alter table idempotency add column sent_for text;
