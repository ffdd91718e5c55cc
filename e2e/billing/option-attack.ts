// Sends hostile values in the native options of searches and extractions, one request at a time,
// and checks the hold, the cost and the balance after each.
import type { Answer, Client } from '../http-client.ts';
import { makeRandom } from '../random.ts';
import type { Random } from '../random.ts';
import type { AnyUpstream, PriceReport } from './any-upstream.ts';
import { makeValues, unreadable } from './hostile-options.ts';
import { optionsAt, sold } from './option-paths.ts';
import type { Sold } from './option-paths.ts';
import { costIn, micro, moneyOf } from './small-account.ts';
import type { Money } from './small-account.ts';

export type Fixture = { gateway: Client; upstream: AnyUpstream };
export type AttackOptions = { cases: number; seed: number };

type Given = readonly (readonly [path: string, value: unknown])[];
export type Case = { of: Sold; asked: Asked; given: Given; priceReport: PriceReport };
/** A request with its target only, or one with all content that costs extra. */
type Asked = 'plain' | 'rich';
/** Micro-USD held without options: the lowest hold, and the hold of each kind of request. */
type Prices = { least: number } & Record<Asked, number>;

const richContent = { content: { full_text: true, summary: true } };
const allModes = ['instant', 'fast', 'balanced', 'deep'];
const ceilingMicro = 10_000_000;
const generated = 40;
/** Tiers that the vendor documents as cheaper than a request without options. */
const cheapTiers: Readonly<Record<string, object>> = { engine_k: { search_type: 'fast' } };
/** One in this many requests has two options. */
const oneIn = 4;

/** Reports that are not a valid price: the gateway charges the price of the table. */
const invalidReports: readonly PriceReport[] = [
  { value: 1e308 },
  { value: -1 },
  { value: -1e-9 },
  { value: '0.5' },
  { value: {} },
  { value: 9e12 },
  'nothing',
];
const priceReports: readonly PriceReport[] = [
  undefined,
  undefined,
  { value: 1.5 },
  { value: 1e-7 },
  ...invalidReports,
];

export const attacked = sold.filter(({ product }) => product !== 'transcribe');
/** This many cases use every option at least once. */
export const fewestCases = placesIn(attacked).length;

export type Attacked = {
  /** The first fault; undefined when all requests were priced and paid. */
  fault: string | undefined;
  served: number;
};

export async function attackOptions(
  fixture: Fixture,
  { cases, seed }: AttackOptions,
): Promise<Attacked> {
  let served = 0;
  const prices = new Map<Sold, Prices>();
  for (const one of attacked) prices.set(one, await learnPrices(fixture, one));
  let before = await moneyOf(fixture.gateway);
  for (const made of makeCases(cases, seed)) {
    const known = prices.get(made.of) ?? { least: NaN, plain: NaN, rich: NaN };
    const outcome = await checkCase(fixture, made, known, before);
    if (typeof outcome === 'string') return { served, fault: `${describe(made)}: ${outcome}` };
    if (outcome.balance < before.balance) served += 1;
    before = outcome;
  }
  return { served, fault: undefined };
}

/** Uses every option once before it repeats one, so that a short run covers all of them. */
export function* makeCases(cases: number, seed: number): Generator<Case> {
  const random = makeRandom(seed);
  const values = makeValues(seed, generated);
  const places = placesIn(attacked);
  for (let at = 0; at < cases; at += 1) {
    const { of, path, unread } = places[at % places.length] ?? random.pick(places);
    const value = unread ? random.pick(unreadable) : hostileFor(of, values, random);
    const other = random.below(oneIn) === 0 ? [[random.pick(of.paths), value] as const] : [];
    const asked = random.pick(['plain', 'rich'] as const);
    yield { of, asked, given: [...other, [path, value]], priceReport: random.pick(priceReports) };
  }
}

type At = { of: Sold; path: string; unread: boolean };

/** Priced options are used twice more, with values that their price rule cannot read. */
function placesIn(from: readonly Sold[]): At[] {
  return from.flatMap((of) => [
    ...of.paths.map((path) => ({ of, path, unread: false })),
    ...[...of.reads, ...of.reads].map((path) => ({ of, path, unread: true })),
  ]);
}

/** Also tries the name of a rate as if it were a tier. */
function hostileFor({ rates }: Sold, values: readonly unknown[], random: Random): unknown {
  return random.below(12) === 0 ? random.pick(rates) : random.pick(values);
}

export async function learnPrices({ gateway, upstream }: Fixture, one: Sold): Promise<Prices> {
  upstream.priceReport = undefined;
  const answer = await gateway.post(...requestFor(one, {}));
  if (costIn(answer) <= 0) {
    throw new Error(`${one.id} ${one.product} without options: ${answer.status} ${answer.text}`);
  }
  const holdOf = async (asked: object, options = {}) => {
    const hold = await holdFor(gateway, requestFor(one, asked, options));
    if (typeof hold === 'string') throw new Error(`${one.id} ${one.product}: ${hold}`);
    return hold;
  };
  const plain = await holdOf({});
  const rich = await holdOf(richContent);
  const modes = one.product === 'search' ? allModes : [];
  const small = await Promise.all(modes.map((mode) => holdOf({ mode, max_results: 1 })));
  const cheap = await holdOf({}, cheapTiers[one.id]);
  return { least: Math.min(plain, rich, cheap, ...small), plain, rich };
}

