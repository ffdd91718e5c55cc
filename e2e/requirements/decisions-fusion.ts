// What was decided about fusion: identity of pages, order, merge and failures.
import type { Requirement } from '../requirement.ts';

export const decisionsFusion = [
  {
    id: 'merge.deterministic',
    says: 'The same member answers give the same bytes, in any order of arrival.',
  },
  {
    id: 'merge.key.unparsable',
    says: 'An address that is not an http URL is its own page.',
  },
  {
    id: 'merge.key.unwrapped',
    says: 'Redirect wrappers of Bing, Google and AMP caches are unwrapped.',
  },
  {
    id: 'merge.key.twins',
    says: 'Scheme, default port, www, trailing slash and tracking do not make another page.',
  },
  {
    id: 'merge.key.mobile',
    says: 'Known mobile twins of a host are the same page.',
  },
  { id: 'merge.key.path-case', says: 'The case of a path makes another page.' },
  {
    id: 'merge.key.escapes',
    says: 'Unnecessary escapes in a path do not make another page.',
  },
  {
    id: 'merge.key.query-order',
    says: 'The order of query parameters does not make another page.',
  },
  {
    id: 'merge.key.identity-parameters',
    says: 'Different id, p or v parameters are always different pages.',
  },
  {
    id: 'merge.key.fragment',
    says: 'A fragment does not make another page, a route of a single-page app does.',
  },
  { id: 'merge.key.idempotent', says: 'The key of a key is the same key.' },
  {
    id: 'merge.key.short-host',
    says: 'A host is never cut down to its last label.',
  },
  {
    id: 'merge.member-repeats',
    says: 'A page that one member lists twice counts once, at its first rank.',
  },
  {
    id: 'merge.order.evidence',
    says: 'Pages are ranked by evidence: the sum of 1/(2 + rank), in whole numbers.',
  },
  {
    id: 'merge.order.score',
    says: 'Of pages with equal evidence, the one that more engines returned comes first.',
  },
  {
    id: 'merge.order.monotonic',
    says: 'A better rank or one more engine never lowers a page.',
  },
  {
    id: 'merge.order.ties',
    says: 'Then best rank, panel position and page key decide, in this order.',
  },
  {
    id: 'merge.explained',
    says: 'The explanation gives the evidence for each page and why it ranks above the next.',
  },
  {
    id: 'merge.few-pages-explained',
    says: 'When fewer than max_results pages are kept, the explanation says why; none are added.',
  },
  {
    id: 'merge.not-truncated',
    says: 'The merged list is not cut to max_results.',
  },
  {
    id: 'merge.fields.first-non-empty',
    says: 'Title, author, date, text and summary come from the best-ranked engine that has them.',
  },
  {
    id: 'merge.fields.https-first',
    says: 'Of an https and an http address the https one is shown.',
  },
  {
    id: 'merge.fields.url-untouched',
    says: 'The URL shown is one that an engine gave, never a rewritten one.',
  },
  {
    id: 'merge.fields.snippets',
    says: 'Snippets of all engines are joined without repeats, then capped as asked.',
  },
  {
    id: 'merge.fields.synthesized',
    says: 'Every fused score is marked as synthesized.',
  },
  {
    id: 'merge.fields.raw-order',
    says: 'raw.providers lists the engines in the order of the panel.',
  },
  {
    id: 'panel.none-configured',
    says: 'A default panel with nothing configured gives a 503 provider_not_configured.',
  },
  {
    id: 'panel.one-configured',
    says: 'A default panel with one engine left runs and warns about the missing ones.',
  },
  {
    id: 'panel.named-missing',
    says: 'A named member that cannot run is dropped with a warning.',
  },
  {
    id: 'panel.named-none-left',
    says: 'A named panel of which no member can run gives a 503.',
  },
  {
    id: 'panel.all-failed',
    says: 'When every member failed, the answer is a 502 that lists the reason of each.',
  },
  {
    id: 'panel.member-warnings',
    says: 'The warnings of members are passed on and start with the engine id.',
  },
  {
    id: 'panel.member-warnings-merged',
    says: 'Identical warnings of members are one warning.',
  },
  {
    id: 'panel.overlap',
    says: 'How much two members have in common is counted, and shown after twenty searches.',
  },
  {
    id: 'panel.time-budget',
    says: 'The second try has the same budget, so a fusion ends after about twice timeout_ms.',
  },
] as const satisfies readonly Requirement[];
