// Lost responses, sessions and files, and other time zones: no money, data or person is lost.
import { beforeAll, expect } from 'bun:test';
import type { Account, Key, KeyList, NewKey, TransferList } from '@trivium/contract';
import { dayIn, startOfDay } from '../../dashboard/src/zone.ts';
import { formTests } from './form-tests.ts';
import { ada, setUpOperator } from './operator-api.ts';
import type { Operator } from './operator-api.ts';
import { pageTests } from './page-tests.ts';
import { browserFixture, passwordsOnly } from './fixture.ts';
import { browserTest as test, hasBrowser, openPersonMenu, visit, pressInMenu } from './visit.ts';
import type { Visit } from './visit.ts';

const fixture = browserFixture({ ...passwordsOnly, TRIVIUM_DISABLED_PROVIDERS: 'engine_j' });
const { gateway, operator, anonymous } = fixture;
let program: Operator;
let account: Account;

beforeAll(async () => {
  if (!hasBrowser) return;
  program = await setUpOperator(gateway());
  await fixture.signedIn(program.cookies);
  const { accounts } = await program.call<{ accounts: Account[] }>('GET', '/admin/v1/accounts');
  account = accounts[0] as Account;
});

test('a page whose file cannot be fetched offers to reload, and does when the gateway is back', async () => {
  await using seen = await anonymous();
  const { page } = seen;
  await page.context().addCookies(program.cookies);
  await page.goto(gateway().url);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Jobs' }).click();
  await page.getByText('This page could not be loaded').waitFor();
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByText('The gateway cannot be reached. Check').waitFor();
  // The other pages still work.
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByRole('link', { name: 'Jobs' }).click();
  await page.context().setOffline(false);
  // It recovers without a click.
  await page.getByRole('heading', { name: 'Jobs' }).waitFor();
  const old = await gateway().get('/assets/jobs-0ld.js');
  expect([old.status, old.headers.get('cache-control')]).toEqual([404, 'no-store']);
  expect(old.text).toContain('reload the page');
});

const zone = 'Pacific/Auckland';

test('the expiry of a key does not change in another time zone than that of the gateway', async () => {
  const path = `/admin/v1/accounts/${account.id}/keys`;
  const given = { name: `in ${zone}`, expires_at: '2031-03-30T21:30:00.000Z' };
  const { id } = await program.call<NewKey>('POST', path, given);
  const expiry = async () => {
    const { keys } = await program.call<KeyList>('GET', path);
    return (keys.find((key) => key.id === id) as Key).expires_at;
  };
  await using seen = await anonymous({ timezoneId: zone });
  const { page } = seen;
  await page.context().addCookies(program.cookies);
  await page.goto(`${gateway().url}/keys`);
  const edit = async (day?: string) => {
    await pressInMenu(page, `Edit in ${zone}`);
    const field = page.getByLabel('Expires');
    const before = await field.inputValue();
    if (day !== undefined) await field.fill(day);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    return before;
  };
  expect(await edit()).toBe(dayIn(zone, given.expires_at));
  expect(await expiry()).toBe(given.expires_at);
  await edit('2031-10-26');
  for (const day of [await edit(), await edit()]) expect(day).toBe('2031-10-26');
  expect(await expiry()).toBe(startOfDay(zone, '2031-10-26'));
  expect(seen.complaints).toEqual([]);
});

