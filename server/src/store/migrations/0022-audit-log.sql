create table audit_log (
  id text primary key,
  created_at bigint not null,
  actor_kind text not null,
  actor_id text,
  actor_name text,
  address text,
  account_id text,
  action text not null,
  target text not null,
  fields_before text,
  fields_after text
);

create index audit_log_by_time on audit_log (created_at, id);
create index audit_log_by_account on audit_log (account_id, created_at, id);
create index audit_log_by_target on audit_log (target, created_at, id);
