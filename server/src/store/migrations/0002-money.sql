alter table accounts add column posted bigint not null default 0;
alter table accounts add column held bigint not null default 0;

alter table keys add column expires_at bigint;
alter table keys add column daily_cap bigint;
alter table keys add column monthly_cap bigint;
alter table keys add column providers text;

create table holds (
  id text primary key,
  account_id text not null,
  key_id text,
  amount bigint not null,
  created_at bigint not null,
  expires_at bigint
);

create index holds_by_expiry on holds (expires_at);

create table transfers (
  id text primary key,
  kind text not null,
  account_id text not null,
  amount bigint not null,
  hold_id text,
  key_id text,
  reason text,
  created_at bigint not null
);

create index transfers_by_account on transfers (account_id, created_at, id);
create index transfers_by_age on transfers (created_at, id);
create index refunds_by_hold on transfers (hold_id) where kind = 'refund';

create table key_days (
  key_id text not null,
  day bigint not null,
  spent bigint not null,
  held bigint not null,
  primary key (key_id, day)
);

create table idempotency (
  account_id text not null,
  key text not null,
  body_hash text not null,
  owner text not null,
  state text not null,
  status bigint,
  answer text,
  expires_at bigint not null,
  primary key (account_id, key)
);

create index idempotency_by_expiry on idempotency (expires_at);

create table requests (
  id text primary key,
  account_id text not null,
  key_id text not null,
  tool text not null,
  provider text,
  status bigint not null,
  error_type text,
  warnings bigint not null,
  cost bigint not null,
  reported_cost bigint,
  latency_ms bigint not null,
  created_at bigint not null
);

create index requests_by_account on requests (account_id, created_at, id);
create index requests_by_age on requests (created_at, id);

create table usage_days (
  account_id text not null,
  day bigint not null,
  key_id text not null,
  tool text not null,
  provider text not null,
  requests bigint not null,
  failures bigint not null,
  cost bigint not null,
  primary key (account_id, day, key_id, tool, provider)
);

create table operator_tokens (
  hash text primary key,
  display text not null,
  created_at bigint not null
);
