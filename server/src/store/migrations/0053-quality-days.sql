create table quality_days (
  account_id text not null,
  day bigint not null,
  source text not null,
  engine text not null,
  tool text not null,
  language text not null,
  category text not null,
  freshness text not null,
  observations bigint not null,
  quality bigint not null,
  squares bigint not null,
  calls bigint not null,
  failures bigint not null,
  cost bigint not null,
  latency_ms bigint not null,
  useful bigint not null,
  primary key (account_id, day, source, engine, tool, language, category, freshness)
);

create index quality_days_by_day on quality_days (day);
