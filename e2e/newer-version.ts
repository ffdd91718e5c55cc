// Creates a gateway version that is one migration ahead: the current sources with one more
// migration that changes every table.
import { cp, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type NewerVersion = AsyncDisposable & {
  /** Give it to a gateway as its `program`. */
  program: string;
  /** The number of its last migration. */
  schema_version: number;
};

const root = join(import.meta.dir, '..');
const migrations = 'server/src/store/migrations';
const ahead = 9000;

export async function makeNewerVersion(): Promise<NewerVersion> {
  const home = await mkdtemp(join(tmpdir(), 'trivium-newer-'));
  const linked = await entriesBut('', 'server');
  for (const name of linked) await symlink(join(root, name), join(home, name));
  await cp(join(root, 'server/src'), join(home, 'server/src'), { recursive: true });
  for (const name of await entriesBut('server', 'src')) {
    await symlink(join(root, 'server', name), join(home, 'server', name));
  }
  await writeFile(join(home, migrations, `${ahead}-ahead.sql`), await additionToEveryTable());
  await addToList(home);
  return {
    program: join(home, 'server/src/main.ts'),
    schema_version: ahead,
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  };
}

async function entriesBut(folder: string, without: string): Promise<string[]> {
  const names = await readdir(join(root, folder));
  return names.filter((name) => name !== without && !name.startsWith('.git'));
}

/** What a version may do to a table while its predecessor still uses it: columns and indexes. */
async function additionToEveryTable(): Promise<string> {
  const statements = ['create table ahead (id bigint primary key)'];
  for (const table of await tableNames()) {
    statements.push(
      `alter table ${table} add column ahead_text text`,
      `alter table ${table} add column ahead_count bigint not null default 0`,
      `create index ${table}_ahead on ${table} (ahead_count)`,
    );
  }
  return statements.map((statement) => `${statement};\n`).join('');
}

async function tableNames(): Promise<string[]> {
  const files = (await readdir(join(root, migrations))).filter((name) => name.endsWith('.sql'));
  const texts = await Promise.all(
    files.map((name) => Bun.file(join(root, migrations, name)).text()),
  );
  const namesIn = (statement: RegExp) =>
    texts.flatMap((text) => [...text.matchAll(statement)].map(([, name = '']) => name));
  const dropped = namesIn(/drop table (\w+)/g);
  return namesIn(/create table (\w+)/g).filter((name) => !dropped.includes(name));
}

async function addToList(home: string): Promise<void> {
  const path = join(home, migrations, 'index.ts');
  const list = await Bun.file(path).text();
  const added = list.replace('\n];', `\n  { version: ${ahead}, text: ahead },\n];`);
  if (added === list) throw new Error('The list of migrations looks different: update this file.');
  const importing = `import ahead from './${ahead}-ahead.sql' with { type: 'text' };\n`;
  await writeFile(path, importing + added);
}
