// Rows of any table, with a value in each column that must have one.
import type { Database, Runner } from '../../src/store/database.ts';

export type Values = Readonly<Record<string, string | number | null>>;

interface Some {
  count?: number;
  /** This column, `id` and `token` end with a number if there are several rows. */
  numbered?: string;
  on?: Pick<Runner, 'run'>;
}

export async function makeInsert(database: Database) {
  const columns = await database.run<{ owner: string; name: string; type: string; free: unknown }>(
    database.engine === 'sqlite'
      ? `select m.name as owner, c.name as name, lower(c.type) as type,
           c.pk = 0 and c."notnull" = 0 or c.dflt_value is not null as free
         from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table'`
      : `select table_name as owner, column_name as name, data_type as type,
           is_nullable = 'YES' or column_default is not null as free
         from information_schema.columns where table_schema = 'public'`,
  );
  return async (
    table: string,
    given: Values,
    { count = 1, numbered = 'id', on = database }: Some = {},
  ): Promise<void> => {
    const names = [numbered, 'id', 'token'];
    const row = columns
      .filter(({ owner, name, free }) => owner === table && (!free || name in given))
      .map(({ name, type }) => {
        const value = name in given ? (given[name] ?? null) : type === 'text' ? 'x' : 0;
        if (value === null || type !== 'text') return { name, text: String(value) };
        // Times of sign-in are texts.
        const written = typeof value === 'number' ? new Date(value).toISOString() : value;
        const isNumbered = count > 1 && names.includes(name);
        return { name, text: `'${written}'${isNumbered ? " || '_' || i" : ''}` };
      });
    await on.run(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
       insert into ${table} (${row.map(({ name }) => name).join(', ')})
       select ${row.map(({ text }) => text).join(', ')} from n`,
    );
  };
}
