// The documentation in a real browser: search, tabs, copy buttons, theme, menu, accessibility.
import { afterAll, beforeAll, expect } from 'bun:test';
import type { Browser } from 'playwright-core';
import { browserTest, hasBrowser, launchChromium, visit } from '../browser/visit.ts';
import { sharedGateway } from '../harness.ts';

const gateway = sharedGateway();
const phone = { width: 390, height: 844 };
let browser: Browser | undefined;

beforeAll(async () => {
  if (hasBrowser) browser = await launchChromium();
});
afterAll(() => browser?.close());

browserTest(
  'a reader searches, chooses a language, copies, and keeps the choice on the next page',
  async () => {
    await using reader = await open();
    const { page } = reader;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${gateway().url}/docs`);
    await page.keyboard.press('/');
    await page.keyboard.type('idempotency key');
    const options = page.getByRole('option');
    await options.first().waitFor();
    expect(await reader.inspect()).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/idempotency(?:#.*)?$/);

    await page.goto(`${gateway().url}/docs/quickstart`);
    await page.getByRole('tab', { name: 'Python' }).first().click();
    const panels = page.getByRole('tabpanel');
    // The line that installs it, and the three tools.
    expect(await panels.allInnerTexts()).toEqual([
      expect.stringContaining('pip install'),
      ...Array.from({ length: 3 }, () => expect.stringContaining('trivium_client')),
    ]);
    // Examples have the address under which the reader reads them.
    expect(await page.locator('main').innerText()).toContain(`export TRIVIUM_URL=${gateway().url}`);
    const search = panels.nth(1);
    await search.hover();
    await search.getByRole('button', { name: 'Copy' }).click();
    await search.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toStartWith('from trivium_client import Trivium\n');
    expect(await reader.inspect()).toEqual([]);

    await page.reload();
    expect(await page.getByRole('tab', { selected: true }).allInnerTexts()).toEqual(
      Array.from({ length: 4 }, () => 'Python'),
    );
    await page.keyboard.press('Tab');
    await page.getByRole('tab', { selected: true }).first().press('ArrowRight');
    expect(await page.getByRole('tab', { selected: true }).first().innerText()).toBe('CLI');
    expect(reader.complaints).toEqual([]);
  },
);

browserTest(
  'a search for markup or nonsense shows it as text, and a console is copied without its prompt',
  async () => {
    await using reader = await open();
    const { page } = reader;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${gateway().url}/docs/quickstart`);
    for (const query of ['<img src=x onerror=alert(1)> zzz', '__proto__ zzz', '((( zzz']) {
      await page.getByRole('combobox').fill(query);
      await page.getByText(`Nothing found for “${query}”.`).waitFor();
    }
    await page.keyboard.press('Escape');
    const console = page.locator('figure', { hasText: 'export TRIVIUM_URL' });
    await console.hover();
    await console.getByRole('button').click();
    await console.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toStartWith('export ');
    expect(reader.complaints).toEqual([]);
  },
);

browserTest('the theme follows the system until a reader chooses one, and stays', async () => {
  await using reader = await open();
  const { page } = reader;
  await page.goto(`${gateway().url}/docs/fusion`);
  const paper = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const changed = async (from: string) => {
    await page.waitForFunction(
      (before) => getComputedStyle(document.documentElement).backgroundColor !== before,
      from,
    );
    return paper();
  };
  const light = await paper();
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await changed(light);
  await page.getByRole('button', { name: 'Auto theme' }).click();
  expect(await changed(dark)).toBe(light);
  await page.getByRole('button', { name: 'Light theme' }).click();
  await page.emulateMedia({ colorScheme: 'light' });
  await page.reload();
  expect(await paper()).toBe(dark);
  expect(reader.complaints).toEqual([]);
});

browserTest('every page is accessible and fits on a phone, where the menu opens', async () => {
  await using reader = await open();
  const { page } = reader;
  await page.setViewportSize(phone);
  await page.goto(`${gateway().url}/docs`);
  await page.getByRole('button', { name: 'Menu' }).click();
  const links = page.getByRole('navigation', { name: 'Documentation' }).getByRole('link');
  expect(await links.first().isVisible()).toBe(true);
  const addresses = await links.evaluateAll((all) =>
    all.map((one) => (one as HTMLAnchorElement).href),
  );
  expect(addresses.length).toBeGreaterThan(20);
  for (const address of addresses) {
    await page.goto(address);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - window.innerWidth,
    );
    expect([address, overflow]).toEqual([address, 0]);
  }
  for (const name of ['', '/operating']) {
    await page.goto(`${gateway().url}/docs${name}`);
    expect(await reader.inspect()).toEqual([]);
  }
  expect(reader.complaints).toEqual([]);
});

function open() {
  if (browser === undefined) throw new Error('The browser exists only while tests run.');
  return visit(browser);
}
