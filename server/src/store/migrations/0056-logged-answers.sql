create table logged_answers (
  request_id text primary key,
  account_id text not null,
  bytes bigint not null,
  truncated bigint not null,
  expires_at bigint not null,
  body text not null
);

create index logged_answers_by_end on logged_answers (expires_at, bytes);
