// For an operator who is locked out: prints a link with which one person can choose a new password.
// It only reads the store, so the gateway can keep running.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeResetLinkFor } from '../../accounts/index.ts';
import {
  connectPostgres,
  findDataDir,
  openSqliteReadOnly,
  storeFileIn,
} from '../../store/opening.ts';
import type { Settings } from '../../settings/index.ts';
import { StartError } from '../../platform/start-error.ts';
import type { Database } from '../../store/index.ts';
import { storeThread } from '../store-thread-url.ts';

export async function resetPassword(settings: Settings, email: string, now: Date): Promise<string> {
  const { database, secret } = await openForReading(settings);
  try {
    const made = await makeResetLinkFor(database, secret, email.toLowerCase(), now.getTime());
    if (!made) throw new StartError(`No one with the address ${email} can sign in here.`);
    const { person, link } = made;
    const address = settings.public_url ?? `http://127.0.0.1:${settings.port}`;
    return (
      `${person.name} (${person.role}) chooses a new password at\n` +
      `  ${address}/reset#${link.token}\n` +
      `The link works once, until ${link.expires_at}, and signs the person out everywhere.\n`
    );
  } finally {
    await database.close();
  }
}

async function openForReading(settings: Settings): Promise<{ database: Database; secret: string }> {
  const { database_url, secret } = settings;
  if (database_url !== undefined) {
    if (secret === undefined)
      throw new StartError('Set TRIVIUM_SECRET to the same value as for the gateway.');
    return { database: await connectPostgres(database_url), secret };
  }
  const file = storeFileIn(findDataDir(settings));
  if (!existsSync(file)) {
    throw new StartError(`There is no store at ${file} yet. Check TRIVIUM_DATA_DIR.`);
  }
  const kept = () => readFileSync(join(dirname(file), 'secret'), 'utf8').trim();
  return { database: await openSqliteReadOnly(file, storeThread), secret: secret ?? kept() };
}
