// The session of a signed-in person, and the account that its requests are charged to.
import type { Person, SessionView } from '@trivium/contract';
import { findAccount } from './store/accounts.ts';
import { countPeople } from './store/people.ts';
import { noAccount } from './accounts.ts';
import { defaultAccountId } from './first-start.ts';
import { combinePolicies } from '../policy/core/index.ts';
import type { AccountsContext } from './context.ts';
import type { Caller } from '../requests/index.ts';

/** The key id of requests made in the dashboard. */
const dashboardKeyId = 'dashboard';

export async function viewSession(
  context: Pick<AccountsContext, 'database'>,
  person: Person | undefined,
  deployment: Pick<SessionView, 'sandbox' | 'single_sign_on'>,
): Promise<SessionView> {
  const needsSetUp = !person && (await countPeople(context.database)) === 0;
  if (!person) return { person: null, account: null, needs_set_up: needsSetUp, ...deployment };
  const found = await findAccount(context.database, person.account_id ?? defaultAccountId);
  const account = found ? { id: found.id, name: found.name } : null;
  return { person, account, needs_set_up: needsSetUp, ...deployment };
}

/** A member pays from its own account, an operator from the account that it names. */
export async function callerFor(
  { database }: Pick<AccountsContext, 'database'>,
  person: Person,
  named: string | undefined,
): Promise<Caller> {
  const accountId = person.account_id ?? named ?? defaultAccountId;
  const account = await findAccount(database, accountId);
  if (!account) throw noAccount(accountId);
  const policy = combinePolicies(account.policy, undefined);
  return { account_id: accountId, key_id: dashboardKeyId, ...(policy ? { policy } : {}) };
}
