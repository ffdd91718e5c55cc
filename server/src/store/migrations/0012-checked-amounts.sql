update accounts set held = held - (
    select coalesce(sum(holds.amount), 0) from holds
    where holds.account_id = accounts.id and holds.amount < 0
  ) where id in (select account_id from holds where amount < 0);

delete from holds where amount < 0;

update transfers set kind = 'adjust', reason = 'a settlement that credited the account'
  where kind = 'settle' and amount > 0;

update requests set cost = 0 where cost < 0;

alter table accounts add column amounts_checked bigint not null default 1
  check (held >= 0);

alter table holds add column amounts_checked bigint not null default 1
  check (amount between 0 and 10000000000);

alter table transfers add column amounts_checked bigint not null default 1
  check (case kind
    when 'settle' then amount between -10000000000 and 0
    when 'refund' then amount between 0 and 10000000000
    when 'topup' then amount between 0 and 1000000000000
    else amount between -1000000000000 and 1000000000000 end);

alter table requests add column amounts_checked bigint not null default 1
  check (cost between 0 and 10000000000 and (reported_cost is null or reported_cost >= 0));
