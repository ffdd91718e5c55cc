create index logged_answers_by_account on logged_answers (account_id, expires_at, bytes);
