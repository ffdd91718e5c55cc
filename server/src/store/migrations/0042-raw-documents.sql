alter table jobs add column raw_id text;

alter table jobs add column unread_words bigint;

alter table jobs add column heard_ms bigint;

alter table jobs add column length_ms bigint;
