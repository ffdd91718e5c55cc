// People, as an operator manages them: their roles, and removal. One operator always stays.
import { GatewayError } from '@trivium/contract';
import type { Person, PersonChange, Role } from '@trivium/contract';
import type { Runner } from '../store/database.ts';
import type { AccountsContext } from './context.ts';
import { checkMemberAccount } from './invitations.ts';
import { countPeople, deletePerson } from './store/people.ts';
import { findPerson, lockOperators, putRole } from './store/roles.ts';
import type { PersonRow } from './store/roles.ts';

type PeopleContext = Pick<AccountsContext, 'database' | 'clock'>;

/** The next request of the person is judged by the new role. */
export async function changePerson(
  context: PeopleContext,
  id: string,
  { role, account_id }: PersonChange,
): Promise<Person> {
  const at = context.clock.now().toISOString();
  const row = await context.database.transaction(async (tx) => {
    const operators = await lockOperators(tx);
    if (!(await findPerson(tx, id))) throw noPerson(id);
    const accountId = await checkMemberAccount(tx, role, account_id);
    if (role !== 'operator') checkNotLast(operators, id);
    await putRole(tx, id, { role, account_id: accountId, at });
    return findPerson(tx, id);
  });
  if (!row) throw noPerson(id);
  return showPerson(row);
}

/** The only person may leave: the next start then shows a set-up link. */
export async function removePerson(context: PeopleContext, id: string): Promise<object> {
  return context.database.transaction(async (tx) => {
    const operators = await lockOperators(tx);
    if (await hasOthers(tx)) checkNotLast(operators, id);
    if (await deletePerson(tx, id)) return { id };
    throw noPerson(id);
  });
}

export function showPerson(row: PersonRow): Person {
  return { ...row, role: row.role as Role };
}

export function noPerson(id: string): GatewayError {
  return new GatewayError('not_found', `There is no person ${id}.`);
}

async function hasOthers(tx: Runner): Promise<boolean> {
  return (await countPeople(tx)) > 1;
}

function checkNotLast(operators: readonly string[], id: string): void {
  if (operators.length > 1 || operators[0] !== id) return;
  const message = 'This is the last operator. Make another person an operator first.';
  throw new GatewayError('invalid_request', message, undefined, { status: 409 });
}
