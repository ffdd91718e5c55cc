// The dashboard's overview in a real browser: the time until its charts are drawn, also over a slow
// connection without anything in the browser's cache.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchChromium, visit } from '../../e2e/browser/visit.ts';
import { startGateway } from '../../e2e/harness.ts';
import { storeThread } from '../../server/src/app/store-thread-url.ts';
import { openSqlite } from '../../server/src/store/sqlite/sqlite.ts';
import { fillLog } from './fill.ts';

const accountId = 'acct_default';

declare global {
  interface Window {
    drawnMs?: number;
  }
}

interface Drawn {
  /** Milliseconds from the request to drawn charts, one for each round. */
  times: number[];
  /** The same over the slow connection, and the bytes that each round received. */
  slow: { times: number[]; bytes: number };
}

const slowRounds = 3;
const slowConnection = {
  offline: false,
  latency: 100,
  downloadThroughput: 400_000 / 8,
  uploadThroughput: 400_000 / 8,
};

export async function drawOverview(rows: number, rounds: number): Promise<Drawn> {
  await using gateway = await startGateway();
  const link = /set up +(\S+)/.exec(gateway.printed())?.[1] ?? '';
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
    const draw = async (times: number) => {
      const drawn: number[] = [];
      for (let round = 0; round < times; round += 1) {
        await page.goto(`${gateway.url}/?span=24h`);
        await page.waitForFunction(() => window.drawnMs !== undefined);
        drawn.push((await page.evaluate(() => window.drawnMs)) ?? Number.NaN);
      }
      return drawn;
    };
    const times = await draw(rounds);
    const received = await slowDown(page);
    const slow = await draw(slowRounds);
    return { times, slow: { times: slow, bytes: received() / slowRounds } };
  } finally {
    await browser.close();
  }
}

/** The function that it returns counts the bytes since then. */
async function slowDown(page: Page): Promise<() => number> {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('Network.enable');
  await protocol.send('Network.setCacheDisabled', { cacheDisabled: true });
  await protocol.send('Network.emulateNetworkConditions', slowConnection);
  let bytes = 0;
  protocol.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  return () => bytes;
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
