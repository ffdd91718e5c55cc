// Saved views: the people of an account name the filters of a list in the dashboard, and share them.
import {
  conflict,
  GatewayError,
  type Removed,
  type SavedView,
  type ViewChange,
  type ViewList,
  type ViewRequest,
} from '@trivium/contract';
import { audit, type Author } from '../audit/index.ts';
import { newId } from '../platform/ids.ts';
import { iso, type Runner } from '../store/index.ts';
import { noAccount } from './accounts.ts';
import type { AccountsContext } from './context.ts';
import { findAccount } from './store/accounts.ts';
import {
  deleteView,
  findView,
  insertViews,
  listViews,
  updateViews,
  type ViewRow,
} from './store/views.ts';

const maxViews = 100;

export async function list(
  { database: { reader } }: AccountsContext,
  accountId: string,
): Promise<ViewList> {
  if (!(await findAccount(reader, accountId))) throw noAccount(accountId);
  return { views: (await listViews(reader, accountId)).map(showView) };
}

export async function save(
  { database, clock }: AccountsContext,
  by: Author,
  accountId: string,
  request: ViewRequest,
): Promise<SavedView> {
  const at = clock.now().getTime();
  const view: ViewRow = {
    ...{ id: newId('view'), account_id: accountId, ...request },
    ...{ created_at: at, updated_at: at },
  };
  await database.transaction(async (tx) => {
    const others = await lockViews(tx, accountId);
    checkName(view, others);
    if (others.length >= maxViews) {
      const message = `An account can have ${maxViews} views. Delete one before you save another.`;
      throw new GatewayError('invalid_request', message);
    }
    await insertViews(tx, [view]);
    await audit(tx, by, { ...changeOf('view.created', view), after: { ...request } }, at);
  });
  return showView(view);
}

export async function change(
  { database, clock }: AccountsContext,
  by: Author,
  id: string,
  { name, query }: ViewChange,
): Promise<SavedView> {
  const at = clock.now().getTime();
  return database.transaction(async (tx) => {
    const accountId = (await findView(tx, id))?.account_id;
    const views = accountId === undefined ? [] : await lockViews(tx, accountId);
    const before = views.find((view) => view.id === id);
    if (!before) throw missing(id);
    const now = { name: name ?? before.name, query: query ?? before.query };
    const after = { ...before, ...now, updated_at: at };
    checkName(after, views);
    await updateViews(tx, [after]);
    const facts = { before: factsOf(before), after: factsOf(after) };
    await audit(tx, by, { ...changeOf('view.changed', before), ...facts }, at);
    return showView(after);
  });
}

export async function remove(
  { database, clock }: AccountsContext,
  by: Author,
  id: string,
): Promise<Removed> {
  return database.transaction(async (tx) => {
    const before = await deleteView(tx, id);
    if (!before) throw missing(id);
    const change = { ...changeOf('view.removed', before), before: factsOf(before) };
    await audit(tx, by, change, clock.now().getTime());
    return { id };
  });
}

export async function accountOf({ database }: Pick<AccountsContext, 'database'>, id: string) {
  return (await findView(database, id))?.account_id;
}

export function missing(id: string): GatewayError {
  return new GatewayError('not_found', `There is no view ${id}.`);
}

/** Locks the account, so that two requests cannot both save the last view that it may have. */
async function lockViews(tx: Runner, accountId: string): Promise<ViewRow[]> {
  if (!(await findAccount(tx, accountId, 'for update'))) throw noAccount(accountId);
  return listViews(tx, accountId);
}

function checkName({ id, name, page }: ViewRow, views: readonly ViewRow[]): void {
  if (!views.some((one) => one.id !== id && one.name === name && one.page === page)) return;
  throw conflict(`There is already a view named “${name}”. Overwrite it, or choose another name.`);
}

function changeOf(action: 'view.created' | 'view.changed' | 'view.removed', view: ViewRow) {
  return { action, account_id: view.account_id, target: view.id };
}

function factsOf({ name, page, query }: ViewRow) {
  return { name, page, query };
}

function showView({ created_at, updated_at, ...view }: ViewRow): SavedView {
  return { ...view, created_at: iso(created_at), updated_at: iso(updated_at) };
}
