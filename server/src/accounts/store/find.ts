// Keys, accounts and people by a part of what names them, or by their whole id.
import type { Found } from '@trivium/contract';
import {
  containing,
  equal,
  orNull,
  query,
  reader,
  type Runner,
  text,
  whereAll,
} from '../../store/index.ts';

type Named = Extract<Found['kind'], 'key' | 'account' | 'person'>;

/** The table, its column with the account, and what names a row. */
const sources: Readonly<Record<Named, readonly [table: string, account: string, words: string]>> = {
  key: ['keys', 'account_id', "name || ' ' || display"],
  account: ['accounts', 'id', 'name'],
  person: ['people', 'account_id', "name || ' ' || email"],
};

const readFound = reader({ id: text, account_id: orNull(text), name: text });
const maxFound = 10;

/** Newest first. Without an account, of all accounts. */
export async function findNamed(
  on: Runner,
  kind: Named,
  { text: words, account_id }: { text: string; account_id?: string | undefined },
): Promise<Found[]> {
  const [table, account, searched] = sources[kind];
  const isNamed = containing(`lower(${searched})`, words.toLowerCase());
  // A part of an id would be found in most of them.
  const isWanted = { text: `(${isNamed.text} or id = ?)`, values: [...isNamed.values, words] };
  const where = whereAll([isWanted, ...equal({ [account]: account_id })]);
  const rows = await query.rows(
    on,
    readFound,
    `select id, ${account} as account_id, name from ${table}${where.text}
     order by created_at desc, id limit ${maxFound}`,
    where.values,
  );
  return rows.map((row) => ({ kind, ...row }));
}
