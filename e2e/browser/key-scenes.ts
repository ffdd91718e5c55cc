// Keys in the browser: the first request, caps, rotation with an overlap, and lost responses.
import { expect } from 'bun:test';
import { runToEnd } from '../run-to-end.ts';
import { limitMs } from './stage.ts';
import type { Stage } from './stage.ts';
import { browserTest as test, phone } from './visit.ts';

export function keyScenes({ gateway, operator }: Stage): void {
  const status = async (key: string) =>
    (await gateway().get('/v1/balance', { authorization: `Bearer ${key}` })).status;

  test(
    'a new key comes with a request that works, and stays until it was copied',
    async () => {
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
      expect(await ada.inspect('key-with-request')).toEqual([]);
      await page.getByRole('button', { name: 'Copy the request' }).click();
      await done.click();
      await page.getByRole('row', { name: 'importer' }).getByText('of $0.01').waitFor();
      expect(await page.getByRole('row', { name: 'importer' }).count()).toBe(1);
      const used = page.getByRole('row', { name: 'importer' }).getByRole('meter');
      expect(await used.getAttribute('aria-label')).toMatch(/^Today: [1-9]\d* % of the cap/);
      // The lost response is the only thing that the console may report.
      expect(ada.complaints.filter((line) => !line.includes('ERR_FAILED'))).toEqual([]);
    },
    limitMs,
  );

  test(
    'a key is rotated: both secrets work until the overlap ends, and a revoked one is folded away',
    async () => {
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
      await page.getByRole('button', { name: 'Rotate rotating' }).click();
      expect(await ada.inspect('key-rotate')).toEqual([]);
      await page.getByRole('button', { name: 'Rotate', exact: true }).click();
      await page.getByText('The earlier secret works until').waitFor();
      const second = await copyKey();
      expect([await status(first), await status(second)]).toEqual([200, 200]);
      const row = page.getByRole('row', { name: 'rotating' });
      await row.getByText('Earlier secret until').waitFor();
      expect(await ada.inspect('keys-overlap')).toEqual([]);
      await page.getByRole('button', { name: 'End the overlap rotating' }).click();
      expect(await ada.inspect('key-end-overlap')).toEqual([]);
      await page.locator('dialog').getByRole('button', { name: 'End the overlap' }).click();
      await row.getByText('Earlier secret until').waitFor({ state: 'detached' });
      expect([await status(first), await status(second)]).toEqual([401, 200]);
      await page.getByRole('button', { name: 'Revoke rotating' }).click();
      await page.getByRole('button', { name: 'Revoke this key' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByText(/^\d+ revoked keys?$/).waitFor();
      expect(await page.getByLabel('Keys', { exact: true }).textContent()).not.toContain(
        'rotating',
      );
      await page.getByText(/^\d+ revoked keys?$/).click();
      expect(await page.getByLabel('Revoked keys').textContent()).toContain('rotating');
      await page.setViewportSize(phone);
      await ada.picture('keys-phone');
      expect(await ada.overflow()).toBe(0);
      expect(ada.complaints).toEqual([]);
    },
    limitMs,
  );
}

function withPath() {
  return { PATH: process.env['PATH'], NO_PROXY: '127.0.0.1' };
}
