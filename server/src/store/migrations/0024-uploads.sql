create table uploads (
  id text primary key,
  account_id text not null,
  type text not null,
  bytes bigint not null,
  created_at bigint not null,
  expires_at bigint not null
);

create index uploads_by_account on uploads (account_id);

create index uploads_by_expiry on uploads (expires_at);

alter table jobs add column upload_id text;

alter table jobs add column vendor_upload text;

create index jobs_by_upload on jobs (upload_id) where upload_id is not null;
