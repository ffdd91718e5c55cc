// Figures: documents quote those of the last benchmark, and its open loop counts a pause in full.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pagesWithFigures, readResults } from './figures.ts';
import { bareRequest } from './overhead/peers.ts';
import { runAtRate } from './overhead/rates.ts';

test('the figures in documents are those of the benchmark', () => {
  const results = readResults();
  for (const [page, text] of results ? pagesWithFigures(results) : []) {
    expect(readFileSync(join(import.meta.dir, '..', page), 'utf8'), page).toBe(text);
  }
});

test('a pause counts for every request that was due during it', async () => {
  const pauseMs = 400;
  let answered = 0;
  using server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => {
      answered += 1;
      // Nothing else runs meanwhile, as in a long collection of garbage.
      if (answered === 10) Bun.sleepSync(pauseMs);
      return new Response('{}');
    },
  });
  const measured = await runAtRate({
    ...{ host: '127.0.0.1', port: Number(server.port), request: bareRequest() },
    ...{ perSecond: 100, seconds: 0.6, warmUpMs: 0 },
  });
  expect(measured.failures).toBe(0);
  // Forty of sixty requests were due during it, though only one met it: the median is late as well.
  expect(measured.p50Ms).toBeGreaterThan(pauseMs / 10);
});
