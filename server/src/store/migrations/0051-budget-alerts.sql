alter table budgets add column daily_alert text;
alter table budgets add column monthly_alert text;
