// The command menu and the keys: any page, name, id or action in a few letters, rows without a mouse,
// and no key is taken from a person who types.
import { expect } from 'bun:test';
import type { Account } from '@trivium/contract';
import type { Page } from 'playwright-core';
import { joinAs } from './fixture.ts';
import type { Fixture } from './fixture.ts';
import type { Operator } from './operator-api.ts';
import { browserTest as test, phone } from './visit.ts';

type Other = Account & { request_id: string };

export function commandTests(fixture: Fixture, program: () => Operator, other: () => Other): void {
  menuTest(fixture, other);
  memberTest(fixture, program, other);
  keysTest(fixture);
  touchTest(fixture);
}

const combobox = (page: Page) => page.getByRole('combobox', { name: 'Search and commands' });
const chosen = (page: Page) =>
  page.getByRole('listbox', { name: 'Results' }).getByRole('option', { selected: true });

const closed = (page: Page) => page.locator('dialog.commands').waitFor({ state: 'detached' });

async function find(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await combobox(page).waitFor();
  await page.keyboard.type(text);
}

/** Types into the command menu, and runs what has this text. */
async function command(page: Page, text: string, name = text): Promise<void> {
  await find(page, text);
  await chosen(page).getByText(name, { exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await closed(page);
}

function menuTest({ gateway, operator }: Fixture, other: () => Other): void {
  test('an operator reaches pages, names, ids of every account and actions with the keyboard alone', async () => {
    await using ada = await operator();
    const { page } = ada;
    await page.goto(gateway().url);
    const overview = page.getByRole('link', { name: 'Overview' });
    await overview.focus();
    await find(page, 're');
    const described = await combobox(page).getAttribute('aria-activedescendant');
    expect(await chosen(page).getAttribute('id')).toBe(described);
    await chosen(page).getByText('Requests', { exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await chosen(page).getByText('Requests', { exact: true }).waitFor({ state: 'detached' });
    expect(await chosen(page).count()).toBe(1);
    await page.keyboard.press('ArrowUp');
    await chosen(page).getByText('Requests', { exact: true }).waitFor();
    expect(await ada.inspect('both')).toEqual([]);
    await page.keyboard.press('Escape');
    await closed(page);
    expect(await overview.evaluate((link) => link === document.activeElement)).toBe(true);

    await command(page, 'scorec', 'Scorecard');
    await page.getByRole('heading', { name: 'Scorecard' }).waitFor();
    await command(page, 'far away');
    await page
      .getByLabel('Account', { exact: true })
      .getByText('Elsewhere')
      .waitFor({ state: 'attached' });
    await page.locator('tr[aria-current=true]').getByText('far away').waitFor();
    await command(page, 'default', 'Default');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await command(page, other().request_id, 'wind');
    expect(new URL(page.url()).searchParams.get('account')).toBe(other().id);
    const panel = page.getByRole('complementary', { name: 'Request' });
    await panel.getByText('Served', { exact: true }).waitFor();
    await find(page, 'req_0000000000000000000000000000000f');
    await page.getByText('Nothing found.').waitFor();
    expect(await ada.inspect()).toEqual([]);
    await page.keyboard.press('Escape');
    await closed(page);
    await command(page, 'ada@exam', 'Ada Lovelace');
    await page.getByRole('heading', { name: 'People and accounts' }).waitFor();

    // By its element, because one that is closing has no role any more.
    const dialog = page.locator('dialog');
    for (const [text, title] of [
      ['Create a key', 'Create a key'],
      ['Top up this account', 'Top up'],
      ['Invite a person', 'Invite a person'],
      ['Set a budget', 'Set a budget'],
      ['Keyboard shortcuts', 'Keyboard shortcuts'],
    ] as const) {
      await command(page, text);
      await dialog.getByRole('heading', { name: title }).waitFor();
      expect(new URL(page.url()).searchParams.has('open')).toBe(false);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    await command(page, 'dark', 'Theme: dark');
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    await command(page, 'system', 'Theme: as the system');
    expect(ada.complaints).toEqual([]);
  });
}

function memberTest(fixture: Fixture, program: () => Operator, other: () => Other): void {
  const { gateway } = fixture;
  test('a viewer finds only what is theirs, is offered no change, and signs out', async () => {
    const invited = { role: 'viewer', account_id: 'acct_default' } as const;
    await using vic = await joinAs(fixture, program().call, invited, 'vic@example.org');
    const { page } = vic;
    const found = await gateway().post('/v1/search', { query: 'tides', provider: 'engine_a' });
    const hidden = ['create', 'top up', 'invite', 'playground', 'settings', 'people'];
    for (const text of [...hidden, other().request_id, other().id, 'far away', 'ada@example.org']) {
      await find(page, text);
      await page.getByText('Nothing found.').waitFor();
      await page.keyboard.press('Escape');
      await closed(page);
    }
    await command(page, found.headers.get('x-request-id') ?? '', 'tides');
    await page.getByRole('complementary', { name: 'Request' }).getByText('tides').waitFor();
    await page.goto(`${gateway().url}/keys?open=create`);
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    await vic.settled();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await command(page, 'Sign out');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    // Calls that were in progress when the session ended are refused.
    expect(vic.complaints.filter((line) => !line.includes('401'))).toEqual([]);
  });
}

function keysTest({ gateway, operator }: Fixture): void {
  test('keys reach the search and every row, and are text while a person types', async () => {
    for (const query of ['first', 'second', 'third']) {
      await gateway().post('/v1/search', { query, provider: 'engine_a' });
    }
    await using seen = await operator();
    const { page } = seen;
    await page.goto(`${gateway().url}/requests`);
    await page.getByRole('row', { name: 'first' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('/jk?');
    const search = page.getByLabel('Search requests');
    expect(await search.inputValue()).toBe('/jk?');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await search.fill('');
    await search.blur();
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    for (const [key, words] of ['jthird', 'jsecond', 'jfirst', 'ksecond'].map((one) => [
      one.slice(0, 1),
      one.slice(1),
    ])) {
      await page.keyboard.press(key ?? '');
      expect(await focused()).toContain(words ?? '');
    }
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: 'Request' });
    await panel.getByText('second').first().waitFor();
    // The panel has the focus, and its own steps.
    await page.keyboard.press('j');
    await panel.getByText('first').first().waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(await focused()).toContain('second');
    await page.keyboard.press('?');
    await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Control+k');
    expect(await combobox(page).count()).toBe(0);
    expect(await seen.inspect('both')).toEqual([]);
    await page.keyboard.press('Escape');
    // A row without a detail: its first link.
    await page.goto(`${gateway().url}/billing`);
    await page.getByRole('row', { name: 'third' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await panel.getByText('third').first().waitFor();
    // A page without a search: the menu.
    await page.goto(`${gateway().url}/providers`);
    await page.getByRole('heading', { name: 'Providers' }).waitFor();
    await page.keyboard.press('/');
    await combobox(page).waitFor();
    expect(seen.complaints).toEqual([]);
  });
}

function touchTest({ gateway, operator }: Fixture): void {
  test('the menu is behind a button that names its keys, is loaded at its first use, and fits a phone', async () => {
    await using seen = await operator();
    const { page } = seen;
    const loaded: string[] = [];
    page.on('request', (request) => {
      if (/\/assets\/.*\.js$/.test(request.url())) loaded.push(request.url());
    });
    await page.goto(`${gateway().url}/jobs`);
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    await page.waitForLoadState('networkidle');
    const before = loaded.length;
    const button = page.getByRole('button', { name: 'Search and commands Ctrl K' });
    await button.click();
    await combobox(page).waitFor();
    expect(loaded.length).toBeGreaterThan(before);
    await page.getByRole('option', { name: 'Audit log' }).click();
    await page.getByRole('heading', { name: 'Audit log' }).waitFor();
    await page.setViewportSize(phone);
    await page.getByRole('button', { name: 'Search and commands' }).click();
    await combobox(page).fill('key');
    expect(await seen.overflow()).toBe(0);
    expect(await seen.inspect()).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await closed(page);
    expect(seen.complaints).toEqual([]);
  });
}
