// Webhooks in a real browser: endpoints, their secrets and the log of deliveries, as operator and
// as member; and thresholds and budgets that act before the money is spent.
import { afterAll, expect } from 'bun:test';
import type { Account, WebhookSecret } from '@trivium/contract';
import { verifyWebhook } from '@trivium/sdk';
import { startReceiver } from '../webhook-receiver.ts';
import type { Operator } from './operator-api.ts';
import { joinAs } from './fixture.ts';
import type { Fixture } from './fixture.ts';
import { browserTest as test, phone, pressInMenu } from './visit.ts';

export function webhookTests(fixture: Fixture, operatorOf: () => Operator): void {
  const { gateway, operator } = fixture;
  const call: Operator['call'] = (...asked) => operatorOf().call(...asked);
  const join = (accountId: string, email: string) =>
    joinAs(fixture, call, { role: 'member', account_id: accountId }, email);
  const receiver = startReceiver();
  afterAll(() => receiver[Symbol.asyncDispose]());

  test('an endpoint is added, tested, sent to again, paused, changed, rotated and removed', async () => {
    await using ada = await operator();
    const { page } = ada;
    const url = `${receiver.url}/events`;
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await page.goto(`${gateway().url}/webhooks`);
    await page.getByText('No endpoints yet').waitFor();
    await page.getByRole('button', { name: 'Add an endpoint' }).first().click();
    await page.getByLabel('URL').fill('ftp://hooks.example/events');
    await press('Add');
    await page.locator('.fault').waitFor();
    expect(await ada.inspect()).toEqual([]);
    expect(ada.complaints.splice(0)).toHaveLength(1);
    await page.getByLabel('URL').fill(url);
    await page.getByLabel('Key created').uncheck();
    await press('Add');
    const secret = (await page.locator('.secret').textContent()) ?? '';
    expect(await ada.inspect()).toEqual([]);
    await press('Copy the secret');
    await press('I have it');
    const row = page.getByRole('region', { name: 'Endpoints' }).getByRole('row', { name: url });
    await row.getByText('Active').waitFor();
    expect(await row.textContent()).not.toContain('Key created');
    await pressInMenu(page, `Test ${url}`);
    const log = page.getByRole('region', { name: 'Deliveries' });
    await log.getByText('Delivered', { exact: true }).waitFor();
    const [sent] = await receiver.arrived('/events');
    const { payload } = await verifyWebhook({ secret, ...(sent ?? missing()) });
    expect(payload).toMatchObject({ type: 'webhook.test' });
    await log.getByRole('button', { name: /^Send again/ }).click();
    await page.getByText(/^dlv_\w+ is sent again\.$/).waitFor();
    const [, again] = await receiver.arrived('/events', 2);
    expect(again?.headers['webhook-id']).toBe(sent?.headers['webhook-id'] ?? '');
    await log.getByText('Delivered', { exact: true }).waitFor();
    await log.getByRole('button', { name: /^Open dlv_/ }).click();
    const panel = page.getByRole('complementary', { name: 'Delivery' });
    await panel.getByText('"webhook_id": "wh').waitFor();
    const attempts = panel.getByRole('list', { name: 'Attempts' }).getByRole('listitem');
    await attempts.first().getByText('200', { exact: true }).waitFor();
    expect(await attempts.count()).toBe(2);
    // The receiver is at a private address.
    await attempts.first().getByText('Answers from private networks are not read').waitFor();
    expect(await ada.inspect()).toEqual([]);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await pressInMenu(page, `Pause ${url}`);
    await row.getByText('Paused').waitFor();
    expect(await ada.inspect()).toEqual([]);
    await pressInMenu(page, `Resume ${url}`);
    await row.getByText('Active').waitFor();
    await pressInMenu(page, `Edit ${url}`);
    await page.getByLabel('Description').fill('Books');
    await press('Save');
    await row.getByText('Books').waitFor();
    receiver.answer('/events', 500);
    await pressInMenu(page, `Test ${url}`);
    await log.getByText('Retrying', { exact: true }).waitFor();
    await row.getByText('Unreliable').waitFor();
    await row.getByText('1 of the latest 2 not delivered').waitFor();
    await press('Add filter');
    await page.getByLabel('State').selectOption('Waiting or retrying');
    await page.keyboard.press('Escape');
    await log.getByRole('button', { name: /^Open dlv_/ }).click();
    await panel.getByText('Retrying', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await row.getByRole('button', { name: url, exact: true }).click();
    expect(new URL(page.url()).searchParams.get('webhook_id')).toStartWith('wh_');
    const isLog = (at: URL) => at.pathname === '/admin/v1/webhooks/deliveries';
    await page.route(isLog, async (route) => {
      const response = await route.fetch();
      const { deliveries, ...rest } = (await response.json()) as { deliveries: object[] };
      const failed = deliveries.map((one) => ({ ...one, state: 'failed' }));
      await route.fulfill({ response, json: { ...rest, deliveries: failed } });
    });
    await press('Clear filters');
    await press('Send the 2 failed ones again');
    await page.getByText('2 deliveries are sent again.').waitFor();
    await page.unroute(isLog);
    await pressInMenu(page, `Rotate ${url}`);
    expect(await ada.inspect()).toEqual([]);
    await press('Rotate');
    const renewed = page.getByRole('dialog', { name: 'The new secret of this endpoint' });
    await renewed.getByText('Deliveries are also signed with the previous secret until').waitFor();
    expect(await page.locator('.secret').textContent()).not.toBe(secret);
    await press('Copy the secret');
    await press('I have it');
    await row.getByText('Previous secret until').waitFor();
    await page.setViewportSize(phone);
    expect(await ada.overflow()).toBe(0);
    await pressInMenu(page, `Remove ${url}`);
    await press('Remove it');
    await page.getByText('No endpoints yet').waitFor();
    expect(ada.complaints).toEqual([]);
  });

  test('operators add endpoints of the gateway, and members see those of their account only', async () => {
    const own = await call<Account>('POST', '/admin/v1/accounts', { name: 'Own' });
    const other = await call<Account>('POST', '/admin/v1/accounts', { name: 'Other' });
    for (const { id, name } of [own, other]) {
      const body = { url: `${receiver.url}/${name}`, events: ['balance.low'] };
      await call('POST', `/admin/v1/webhooks?account_id=${id}`, body);
    }
    await using ada = await operator();
    const { page } = ada;
    await page.goto(`${gateway().url}/webhooks`);
    await page.getByRole('button', { name: 'This gateway' }).click();
    const endpoints = page.getByRole('region', { name: 'Endpoints' });
    await endpoints.getByText(`${receiver.url}/Other`).waitFor();
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    await page.getByLabel('URL').fill(`${receiver.url}/providers`);
    expect(await page.getByLabel('Low balance').count()).toBe(0);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Copy the secret' }).click();
    await page.getByRole('button', { name: 'I have it' }).click();
    const made = endpoints.getByRole('row', { name: `${receiver.url}/providers` });
    await made.getByText('Provider unhealthy, Provider recovered').waitFor();
    expect(await ada.inspect()).toEqual([]);

    await using bob = await join(own.id, 'bob.own@example.org');
    await bob.page.goto(`${gateway().url}/webhooks?of=gateway`);
    await bob.page.getByRole('button', { name: `${receiver.url}/Own`, exact: true }).waitFor();
    await bob.settled();
    expect(await bob.page.getByRole('region', { name: 'Endpoints' }).textContent()).not.toMatch(
      /Other|providers/,
    );
    expect(await bob.page.getByRole('button', { name: 'This gateway' }).count()).toBe(0);
    await bob.page.goto(`${gateway().url}/billing`);
    await bob.page.getByRole('button', { name: 'Export CSV' }).waitFor();
    expect(await bob.page.getByRole('button', { name: 'Low balance' }).count()).toBe(0);
    expect([...ada.complaints, ...bob.complaints]).toEqual([]);
  });

  test('the secret of the account is shown, copied and rotated, also by a member', async () => {
    const account = await call<Account>('POST', '/admin/v1/accounts', { name: 'Signing' });
    const path = `/admin/v1/accounts/${account.id}/webhook-secret`;
    const first = await call<WebhookSecret>('GET', path);
    await using ada = await operator();
    const { page } = ada;
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await page.goto(`${gateway().url}/webhooks?account=${account.id}`);
    const section = page.getByRole('region', { name: 'Account signing secret' });
    await section.waitFor();
    expect(await page.content()).not.toContain('whsec_');
    await press('Show the secret');
    await section.getByText(first.secret).waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await press('Copy the secret');
    await section.getByText('Copied to the clipboard').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first.secret);
    expect(await ada.inspect()).toEqual([]);
    await press('Rotate the secret');
    await page.getByLabel('How long the current secret keeps signing').selectOption('1');
    expect(await ada.inspect()).toEqual([]);
    await press('Rotate');
    await section.getByText('Deliveries are also signed with the previous secret until').waitFor();
    const second = await call<WebhookSecret>('GET', path);
    expect(second.secret).not.toBe(first.secret);
    expect(await section.locator('.secret').textContent()).toBe(second.secret);
    await press('Hide the secret');
    expect(await page.content()).not.toContain('whsec_');

    await using bob = await join(account.id, 'bob.signing@example.org');
    await bob.page.goto(`${gateway().url}/webhooks`);
    await bob.page.getByRole('button', { name: 'Rotate the secret' }).click();
    await bob.page.getByText('still signs. It ends with this rotation').waitFor();
    await bob.page.getByLabel('How long').selectOption('0');
    await bob.page.getByRole('button', { name: 'Rotate', exact: true }).click();
    await bob.page.locator('.secret').waitFor();
    const third = await call<WebhookSecret>('GET', path);
    expect(await bob.page.locator('.secret').textContent()).toBe(third.secret);
    expect(third.secret).not.toBe(second.secret);
    expect(await bob.page.getByText('signed with the previous secret').count()).toBe(0);
    await bob.page.setViewportSize(phone);
    expect(await bob.overflow()).toBe(0);
    await page.getByRole('button', { name: 'This gateway' }).click();
    await page.getByText('All endpoints.').waitFor();
    expect(await section.count()).toBe(0);
    expect([...ada.complaints, ...bob.complaints]).toEqual([]);
  });

  test('operators set when a balance is low, and the budget of a tag is set, changed and removed', async () => {
    const low = await call<Account>('POST', '/admin/v1/accounts', { name: 'Thresholds' });
    const opening = { amount_usd: 2, reason: 'opening' };
    await call('POST', `/admin/v1/accounts/${low.id}/topups`, opening);
    await using ada = await operator();
    const { page } = ada;
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await page.goto(`${gateway().url}/billing?account=${low.id}`);
    await press('Low balance');
    expect(await page.getByLabel('Threshold in USD').inputValue()).toBe('1');
    await page.getByLabel('Threshold in USD').fill('5000');
    expect(await ada.inspect()).toEqual([]);
    await press('Save');
    await page.getByText('is below the account’s threshold').waitFor();
    await page.getByRole('link', { name: 'Usage', exact: true }).click();
    await press('Set a budget');
    await page.getByLabel('Tag', { exact: true }).fill('team');
    await page.getByLabel('Value').fill('no spaces');
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await page.getByLabel('Daily cap in USD').fill('2.5');
    await press('Save');
    await page.locator('.fault').waitFor();
    expect(await ada.inspect()).toEqual([]);
    expect(ada.complaints.splice(0)).toHaveLength(1);
    await page.getByLabel('Value').fill('search');
    await press('Save');
    const row = page.getByLabel('Budgets').getByRole('row', { name: 'team=search' });
    await row.getByText('$0.00 of $2.50').waitFor();
    await pressInMenu(page, 'Edit the budget of team=search');
    await page.getByLabel('Monthly cap in USD').fill('40');
    await press('Save');
    await row.getByText('$0.00 of $40.00').waitFor();
    expect(await ada.inspect()).toEqual([]);
    await pressInMenu(page, 'Remove the budget of team=search');
    await press('Remove it');
    await page.getByText('No tag has a budget.').waitFor();
    expect(ada.complaints).toEqual([]);
  });
}

/** A new member of an account, in a browser of their own. */
function missing(): never {
  throw new Error('No delivery arrived.');
}
