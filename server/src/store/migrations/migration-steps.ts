// The parts of a migration that PostgreSQL applies one after the other, so that no lock lasts long
// while gateways of the previous version take payments.

/** Applied in one transaction, unless it is an index of a table that may be large. */
export interface MigrationPart {
  statements: readonly string[];
  /** A query: the statements run only if it finds a row. */
  onlyIf?: string;
  /** An index to build while other connections write, instead of the statements. */
  index?: { name: string; table: string; /** What follows the table. */ rest: string };
}

export function statementsOf(text: string): string[] {
  return text
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/**
 * A statement that locks a table of the previous version is a separate part: a transaction with two
 * such locks could deadlock with payments. Statements that change rows or create tables stay
 * together.
 */
export function partsOf(text: string): MigrationPart[] {
  const statements = statementsOf(text);
  const made = new Set(statements.flatMap((one) => /^create table (\w+)/.exec(one)?.[1] ?? []));
  const parts: MigrationPart[] = [];
  let together: string[] = [];
  const endTogether = () => {
    if (together.length > 0) parts.push({ statements: together });
    together = [];
  };
  for (const statement of statements) {
    const alone = partsAlone(statement, made);
    if (alone.length === 0) together.push(statement);
    else {
      endTogether();
      parts.push(...alone);
    }
  }
  endTogether();
  return parts;
}

/** Empty for a statement that may share a transaction. */
function partsAlone(statement: string, made: ReadonlySet<string>): MigrationPart[] {
  const [all = '', name = '', table = ''] = /^create index (\w+) on (\w+)/.exec(statement) ?? [];
  if (name !== '' && !made.has(table)) {
    return [{ statements: [], index: { name, table, rest: statement.slice(all.length) } }];
  }
  const altered = /^alter table (\w+) add column (\w+)/.exec(statement);
  if (altered) return uncheckedRows(statement, altered[1] ?? '', altered[2] ?? '');
  const locks = /^(?:create unique index|drop index) /.test(statement);
  return locks ? [{ statements: [statement] }] : [];
}

/**
 * The check applies only to rows written from now on, because reading all rows would block
 * payments.
 */
function uncheckedRows(statement: string, table: string, column: string): MigrationPart[] {
  const at = statement.indexOf('check (');
  if (at < 0) return [{ statements: [statement] }];
  const [added, check] = [statement.slice(0, at).trimEnd(), statement.slice(at + 'check '.length)];
  const name = `${table}_${column}`;
  const checked = `alter table ${table} add constraint ${name} check ${check} not valid`;
  return [{ statements: [added] }, { statements: [checked] }];
}
