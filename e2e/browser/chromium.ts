// A Chromium to test with: one that is installed, or the one of an npm package, without root.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { projectRoot } from '../../scripts/command.ts';
import { sharedCache } from '../test-cache.ts';

export type Chromium = { program: string } | { missing: string };

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const advice =
  'install Chromium (Debian: sudo apt-get install chromium), or set TRIVIUM_CHROMIUM to a browser';

/** The browser connects only to the page under test. */
export const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // Pages live for seconds: optimising their code takes more processor time than it saves.
  '--js-flags=--no-opt --no-maglev --single-threaded-gc',
  // All pages share one process, which is started once.
  '--renderer-process-limit=1',
  // A name for this machine whose pages are not a secure context, as over plain http.
  '--host-resolver-rules=MAP gateway.test 127.0.0.1',
];

type Options = {
  /** The only browser to consider. */
  named?: string | undefined;
  installed?: readonly string[];
  cache?: string;
};

/** Finds a browser that starts on this machine, or says what to install. */
export async function findChromium(options: Options = {}): Promise<Chromium> {
  const { named = process.env['TRIVIUM_CHROMIUM'], installed = places } = options;
  if (named !== undefined) {
    return starts(named) ? { program: named } : { missing: `${named} does not start: ${advice}` };
  }
  const found = installed.find((path) => existsSync(path) && starts(path));
  if (found !== undefined) return { program: found };
  const unpacked = await unpackChromium(options.cache ?? sharedCache);
  return unpacked !== undefined && starts(unpacked) ? { program: unpacked } : { missing: advice };
}

function starts(program: string): boolean {
  try {
    const { exitCode } = Bun.spawnSync([program, '--no-sandbox', '--version'], {
      stdout: 'ignore',
      stderr: 'ignore',
      timeout: startLimitMs,
    });
    return exitCode === 0;
  } catch {
    return false;
  }
}

const startLimitMs = 20_000;

/** The package is a Chromium for Linux on x64. Two runs at once end with the same one. */
async function unpackChromium(cache: string): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const folder = join(cache, `chromium-${manifest.devDependencies['@sparticuz/chromium']}`);
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true });
    const draft = mkdtempSync(`${folder}.`);
    try {
      await unpackInto(draft);
      renameSync(draft, folder);
    } catch (error) {
      // Another run was faster, or there is no room.
      if (!existsSync(folder)) throw error;
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  }
  return join(folder, 'chromium');
}

/** The package unpacks into the folder for temporary files, where another user could replace it. */
async function unpackInto(folder: string): Promise<void> {
  const program = "await (await import('@sparticuz/chromium')).default.executablePath()";
  const child = Bun.spawn([process.execPath, '--no-install', '-e', program], {
    cwd: projectRoot,
    env: { ...process.env, TMPDIR: folder },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'inherit',
  });
  if ((await child.exited) !== 0) throw new Error('The packed Chromium could not be unpacked.');
}
