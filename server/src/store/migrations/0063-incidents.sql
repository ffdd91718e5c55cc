create table incidents (
  id text primary key,
  account_id text not null,
  kind text not null,
  subject text not null,
  name text,
  created_at bigint not null,
  last_at bigint not null,
  ended_at bigint,
  requests bigint not null,
  cost bigint not null,
  reason text not null,
  gaps text not null,
  changed_at bigint not null
);

create index incidents_by_age on incidents (created_at, id);
create index incidents_by_change on incidents (changed_at);
create index incidents_of_account on incidents (account_id, changed_at);
create unique index incidents_open on incidents (account_id, kind, subject)
  where ended_at is null;

create table incident_marks (
  id text primary key,
  muted bigint not null,
  severe bigint not null,
  note text,
  changed_by text,
  changed_at bigint not null
);

create index incident_marks_by_age on incident_marks (changed_at);
