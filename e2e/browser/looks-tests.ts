// The looks of the dashboard: typeface, theme, language, amounts, and pages on a phone.
import { expect } from 'bun:test';
import type { Operator } from './operator-api.ts';
import type { Fixture } from './fixture.ts';
import { browserTest as test, openPersonMenu } from './visit.ts';

const phone = { width: 390, height: 844 };
const dark = 'rgb(18, 19, 17)';
const light = 'rgb(249, 249, 247)';

export function looksTests(fixture: Fixture, program: () => Operator): void {
  themeTest(fixture, program);
  phoneTest(fixture);
}

function themeTest({ gateway, anonymous }: Fixture, program: () => Operator): void {
  test('the chosen theme is remembered, and applied before the first paint', async () => {
    await using seen = await anonymous();
    const { page } = seen;
    await page.context().addCookies(program().cookies);
    await page.goto(gateway().url);
    await openPersonMenu(page);
    expect(await seen.inspect()).toEqual([]);
    await page.getByRole('button', { name: 'Dark' }).click();
    await page.waitForFunction(hasBackground, dark);
    const policy = (await page.request.get(gateway().url)).headers()['content-security-policy'];
    expect(policy).toContain("font-src 'self'");
    // Without the app, only the code before the first paint runs.
    await page.route('**/assets/main-*.js', (route) => route.abort());
    await page.goto(`${gateway().url}/requests`);
    await page.waitForFunction(hasBackground, dark);
    await page.unroute('**/assets/main-*.js');
    seen.complaints.length = 0;
    await page.goto(`${gateway().url}/docs`);
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    expect(await page.evaluate(isTypefaceLoaded)).toBe(true);
    await page.goto(gateway().url);
    await openPersonMenu(page);
    await page.getByRole('button', { name: 'System' }).click();
    await page.waitForFunction(hasBackground, light);
    expect(await page.evaluate(isTypefaceLoaded)).toBe(true);
    expect(seen.complaints).toEqual([]);
  });
}

function phoneTest({ gateway, operator }: Fixture): void {
  test('a phone has a menu, and rows of two lines', async () => {
    const search = { query: 'wind', provider: 'engine_a' };
    expect((await gateway().post('/v1/search', search)).status).toBe(200);
    await using seen = await operator();
    const { page } = seen;
    await page.setViewportSize(phone);
    await page.goto(gateway().url);
    const requests = page.getByRole('link', { name: 'Requests' });
    expect(await requests.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).click();
    expect(await seen.inspect()).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await requests.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).click();
    await requests.click();
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
    expect(await requests.isVisible()).toBe(false);
    const row = page.getByRole('row').nth(1);
    await row.getByRole('cell', { name: 'Exa' }).waitFor();
    // What was asked and the outcome; below them the provider, the key, the cost and the age.
    expect(await row.evaluate(linesOf)).toEqual([2, 4]);
    const { width = 0 } = (await row.boundingBox()) ?? {};
    expect(width).toBeLessThanOrEqual(phone.width);
    expect(await seen.inspect()).toEqual([]);
    expect(seen.complaints).toEqual([]);
  });
}

/** The colours change a moment after the choice. */
function hasBackground(colour: string): boolean {
  return getComputedStyle(document.documentElement).backgroundColor === colour;
}

async function isTypefaceLoaded(): Promise<boolean> {
  await document.fonts.ready;
  return [...document.fonts].some(
    ({ family, status }) => family === 'Geist' && status === 'loaded',
  );
}

/** How many values are in each line of a row. */
function linesOf(row: Element): number[] {
  const lines: number[][] = [];
  for (const cell of row.querySelectorAll('[data-title]')) {
    const { top, bottom } = cell.getBoundingClientRect();
    const line = lines.find(([middle = 0]) => top < middle && middle < bottom);
    if (line) line.push(top);
    else lines.push([(top + bottom) / 2]);
  }
  return lines.map(({ length }) => length);
}
