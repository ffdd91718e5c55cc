// Prices above the ceiling are rejected with the options that cause them, and finding those takes
// no longer when the caller sends many options.
import { expect, test } from 'bun:test';
import { GatewayError } from '@trivium/contract';
import { declined, howToTopUp, maxCostOf } from './price-call.ts';

const settings = { max_request_usd: 10 };
const manyOptions = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`o${at}`, at]));

test('only options that have a price are checked as causes, and each once', () => {
  const reads = ['limit', 'contents.subpages', 'contents.text', 'absent'];
  let checks = 0;
  const priceWith = ({ limit, contents }: Readonly<Record<string, unknown>>) => {
    checks += 1;
    return 1 + (limit === undefined ? 0 : 20_000_000) + (contents === undefined ? 0 : 5);
  };
  const options = { ...manyOptions, limit: 1e308, contents: { subpages: -1 } };
  expect(issuesOf({ options, reads, priceWith })).toEqual([
    'provider_options.engine_a.limit',
    'provider_options.engine_a.contents',
  ]);
  expect(checks).toBe(3);
});

test('an inherited property name is a cause only when the caller sent it', () => {
  const priceWith = () => 20_000_000;
  expect(issuesOf({ options: {}, reads: ['toString'], priceWith })).toEqual(['provider']);
});

test.each([
  [undefined, 'this request may cost 0.2 USD. Wait'],
  [90, 'a recording of up to 90 minutes may cost 0.2 USD. Upload the recording'],
])('a refusal with the longest recording of %p minutes says %p', (longestMinutes, words) => {
  const cost = {
    hold: 1,
    worst: 200_000,
    ...(longestMinutes === undefined ? {} : { longestMinutes }),
  };
  const outcome = { kind: 'declined', because: 'daily_cap', available: 100_000 } as const;
  expect(declined(outcome, cost, '').message).toContain(words);
});

test('the way to top up names the dashboard if there is one', () => {
  const told = [undefined, () => 'https://gateway.example'].map((url) => howToTopUp('acct', url));
  const command = "trivium topup 10 --account acct --reason 'top-up'";
  expect(told).toEqual([command, `${command}, or in the dashboard at https://gateway.example/`]);
});

type Priced = Parameters<typeof maxCostOf>[1];

function issuesOf(priced: Omit<Priced, 'provider' | 'price'>): string[] {
  try {
    const price = priced.priceWith(priced.options);
    maxCostOf(settings, { provider: 'engine_a', price, ...priced });
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return (error.detail as { issues: { path: string }[] }).issues.map(({ path }) => path);
  }
  throw new Error('The price was accepted.');
}
