create index accounts_by_age on accounts (created_at, id);

create index jobs_by_age on jobs (created_at, id);
create index jobs_open on jobs (status, attempt_status, created_at) where finished_at is null;

create index deliveries_open on deliveries (created_at) where state = 'pending';

create index movements_by_account on transfers (account_id, created_at, id)
  where kind <> 'settle';
create index movements_by_age on transfers (created_at, id) where kind <> 'settle';

create index cache_entries_by_size on cache_entries (bytes);
