alter table keys add column last_used_at bigint;
