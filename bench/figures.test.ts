// Figures: documents quote those of the last benchmarks and no others, and the load at a fixed rate
// counts a pause in full.
import { expect, test } from 'bun:test';
import { Glob } from 'bun';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pagesWithFigures, readResults, withoutFigures } from './figures.ts';
import { bareRequest } from './overhead/peers.ts';
import { runAtRate } from './overhead/rates.ts';
import { directName, levelTable, type Line } from './overhead/report.ts';

test('the figures in documents are those of the benchmark', () => {
  const results = readResults();
  for (const [page, text] of results ? pagesWithFigures(results) : []) {
    expect(readFileSync(join(import.meta.dir, '..', page), 'utf8'), page).toBe(text);
  }
});

/** Documents write measurements in these units, and limits in s, KiB, MiB and GiB. */
const measurement =
  /\d\s(?:ms|µs|us|kB|MB|GB)\b|about\s\d+\sMiB|\d\.\d+\stimes\b|\d\s(?:requests|searches)\s(?:per|a)\ssecond/g;
/** A section whose figures say when and how they were measured. */
const isDated = (section: string) =>
  /\b20\d\d-\d\d-\d\d\b/.test(section) &&
  /npm\s+run\s+(?:bench|build)|`bun --|bench\/\w+\.json/.test(section);
/**
 * Limits, assumptions and sizes of what is installed: these are not measurements of the gateway.
 */
const notMeasured = [
  'hostile texts of up to 1 MB',
  'the gateway uses 5 MB more memory',
  'It installs 1.5 GB of pinned packages',
  'with at most 4 MB on the wire, 8 MB decompressed',
  'the ledger lags up to 50 ms behind',
  'A shadow call starts 100 ms after the answer has been charged',
  'If vendors take 500 ms to answer, 2,000 searches a second means',
  'while `requests_rest` is larger than 64 MB',
  'except for about 4 MB that new rows will need',
  'booked within 50 ms',
  'is logged within 50 ms',
  'loses the rows of its last 50 ms',
  'the highest rate with a 99th percentile below 50 ms',
];

test('a figure in a document is generated, or says when and with which command it was measured', () => {
  const root = join(import.meta.dir, '..');
  const results = readResults();
  const pages = [
    '*.md',
    '{docs,maintainers,sdk,python,sandbox}/*.md',
    'deploy/**/*.{yaml,yml,service}',
  ]
    .flatMap((pattern) => [...new Glob(pattern).scanSync(root)])
    .filter((page) => page !== 'CHANGELOG.md');
  expect(pages.length).toBeGreaterThan(40);
  const seen = new Set<string>();
  const undated = pages.flatMap((page) => {
    const whole = results ? withoutFigures(page, results) : '';
    let text = whole.replaceAll(/\s+(?!#)/g, ' ');
    for (const known of notMeasured) {
      if (text.includes(known)) seen.add(known);
      text = text.replaceAll(known, '');
    }
    return text
      .split(/\s(?=#+ )/)
      .filter((section) => !isDated(section))
      .flatMap((section) => section.match(measurement) ?? [])
      .map((figure) => `${page}: ${figure}`);
  });
  expect(undated).toEqual([]);
  expect(notMeasured.filter((known) => !seen.has(known))).toEqual([]);
});

test('the table of money has each program at its level, with medians, or why it is missing', () => {
  const line = (name: string, connections: number, round: number, value: number): Line => ({
    ...{ name, connections, round, answers: 1, failures: 0, memoryMb: undefined, p99Ms: value },
    ...{ perSecond: value * 1000, p50_ms: value, cpuUs: value * 10 },
  });
  const lines = [1, 2, 3].flatMap((round) => [
    ...[line(directName, 1, round, 0.5), line(directName, 32, round, 0.5)],
    ...[line('Trivium, SQLite', 1, round, round), line('Trivium, SQLite', 32, round, 5 * round)],
  ]);
  const rows = levelTable({
    ...{ lines, missing: [{ name: 'GoModel', why: 'no Go' }], versions: { GoModel: '1.2' } },
  }).split('\n');
  expect(rows.find((row) => row.includes('SQLite |'))).toMatch(
    /^\| synced \| Trivium, SQLite \|.*\| 100 \| 1\.50 \| 10,000 \|$/,
  );
  expect(rows.find((row) => row.includes('GoModel'))).toMatch(
    /^\| counted \| GoModel 1\.2 \|.*\| not measured: no Go \| - \| - \|$/,
  );
});

test('a pause counts for every request that was due during it', async () => {
  const pauseMs = 400;
  let answered = 0;
  using server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => {
      answered += 1;
      // Nothing else runs in the meantime, as during a long garbage collection.
      if (answered === 10) Bun.sleepSync(pauseMs);
      return new Response('{}');
    },
  });
  const measured = await runAtRate({
    ...{ host: '127.0.0.1', port: Number(server.port), request: bareRequest() },
    ...{ perSecond: 100, seconds: 0.6, warmUpMs: 0 },
  });
  expect(measured.failures).toBe(0);
  // Forty of sixty requests were due during the pause, so the median is late as well, although the
  // server delayed only one.
  expect(measured.p50Ms).toBeGreaterThan(pauseMs / 10);
});
