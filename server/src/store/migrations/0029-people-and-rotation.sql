alter table keys add column previous_hash text;
alter table keys add column previous_until bigint;

create index keys_by_previous_hash on keys (previous_hash);

alter table invites add column label text;

create table admin_answers (
  id text primary key,
  body_hash text not null,
  answer text not null,
  expires_at bigint not null
);

create index admin_answers_by_expiry on admin_answers (expires_at);
