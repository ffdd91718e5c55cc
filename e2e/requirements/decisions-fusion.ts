// What was decided about fusion: identity of pages, order, merge and failures.
export const decisionsFusion = {
  'merge.deterministic': 'The same member answers give the same bytes, in any order of arrival.',
  'merge.key.unparsable': 'An address that is not an http URL is its own page.',
  'merge.key.unwrapped': 'Redirect wrappers of Bing, Google and AMP caches are unwrapped.',
  'merge.key.twins':
    'Scheme, default port, www, trailing slash and tracking do not make another page.',
  'merge.key.mobile': 'Known mobile twins of a host are the same page.',
  'merge.key.path-case': 'The case of a path makes another page.',
  'merge.key.escapes': 'Unnecessary escapes in a path do not make another page.',
  'merge.key.query-order': 'The order of query parameters does not make another page.',
  'merge.key.identity-parameters': 'Different id, p or v parameters are always different pages.',
  'merge.key.fragment': 'A fragment does not make another page, a route of a single-page app does.',
  'merge.key.idempotent': 'The key of a key is the same key.',
  'merge.key.short-host': 'A host is never cut down to its last label.',
  'merge.member-repeats': 'A page that one member lists twice counts once, at its first rank.',
  'merge.order.evidence':
    'Pages are ranked by evidence: the sum of 1/(2 + rank), in whole numbers.',
  'merge.order.score':
    'Of pages with equal evidence, the one that more engines returned comes first.',
  'merge.order.monotonic': 'A better rank or one more engine never lowers a page.',
  'merge.order.ties': 'Then best rank, panel position and page key decide, in this order.',
  'merge.explained':
    'The explanation gives the evidence for each page and why it ranks above the next.',
  'merge.few-pages-explained':
    'When fewer than max_results pages are kept, the explanation says why; none are added.',
  'merge.not-truncated': 'The merged list is not cut to max_results.',
  'merge.fields.first-non-empty':
    'Title, author, date, text and summary come from the best-ranked engine that has them.',
  'merge.fields.https-first': 'Of an https and an http address the https one is shown.',
  'merge.fields.url-untouched': 'The URL shown is one that an engine gave, never a rewritten one.',
  'merge.fields.snippets':
    'Snippets of all engines are joined without repeats, then capped as asked.',
  'merge.fields.synthesized': 'Every fused score is marked as synthesized.',
  'merge.fields.raw-order': 'raw.providers lists the engines in the order of the panel.',
  'panel.none-configured':
    'A default panel with nothing configured gives a 503 provider_not_configured.',
  'panel.one-configured':
    'A default panel with one engine left runs and warns about the missing ones.',
  'panel.named-missing': 'A named member that cannot run is dropped with a warning.',
  'panel.named-none-left': 'A named panel of which no member can run gives a 503.',
  'panel.all-failed':
    'When every member failed, the answer is a 502 that lists the reason of each.',
  'panel.member-warnings': 'The warnings of members are passed on and start with the engine id.',
  'panel.member-warnings-merged': 'Identical warnings of members are one warning.',
  'panel.overlap':
    'How much two members have in common is counted, and shown after twenty searches.',
  'panel.time-budget':
    'The second try has the same budget, so a fusion ends after about twice timeout_ms.',
} as const;
