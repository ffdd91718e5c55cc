// Lists of domains: every form means what it says on every engine, within bounds.
import { expect } from 'bun:test';
import { askSearch, told } from '../asking.ts';
import { search_engines, search_mounts } from '../engines.ts';
import { startGateway } from '../harness.ts';
import { findRefused, findUnrefused } from '../refusals.ts';
import { sharedSandbox } from '../shared-sandbox.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';
import { scenario } from '../verifies.ts';

const pair = sharedSandbox();
const query = 'solar energy storage';

/** Each form, and whether a page fits it, judged here without any code of the gateway. */
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

scenario(
  'every form of a domain is kept to by every engine, and whatever it cannot take is warned about',
  ['requests.domains.as-written'],
  async () => {
    const { gateway, sandbox } = pair();
    for (const provider of search_engines) {
      for (const [entry, fits] of forms) {
        const place = `${provider} ${entry}`;
        await sandbox.clearCalls();
        const inside = await askSearch(gateway, { query, provider, include_domains: [entry] });
        const [strangers, others] = [
          inside.results.filter(({ url }) => !fits(new URL(url))),
          told(inside).filter((line) => !line.startsWith('include_domains: ')),
        ];
        expect([place, strangers, others]).toEqual([place, [], []]);
        const sent = JSON.stringify(await sandbox.calls(search_mounts[provider]));
        // A suffix is a wildcard to an engine that has those.
        const exactly = ['', '*'].some((sign) => sent.includes(`"${sign}${entry.toLowerCase()}"`));
        expect([place, exactly || told(inside).length > 0]).toEqual([place, true]);
        const outside = await askSearch(gateway, { query, provider, exclude_domains: [entry] });
        const leftOver = outside.results.filter(({ url }) => fits(new URL(url)));
        expect([place, leftOver]).toEqual([place, []]);
      }
    }
  },
  300_000,
);

scenario(
  'an international name is sent as punycode and filters either spelling',
  ['requests.domains.international'],
  async () => {
    const pages = ['https://münchen.example/1', 'https://xn--mnchen-3ya.example/2'];
    const all = [...pages, 'https://munchen.example/3'];
    await using upstream = startUpstream(() =>
      exaAnswer(all.map((url) => ({ id: url, url, title: url, highlights: ['a'] }))),
    );
    await using gateway = await startGateway({ env: upstream.env });
    for (const entry of ['München.example:81', 'xn--mnchen-3ya.example:81']) {
      const { results } = await askSearch(gateway, { query, include_domains: [entry] });
      expect(results).toEqual([]);
      expect(upstream.received.at(-1)?.body).toMatchObject({
        includeDomains: ['xn--mnchen-3ya.example'],
      });
    }
    for (const entry of ['MÜNCHEN.example', 'xn--mnchen-3ya.example']) {
      // A second entry in a form the engine does not take has the results filtered here.
      const lists = { exclude_domains: [entry, 'other.example:81'] };
      const { results } = await askSearch(gateway, { query, ...lists });
      expect(results.map(({ url }) => url)).toEqual(['https://munchen.example/3']);
      expect(upstream.received.at(-1)?.body).toMatchObject({
        excludeDomains: ['xn--mnchen-3ya.example'],
      });
    }
  },
);

scenario(
  'what can be no host is a 400 with its path, and so is a list beyond its bounds',
  ['requests.domains.no-host', 'requests.domains.bounds'],
  async () => {
    const { gateway } = pair();
    const none = ['', ' ', 'a b.com', 'a.com?b', 'a.com#b', 'a.com\\b', 'a@b.com', '*', '[::1]'];
    const spoilt = ['include_domains', 'exclude_domains'].flatMap((param) => [
      ...none.map((entry) => [`${param}.1`, { [param]: ['a.com', entry] }] as const),
      [param, { [param]: Array<string>(1201).fill('a.com') }] as const,
      [`${param}.0`, { [param]: [`a.com/${'x'.repeat(1995)}`] }] as const,
      // Entries far beyond the bound are not even read.
      [param, { [param]: Array<string>(240_000).fill('?') }] as const,
      [`${param}.0`, { [param]: [`a.com/${'/'.repeat(900_000)}x`] }] as const,
    ]);
    expect(await findUnrefused(gateway, '/v1/search', { query }, spoilt)).toEqual([]);
    const longest = `a.com/${'x'.repeat(1994)}`;
    expect(
      await findRefused(gateway, '/v1/search', { query, provider: 'engine_a' }, [
        { include_domains: [longest] },
        { exclude_domains: Array<string>(1200).fill('a.com') },
        { provider_options: { fusion: { providers: ['engine_a'] } } },
      ]),
    ).toEqual([]);
  },
);
