create table feedback (
  request_id text primary key,
  account_id text not null,
  created_at bigint not null,
  verdicts text not null
);

create index feedback_by_time on feedback (created_at);
