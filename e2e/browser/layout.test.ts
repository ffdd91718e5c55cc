// Every page at every width, in both themes, with difficult data and without any data: its
// layout is correct, and axe finds nothing at the ends of the range.
import { beforeAll, expect } from 'bun:test';
import { pagePaths } from '@trivium/dashboard';
import { freePort } from '../free-port.ts';
import { browserFixture, passwordsOnly } from './fixture.ts';
import { findLayoutFaults } from './layout-faults.ts';
import { keyCount } from './crowd.ts';
import { fillGateway } from './lived-in.ts';
import type { LivedIn } from './lived-in.ts';
import { setUpOperator } from './operator-api.ts';
import { browserTest as test, hasBrowser } from './visit.ts';
import type { Visit } from './visit.ts';

const widths = [360, 414, 768, 1024, 1280, 1440, 1920];
const inspected = [360, 1440];
const height = 900;
/** How high a page may be, however much data it has. */
const mostHeight = 6500;
const mostOnPhone = 8000;
const mostOfRequests = 5000;
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
      const tall = await seen.page.evaluate(() => document.documentElement.scrollHeight);
      const most = path === '/requests' ? mostOfRequests : width < 768 ? mostOnPhone : mostHeight;
      if (tall > most) faults.push(`${address} at ${width} px is ${tall} px high`);
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

test('from 768 to 1024 pixels, tables have fewer columns and stay tables', async () => {
  await using seen = await fixture.operator();
  for (const path of ['/keys', '/billing', '/providers', '/scorecard']) {
    await open(seen, `${path}?account=${filled.full}`);
    const table = seen.page.locator('.table-box').first();
    const columns = table.locator('thead th');
    await seen.page.setViewportSize({ width: 1920, height });
    await table.locator('tbody tr').nth(1).waitFor();
    const all = await columns.count();
    for (const width of [768, 896, 1023, 1024]) {
      const faults = await faultsAt(seen, path, width, ['light']);
      expect([path, width, faults, await table.getAttribute('class')]).toEqual([
        ...[path, width, []],
        expect.stringContaining('wide'),
      ]);
      expect(await columns.count()).toBeWithin(4, width === 768 ? all : all + 1);
    }
  }
});

test('of a thousand keys, the one nearest to its cap is first, and each is found', async () => {
  await using seen = await fixture.operator();
  const { page } = seen;
  await open(seen, `/keys?account=${filled.full}`);
  const rows = page.getByRole('region', { name: 'Keys', exact: true }).locator('tbody tr');
  const count = page.getByText(/^1,00\d keys$/);
  await count.waitFor();
  expect(await rows.count()).toBe(50);
  await rows.first().getByRole('meter', { name: 'Today: 119% of the cap is used' }).waitFor();
  await rows.nth(1).getByRole('meter', { name: 'Today: 89% of the cap is used' }).waitFor();
  await page.getByRole('button', { name: 'Show more' }).click();
  expect(await rows.count()).toBe(100);
  await page.getByLabel('Sort by').selectOption('created');
  expect(new URL(page.url()).searchParams.get('sort')).toBe('created');
  await rows.first().getByText('Never').waitFor();
  const search = page.getByLabel('Search keys');
  await search.fill('KEY_CROWD777');
  await search.press('Enter');
  await page.getByText(/^1 key of 1,00\d$/).waitFor();
  expect(await rows.count()).toBe(1);
  await search.fill('no such key');
  await search.press('Enter');
  await page.getByText('No active key matches.').waitFor();
  expect(seen.complaints).toEqual([]);
});

test('the ledger, the usage and the scorecard are printed as tables, without the navigation', async () => {
  await using seen = await fixture.operator();
  const { page } = seen;
  for (const [path, name, columns] of printed) {
    await page.setViewportSize({ width: 360, height });
    await open(seen, `${path}?account=${filled.full}`);
    const table = page.getByRole('region', { name, exact: true });
    expect(await table.getAttribute('class')).not.toContain('wide');
    await page.emulateMedia({ media: 'print' });
    const faults = await faultsAt(seen, path, paperWidth, ['dark']);
    expect(faults).toEqual([]);
    expect(await table.getByRole('columnheader').allTextContents()).toEqual(columns.split(', '));
    const others = page.locator('nav, .side, .segments, .chart, input, button:not(.sort)');
    expect(await others.filter({ visible: true }).count()).toBe(0);
    expect(await page.locator('html').evaluate(colourScheme)).toBe('light');
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    const [, width, across] = /MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? [];
    expect(Number(width)).toBeGreaterThan(Number(across));
    await page.emulateMedia({ media: 'screen' });
  }
  // All rows are printed, not only the first fifty.
  await open(seen, `/usage?by=key&account=${filled.full}`);
  await page.emulateMedia({ media: 'print' });
  const rows = page.getByRole('region', { name: 'Usage', exact: true }).locator('tbody tr');
  await rows.nth(keyCount - 1).waitFor();
  expect(seen.complaints).toEqual([]);
});

test('at 400 kbit/s, what the charts of the overview need arrives within five seconds', async () => {
  await using seen = await fixture.operator();
  const { page } = seen;
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('Network.enable');
  await protocol.send('Network.setCacheDisabled', { cacheDisabled: true });
  let bytes = 0;
  protocol.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await page.goto(`${fixture.gateway().url}/?account=${filled.full}`);
  await page.locator('.plot').nth(1).waitFor();
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes / bytesPerS + roundTrips * roundTripS).toBeLessThan(5);
});

const bytesPerS = 400_000 / 8;
/** Connection, page, script, session, page of the overview, and data. */
const roundTrips = 6;
const roundTripS = 0.1;

/** A landscape page of A4 without its margins. */
const paperWidth = 1032;
const printed = [
  ['/billing', 'Ledger', 'Time, Kind, For, Amount, Balance, Key, Request'],
  ['/usage', 'Usage', 'team, Cost, Share, Previous range, Change, Requests, Refused, Failed'],
  [
    '/scorecard',
    'Scorecard',
    'Engine, Agreement, Feedback, Weeks, Last change, Price, Useful result, Latency, Failed',
  ],
] as const;

function colourScheme(element: Element): string {
  return getComputedStyle(element).colorScheme;
}

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
  const boxed = '<p class="cut" style="text-overflow: ellipsis" title="A"><b>A long line</b></p>';
  expect(await found(boxed)).toEqual([]);
  expect(await found(boxed.replace('<b>', '<b style="display: block">'))).toEqual([
    '“A long line” ends at an edge without an ellipsis',
  ]);
  const near = '<tr><td>One<td>Two';
  expect(await found(`<table style="border-spacing: 10px">${near}</table>`)).toEqual([]);
  expect(await found(`<table style="border-spacing: 0">${near}</table>`)).toEqual([
    '“One” stands against “Two”',
  ]);
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
