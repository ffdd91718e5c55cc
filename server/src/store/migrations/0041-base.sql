create table accounts (
  id text primary key,
  name text not null,
  created_at bigint not null,
  posted bigint not null default 0,
  held bigint not null default 0,
  amounts_checked bigint not null default 1
    check (held >= 0),
  exact_until bigint not null default 0,
  low_balance bigint not null default 1000000,
  policy text
);

create index accounts_by_age on accounts (created_at, id);

create table keys (
  id text primary key,
  account_id text not null references accounts (id),
  name text not null,
  hash text not null unique,
  display text not null,
  created_at bigint not null,
  revoked_at bigint,
  expires_at bigint,
  daily_cap bigint,
  monthly_cap bigint,
  providers text,
  last_used_at bigint,
  bootstrap text,
  daily_cap_reached text,
  monthly_cap_reached text,
  policy text,
  own_use_only bigint not null default 0,
  previous_hash text,
  previous_until bigint
);

create index keys_by_account on keys (account_id);
create index keys_by_previous_hash on keys (previous_hash);

create table changes (
  topic text primary key,
  counter bigint not null
);

create table holds (
  id text primary key,
  account_id text not null,
  key_id text,
  amount bigint not null,
  created_at bigint not null,
  expires_at bigint,
  counted bigint not null default 1,
  amounts_checked bigint not null default 1
    check (amount between 0 and 10000000000),
  tags text,
  gateway_id text,
  exposure bigint not null default 0
    check (exposure between 0 and 10000000000),
  served_by text
);

create index holds_in_progress on holds (account_id, key_id) where gateway_id is not null;
create index holds_exposed on holds (account_id) where exposure > 0;

create table transfers (
  id text primary key,
  kind text not null,
  account_id text not null,
  amount bigint not null,
  hold_id text,
  key_id text,
  reason text,
  created_at bigint not null,
  amounts_checked bigint not null default 1
    check (case kind
      when 'settle' then amount between -10000000000 and 0
      when 'refund' then amount between 0 and 10000000000
      when 'topup' then amount between 0 and 1000000000000
      else amount between -1000000000000 and 1000000000000 end),
  held bigint,
  tags text
);

create index transfers_by_account on transfers (account_id, created_at, id);
create index transfers_by_age on transfers (created_at, id);
create index refunds_by_hold on transfers (hold_id) where kind = 'refund';
create index movements_by_account on transfers (account_id, created_at, id)
  where kind <> 'settle';
create index movements_by_age on transfers (created_at, id) where kind <> 'settle';

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
  value_hash text,
  sent_by text,
  sent_for text,
  answer_parts text,
  answer_bytes bigint,
  served_by text,
  primary key (account_id, key)
);

create index idempotency_by_expiry on idempotency (expires_at);
create index idempotency_stored on idempotency (account_id, answer_bytes)
  where answer_bytes is not null;

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
  created_at bigint not null,
  amounts_checked bigint not null default 1
    check (cost between 0 and 10000000000 and (reported_cost is null or reported_cost >= 0)),
  paid_by text,
  delivered bigint,
  asked text,
  forget_at bigint,
  detail text,
  tags text
);

create index requests_by_account on requests (account_id, created_at, id);
create index requests_by_age on requests (created_at, id);
create index requests_to_forget on requests (forget_at) where forget_at is not null;

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

create table jobs (
  id text primary key,
  account_id text not null references accounts (id),
  key_id text not null,
  request_id text not null,
  provider text not null,
  model text not null,
  request text not null,
  status text not null,
  attempt bigint not null,
  attempt_status text not null,
  provider_job_id text,
  callback_url text,
  submitted_at bigint,
  tries bigint not null,
  result_id text,
  error text,
  created_at bigint not null,
  updated_at bigint not null,
  finished_at bigint,
  deadline_at bigint not null,
  run_at bigint not null,
  lease_owner text,
  lease_until bigint,
  steps text not null default '',
  credential text,
  upload_id text,
  vendor_upload text,
  exposure bigint,
  result_bytes bigint
);

create index jobs_by_turn on jobs (run_at);
create index jobs_at_work on jobs (provider) where attempt_status in ('submitting', 'waiting');
create index jobs_by_account on jobs (account_id, created_at, id);
create index jobs_by_upload on jobs (upload_id) where upload_id is not null;
create index jobs_by_age on jobs (created_at, id);
create index jobs_open on jobs (status, attempt_status, created_at) where finished_at is null;
create index jobs_stored on jobs (account_id, result_bytes) where result_bytes is not null;

create table callbacks (
  id text primary key,
  job_id text not null,
  attempt bigint not null,
  body_id text not null,
  received_at bigint not null,
  read_at bigint
);

create index callbacks_by_job on callbacks (job_id, received_at);

create table texts (
  id text not null,
  part bigint not null,
  job_id text,
  made_at bigint not null,
  content text not null,
  primary key (id, part)
);

create index texts_by_job on texts (job_id);
create index texts_unowned on texts (made_at) where job_id is null;

create table job_turn (
  id bigint primary key
);

insert into job_turn (id) values (1);

create table people (
  id text primary key,
  name text not null,
  email text not null unique,
  email_verified bigint not null,
  image text,
  role text not null,
  account_id text references accounts (id),
  created_at text not null,
  updated_at text not null
);

