// The dashboard's overview in a real browser: the time until its charts are drawn.
import { join } from 'node:path';
import { launchChromium, visit } from '../../e2e/browser/visit.ts';
import { startGateway } from '../../e2e/harness.ts';
import { storeThread } from '../../server/src/app/store-thread-url.ts';
import { openSqlite } from '../../server/src/store/sqlite.ts';
import { fillLog } from './fill.ts';

const accountId = 'acct_default';

declare global {
  interface Window {
    drawnMs?: number;
  }
}

/** Milliseconds from the request to drawn charts, one for each round after the first. */
export async function drawOverview(rows: number, rounds: number): Promise<number[]> {
  await using gateway = await startGateway();
  const link = /set up +(\S+)/.exec(gateway.output())?.[1] ?? '';
  await gateway.stop();
  const database = await openSqlite(join(gateway.store_dir, 'trivium.sqlite'), storeThread);
  await fillLog(database, { account_id: accountId, rows });
  await database.close();
  await gateway.restart();
  const browser = await launchChromium();
  try {
    const { page } = await visit(browser);
    await page.goto(`${gateway.url}/join${new URL(link).hash}`);
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Email').fill('ada@example.org');
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Create the operator' }).click();
    await page.locator('.plot-bar').first().waitFor();
    await page.addInitScript(noteWhenDrawn);
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await page.goto(`${gateway.url}/?span=24h`);
      await page.waitForFunction(() => window.drawnMs !== undefined);
      times.push((await page.evaluate(() => window.drawnMs)) ?? Number.NaN);
    }
    return times;
  } finally {
    await browser.close();
  }
}

/** Runs in the page, whose clock starts with the request. */
function noteWhenDrawn(): void {
  const metrics = new MutationObserver(() => {
    if (document.querySelectorAll('.plot').length < 2) return;
    metrics.disconnect();
    requestAnimationFrame(() => {
      window.drawnMs = performance.now();
    });
  });
  metrics.observe(document, { childList: true, subtree: true });
}
