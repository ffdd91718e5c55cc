// The environment of the tests: settings and credentials of the developer must not affect them.

const settingNames = new Set(['PORT', 'HOST', 'DATABASE_URL', 'LOG_LEVEL']);
const settingPattern = /^(TRIVIUM|DEEPGRAM|ELEVENLABS)_|_(API_KEY|BASE_URL|API_URL)$/;

/** Removes every setting of the gateway, and adds the URL of the test database. */
export function testEnvironment(
  environment: Record<string, string | undefined>,
  databaseUrl: string | undefined,
): Record<string, string | undefined> {
  const kept = Object.entries(environment).filter(
    ([name]) => !settingNames.has(name) && !settingPattern.test(name),
  );
  return { ...Object.fromEntries(kept), TRIVIUM_TEST_DATABASE_URL: databaseUrl };
}
