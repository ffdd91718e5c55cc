create table webhooks (
  id text primary key,
  account_id text references accounts (id),
  url text not null,
  events text not null,
  description text not null,
  paused bigint not null,
  secret_version bigint not null,
  old_secret_until bigint,
  created_at bigint not null,
  updated_at bigint not null
);

create index webhooks_by_account on webhooks (account_id, created_at, id);

create table webhook_secrets (
  account_id text primary key references accounts (id),
  secret_version bigint not null,
  old_secret_until bigint
);

create table deliveries (
  id text primary key,
  event_id text not null,
  event text not null,
  subject text not null,
  payload text,
  account_id text,
  webhook_id text,
  url text not null,
  target text not null,
  lane text not null,
  place bigint not null,
  state text not null,
  attempts bigint not null,
  last_status bigint,
  last_error text,
  created_at bigint not null,
  first_attempt_at bigint,
  last_attempt_at bigint,
  due_at bigint,
  finished_at bigint,
  lease_owner text,
  lease_until bigint
);

create index deliveries_due on deliveries (due_at) where due_at is not null;
create index deliveries_pending on deliveries (lane, place) where state = 'pending';
create index deliveries_by_account on deliveries (account_id, created_at, id);
create index deliveries_by_webhook on deliveries (webhook_id, created_at, id);
create index deliveries_by_age on deliveries (created_at, id);

create table provider_health (
  provider text primary key,
  reporters text not null
);

alter table accounts add column low_balance bigint not null default 1000000;

alter table keys add column daily_cap_reached text;
alter table keys add column monthly_cap_reached text;
