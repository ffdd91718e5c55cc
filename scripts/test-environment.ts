// The environment tests run in: nobody's own settings and credentials may change their outcome.

const SETTING_NAMES = new Set(['PORT', 'HOST', 'DATABASE_URL', 'LOG_LEVEL']);
const SETTING_PATTERN = /^(TRIVIUM|DEEPGRAM|ELEVENLABS)_|_(API_KEY|BASE_URL|API_URL)$/;

/** Takes every setting of the gateway out, and puts the address of the test database in. */
export function testEnvironment(
  environment: Record<string, string | undefined>,
  databaseUrl: string | undefined,
): Record<string, string | undefined> {
  const kept = Object.entries(environment).filter(
    ([name]) => !SETTING_NAMES.has(name) && !SETTING_PATTERN.test(name),
  );
  return { ...Object.fromEntries(kept), TRIVIUM_TEST_DATABASE_URL: databaseUrl };
}
