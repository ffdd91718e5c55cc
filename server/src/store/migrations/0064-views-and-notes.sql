create table saved_views (
  id text primary key,
  account_id text not null,
  name text not null,
  page text not null,
  query text not null,
  created_at bigint not null,
  updated_at bigint not null,
  unique (account_id, page, name)
);

create table request_notes (
  id text primary key,
  request_id text not null,
  account_id text not null,
  requested_at bigint not null,
  author_kind text not null,
  author_id text,
  author_name text,
  content text not null,
  created_at bigint not null,
  updated_at bigint not null
);

create index request_notes_by_request on request_notes (request_id);

create index request_notes_by_age on request_notes (requested_at);
