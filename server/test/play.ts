// Plays a fixture, a whole conversation with a vendor, through the real services with a fake
// upstream and a fixed clock.
import { ExtractRequest, type ProviderId, SearchRequest } from '@trivium/contract';
import type { Cost } from '../src/billing/core/prices.ts';
import type { Outgoing, Send } from '../src/platform/http-client.ts';
import { providers } from '../src/providers/registry.ts';
import type { PricedCall, PriceRule } from '../src/providers/shared/price-rule.ts';
import type { Provider } from '../src/providers/provider.ts';
import { answerFor, asAsked, undelivered } from '../src/extract/extract-answer.ts';
import { performExtract } from '../src/extract/extract-pages.ts';
import { planExtract } from '../src/extract/extract-plan.ts';
import type { ReadyProvider } from '../src/upstream/context.ts';
import { capSnippetsOf, performSearch, planSearch } from '../src/search/search-engine.ts';
import { upstreamContext } from './upstream-context.ts';

export interface Fixture {
  /** The request as a caller writes it, without `provider`. */
  asked: Record<string, unknown>;
  /** The moment it is played at. */
  now: string;
  /** Set for a deployment that has no credential for the vendor. */
  keyless?: true;
  /** Each request that must go out, in order. */
  sent: { method: string; url: string; body?: unknown; form?: [string, string][] }[];
  /** What the vendor answers, in the same order. */
  received: { status: number; headers?: Record<string, string>; body: unknown }[];
  /** What the gateway returns. */
  answered: unknown;
  warned: unknown[];
}

export interface Played {
  sent: Fixture['sent'];
  answered: unknown;
  warned: unknown[];
}

export const fixtureKey = 'fixture-key';

export async function playSearch(id: ProviderId, fixture: Fixture): Promise<Played> {
  const sent: Outgoing[] = [];
  const costs: Cost[] = [];
  const { context, chosen } = fakeContext(noting(providers[id], costs), fixture, sent);
  const plan = planSearch(context, chosen, SearchRequest.parse({ ...fixture.asked, provider: id }));
  const outcome = await performSearch(context, plan, { timeout_ms: 1000, maxBytes: 1_000_000 });
  if (!outcome.ok) {
    const { kind, message } = outcome.refusal;
    return {
      sent: sent.map(shown),
      answered: { refused: kind, message },
      warned: plan.negotiated.warnings,
    };
  }
  const results = capSnippetsOf(plan, outcome.found).map(({ raw, item: _place, ...found }) => ({
    ...found,
    raw: JSON.parse(raw) as unknown,
  }));
  return {
    sent: sent.map(shown),
    answered: plainJson({ results, cost: sumOf(costs) }),
    warned: outcome.warnings,
  };
}

export async function playExtract(id: ProviderId, fixture: Fixture): Promise<Played> {
  const sent: Outgoing[] = [];
  const costs: Cost[] = [];
  const { context, chosen } = fakeContext(noting(providers[id], costs), fixture, sent);
  const request = ExtractRequest.parse({ ...fixture.asked, provider: id });
  const plan = planExtract(context, chosen, request);
  const outcome = await performExtract(context, plan, { timeout_ms: 1000, maxBytes: 1_000_000 });
  const { refusal } = outcome;
  const pages = request.urls.map((url) => asAsked(answerFor(plan, outcome, url), url, plan.ask));
  const answered = refusal
    ? { refused: refusal.kind, message: refusal.message }
    : {
        results: pages.flatMap((answer) =>
          answer.ok ? [{ ...answer.page, raw: JSON.parse(answer.page.raw) as unknown }] : [],
        ),
        failed: pages.flatMap((answer) =>
          answer.ok ? [] : [{ url: answer.url, error: answer.error }],
        ),
        cost: sumOf(costs),
      };
  const late = undelivered(pages, plan.ask, plan.warnings);
  return {
    sent: sent.map(shown),
    answered: plainJson(answered),
    warned: [...plan.warnings, ...late, ...outcome.warnings.map(({ warning }) => warning)],
  };
}

/** Records what the price rules return; the services pass on only what is charged. */
function noting(provider: Provider, costs: Cost[]): Provider {
  const note = <Call extends PricedCall>(rule: PriceRule<Call>): PriceRule<Call> => ({
    ...rule,
    cost: (call) => {
      const cost = rule.cost(call);
      if (call.bodies.length > 0) costs.push(cost);
      return cost;
    },
  });
  const { search, extract } = provider;
  return {
    ...provider,
    ...(search ? { search: { ...search, price: note(search.price) } } : {}),
    ...(extract ? { extract: { ...extract, price: note(extract.price) } } : {}),
  };
}

/** If only some calls report a cost, our own figure is used for the others. */
function sumOf(costs: readonly Cost[]): Cost {
  const table = costs.reduce((sum, cost) => sum + cost.table, 0);
  if (costs.every(({ reported }) => reported === undefined)) return { table };
  const reported = costs.reduce((sum, cost) => sum + (cost.reported ?? cost.table), 0);
  return { table, reported: Math.ceil(Math.round(reported * 1000) / 1000) };
}

/** A context whose upstream gives the recorded answers in order, for any URL. */
export function fakeContext(provider: Provider, fixture: Fixture, sent: Outgoing[]) {
  const answer: Send = (outgoing) => {
    const reply = fixture.received[sent.length];
    sent.push(outgoing);
    if (!reply) throw new Error(`the fixture has no answer number ${sent.length}`);
    return Promise.resolve({
      ok: true,
      status: reply.status,
      headers: new Headers(reply.headers),
      text: typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body),
    });
  };
  const clock = {
    now: () => new Date(fixture.now),
    ticks: () => 0,
    sleep: () => Promise.resolve(),
  };
  const hosts = Object.fromEntries(
    Object.entries(provider.hosts).map(([role, host]) => [role, host.default]),
  );
  const upstream = fixture.keyless ? { hosts } : { key: fixtureKey, hosts };
  const chosen: ReadyProvider = { provider, state: 'configured', upstream };
  return { context: upstreamContext({ clock, send: answer }), chosen };
}

export function shown({ method, url, body }: Outgoing): Fixture['sent'][number] {
  if (body === undefined) return { method, url };
  if (typeof body === 'string') return { method, url, body: JSON.parse(body) as unknown };
  if (!(body instanceof FormData)) return { method, url };
  return { method, url, form: [...body].map(([name, value]) => [name, String(value)]) };
}

/** Drops what JSON cannot express, so that comparisons see what a caller would. */
export function plainJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}
