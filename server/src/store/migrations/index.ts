// The numbered migrations, in order. A released one is never edited; a change is a new number.
import accounts_and_keys from './0001-accounts-and-keys.sql' with { type: 'text' };
import money from './0002-money.sql' with { type: 'text' };
import jobs from './0003-jobs.sql' with { type: 'text' };
import people from './0005-people.sql' with { type: 'text' };
import key_minutes from './0006-key-minutes.sql' with { type: 'text' };
import job_steps from './0007-job-steps.sql' with { type: 'text' };
import job_credential from './0008-job-credential.sql' with { type: 'text' };
import key_uses from './0009-key-uses.sql' with { type: 'text' };
import lean_money from './0010-lean-money.sql' with { type: 'text' };
import deferred from './0011-deferred.sql' with { type: 'text' };
import checked_amounts from './0012-checked-amounts.sql' with { type: 'text' };
import audit_facts from './0013-audit-facts.sql' with { type: 'text' };
import readCallbacks from './0014-read-callbacks.sql' with { type: 'text' };
import bootstrap_keys from './0015-bootstrap-keys.sql' with { type: 'text' };

export interface Migration {
  version: number;
  text: string;
}

export const migrations: readonly Migration[] = [
  { version: 1, text: accounts_and_keys },
  { version: 2, text: money },
  { version: 3, text: jobs },
  { version: 5, text: people },
  { version: 6, text: key_minutes },
  { version: 7, text: job_steps },
  { version: 8, text: job_credential },
  { version: 9, text: key_uses },
  { version: 10, text: lean_money },
  { version: 11, text: deferred },
  { version: 12, text: checked_amounts },
  { version: 13, text: audit_facts },
  { version: 14, text: readCallbacks },
  { version: 15, text: bootstrap_keys },
];
