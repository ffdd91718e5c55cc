// Checks every output line and every response of the suite for leaked credentials.

/** The values in an environment that must not appear anywhere else. */
export function secretsOf(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (name === 'DATABASE_URL') return passwordOf(value);
    if (!secretNames.test(name)) return [];
    return value.split(',').filter((part) => part.length >= leastChars);
  });
}

/** Throws when the text contains a secret; the error names the place, not the secret. */
export function refuseSecrets(text: string, secrets: readonly string[], place: string): void {
  const at = secrets.findIndex((secret) => text.includes(secret));
  if (at < 0) return;
  const around = text.replaceAll(secrets[at] ?? '', '[the secret]').slice(0, maxQuotedChars);
  throw new Error(`A credential leaked in ${place}:\n${around}`);
}

const secretNames = /(_API_KEY|_SECRET|_TOKEN|BOOTSTRAP_KEY)$/;
/** Shorter values may be in a text by chance. */
const leastChars = 12;
const maxQuotedChars = 2000;

function passwordOf(databaseUrl: string): string[] {
  const password = URL.parse(databaseUrl)?.password ?? '';
  return password.length >= leastChars ? [password] : [];
}
