create table kept_texts (
  account_id text not null,
  hash text not null,
  content text not null,
  bytes bigint not null,
  expires_at bigint not null,
  primary key (account_id, hash)
);

create index kept_texts_stored on kept_texts (account_id, bytes);

create index kept_texts_by_expiry on kept_texts (expires_at);

alter table idempotency add column answer_parts text;

alter table idempotency add column answer_bytes bigint;

create index idempotency_stored on idempotency (account_id, answer_bytes)
  where answer_bytes is not null;

alter table jobs add column result_bytes bigint;

create index jobs_stored on jobs (account_id, result_bytes) where result_bytes is not null;

create index uploads_stored on uploads (account_id, bytes);
