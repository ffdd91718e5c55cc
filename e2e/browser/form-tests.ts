// A saved form closes when the page shows the new row, so it opens again with the saved value.
import { expect } from 'bun:test';
import type { Account, NewKey } from '@trivium/contract';
import type { Page } from 'playwright-core';
import type { Operator } from './operator-api.ts';
import type { Fixture } from './fixture.ts';
import { browserTest as test, pressInMenu } from './visit.ts';

interface Form {
  page: string;
  /** What the gateway answers when the rows are read again. */
  rows: (accountId: string) => string;
  open: string;
  /** The name of the button afterwards, where it names the row. */
  openAgain?: string;
  field: string;
  value: string;
  save: string;
}

const forms: readonly Form[] = [
  {
    page: '/keys',
    rows: (id) => `/admin/v1/accounts/${id}/keys`,
    open: 'Edit saved slowly',
    openAgain: 'Edit saved anew',
    field: 'Name',
    value: 'saved anew',
    save: 'Save',
  },
  {
    page: '/usage',
    rows: (id) => `/admin/v1/accounts/${id}/budgets`,
    open: 'Edit the budget of team=slow',
    field: 'Daily cap in USD',
    value: '4.5',
    save: 'Save',
  },
];

export function formTests({ gateway, operator }: Fixture, program: () => Operator): void {
  test('a form opens with what was saved, however slowly the list is loaded again', async () => {
    const { call } = program();
    const { id } = await call<Account>('POST', '/admin/v1/accounts', { name: 'Slow' });
    const path = `/admin/v1/accounts/${id}`;
    await call<NewKey>('POST', `${path}/keys`, { name: 'saved slowly' });
    await call('POST', `${path}/budgets`, { tag: 'team', value: 'slow', daily_cap_usd: 1 });
    await using seen = await operator();
    const { page } = seen;
    for (const form of forms) {
      const address = `${gateway().url}${form.page}?account=${id}`;
      if (page.url() !== address) await page.goto(address);
      const dialog = page.locator('dialog');
      const field = dialog.getByLabel(form.field, { exact: true });
      await page.locator('main h1').waitFor();
      await seen.settled();
      await unfold(page);
      await pressInMenu(page, form.open);
      await unfold(page);
      await field.fill(form.value);
      const asked = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      const rows = gateway().url + form.rows(id);
      await page.route(rows, async (route) => {
        if (route.request().method() === 'GET') {
          asked.resolve();
          await released.promise;
        }
        await route.continue();
      });
      await dialog.getByRole('button', { name: form.save, exact: true }).click();
      await asked.promise;
      expect([form.open, await dialog.count()]).toEqual([form.open, 1]);
      released.resolve();
      await dialog.waitFor({ state: 'detached' });
      await page.unroute(rows);
      await pressInMenu(page, form.openAgain ?? form.open);
      expect([form.open, await field.inputValue()]).toEqual([form.open, form.value]);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    expect(seen.complaints).toEqual([]);
  });
}

async function unfold(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const folded of document.querySelectorAll('details')) folded.open = true;
  });
}
