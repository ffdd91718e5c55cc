// The pages as people use them for long: addresses, Back, long names, refusals, keyboards.
import { expect } from 'bun:test';
import type { Account, NewInvite } from '@trivium/contract';
import type { Operator } from './operator-api.ts';
import type { Fixture } from './fixture.ts';
import { browserTest as test, openPersonMenu, pressInMenu } from './visit.ts';

const submit = 'form button[type=submit]';

export function pageTests(fixture: Fixture, program: () => Operator): void {
  comingBackTest(fixture);
  refusalTest(fixture);
  strangePlacesTest(fixture, program);
}

function comingBackTest({ gateway, operator }: Fixture): void {
  test('Back closes a detail, text in rows can be selected, and the playground keeps its input', async () => {
    expect((await gateway().post('/v1/search', { query: 'wind' })).status).toBe(200);
    await using seen = await operator();
    const { page } = seen;
    const panel = page.locator('.panel');
    await page.goto(`${gateway().url}/playground`);
    await page.getByLabel('query').fill('kept while away');
    await page.getByRole('link', { name: 'Requests' }).click();
    const cell = page.locator('tbody td').first();
    // The filters are as wide as their options, and rows move with them.
    await page.waitForLoadState('networkidle');
    const { x, y, width, height } = (await cell.boundingBox()) ?? fail();
    await page.mouse.move(x + 20, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width - 20, y + height / 2);
    await page.mouse.up();
    expect(await page.evaluate(() => String(getSelection()).trim())).not.toBe('');
    expect(await panel.count()).toBe(0);
    await page.evaluate(() => getSelection()?.removeAllRanges());
    await cell.click();
    await panel.getByText('Served', { exact: true }).waitFor();
    await page.goBack();
    await panel.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/requests');
    await page.goForward();
    await panel.getByRole('button', { name: 'Close' }).click();
    await panel.waitFor({ state: 'detached' });
    await page.goBack();
    await page.getByRole('heading', { name: 'Playground' }).waitFor();
    expect(await page.getByLabel('query').inputValue()).toBe('kept while away');
    expect(seen.complaints).toEqual([]);
  });
}

function refusalTest({ gateway, operator }: Fixture): void {
  test('the playground offers only providers that can be called, and says which parameters to drop', async () => {
    await using seen = await operator();
    const { page } = seen;
    // The health of two engines as a gateway reports it after refusals.
    await page.route('**/v1/providers', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as Health;
      for (const { id, health } of body.providers) {
        if (id === 'engine_a' && health) health.circuit = 'open';
        if (id === 'engine_b' && health) health.credentials_refused = health.credentials;
      }
      await route.fulfill({ response, json: body });
    });
    await page.goto(`${gateway().url}/playground`);
    const auto = page.getByLabel('provider', { exact: true }).locator('option').first();
    expect(await auto.textContent()).toMatch(/^auto \(now (?!Exa\b)/);
    await page.getByRole('button', { name: 'Fusion' }).click();
    const chosen = page.locator('.chip:has(input:checked)');
    await chosen.first().waitFor();
    expect(await chosen.count()).toBe(4);
    expect(await page.getByLabel('You.com').isChecked()).toBe(false);
    await page.getByRole('button', { name: 'One engine' }).click();
    await page.getByLabel('provider', { exact: true }).selectOption('engine_a');
    await page.getByLabel('query').fill('wind');
    await page.getByText('More options').click();
    await page.getByLabel('safe_search').selectOption('strict');
    await page.getByLabel('strict', { exact: true }).selectOption('true');
    await page.locator(submit).click();
    const refusal = page.getByRole('alert');
    await refusal.getByText('Drop the listed parameters').waitFor();
    await refusal.locator('code', { hasText: 'safe_search' }).waitFor();
    await page.getByRole('link', { name: 'Providers' }).click();
    await page.getByText('Credential refused').waitFor();
    await page.getByText('Circuit open').waitFor();
    await page.getByRole('button', { name: 'Check Deepgram with one real call' }).click();
    await page
      .getByRole('row', { name: /^Deepgram/ })
      .getByText('works, ')
      .waitFor();
    await page.goto(`${gateway().url}/playground?tool=transcription`);
    await page.getByLabel('audio_url').fill('https://recordings.example/missing.wav');
    await page.locator(submit).click();
    await page.locator('.timeline .failed').waitFor();
    expect(await page.getByRole('alert').count()).toBe(1);
  });
}

