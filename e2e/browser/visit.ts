// A person at a browser: what the page complained of is kept, what it looks like is kept too.
import { AxeBuilder } from '@axe-core/playwright';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { CHROMIUM_ARGUMENTS, findChromium } from './chromium.ts';

export interface Visit extends AsyncDisposable {
  page: Page;
  /** What was written to the console or thrown, each with the page it happened on. */
  complaints: string[];
  /** The barriers that axe finds on the page as it is now. */
  barriers: () => Promise<string[]>;
  /** Keeps a picture of the page, light and dark. */
  picture: (name: string) => Promise<void>;
}

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: CHROMIUM_ARGUMENTS });
}

export async function visit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: DESK, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_LIMIT_MS);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${page.url()}: ${message.text()}`);
  });
  return {
    page,
    complaints,
    barriers: async () => {
      const { violations } = await new AxeBuilder({ page }).analyze();
      return violations.map(({ id, nodes }) => {
        const places = nodes.map(({ html }) => html).slice(0, 3);
        return `${page.url()}: ${id}: ${places.join(' | ')}`;
      });
    },
    picture: async (name) => {
      mkdirSync(PICTURES, { recursive: true });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: join(PICTURES, `${name}-${colorScheme}.png`) });
      }
      await page.emulateMedia({ colorScheme: 'light' });
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}

const DESK = { width: 1360, height: 900 };
const WAIT_LIMIT_MS = 20_000;
const PICTURES = join(import.meta.dir, '..', '..', 'test-results', 'dashboard');
