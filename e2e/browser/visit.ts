// A person at a browser; errors of the page are recorded.
import { chromium } from 'playwright-core';
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
} from 'playwright-core';
import { findBarriers } from './barriers.ts';
import type { Themes } from './barriers.ts';
import { chromiumArguments, findChromium } from './chromium.ts';
import { testWhere } from '../leave-out.ts';

export interface Visit extends AsyncDisposable {
  page: Page;
  /** What was written to the console or thrown, each with the page it happened on. */
  complaints: string[];
  /** Returns when nothing on the page is still being loaded. */
  settled: () => Promise<void>;
  /** The problems that axe finds: in the light theme, and of a dialog or a panel in both themes. */
  inspect: (themes?: Themes) => Promise<string[]>;
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
    // JavaScript does not know the POSIX locale of a bare machine.
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
  return {
    page,
    complaints,
    overflow: () =>
      page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      ),
    settled: async () => {
      await page.waitForFunction(() => document.querySelector('.loading') === null);
    },
    inspect: (themes = 'light') => findBarriers(page, themes),
    [Symbol.asyncDispose]: () => page.close(),
  };
}

/** Presses a button that can be in the menu of a row, which is closed until then. */
export async function pressInMenu(page: Page, name: string | RegExp): Promise<void> {
  const exact = typeof name === 'string';
  const button = page.getByRole('button', { name, exact, includeHidden: true }).first();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await pressOnce(page, button);
    } catch (error) {
      // A list that is reloaded renders its rows, and so their menus, again.
      if (attempt === menuAttempts) throw error;
    }
  }
}

const menuAttempts = 6;
const menuLimitMs = 10_000;

async function pressOnce(page: Page, button: Locator): Promise<void> {
  const timeout = menuLimitMs;
  await button.waitFor({ state: 'attached', timeout });
  const menu = button.locator('xpath=ancestor::*[@popover]');
  if ((await menu.count()) > 0 && !(await button.isVisible())) {
    const id = (await menu.getAttribute('id', { timeout })) ?? '';
    await page.locator(`[popovertarget="${id}"]`).first().click({ timeout });
  }
  await button.click({ timeout });
}

/** Theme, time zone, password and signing out are in a menu. */
export async function openPersonMenu(page: Page): Promise<void> {
  if (await page.locator('#person-menu').isVisible()) return;
  await page.getByRole('button', { name: /^Your settings/ }).click();
}

const manner = {
  viewport: { width: 1360, height: 900 },
  reducedMotion: 'reduce',
  colorScheme: 'light',
  locale: 'en-US',
} as const;
const waitLimitMs = 60_000;