function strangePlacesTest(
  { gateway, operator, anonymous }: Fixture,
  program: () => Operator,
): void {
  test('unknown addresses and pages of operators are explained, and Enter destroys nothing', async () => {
    await using seen = await operator();
    const { page } = seen;
    const response = await page.goto(`${gateway().url}/nowhere`);
    expect(response?.status()).toBe(404);
    expect(response?.headers()['content-security-policy']).toContain("script-src 'self'");
    await page.getByText('Page not found').waitFor();
    const asProgram = await gateway().get('/nowhere', { accept: 'application/json' });
    expect(asProgram.body).toHaveProperty('error.type', 'not_found');
    const ofApi = await gateway().get('/v1/nowhere', { accept: 'text/html' });
    expect(ofApi.body).toHaveProperty('error.type', 'not_found');
    const openapi = await fetch(`${gateway().url}/openapi.json`);
    expect(openapi.headers.get('content-encoding')).toBe('gzip');
    expect(await openapi.json()).toHaveProperty('openapi');

    await page.goto(`${gateway().url}/keys`);
    await pressInMenu(page, /^Revoke/);
    const focused = page.locator('dialog button:focus');
    expect(await focused.textContent()).toBe('Cancel');
    await page.keyboard.press('Enter');
    await page.locator('dialog').waitFor({ state: 'detached' });

    const { accounts } = await program().call<{ accounts: Account[] }>('GET', '/admin/v1/accounts');
    const body = { role: 'member', account_id: accounts[0]?.id };
    const { token } = await program().call<NewInvite>('POST', '/admin/v1/invites', body);
    await using bob = await anonymous();
    await bob.page.goto(`${gateway().url}/join#${token}`);
    await bob.page.getByLabel('Name').fill('Bob');
    await bob.page.getByLabel('Email').fill('bob@example.org');
    await bob.page.getByLabel('Password').fill('correct horse battery');
    await bob.page.getByRole('button', { name: 'Join' }).click();
    await bob.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await openPersonMenu(bob.page);
    await bob.page.getByRole('button', { name: 'Change password' }).click();
    await bob.page.getByLabel('Current password').fill('not the right one');
    await bob.page.getByLabel('New password').fill('another horse battery');
    await bob.page.getByRole('button', { name: 'Change it' }).click();
    await bob.page.getByText('The current password is wrong.').waitFor();
    expect(await bob.inspect()).toEqual([]);
    bob.complaints.length = 0;
    await bob.page.getByLabel('Current password').fill('correct horse battery');
    await bob.page.getByRole('button', { name: 'Change it' }).click();
    await bob.page.getByText('Your password has been changed').waitFor();
    await bob.page.getByRole('button', { name: 'Close' }).click();
    await openPersonMenu(bob.page);
    await bob.page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await bob.page.getByLabel('Email').fill('bob@example.org');
    await bob.page.getByLabel('Password').fill('another horse battery');
    await bob.page.getByRole('button', { name: 'Sign in' }).click();
    await bob.page.getByRole('button', { name: 'Sign in' }).waitFor({ state: 'detached' });
    await bob.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.goto(`${gateway().url}/join#${token}`);
    await page.getByText('This link does not work').waitFor();
    expect(await page.getByLabel('Password').count()).toBe(0);
    await bob.page.goto(`${gateway().url}/people`);
    await bob.page.getByText('For operators').waitFor();
    expect(await bob.page.getByRole('button', { name: 'Invite a person' }).count()).toBe(0);
    // Calls that were in progress when the session ended are refused.
    expect(bob.complaints.filter((line) => !line.includes('401'))).toEqual([]);
  });
}

function fail(): never {
  throw new Error('The cell has no place on the page.');
}

interface Health {
  providers: {
    id: string;
    health?: { circuit: string; credentials: number; credentials_refused: number };
  }[];
}
