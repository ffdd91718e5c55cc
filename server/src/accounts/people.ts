// Operators manage people: their roles, and removal. At least one operator always remains.
import { GatewayError } from '@trivium/contract';
import type { Person, PersonChange, Role } from '@trivium/contract';
import { audit } from '../audit/index.ts';
import type { Author } from '../audit/core/index.ts';
import type { Runner } from '../store/index.ts';
import type { AccountsContext } from './context.ts';
import { checkMemberAccount } from './invitations.ts';
import { revokeGrantsOf } from './oauth-tokens.ts';
import { countPeople, deletePerson, findPerson } from './store/people.ts';
import type { PersonRow } from './store/people.ts';
import { lockOperators, lockPerson, putRole } from './store/roles.ts';

type PeopleContext = Pick<AccountsContext, 'database' | 'clock'>;

/** The new role applies from the person's next request. */
export async function changePerson(
  context: PeopleContext,
  by: Author,
  id: string,
  { role, account_id }: PersonChange,
): Promise<Person> {
  const now = context.clock.now();
  const row = await context.database.transaction(async (tx) => {
    const operators = await lockOperators(tx);
    // Locked, so that no agent is granted access between the check and this change.
    const before = (await lockPerson(tx, id)) ? await findPerson(tx, id) : undefined;
    if (!before) throw noPerson(id);
    const accountId = await checkMemberAccount(tx, role, account_id);
    if (role !== 'operator') checkNotLast(operators, id);
    // A viewer's agents could spend money that the viewer may not.
    const endsGrants = accountId !== before.account_id || role === 'viewer';
    if (endsGrants) await revokeGrantsOf(tx, by, id, now.getTime());
    await putRole(tx, id, { role, account_id: accountId, at: now.toISOString() });
    const after = { ...before, role, account_id: accountId };
    const change = { action: 'person.changed', account_id: accountId, target: id } as const;
    await audit(tx, by, { ...change, before: { ...before }, after }, now.getTime());
    return after;
  });
  return showPerson(row);
}

/** The only person may leave. The next start then shows a set-up link. */
export async function removePerson(
  { database, clock }: PeopleContext,
  by: Author,
  id: string,
): Promise<object> {
  return database.transaction(async (tx) => {
    const operators = await lockOperators(tx);
    if (await hasOthers(tx)) checkNotLast(operators, id);
    const at = clock.now().getTime();
    if (!(await lockPerson(tx, id))) throw noPerson(id);
    await revokeGrantsOf(tx, by, id, at);
    const before = await deletePerson(tx, id);
    if (!before) throw noPerson(id);
    const { account_id } = before;
    const change = { action: 'person.removed', account_id, target: id } as const;
    await audit(tx, by, { ...change, before: { ...before } }, at);
    return { id };
  });
}

export function showPerson({ created_at: _since, ...row }: PersonRow): Person {
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
