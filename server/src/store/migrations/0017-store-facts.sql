create table store_facts (
  name text primary key,
  value text not null
);
