// The environment of the tests: settings and credentials of the developer must not affect them.

const settingNames = new Set(['PORT', 'HOST', 'DATABASE_URL', 'LOG_LEVEL']);
/** The browser to test with. */
const kept = 'TRIVIUM_CHROMIUM';
const settingPattern = /^(TRIVIUM|DEEPGRAM|ELEVENLABS)_|_(API_KEY|BASE_URL|API_URL)$/;

/** Removes every setting of the gateway, and adds the URL of the test database. */
export function testEnvironment(
  environment: Record<string, string | undefined>,
  databaseUrl: string | undefined,
): Record<string, string | undefined> {
  const others = Object.entries(environment).filter(
    ([name]) => name === kept || !(settingNames.has(name) || settingPattern.test(name)),
  );
  return { ...Object.fromEntries(others), TRIVIUM_TEST_DATABASE_URL: databaseUrl };
}
