alter table deliveries add column attempt_log text;
