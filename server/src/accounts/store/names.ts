// The names of accounts and keys, for files in which ids mean little to people.
import { idStatement, type ReadableDatabase, type Runner } from '../../store/index.ts';

export interface Names {
  account: (id: string) => string;
  key: (id: string) => string;
}

const accountStatement = idStatement(
  (places) => `select id, name from accounts where id in (${places})`,
);
const keyStatement = idStatement((places) => `select id, name from keys where id in (${places})`);

/** Both engines limit the number of values in one statement. */
const maxIds = 500;

/** An id without a name, such as a key of an older store, gets an empty name. */
export async function findNames(
  { reader }: ReadableDatabase,
  { accounts, keys }: { accounts: readonly string[]; keys: readonly string[] },
): Promise<Names> {
  const ofAccounts = await namesBy(reader, accountStatement, accounts);
  const ofKeys = await namesBy(reader, keyStatement, keys);
  return {
    account: (id) => ofAccounts.get(id) ?? '',
    key: (id) => ofKeys.get(id) ?? '',
  };
}

async function namesBy(
  on: Runner,
  statement: ReturnType<typeof idStatement>,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const each = [...new Set(ids)];
  for (let from = 0; from < each.length; from += maxIds) {
    const rows = await on.run(...statement(each.slice(from, from + maxIds)));
    for (const row of rows) found.set(String(row['id']), String(row['name']));
  }
  return found;
}
