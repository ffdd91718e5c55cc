// Who is signed in, what they see first, and for whom their requests are made.
import type { Person, SessionView } from '@trivium/contract';
import { findAccount } from '../store/accounts.ts';
import { countPeople } from '../store/people.ts';
import { noAccount } from './admin-accounts.ts';
import { default_account_id } from './first-start.ts';
import type { Caller, House } from './house.ts';

/** Stands where the id of a key would: requests made by hand in the dashboard. */
export const dashboard_key_id = 'dashboard';

export async function viewSession(
  house: House,
  person: Person | undefined,
  here: Pick<SessionView, 'sandbox' | 'single_sign_on'>,
): Promise<SessionView> {
  const needs_set_up = !person && (await countPeople(house.database)) === 0;
  if (!person) return { person: null, account: null, needs_set_up, ...here };
  const found = await findAccount(house.database, person.account_id ?? default_account_id);
  const account = found ? { id: found.id, name: found.name } : null;
  return { person, account, needs_set_up, ...here };
}

/** A member asks for the own account, an operator for the one that is named. */
export async function callerFor(
  { database }: Pick<House, 'database'>,
  person: Person,
  named: string | undefined,
): Promise<Caller> {
  const account_id = person.account_id ?? named ?? default_account_id;
  if (!(await findAccount(database, account_id))) throw noAccount(account_id);
  return { account_id, key_id: dashboard_key_id };
}
