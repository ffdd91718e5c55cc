alter table uploads add column name text;
alter table jobs add column recording text;
