// A new, empty database on a PostgreSQL server.
import { SQL } from 'bun';

/** Returns its address. */
export async function createDatabase(server: string, name: string): Promise<string> {
  const admin = new SQL(server, { max: 1 });
  await admin.unsafe(`create database ${name}`);
  await admin.close();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
