// The request log: found by id, text or tag, told in a panel beside the list, and exported.
import { expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { Account, NewInvite } from '@trivium/contract';
import type { Operator } from './operator-api.ts';
import { limitMs } from './fixture.ts';
import type { Fixture } from './fixture.ts';
import { browserTest as test } from './visit.ts';

const query = 'tidal range power, off the beaten track';

export function logTests(fixture: Fixture, program: () => Operator): void {
  detailTest(fixture);
  panelTest(fixture);
  memberTest(fixture, program);
}

function detailTest({ gateway, operator }: Fixture): void {
  test(
    'a request is found, shown in a panel, and exported with those like it',
    async () => {
      const id = await ask(gateway);
      await using seen = await operator();
      const { page } = seen;
      const panel = page.getByRole('complementary', { name: 'Request' });
      await page.goto(`${gateway().url}/requests`);
      const search = page.getByLabel('Search requests');
      await search.fill('OFF THE BEATEN');
      await search.press('Enter');
      const row = page.getByRole('row', { name: query });
      await row.getByText('1 warning').waitFor();
      expect(await page.locator('tbody tr').count()).toBe(1);
      await row.getByRole('button', { name: 'Open' }).focus();
      await page.keyboard.press('Enter');
      await panel.getByText(query).waitFor();
      await panel.getByRole('list', { name: 'Attempts' }).getByText('Answered').waitFor();
      await panel.getByText('safe_search').waitFor();
      await panel
        .getByText(/^\$[\d.]+, (as reported by the provider|by the price list)$/)
        .waitFor();
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Request');
      expect(await seen.inspect()).toEqual([]);
      await page.keyboard.press('Escape');
      await panel.waitFor({ state: 'detached' });
      const focused = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
      expect(focused).toMatch(/^Open req_/);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'CSV' }).click(),
      ]);
      const lines = readFileSync(await download.path(), 'utf8')
        .trim()
        .split('\n');
      expect(lines).toHaveLength(2);
      expect(lines[1]).toContain(query);
      await search.fill(id);
      await search.press('Enter');
      await row.waitFor();
      await search.fill('');
      expect(new URL(page.url()).search).toBe('');
      await search.fill('nothing was asked like this');
      await search.press('Enter');
      await page.getByText('No request matches these filters.').waitFor();
      expect(seen.complaints).toEqual([]);
    },
    limitMs,
  );
}

function panelTest({ gateway, operator }: Fixture): void {
  test(
    'the header stays in sight, another row replaces the panel, and Back closes it',
    async () => {
      const asked = await Promise.all(Array.from({ length: 20 }, () => ask(gateway)));
      expect(asked).toHaveLength(20);
      await using seen = await operator();
      const { page } = seen;
      const panel = page.getByRole('complementary', { name: 'Request' });
      await page.goto(`${gateway().url}/requests`);
      await page.locator('tbody tr').nth(15).waitFor();
      await page.mouse.move(600, 700);
      await page.mouse.wheel(0, 500);
      await page.waitForFunction(() => window.scrollY > 300);
      const header = await page.getByRole('columnheader', { name: 'Time' }).boundingBox();
      expect(header?.y).toBeGreaterThan(40);
      expect(header?.y).toBeLessThan(80);
      await page.locator('tbody tr').nth(12).locator('td').first().click();
      await panel.getByText(query).waitFor();
      const first = page.url();
      await page.locator('tbody tr').nth(13).locator('td').first().click();
      await page.waitForFunction((before) => location.href !== before, first);
      await page.goBack();
      await panel.waitFor({ state: 'detached' });
      expect(new URL(page.url()).search).toBe('');
      await page.goto(first);
      await panel.getByText(query).waitFor();
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await seen.inspect()).toEqual([]);
      await panel.getByRole('button', { name: 'Close' }).click();
      await panel.waitFor({ state: 'detached' });
      expect(seen.complaints).toEqual([]);
    },
    limitMs,
  );
}

function memberTest({ gateway, anonymous }: Fixture, program: () => Operator): void {
  test(
    'a member has the same pages of the own account',
    async () => {
      const { accounts } = await program().call<{ accounts: Account[] }>(
        'GET',
        '/admin/v1/accounts',
      );
      const body = { role: 'member', account_id: accounts[0]?.id };
      const { token } = await program().call<NewInvite>('POST', '/admin/v1/invites', body);
      await using bob = await anonymous({ viewport: { width: 1440, height: 900 } });
      const { page } = bob;
      await page.goto(`${gateway().url}/join#${token}`);
      await page.getByLabel('Name').fill('Bob');
      await page.getByLabel('Email').fill('bob@example.org');
      await page.getByLabel('Password').fill('correct horse battery');
      await page.getByRole('button', { name: 'Join' }).click();
      await page.getByRole('region', { name: 'Cost' }).waitFor();
      expect(await page.getByLabel('Account').count()).toBe(0);
      await page.getByRole('link', { name: 'Requests', exact: true }).click();
      await page.getByText('Live', { exact: true }).waitFor();
      await page.getByRole('row', { name: query }).first().click();
      await page.getByRole('complementary', { name: 'Request' }).getByText(query).waitFor();
      expect(bob.complaints).toEqual([]);
    },
    limitMs,
  );
}

/** The id of the answer. */
async function ask(gateway: Fixture['gateway']): Promise<string> {
  const body = { query, provider: 'engine_a', safe_search: 'strict' };
  const answer = await gateway().post('/v1/search', body);
  expect(answer.status).toBe(200);
  return (answer.body as { id: string }).id;
}
