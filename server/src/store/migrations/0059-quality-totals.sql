create table quality_totals (
  day bigint not null,
  source text not null,
  engine text not null,
  votes_by text not null,
  tool text not null,
  language text not null,
  category text not null,
  freshness text not null,
  observations bigint not null,
  weight bigint not null,
  weight_squares bigint not null,
  quality bigint not null,
  squares bigint not null,
  calls bigint not null,
  failures bigint not null,
  cost bigint not null,
  latency_ms bigint not null,
  useful bigint not null,
  primary key (day, source, engine, votes_by, tool, language, category, freshness)
);

create table quality_changes (
  week bigint primary key,
  changes bigint not null,
  claimed_at bigint not null
);

insert into quality_changes (week, changes, claimed_at)
  select distinct day - (day - 4) % 7, 1, 0 from quality_days;
