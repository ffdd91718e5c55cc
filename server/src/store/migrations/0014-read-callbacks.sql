alter table callbacks add column read_at bigint;
