// The dashboard's first page in a real browser: how long until its charts are drawn.
import { join } from 'node:path';
import { launchChromium, visit } from '../../e2e/browser/visit.ts';
import { startGateway } from '../../e2e/harness.ts';
import { openSqlite } from '../../server/src/platform/sqlite.ts';
import { fillLog } from './fill.ts';

const account_id = 'acct_default';

declare global {
  interface Window {
    drawn_ms?: number;
  }
}

/** Milliseconds from asking for the page to drawn charts, one for each round after the first. */
export async function drawOverview(rows: number, rounds: number): Promise<number[]> {
  await using gateway = await startGateway();
  const link = /set up +(\S+)/.exec(gateway.output())?.[1] ?? '';
  await gateway.stop();
  const database = await openSqlite(join(gateway.data_dir, 'trivium.sqlite'));
  await fillLog(database, { account_id, rows });
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
    await page.locator('.uplot canvas').first().waitFor();
    await page.addInitScript(noteWhenDrawn);
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await page.goto(`${gateway.url}/?span=24h`);
      await page.waitForFunction(() => window.drawn_ms !== undefined);
      times.push((await page.evaluate(() => window.drawn_ms)) ?? Number.NaN);
    }
    return times;
  } finally {
    await browser.close();
  }
}

/** Runs in the page, whose clock starts when it is asked for. */
function noteWhenDrawn(): void {
  const watch = new MutationObserver(() => {
    if (document.querySelectorAll('.uplot canvas').length < 2) return;
    watch.disconnect();
    requestAnimationFrame(() => {
      window.drawn_ms = performance.now();
    });
  });
  watch.observe(document, { childList: true, subtree: true });
}
