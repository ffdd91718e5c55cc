// For an operator who is locked out: prints a link with which one person can choose a new password.
// It only reads the store, so the gateway can keep running.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeResetLinkFor } from '../../accounts/index.ts';
import { StartError } from '../../platform/start-error.ts';
import type { Settings } from '../../settings/index.ts';
import { openForReading } from './programs.ts';

export async function resetPassword(settings: Settings, email: string, now: Date): Promise<string> {
  const { database, dataDir } = await openForReading(settings);
  try {
    const secret = secretOf(settings, dataDir);
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

/** The gateway keeps its secret beside an embedded store unless the settings name one. */
function secretOf({ secret }: Settings, dataDir: string | undefined): string {
  if (secret !== undefined) return secret;
  if (dataDir !== undefined) return readFileSync(join(dataDir, 'secret'), 'utf8').trim();
  throw new StartError('Set TRIVIUM_SECRET to the same value as for the gateway.');
}