test('a top-up whose response is lost is booked once, however often it is sent', async () => {
  await using seen = await operator();
  const { page } = seen;
  const booked = async () => {
    const path = `/admin/v1/transfers?account_id=${account.id}&kind=topup`;
    const { transfers } = await program.call<TransferList>('GET', path);
    return transfers.filter(({ reason }) => reason === 'paid once').length;
  };
  await page.goto(`${gateway().url}/billing`);
  await page.getByRole('button', { name: 'Top up' }).click();
  await page.getByLabel('Amount in USD').fill('7');
  await page.getByLabel('Reason').fill('paid once');
  await page.route('**/topups', async (route) => {
    await route.fetch();
    await route.abort();
  });
  const send = page.locator('dialog').getByRole('button', { name: 'Top up' });
  await send.click();
  await page.getByText('cannot be reached').waitFor();
  expect(await booked()).toBe(1);
  await page.unroute('**/topups');
  await page.getByLabel('Amount in USD').fill('8');
  await send.click();
  await page.getByText('An earlier attempt was recorded').waitFor();
  await page.getByLabel('Amount in USD').fill('7');
  await send.dblclick();
  await page.getByRole('row', { name: 'paid once' }).getByText('+$7.00').waitFor();
  expect(await booked()).toBe(1);

  const spent = async () => {
    const path = `/admin/v1/transfers?account_id=${account.id}&kind=settle&key_id=dashboard`;
    return (await program.call<TransferList>('GET', path)).transfers.length;
  };
  const before = await spent();
  await page.goto(`${gateway().url}/playground`);
  await page.getByLabel('query').fill('paid once');
  await page.route('**/v1/search', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.locator('form button[type=submit]').click();
  await page.getByRole('alert').waitFor();
  await page.unroute('**/v1/search');
  await page.locator('form button[type=submit]').click();
  await page.locator('.result').first().waitFor();
  expect(await spent()).toBe(before + 1);
});

test('after the session ends, signing in leads back to the same address, in every tab', async () => {
  const context = await fixture.newBrowser();
  await using one = await visit(context);
  await using another = await visit(context);
  const [{ page }, { page: other }] = [one, another];
  const signIn = async () => {
    await page.getByLabel('Email').fill(ada.email);
    await page.getByLabel('Password').fill(ada.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  await page.goto(`${gateway().url}/requests?tool=search`);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await signIn();
  await page.getByRole('heading', { name: 'Requests' }).waitFor();
  await other.goto(`${gateway().url}/billing?kind=topup`);
  await other.getByRole('heading', { name: 'Billing' }).waitFor();
  await other.getByRole('link', { name: 'Keys' }).click();
  await other.getByRole('heading', { name: 'Keys' }).waitFor();
  await other.getByRole('button', { name: 'Create a key' }).click();
  await other.getByLabel('Name', { exact: true }).fill('typed before the session ended');
  // Escape does not lose it.
  await other.keyboard.press('Escape');
  await other.getByRole('button', { name: 'Keep editing' }).click();
  await context.clearCookies();
  await page.getByText('Your session has ended').waitFor();
  await other.getByText('Your session has ended').waitFor();
  await page.getByLabel('Email').fill(ada.email);
  await page.getByLabel('Password').fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('The email address or the password is wrong.').waitFor();
  await signIn();
  await page.getByText('Your session has ended').waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Requests' }).waitFor();
  await other.getByText('Your session has ended').waitFor({ state: 'detached' });
  const typed = other.getByLabel('Name', { exact: true });
  expect(await typed.inputValue()).toBe('typed before the session ended');
  await other.keyboard.press('Escape');
  await other.getByRole('button', { name: 'Discard' }).click();
  await typed.waitFor({ state: 'detached' });
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/requests?tool=search');
  await other.getByRole('heading', { name: 'Keys' }).waitFor();
  expect(new URL(other.url()).pathname).toBe('/keys');
  await openPersonMenu(other);
  await other.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('over plain http a new key can be copied, and Escape does not discard it before', async () => {
  await using seen = await anonymous();
  const { page } = seen;
  const plain = gateway().url.replace('127.0.0.1', 'gateway.test');
  const cookies = program.cookies.map((cookie) => ({ ...cookie, domain: 'gateway.test' }));
  await page.context().addCookies(cookies);
  await page.goto(`${plain}/keys`);
  expect(await page.evaluate(() => window.isSecureContext)).toBe(false);
  const create = page.getByRole('button', { name: 'Create a key' });
  await create.click();
  await page.getByLabel('Name').fill('over plain http');
  await refuseCaps(seen);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const key = (await page.locator('.secret').textContent()) ?? '';
  // As in a browser that closes the page without asking it first.
  await page.evaluate(() => document.querySelector('dialog')?.close());
  await page.getByText('Copy it first').waitFor();
  for (let times = 0; times < 3; times += 1) {
    await page.keyboard.press('Escape');
    await page.getByText('Copy it first').waitFor();
    expect(await page.locator('.secret').textContent()).toBe(key);
  }
  await page.getByRole('button', { name: 'Copy the key' }).click();
  await page.getByText('Copied', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await create.click();
  await page.getByLabel('Name').focus();
  await page.keyboard.press('Control+V');
  expect(await page.getByLabel('Name').inputValue()).toBe(key);
});

/** Every cap that the gateway refuses is refused at its field. */
async function refuseCaps({ page }: Visit): Promise<void> {
  for (const [label, cap, words] of [
    ['Daily cap in USD', '0.0000001', 'at most six decimals'],
    ['Monthly cap in USD', '99999999', '1000000'],
  ] as const) {
    const field = page.getByLabel(label);
    await field.fill(cap);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const fault = page.locator('.field', { has: field }).locator('.fault');
    expect(await fault.textContent()).toContain(words);
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await field.fill('');
  }
}

test('a refusal of the gateway is not shown as a failure of a provider', async () => {
  const poor = await program.call<Account>('POST', '/admin/v1/accounts', { name: 'No money' });
  const made = await program.call<NewKey>('POST', `/admin/v1/accounts/${poor.id}/keys`, {
    name: 'poor',
  });
  const ask = { query: 'wind', provider: 'engine_b' };
  await using seen = await operator();
  const { page } = seen;
  await page.goto(`${gateway().url}/billing?account=${poor.id}`);
  await page.getByText('This account has never been funded.').waitFor();
  await page.getByRole('link', { name: 'Requests' }).click();
  await page.getByText('No requests yet').waitFor();
  await page.getByRole('link', { name: 'Try a search' }).waitFor();
  await page.goto(`${gateway().url}/requests?account=${poor.id}&q=nothing+like+this`);
  await page.getByText('No request matches these filters.').waitFor();
  await page.getByRole('button', { name: 'Show all requests' }).click();
  await page.getByText('No requests yet').waitFor();
  const answer = await gateway().post('/v1/search', ask, { authorization: `Bearer ${made.key}` });
  expect(answer.status).toBe(402);
  await page.goto(`${gateway().url}/requests`);
  await page.getByLabel('Account').selectOption(poor.id);
  await page.waitForURL(`${gateway().url}/requests?account=${poor.id}`);
  const row = page.getByRole('row', { name: '402' });
  await row.getByText('Refused 402').waitFor();
  await row.getByText('Not called').waitFor();
  await row.getByRole('button', { name: 'Open' }).click();
  await page.getByText('Refused by this gateway before a provider was called').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('link', { name: 'Playground' }).click();
  await page.getByLabel('query').fill('wind');
  await page.locator('form button[type=submit]').click();
  await page.getByText('Refused by this gateway.').waitFor();
  const response = page.getByRole('region', { name: 'Response' });
  expect(await response.textContent()).not.toContain('trivium topup');
  await response.getByRole('button', { name: 'Top up this account' }).click();
  await page.getByLabel('Amount in USD').fill('5');
  await page.getByLabel('Reason').fill('first payment');
  await page.getByRole('button', { name: 'Top up', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Balance: $5' }).waitFor();
  const { records } = await program.call<{ records: { id: string }[] }>(
    'GET',
    '/admin/v1/provider-records',
  );
  expect(records.map(({ id }) => id)).not.toContain('engine_b');
});

test('what is shown and what is filtered use one time zone, which is named and remembered', async () => {
  expect((await gateway().post('/v1/search', { query: 'wind' })).status).toBe(200);
  // The two are 25 hours apart, so their days always differ.
  const [early, late] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];
  await using seen = await anonymous({ timezoneId: 'Europe/Berlin' });
  const { page } = seen;
  await page.context().addCookies(program.cookies);
  await page.goto(`${gateway().url}/requests`);
  await page.getByText('Days and times in Europe/Berlin').waitFor();
  await openPersonMenu(page);
  await page.getByLabel('Time zone').selectOption(early);
  await page.getByText(`Days and times in ${early}`).waitFor();
  const today = dayIn(early, Date.now());
  await page.goto(`${gateway().url}/requests?from=${today}&to=${today}`);
  await page.getByRole('button', { name: /^Time: / }).click();
  expect(await page.getByLabel('From').inputValue()).toBe(`${today}T00:00`);
  await page.keyboard.press('Escape');
  const shown = await page.locator('tbody time').first().textContent();
  expect(shown).toContain(` ${Number(today.slice(8))}, `);
  await openPersonMenu(page);
  await page.getByLabel('Time zone').selectOption(late);
  await page.getByText('No request matches these filters.').waitFor();
  await page.reload();
  await page.getByText(`Days and times in ${late}`).waitFor();
  await page.getByText('No request matches these filters.').waitFor();
  expect(seen.complaints).toEqual([]);
});

formTests(fixture, () => program);
pageTests(fixture, () => program);
