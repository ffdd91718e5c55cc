// The names of accounts and keys, for files in which ids mean little to people.
import { inParts, reader, type ReadableDatabase, type Runner, text } from '../../store/index.ts';

export interface Names {
  account: (id: string) => string;
  key: (id: string) => string;
}

const findAccountRows = inParts(
  { id: text },
  'select id, name from accounts where id in (select v.id from v)',
);
const findKeyRows = inParts(
  { id: text },
  'select id, name from keys where id in (select v.id from v)',
);
const readName = reader({ id: text, name: text });

/** An id without a name, such as a key of an older store, gets an empty name. */
export async function findNames(
  { reader: on }: ReadableDatabase,
  { accounts, keys }: { accounts: readonly string[]; keys: readonly string[] },
): Promise<Names> {
  const ofAccounts = await namesBy(on, findAccountRows, accounts);
  const ofKeys = await namesBy(on, findKeyRows, keys);
  return {
    account: (id) => ofAccounts.get(id) ?? '',
    key: (id) => ofKeys.get(id) ?? '',
  };
}

async function namesBy(
  on: Runner,
  findRows: typeof findKeyRows,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await findRows(
    on,
    [...new Set(ids)].map((id) => ({ id })),
  );
  return new Map(rows.map(readName).map(({ id, name }) => [id, name]));
}
