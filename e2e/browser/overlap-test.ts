// The overlap of the engines on the page of the providers, after enough fusions to know it.
import { expect } from 'bun:test';
import { browserTest as test } from './visit.ts';
import { limitMs } from './fixture.ts';
import type { Fixture } from './fixture.ts';

const fusions = 20;

export function overlapTest({ gateway, operator }: Fixture): void {
  test(
    'the providers show how much members of a panel have in common, and are checked by a real call',
    async () => {
      await using ada = await operator();
      const { page } = ada;
      for (let search = 0; search < fusions; search += 1) {
        const request = { query: 'solar energy storage', provider: 'fusion' };
        expect((await gateway().post('/v1/search', request)).status).toBe(200);
      }
      await page.goto(`${gateway().url}/providers`);
      const rows = page.locator('table.overlap tbody tr');
      await rows.first().waitFor();
      expect(await rows.count()).toBe(4);
      const cells = await rows.first().locator('td').allTextContents();
      expect(cells[0]).toBe('–');
      for (const cell of cells.slice(1)) expect(cell).toMatch(/^\d+(\.\d)?\s?%$/);
      for (const name of ['Exa', 'AssemblyAI', 'Deepgram', 'ElevenLabs']) {
        await page.getByRole('button', { name: `Check ${name} with one real call` }).click();
        const row = page.getByRole('row', { name: new RegExp(`^${name}`) });
        await row.getByText('works, ').waitFor();
      }
      expect(await ada.inspect()).toEqual([]);
      expect(ada.complaints).toEqual([]);
    },
    limitMs,
  );
}
