// The nine extraction engines: a plain page, and which parameters each of them warns about.
import { test } from 'bun:test';
import { askExtract, differences } from '../asking.ts';
import type { Row } from '../asking.ts';
import { extractEngines, extractMounts } from '../engines.ts';
import type { ExtractEngine } from '../engines.ts';
import { sharedSandbox } from '../harness.ts';
import { expect, proves } from '../proves.ts';

const pair = sharedSandbox();
const url = 'https://gridlines.example/storage/solar-storage-guide';
const ask = (request: object) => askExtract(pair().gateway, { urls: [url], ...request });

test('every engine answers a plain extraction with the whole page and no warning', async () => {
  expect(extractEngines).toHaveLength(9);
  for (const provider of extractEngines) {
    const answer = await ask({ provider });
    proves(
      ['identifiers.extraction-prefix', 'money.ids.extract-suffix', 'extract-response.id'],
      () => expect(answer.id).toMatch(/^ext_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/),
    );
    proves(
      [
        'conventions.nine-engines-extract',
        'extract-response.provider',
        'errors.extract.200',
        'extract-response.failed-empty',
        'extract-response.warnings',
      ],
      () => expect(answer).toMatchObject({ provider, failed: [], warnings: [] }),
    );
    proves('extract-response.usage', () => expect(answer.usage.cost_usd).toBeGreaterThan(0));
    proves('extract-response.latency', () =>
      expect(Number.isInteger(answer.latency_ms) && answer.latency_ms >= 0).toBe(true),
    );
    const [page, ...others] = answer.results;
    proves(['extract-response.results', 'extract-result.url', 'extract-result.title'], () => {
      expect(others).toEqual([]);
      expect(page).toMatchObject({ url, title: expect.stringMatching(/^Solar energy storage/) });
    });
    proves('requests.format.default', () =>
      expect([provider, page?.content]).toEqual([
        provider,
        expect.stringMatching(/^# |^Title: |\n#+ /),
      ]),
    );
    proves(['extract-result.content', 'extract.content.full-text-default'], () =>
      expect(page?.content?.length).toBeGreaterThan(1000),
    );
    expect(page).not.toContainAnyKeys(['excerpts', 'summary', 'links', 'images', 'final_url']);
    const knows = (letters: string) => letters.includes(provider.slice(-1));
    proves('extract-result.published-date', () =>
      expect(page?.published_date).toBe(knows('abefhi') ? '2026-09-14' : undefined),
    );
    proves('extract-result.author', () =>
      expect(page?.author).toBe(knows('aefi') ? 'Ines Calloway' : undefined),
    );
  }
});

/** The requests that some engines cannot honour, and how these engines warn. */
const rows: readonly Row[] = [
  ['include_links', { include_links: true }, { param_ignored: 'bcefghij' }],
  ['include_images', { include_images: true }, { param_ignored: 'befghij' }],
  ['max_age_hours', { max_age_hours: 0 }, { param_ignored: 'bcefghij' }],
  ['max_age_hours', { max_age_hours: 24 }, { param_ignored: 'bcefghij' }],
  ['timeout_ms', { timeout_ms: 5000 }, { param_ignored: 'befghij' }],
  ['timeout_ms', { timeout_ms: 60_001 }, { param_ignored: 'befghij', param_approximated: 'c' }],
  [
    'content.excerpts',
    { content: { excerpts: {} } },
    { param_ignored: 'cegij', param_approximated: 'b' },
  ],
  // engine_b takes it as the objective of the whole extraction.
  ['query', { query: 'battery cost' }, { param_ignored: 'acefghij' }],
  ['content.summary', { content: { summary: true } }, { param_ignored: 'bcefgij' }],
  ['content.format', { content: { format: 'text' } }, { param_ignored: 'abfghij' }],
  ['content.format', { content: { format: 'markdown' } }, {}],
];

test.each(rows)(
  '%s, %j: exactly these engines warn, and refuse under strict',
  (param, changes, warned) =>
    proves(
      [
        'extract.include-links.elsewhere',
        'warnings.on-extract',
        'extract.strict.refuses',
        'extract.strict.default-false',
        'extract.include-images.elsewhere',
        'extract.max-age-hours.elsewhere',
        'extract.timeout.elsewhere',
        'extract.timeout.cap-engine-c',
        'extract.content.excerpts.without-query',
        'extract.query.alone',
        'extract-engines.summary-elsewhere',
        'extract.content.format.elsewhere',
        'requests.format.text-ignored',
        'extract-engines.engine-a',
        'extract-engines.engine-b',
        'extract-engines.engine-c',
        'extract-engines.engine-e',
        'extract-engines.engine-f',
        'extract-engines.engine-g',
        'extract-engines.engine-h',
        'extract-engines.engine-i',
        'extract-engines.engine-j',
      ],
      async () =>
        expect(
          await differences(pair().gateway, '/v1/extract', { urls: [url] }, [
            param,
            changes,
            warned,
          ]),
        ).toEqual([]),
    ),
);

test('an age and a time limit are sent to the engines that take them', async () => {
  const { sandbox } = pair();
  for (const [provider, changes, sent] of [
    ['engine_a', { max_age_hours: 0 }, { maxAgeHours: 0 }],
    ['engine_a', { timeout_ms: 5000 }, { livecrawlTimeout: 5000 }],
    ['engine_c', { timeout_ms: 5000 }, { timeout: 5 }],
    ['engine_c', { timeout_ms: 90_000 }, { timeout: 60 }],
  ] as const) {
    await ask({ provider, ...changes });
    const call = (await sandbox.calls(extractMounts[provider])).at(-1);
    proves(
      [
        'extract.max-age-hours.native-a',
        'extract.max-age-hours.zero-is-live',
        'extract.timeout.native',
        'extract.timeout.cap-engine-c',
      ],
      () => expect(call?.body).toMatchObject(sent),
    );
  }
});

test('links, images, a summary and plain text are returned by the engines that have them', async () => {
  const extras = { include_links: true, include_images: true };
  for (const provider of extractEngines) {
    const content = { summary: true, format: 'text', excerpts: {} };
    const [page] = (await ask({ provider, content, ...extras })).results;
    const has = (...engines: ExtractEngine[]) => engines.includes(provider);
    proves(
      [
        'extract-result.links',
        'extract.include-links.native-a',
        'extract-result.images',
        'extract.include-images.native',
        'extract-result.summary',
        'extract.content.format.native',
        'extract.content.excerpts.without-query',
      ],
      () =>
        expect({
          provider,
          links: (page?.links ?? []).length > 0,
          images: (page?.images ?? []).length > 0,
          summary: page?.summary !== undefined,
          excerpts: (page?.excerpts ?? []).length > 0,
          markdown: /^#+ /m.test(page?.content ?? ''),
        }).toEqual({
          provider,
          links: has('engine_a'),
          images: has('engine_a', 'engine_c'),
          summary: has('engine_a', 'engine_h'),
          excerpts: has('engine_a', 'engine_b', 'engine_f', 'engine_h'),
          markdown: !has('engine_c', 'engine_e'),
        }),
    );
  }
});
