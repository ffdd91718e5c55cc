alter table jobs add column credential text;