create table sessions (
  id text primary key,
  person_id text not null references people (id) on delete cascade,
  token text not null unique,
  expires_at text not null,
  ip_address text,
  user_agent text,
  created_at text not null,
  updated_at text not null
);

create index sessions_by_person on sessions (person_id);

create table credentials (
  id text primary key,
  person_id text not null references people (id) on delete cascade,
  provider_id text not null,
  provider_account_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at text,
  refresh_token_expires_at text,
  scope text,
  password text,
  created_at text not null,
  updated_at text not null
);

create index credentials_by_person on credentials (person_id);

create table verifications (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at text not null,
  created_at text not null,
  updated_at text not null
);

create index verifications_by_identifier on verifications (identifier);

create table sign_in_limits (
  id text primary key,
  key text not null unique,
  count bigint not null,
  last_request bigint not null
);

create table invites (
  hash text primary key,
  id text not null unique,
  role text not null,
  account_id text references accounts (id),
  created_at bigint not null,
  expires_at bigint,
  used_at bigint,
  label text
);

create table key_minutes (
  minute bigint not null,
  account_id text not null,
  key_id text not null,
  requests bigint not null,
  primary key (minute, account_id, key_id)
);

create table usage_recent (
  account_id text not null,
  hour bigint not null,
  key_id text not null,
  tool text not null,
  provider text not null,
  requests bigint not null,
  failures bigint not null,
  cost bigint not null,
  primary key (account_id, hour, key_id, tool, provider)
);

create index usage_recent_by_age on usage_recent (hour);

create view usage_hours as
  select account_id, hour, key_id, tool, provider, requests, failures, cost
  from usage_recent where 1 = 0;

create table deferred (
  task text not null,
  input text not null,
  trouble text,
  created_at bigint not null default 0,
  id text,
  gateway_id text
);

create unique index deferred_by_id on deferred (id) where id is not null;
create index deferred_waiting on deferred (created_at, id)
  where trouble is null and id is not null;

create table store_facts (
  name text primary key,
  value text not null
);

create table gateways (
  id text primary key,
  beat bigint not null
);

create table allowances (
  account_id text not null,
  gateway_id text not null,
  granted bigint not null,
  booked bigint not null,
  version bigint not null,
  recalled bigint not null default 0,
  primary key (account_id, gateway_id)
);

create index allowances_by_gateway on allowances (gateway_id);

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
create index deliveries_open on deliveries (created_at) where state = 'pending';

create table provider_health (
  provider text primary key,
  reporters text not null
);

create table usage_tags (
  account_id text not null,
  tag text not null,
  day bigint not null,
  value text not null,
  key_id text not null,
  requests bigint not null,
  failures bigint not null,
  cost bigint not null,
  primary key (account_id, tag, day, value, key_id)
);

create index usage_tags_by_day on usage_tags (day);

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

create table cache_entries (
  id text primary key,
  account_id text not null,
  tool text not null,
  value text not null,
  bytes bigint not null,
  stored_at bigint not null
);

create index cache_entries_by_age on cache_entries (stored_at, id);
create index cache_entries_by_account on cache_entries (account_id);
create index cache_entries_by_size on cache_entries (bytes);

create table cache_claims (
  id text primary key,
  owner text not null,
  claimed_until bigint not null
);

create table uploads (
  id text primary key,
  account_id text not null,
  type text not null,
  bytes bigint not null,
  created_at bigint not null,
  expires_at bigint not null,
  seconds bigint
);

create index uploads_by_account on uploads (account_id);
create index uploads_by_expiry on uploads (expires_at);
create index uploads_stored on uploads (account_id, bytes);

create table oauth_codes (
  hash text primary key,
  client text not null,
  client_name text not null,
  redirect_uri text not null,
  challenge text not null,
  person_id text not null references people (id) on delete cascade,
  account_id text not null references accounts (id),
  expires_at bigint not null,
  grant_id text
);

create index oauth_codes_by_expiry on oauth_codes (expires_at);

create table oauth_grants (
  id text primary key references keys (id),
  client text not null,
  person_id text not null references people (id) on delete cascade,
  created_at bigint not null
);

create index oauth_grants_by_person on oauth_grants (person_id);

create table oauth_refresh_tokens (
  hash text primary key,
  grant_id text not null references oauth_grants (id) on delete cascade,
  expires_at bigint not null,
  used_at bigint
);

create index oauth_refresh_tokens_by_expiry on oauth_refresh_tokens (expires_at);
create index oauth_refresh_tokens_by_grant on oauth_refresh_tokens (grant_id);

create table tag_days (
  account_id text not null,
  tag text not null,
  value text not null,
  day bigint not null,
  spent bigint not null,
  held bigint not null,
  primary key (account_id, tag, value, day)
);

create index tag_days_by_day on tag_days (day);

create table budgets (
  account_id text not null,
  tag text not null,
  value text not null,
  daily_cap bigint,
  monthly_cap bigint,
  created_at bigint not null,
  primary key (account_id, tag, value)
);

create table admin_answers (
  id text primary key,
  body_hash text not null,
  answer text not null,
  expires_at bigint not null
);

create index admin_answers_by_expiry on admin_answers (expires_at);

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
