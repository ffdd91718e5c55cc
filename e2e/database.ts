// Creates a separate PostgreSQL database for one scenario, with the newest schema unless it has to
// be empty.
import { randomBytes } from 'node:crypto';

export function serverAddress(): string {
  const url = process.env['TRIVIUM_TEST_DATABASE_URL'];
  if (url !== undefined) return url;
  throw new Error(
    'TRIVIUM_TEST_DATABASE_URL is not set. Run npm test, which starts a PostgreSQL, ' +
      'or name a server on which databases may be created.',
  );
}

export async function createDatabase(
  schema: 'empty' | 'migrated' = 'migrated',
): Promise<AsyncDisposable & { url: string }> {
  const name = `trivium_e2e_${randomBytes(8).toString('hex')}`;
  const server = new Bun.SQL(serverAddress(), { max: 1 });
  const template = process.env['TRIVIUM_TEST_DATABASE_SOURCE'];
  const source = schema === 'migrated' && template ? template : '';
  await server.unsafe(`create database ${name} ${source}`);
  const url = new URL(serverAddress());
  url.pathname = `/${name}`;
  return {
    url: url.href,
    [Symbol.asyncDispose]: async () => {
      await server.unsafe(`drop database ${name} with (force)`);
      await server.end();
    },
  };
}
