alter table transfers add column held bigint;
alter table requests add column paid_by text;
alter table requests add column delivered bigint;
alter table deferred add column created_at bigint not null default 0;
