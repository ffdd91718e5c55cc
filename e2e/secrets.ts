// Watches every line and every answer of the whole suite for credentials that must never come out.

/** The values in an environment that must not appear anywhere else. */
export function secretsOf(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (name === 'DATABASE_URL') return passwordOf(value);
    if (!secretNames.test(name)) return [];
    return value.split(',').filter((part) => part.length >= leastChars);
  });
}

/** Throws when a secret is in the text, naming the place and not the secret. */
export function refuseSecrets(text: string, secrets: readonly string[], place: string): void {
  const at = secrets.findIndex((secret) => text.includes(secret));
  if (at < 0) return;
  const around = text.replaceAll(secrets[at] ?? '', '[the secret]').slice(0, shownChars);
  throw new Error(`A credential came out in ${place}:\n${around}`);
}

const secretNames = /(_API_KEY|_SECRET|_TOKEN|BOOTSTRAP_KEY)$/;
/** Shorter values are words that a text may hold by chance. */
const leastChars = 12;
const shownChars = 2000;

function passwordOf(databaseUrl: string): string[] {
  const password = URL.parse(databaseUrl)?.password ?? '';
  return password.length >= leastChars ? [password] : [];
}
