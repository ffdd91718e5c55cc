// A person at a browser: what the page complained of is kept, what it looks like is kept too.
import { AxeBuilder } from '@axe-core/playwright';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { chromiumArguments, findChromium } from './chromium.ts';
import { testWhere } from '../leave-out.ts';

export interface Visit extends AsyncDisposable {
  page: Page;
  /** What was written to the console or thrown, each with the page it happened on. */
  complaints: string[];
  /** Returns when nothing on the page is still being loaded. */
  settled: () => Promise<void>;
  /** Keeps pictures of the page, light and dark; answers the barriers that axe finds in them. */
  inspect: (name: string) => Promise<string[]>;
  picture: (name: string) => Promise<void>;
  /** By how many pixels the page is wider than its window. */
  overflow: () => Promise<number>;
}

export const phone = { width: 390, height: 844 };

const found = await findChromium();
export const hasBrowser = 'program' in found;

/** A test that needs a browser. */
export const browserTest = testWhere('missing' in found ? found.missing : undefined);

export function launchChromium(): Promise<Browser> {
  if ('missing' in found) throw new Error(`There is no browser: ${found.missing}.`);
  return chromium.launch({
    executablePath: found.program,
    args: chromiumArguments,
    // The POSIX locale of a bare machine is none that JavaScript knows.
    env: { ...process.env, LANG: 'en_US.UTF-8', LC_ALL: 'en_US.UTF-8' },
  });
}

/** What the pages of one context share: cookies, and files that were fetched before. */
export function openContext(browser: Browser): Promise<BrowserContext> {
  return browser.newContext(manner);
}

/** In a context of its own, or in one that others use as well. */
export async function visit(
  from: Browser | BrowserContext,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const own = { ...manner, ...options };
  const page = 'newContext' in from ? await from.newPage(own) : await from.newPage();
  page.setDefaultTimeout(waitLimitMs);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${page.url()}: ${message.text()}`);
  });
  const picture = async (name: string) => {
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, `${name}.png`) });
  };
  return {
    page,
    complaints,
    picture,
    overflow: () =>
      page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      ),
    settled: async () => {
      await page.waitForFunction(() => document.querySelector('.loading') === null);
    },
    inspect: async (name) => {
      await picture(`${name}-light`);
      const barriers = await findBarriers(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      await picture(`${name}-dark`);
      // Colours are all that differs in the dark.
      const inTheDark = await findBarriers(page, ['color-contrast']);
      await page.emulateMedia({ colorScheme: 'light' });
      return [...barriers, ...inTheDark];
    },
    [Symbol.asyncDispose]: () => page.close(),
  };
}

/** Theme, time zone, password and signing out are in a menu. */
export async function openPersonMenu(page: Page): Promise<void> {
  if (await page.locator('#person-menu').isVisible()) return;
  await page.getByRole('button', { name: /^Your settings/ }).click();
}

async function findBarriers(page: Page, rules?: string[]): Promise<string[]> {
  // No frames and no foreign styles are there, so nothing has to be put together or fetched.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({
    resultTypes: ['violations'],
    preload: false,
    iframes: false,
    ...(rules ? { runOnly: { type: 'rule', values: rules } } : {}),
  });
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => {
    const places = nodes.map(({ html }) => html).slice(0, 3);
    return `${page.url()}: ${id}: ${places.join(' | ')}`;
  });
}

const manner = {
  viewport: { width: 1360, height: 900 },
  reducedMotion: 'reduce',
  colorScheme: 'light',
  locale: 'en-US',
} as const;
const waitLimitMs = 20_000;
const pictures = join(import.meta.dir, '..', '..', 'test-results', 'dashboard');