/** The hold of a request, read from its 402 under x-max-cost-usd: 0. */
async function holdFor(
  gateway: Client,
  [path, body]: [path: string, body: object],
): Promise<number | 'refused' | `wrong: ${string}`> {
  const { status, body: answer, text } = await gateway.post(path, body, { 'x-max-cost-usd': '0' });
  if (status === 400) return faultOfRefusal(text) ?? 'refused';
  const detail = (answer as { error?: { detail?: { needed_usd?: number } } }).error?.detail;
  if (status !== 402 || detail?.needed_usd === undefined) {
    return `wrong: expected a 402, got ${status} ${text.slice(0, 300)}`;
  }
  return micro(detail.needed_usd);
}

/** A request may be refused for its price only if that price is above the ceiling. */
function faultOfRefusal(text: string): `wrong: ${string}` | undefined {
  if (!text.includes('too_expensive')) return undefined;
  const [, cost] = /may cost (\d+(?:\.\d+)?) USD/.exec(text) ?? [];
  return Number(cost) * 1e6 > ceilingMicro ? undefined : `wrong: ${text.slice(0, 300)}`;
}

export function requestFor(
  { id, product }: Sold,
  asked: object,
  options?: object,
): [string, object] {
  const rest = {
    ...asked,
    provider: id,
    ...(options ? { provider_options: { [id]: options } } : {}),
  };
  return product === 'search'
    ? ['/v1/search', { query: 'membranes', ...rest }]
    : ['/v1/extract', { urls: ['https://pages.example/new-home'], ...rest }];
}

async function checkCase(
  { gateway, upstream }: Fixture,
  { of, asked, given, priceReport }: Case,
  prices: Prices,
  before: Money,
): Promise<Money | string> {
  const request = requestFor(of, asked === 'rich' ? richContent : {}, optionsAt(given));
  const hold = await holdFor(gateway, request);
  if (typeof hold === 'string' && hold !== 'refused') return hold;
  const lowHold =
    hold === 'refused' ? undefined : faultOfHold(of, given, hold, prices.least, prices[asked]);
  if (lowHold !== undefined) return lowHold;
  const seen: Money[] = [];
  upstream.priceReport = priceReport;
  upstream.meanwhile = async () => void seen.push(await moneyOf(gateway));
  const answer = await gateway.post(...request);
  upstream.meanwhile = undefined;
  const after = await moneyOf(gateway);
  const wrongHold = seen.find(
    ({ held, balance }) => held !== hold || balance + held !== before.balance,
  );
  if (wrongHold) return `held ${JSON.stringify(wrongHold)} while it ran instead of ${hold}`;
  if (after.held !== 0) return `${after.held} is still held`;
  if (hold === 'refused' && answer.status !== 400) return `400 first, then ${answer.status}`;
  return faultOfCharge(answer, hold, priceReport, before.balance - after.balance) ?? after;
}

function faultOfHold(
  { reads }: Sold,
  given: Given,
  hold: number,
  least: number,
  usual: number,
): string | undefined {
  if (hold < least) return `holds ${hold}, and without options nothing holds less than ${least}`;
  const [[path, value]] = given as [Given[number]];
  const cannotBeRead = given.length === 1 && reads.includes(path) && unreadable.includes(value);
  return cannotBeRead && hold < usual ? `holds ${hold}, and without it ${usual}` : undefined;
}

function faultOfCharge(
  answer: Answer,
  hold: number | 'refused',
  priceReport: PriceReport,
  paid: number,
): string | undefined {
  const { status, text } = answer;
  if (status !== 200) {
    if (paid !== 0) return `a ${status} was charged ${paid}`;
    return status === 400 || status === 502 ? undefined : `${status} ${text.slice(0, 300)}`;
  }
  if (hold === 'refused') return 'served after an earlier refusal';
  const cost = costIn(answer);
  if (cost !== paid) return `reports a cost of ${cost} and charges ${paid}`;
  if (cost > ceilingMicro) return `costs ${cost}, above the ceiling of one request`;
  if (cost <= 0 && !isTiny(priceReport)) return `served for ${cost}`;
  if (invalidReports.includes(priceReport) && cost > hold)
    return `costs ${cost} above its hold of ${hold}`;
  return undefined;
}

/** A fraction of a credit or a token that is below the smallest bookable amount. */
function isTiny(priceReport: PriceReport): boolean {
  return typeof priceReport === 'object' && priceReport.value === 1e-7;
}

function describe({ of, asked, given, priceReport }: Case): string {
  const options = JSON.stringify(optionsAt(given)).slice(0, 400);
  const reported = JSON.stringify(priceReport);
  return `${asked} ${of.id} ${of.product} ${options}, the vendor reporting ${reported}`;
}
