// Keys in the browser: the first request, caps, rotation with an overlap, and lost responses.
import { expect } from 'bun:test';
import { runToEnd } from '../run-to-end.ts';
import type { Fixture } from './fixture.ts';
import { browserTest as test, phone, pressInMenu } from './visit.ts';

export function keyTests(fixture: Fixture): void {
  newKeyTest(fixture);
  policyTest(fixture);
  rotationTest(fixture);
}

function newKeyTest({ gateway, operator }: Fixture): void {
  test('a new key is shown with a request that works, until it was copied', async () => {
    await using ada = await operator();
    const { page } = ada;
    await page.goto(`${gateway().url}/keys`);
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name').fill('importer');
    await page.getByLabel('Daily cap in USD').fill('0.01');
    // The response of the first attempt is lost; the second one gets the same key.
    let attempts = 0;
    await page.route('**/keys', async (route) => {
      if (route.request().method() !== 'POST' || (attempts += 1) > 1) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('The gateway cannot be reached').waitFor();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const done = page.getByRole('button', { name: 'I have it' });
    await done.waitFor();
    expect(await done.isDisabled()).toBe(true);
    const request = (await page.getByLabel('A first request as curl').textContent()) ?? '';
    const { code, out } = await runToEnd(['bash', '-c', request], { env: withPath() });
    expect([code, out.includes('"results"')]).toEqual([0, true]);
    expect(await ada.inspect()).toEqual([]);
    await page.getByRole('button', { name: 'Copy the request' }).click();
    await done.click();
    const row = page.getByRole('row', { name: 'importer' });
    await row.getByRole('meter', { name: /^Today: [1-9]\d*% of the cap/ }).waitFor();
    expect(await row.getByText('of $0.01').count()).toBe(1);
    expect(await row.count()).toBe(1);
    // The lost response is the only thing that the console may report.
    expect(ada.complaints.filter((line) => !line.includes('ERR_FAILED'))).toEqual([]);
  });
}

function policyTest({ gateway, operator }: Fixture): void {
  test('a key and an account have a policy that the gateway applies', async () => {
    await using ada = await operator();
    const { page } = ada;
    await page.goto(`${gateway().url}/keys`);
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('extractor');
    await page.getByLabel('Extract', { exact: true }).check();
    await page.getByLabel('Requests per minute').fill('60');
    await page.getByText('Providers, domains and more').click();
    await page.getByLabel('No pages from these domains').fill('not a domain!');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.locator('.fault').first().waitFor();
    expect(await ada.inspect()).toEqual([]);
    await page.getByLabel('No pages from these domains').fill('blocked.example');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const key = (await page.locator('.secret').textContent()) ?? '';
    await page.getByRole('button', { name: 'Copy the key' }).click();
    await page.getByRole('button', { name: 'I have it' }).click();
    const row = page.getByRole('row', { name: 'extractor' });
    await row.getByText('only extract; 60 a minute; 1 domains blocked').waitFor();
    const withIt = { authorization: `Bearer ${key}` };
    const answer = await gateway().post('/v1/search', { query: 'wind' }, withIt);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    await page.getByRole('link', { name: 'People and accounts' }).click();
    await pressInMenu(page, /^Policy of/);
    await page.getByLabel('Requests at once').fill('500');
    expect(await ada.inspect()).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await pressInMenu(page, /^Policy of/);
    expect(await page.getByLabel('Requests at once').inputValue()).toBe('500');
    // The refused domain is the only thing that the console may report.
    expect(ada.complaints.filter((line) => !line.includes('400'))).toEqual([]);
  });
}

function rotationTest({ gateway, operator }: Fixture): void {
  const status = async (key: string) =>
    (await gateway().get('/v1/balance', { authorization: `Bearer ${key}` })).status;
  test('a key is rotated: both secrets work until the overlap ends, and a revoked key is hidden', async () => {
    await using ada = await operator();
    const { page } = ada;
    await page.goto(`${gateway().url}/keys`);
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name').fill('rotating');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const copyKey = async () => {
      const secret = (await page.locator('.secret').textContent()) ?? '';
      await page.getByRole('button', { name: 'Copy the key' }).click();
      await page.getByRole('button', { name: 'I have it' }).click();
      return secret;
    };
    const first = await copyKey();
    await pressInMenu(page, 'Rotate rotating');
    expect(await ada.inspect()).toEqual([]);
    await page.getByRole('button', { name: 'Rotate', exact: true }).click();
    await page.getByText('The previous secret works until').waitFor();
    const second = await copyKey();
    expect([await status(first), await status(second)]).toEqual([200, 200]);
    const row = page.getByRole('row', { name: 'rotating' });
    await row.getByText('Previous secret until').waitFor();
    expect(await ada.inspect()).toEqual([]);
    await pressInMenu(page, 'End the overlap rotating');
    expect(await ada.inspect()).toEqual([]);
    await page.locator('dialog').getByRole('button', { name: 'End the overlap' }).click();
    await row.getByText('Previous secret until').waitFor({ state: 'detached' });
    expect([await status(first), await status(second)]).toEqual([401, 200]);
    await pressInMenu(page, 'Revoke rotating');
    await page.getByRole('button', { name: 'Revoke this key' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await status(second)).toBe(401);
    expect(await page.getByLabel('Keys', { exact: true }).textContent()).not.toContain('rotating');
    await page.getByText(/^\d+ revoked keys?$/).click();
    expect(await page.getByLabel('Revoked keys').textContent()).toContain('rotating');
    // An open menu stays open when its row gets two lines.
    await page
      .getByRole('button', { name: /^Actions: / })
      .first()
      .click();
    const action = page.getByRole('button', { name: /^Edit / }).first();
    await action.waitFor();
    await page.setViewportSize(phone);
    await page.locator('.table-box.brief').first().waitFor();
    expect(await action.isVisible()).toBe(true);
    expect(await ada.overflow()).toBe(0);
    expect(ada.complaints).toEqual([]);
  });
}

function withPath() {
  return { PATH: process.env['PATH'], NO_PROXY: '127.0.0.1' };
}
