// Every page at every width, in both themes, with difficult data and without any data: its
// layout is correct, and axe finds nothing at the ends of the range.
import { beforeAll, expect } from 'bun:test';
import { pagePaths } from '@trivium/dashboard';
import { freePort } from '../free-port.ts';
import { browserFixture, passwordsOnly } from './fixture.ts';
import { findLayoutFaults } from './layout-faults.ts';
import { fillGateway } from './lived-in.ts';
import type { LivedIn } from './lived-in.ts';
import { setUpOperator } from './operator-api.ts';
import { browserTest as test, hasBrowser } from './visit.ts';
import type { Visit } from './visit.ts';

const widths = [360, 720, 1024, 1280, 1440, 1920];
const inspected = [360, 1440];
const height = 900;
/** Pages without a session are forms, which other tests inspect. */
const forms: readonly string[] = ['/sign-in', '/join', '/reset', '/oauth/authorize'];
const paths = pagePaths.filter((path) => !forms.includes(path));

const fixture = browserFixture({ ...passwordsOnly, TRIVIUM_ALLOW_PRIVATE_WEBHOOKS: 'on' });
let filled: LivedIn;

beforeAll(async () => {
  if (!hasBrowser) return;
  const program = await setUpOperator(fixture.gateway());
  await fixture.signedIn(program.cookies);
  const closed = `http://127.0.0.1:${freePort()}`;
  filled = await fillGateway(fixture.gateway(), program, `${closed}/${'endpoint/'.repeat(8)}`);
});

test('no text is cut off, broken or printed over another at any width, in either theme', async () => {
  await using seen = await fixture.operator();
  const faults: string[] = [];
  const titles = new Set<string>();
  for (const path of paths) {
    const address = `${path}?account=${filled.full}`;
    titles.add(await open(seen, address));
    for (const width of widths) {
      const isInspected = inspected.includes(width);
      const themes = isInspected ? ['light', 'dark'] : ['light'];
      faults.push(...(await faultsAt(seen, address, width, themes)));
      if (isInspected) faults.push(...(await seen.inspect('both')));
    }
  }
  expect(titles.size).toBe(paths.length);
  expect(faults).toEqual([]);
  expect(seen.complaints).toEqual([]);
});

test('the layout is correct beside a detail, and without any data', async () => {
  await using seen = await fixture.operator();
  const faults: string[] = [];
  const addresses = [
    ...filled.details.map((path) => `${path}&account=${filled.full}`),
    ...paths.map((path) => `${path}?account=${filled.empty}`),
  ];
  for (const address of addresses) {
    await open(seen, address);
    for (const width of widths) {
      faults.push(...(await faultsAt(seen, address, width, ['light'])));
    }
  }
  expect(faults).toEqual([]);
  expect(seen.complaints).toEqual([]);
});

test('faults of a layout are found', async () => {
  await using seen = await fixture.anonymous();
  const { page } = seen;
  await page.setViewportSize({ width: 360, height });
  const found = async (body: string) => {
    await page.setContent(`<style>${style}</style><main>${body}</main>`);
    return page.evaluate(findLayoutFaults, 'light');
  };
  const style = '* { margin: 0 } .cut { width: 40px; overflow: hidden; white-space: nowrap }';
  expect(await found('<p>One line</p><p>Another line</p>')).toEqual([]);
  const over = '<p>One line</p><p style="margin-top: -16px">Another line</p>';
  expect(await found(over)).toEqual(['“One line” is over “Another line”']);
  expect(await found('<p class="cut">A long line of text</p>')).toEqual([
    'p.cut in “” cuts off “A long line of text”',
  ]);
  const marked =
    '<p class="cut" style="text-overflow: ellipsis" title="A long line">A long line</p>';
  expect(await found(marked)).toEqual([]);
  expect(await found('<p style="width: 500px">Wide</p>')).toEqual(['the page is 140 px too wide']);
  const narrow = '<td style="width: 20px; overflow-wrap: anywhere">Search ';
  expect(await found(`<table style="width: 20px">${narrow}${'x'.repeat(40)}</table>`)).toEqual([
    'a column breaks the word “Search”',
  ]);
});

async function faultsAt(
  { page }: Visit,
  address: string,
  width: number,
  themes: readonly string[],
): Promise<string[]> {
  await page.setViewportSize({ width, height });
  const faults: string[] = [];
  for (const theme of themes) {
    const found = await page.evaluate(findLayoutFaults, theme);
    faults.push(...found.map((fault) => `${address} at ${width} px, ${theme}: ${fault}`));
  }
  return faults;
}

/** Returns its title. */
async function open({ page, settled }: Visit, address: string): Promise<string> {
  if (page.url() === 'about:blank') await page.goto(fixture.gateway().url + address);
  // Within the app a page opens in a fraction of the time.
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, address);
  await page.locator('h1').waitFor();
  await settled();
  // Collapsed parts belong to the page, too.
  await page.evaluate(() => {
    for (const folded of document.querySelectorAll('details')) folded.open = true;
  });
  await settled();
  return (await page.locator('h1').textContent()) ?? '';
}
