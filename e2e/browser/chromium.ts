// A Chromium to test with: one that is installed, Debian's when we may install it, or a clear no.
import { existsSync } from 'node:fs';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const installLimitMs = 5 * 60_000;

/** Nothing of it talks to anybody but the page under test. */
export const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

export function findChromium(): string {
  const named = process.env['TRIVIUM_CHROMIUM'];
  const found = [named ?? '', ...places].find((path) => path !== '' && existsSync(path));
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) install();
  const installed = places.find((path) => existsSync(path));
  if (installed !== undefined) return installed;
  throw new Error(
    'The browser tests need Chromium, and there is none. Install it (Debian: `sudo apt-get ' +
      'install chromium`), or set TRIVIUM_CHROMIUM to the path of a Chromium or Chrome.',
  );
}

function install(): void {
  for (const words of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    Bun.spawnSync(['apt-get', '-q', ...words], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdout: 'ignore',
      stderr: 'inherit',
      timeout: installLimitMs,
    });
  }
}
