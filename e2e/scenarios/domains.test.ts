// Lists of domains: every form has its documented meaning on every engine,
import { test } from 'bun:test';
import { askSearch, warningCodes } from '../asking.ts';
import { searchEngines, searchMounts } from '../engines.ts';
import { sharedSandbox, startGateway } from '../harness.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';
import { expect, proves } from '../proves.ts';

const pair = sharedSandbox();
const query = 'solar energy storage';

/** Each form, and whether a page matches it, decided without code of the gateway. */
const forms: [entry: string, fits: (page: URL) => boolean][] = [
  ['gridlines.example', ({ hostname }) => `.${hostname}`.endsWith('.gridlines.example')],
  ['GRIDLINES.example', ({ hostname }) => `.${hostname}`.endsWith('.gridlines.example')],
  ['*.gridlines.example', ({ hostname }) => hostname.endsWith('.gridlines.example')],
  ['www.gridlines.example', ({ hostname }) => `.${hostname}`.endsWith('.www.gridlines.example')],
  [
    'gridlines.example/storage',
    ({ hostname, pathname }) =>
      `.${hostname}`.endsWith('.gridlines.example') && /^\/storage(\/|$)/.test(pathname),
  ],
  ['.example', ({ hostname }) => hostname.endsWith('.example')],
  ['.gov', ({ hostname }) => hostname.endsWith('.gov')],
  ['gridlines.example:8443', ({ port }) => port === '8443'],
];

test('every engine honours every form of a domain, or warns about the form', async () => {
  const { gateway, sandbox } = pair();
  for (const provider of searchEngines) {
    for (const [entry, fits] of forms) {
      const place = `${provider} ${entry}`;
      await sandbox.clearCalls();
      const inside = await askSearch(gateway, { query, provider, include_domains: [entry] });
      const [foreign, others] = [
        inside.results.filter(({ url }) => !fits(new URL(url))),
        warningCodes(inside).filter((line) => !line.startsWith('include_domains: ')),
      ];
      proves('requests.domains.as-written', () =>
        expect([place, foreign, others]).toEqual([place, [], []]),
      );
      const sent = JSON.stringify(await sandbox.calls(searchMounts[provider]));
      // Engines with wildcards receive a suffix as one.
      const exactly = ['', '*'].some((sign) => sent.includes(`"${sign}${entry.toLowerCase()}"`));
      proves('requests.domains.as-written', () =>
        expect([place, exactly || warningCodes(inside).length > 0]).toEqual([place, true]),
      );
      const outside = await askSearch(gateway, { query, provider, exclude_domains: [entry] });
      const leftOver = outside.results.filter(({ url }) => fits(new URL(url)));
      proves('requests.domains.as-written', () => expect([place, leftOver]).toEqual([place, []]));
    }
  }
});

test('an international name is sent as punycode and filters either spelling', async () => {
  const pages = ['https://münchen.example/1', 'https://xn--mnchen-3ya.example/2'];
  const all = [...pages, 'https://munchen.example/3'];
  await using upstream = startUpstream(() =>
    exaAnswer(all.map((url) => ({ id: url, url, title: url, highlights: ['a'] }))),
  );
  await using gateway = await startGateway({ env: upstream.env });
  for (const entry of ['München.example:81', 'xn--mnchen-3ya.example:81']) {
    const { results } = await askSearch(gateway, { query, include_domains: [entry] });
    proves('requests.domains.international', () => {
      expect(results).toEqual([]);
      expect(upstream.received.at(-1)?.body).toMatchObject({
        includeDomains: ['xn--mnchen-3ya.example'],
      });
    });
  }
  for (const entry of ['MÜNCHEN.example', 'xn--mnchen-3ya.example']) {
    // The engine does not support the second entry, so the gateway filters the results itself.
    const lists = { exclude_domains: [entry, 'other.example:81'] };
    const { results } = await askSearch(gateway, { query, ...lists });
    proves('requests.domains.international', () => {
      expect(results.map(({ url }) => url)).toEqual(['https://munchen.example/3']);
      expect(upstream.received.at(-1)?.body).toMatchObject({
        excludeDomains: ['xn--mnchen-3ya.example'],
      });
    });
  }
});
