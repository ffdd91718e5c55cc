update usage_days set
  requests = requests - (select sum(hours.requests) from usage_hours as hours
    where hours.account_id = usage_days.account_id and hours.hour / 24 = usage_days.day
      and hours.key_id = usage_days.key_id and hours.tool = usage_days.tool
      and hours.provider = usage_days.provider),
  failures = failures - (select sum(hours.failures) from usage_hours as hours
    where hours.account_id = usage_days.account_id and hours.hour / 24 = usage_days.day
      and hours.key_id = usage_days.key_id and hours.tool = usage_days.tool
      and hours.provider = usage_days.provider),
  cost = cost - (select sum(hours.cost) from usage_hours as hours
    where hours.account_id = usage_days.account_id and hours.hour / 24 = usage_days.day
      and hours.key_id = usage_days.key_id and hours.tool = usage_days.tool
      and hours.provider = usage_days.provider)
  where exists (select 1 from usage_hours as hours
    where hours.account_id = usage_days.account_id and hours.hour / 24 = usage_days.day
      and hours.key_id = usage_days.key_id and hours.tool = usage_days.tool
      and hours.provider = usage_days.provider);

insert into usage_recent (account_id, hour, key_id, tool, provider, requests, failures, cost)
  select account_id, hour, key_id, tool, provider, requests, failures, cost
  from usage_hours where true
  on conflict (account_id, hour, key_id, tool, provider) do update set
    requests = usage_recent.requests + excluded.requests,
    failures = usage_recent.failures + excluded.failures,
    cost = usage_recent.cost + excluded.cost;

drop table usage_hours;

create view usage_hours as
  select account_id, hour, key_id, tool, provider, requests, failures, cost
  from usage_recent where 1 = 0;
