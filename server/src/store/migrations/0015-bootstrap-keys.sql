alter table keys add column bootstrap text;

update keys set bootstrap = 'installed' where name = 'Bootstrap' and account_id = 'acct_default';
