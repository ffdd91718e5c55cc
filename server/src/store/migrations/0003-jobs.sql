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
  lease_until bigint
);

create index jobs_by_turn on jobs (run_at);
create index jobs_at_work on jobs (provider) where attempt_status in ('submitting', 'waiting');
create index jobs_by_account on jobs (account_id, created_at, id);

create table callbacks (
  id text primary key,
  job_id text not null,
  attempt bigint not null,
  body_id text not null,
  received_at bigint not null
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
