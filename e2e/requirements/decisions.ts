// What was decided about money, choice, calls and fusion.
export const decisions = {
  // What was decided about identity, ownership and money.
  'money.ids.search-suffix': 'srch_ is followed by the 32 lower-case hex digits of a UUIDv7.',
  'money.ids.extract-suffix': 'ext_ is followed by the 32 lower-case hex digits of a UUIDv7.',
  'money.ids.job-suffix': 'job_ is followed by a UUIDv7 of 36 characters.',
  'money.ids.time-ordered':
    'Ids of later requests sort after those of earlier ones, to the millisecond.',
  'money.ids.result': 'A result id is res_ and 16 hex digits of the SHA-256 of its page key.',
  'money.ids.result-across-searches': 'The same page has the same result id in every search.',
  'money.key.shape':
    'A key is sk_live_, or sk_test_ in sandbox mode, and 43 characters of URL-safe base64.',
  'money.key.only-hash-stored':
    'The store contains the hash of a key and its first 12 characters, never the key.',
  'money.key.shown-once': 'A key is shown once, when it is made.',
  'money.account.jobs-shared': 'Every key of an account reads the jobs of that account.',
  'money.account.jobs-hidden': 'For any other account a job does not exist: 404.',
  'money.micro-usd': 'Money is counted in whole micro-USD and never as a fraction.',
  'money.cost-six-decimals': 'cost_usd is exact to six decimals.',
  'money.credits.unit': 'A credit is 0.001 USD.',
  'money.credits.fractional': 'The credits of a search or an extraction may be a fraction.',
  'money.credits.rounded-up': 'The credits of a transcription are rounded up to a whole number.',
  'money.top-up.dashboard': 'An operator tops up in the dashboard.',
  'money.top-up.cli': 'An operator tops up on the command line.',
  'money.top-up.admin-api': 'An operator tops up through the admin API.',
  'money.top-up.reason': 'Every top-up is a ledger entry with a reason.',
  'money.hold.before-call':
    'The most that a request can cost is held before the provider is called.',
  'money.hold.settled': 'After the answer the real price is settled and the rest released.',
  'money.hold.declined': 'A hold the balance cannot cover gives a 402 insufficient_credits.',
  'money.hold.declined-never-calls': 'After a declined hold the provider is never called.',
  'money.provider-failure-free': 'A failure of the provider costs nothing.',
  'money.debit-before-answer': 'The debit is on disk before the answer is sent.',
  'money.amount.ceiling':
    'A request that may cost more than TRIVIUM_MAX_REQUEST_USD gives a 400 that names the option.',
  'money.report.above-hold':
    'A price that the provider reports is settled in full, also above the hold.',
  'money.report.insane':
    'A report that cannot be a price is not charged; the price of the table is.',
  'money.left.after-call':
    'A caller who disconnects after the provider was called pays and is logged as 499.',
  'money.left.before-call': 'A caller who disconnects before a provider is called pays nothing.',
  'money.price.own-report': 'The price is the one the provider reports, where it reports one.',
  'money.price.table': 'Otherwise the price comes from the price table.',
  'money.price.overridable': 'An operator can override the price table with one file.',
  'money.price.golden': 'Every provider, product, tier and option has a golden price.',
  'money.price.zero-explicit': 'A price of zero is in the table explicitly, never by omission.',
  'money.extract.delivered-only': 'An extraction pays for delivered URLs only.',
  'money.extract.reported-failures':
    'A failed URL costs only if the provider reports that it charged for it.',
  'money.fusion.members-that-answered': 'A fusion pays for the members that answered.',
  'money.fusion.retry-once': 'A member that was tried twice is charged once.',
  'money.fusion.dropped-free': 'A member that was dropped costs nothing.',
  'money.transcription.hold': 'A job holds the price of 60 minutes with its options.',
  'money.transcription.hold-setting': 'The minutes that a job holds are a setting of the operator.',
  'money.transcription.hold-in-full': 'A balance below the hold of a job gives a 402.',
  'money.transcription.known-length':
    'The length of an upload, read from the file, makes hold and worst case exact.',
  'money.transcription.exposure':
    'A job is refused with a 402 when the worst cases of the open jobs beyond their holds, with its own, exceed what is available and the overdraft limit.',
  'money.transcription.exposure-searches': 'Exposure never blocks searches or extractions.',
  'money.transcription.worst-case-limits':
    'Caps, budgets, policies and x-max-cost-usd compare with the worst case, and the sentence says so.',
  'money.transcription.settled-on-duration':
    'A job is settled on the duration that the provider reports.',
  'money.transcription.below-zero':
    'A recording longer than its worst case is charged in full, also below zero.',
  'money.transcription.long-in-full':
    'Up to 48 hours a reported duration is charged in full, also above the ceiling.',
  'money.transcription.no-report':
    'Without a usable duration a job costs what its last word says, or its hold; never free.',
  'money.transcription.below-zero-then-402': 'After that the next request gives a 402.',
  'money.transcription.failed-free': 'A failed job costs nothing.',
  'money.jobs-read-free': 'A read of a job is never a 402.',
  // What was decided about the choice of a provider and about failures.
  'choice.auto.search': 'auto for search tries engines a to k in the order of the alphabet.',
  'choice.auto.extract':
    'auto for extraction tries engines a, c, b, e, f, g, h, i, j in this order.',
  'choice.auto.transcription': 'auto for transcription tries stt_a, stt_b, stt_c in this order.',
  'choice.auto.settings': 'The three orders are settings of the operator.',
  'choice.configured.credential': 'An engine with a credential is configured.',
  'choice.configured.self-hosted':
    "An upstream of the operator's own may need no credential to be configured.",
  'choice.auto.skips-open-circuit': 'auto skips a provider whose circuit is open.',
  'choice.auto.never-changes-midway': 'auto does not change provider once the call has started.',
  'choice.failover.off': 'Failover happens only when the operator has turned it on.',
  'choice.failover.names-server':
    'After a failover the answer names the provider that really served.',
  'choice.501.switched-off':
    'A known engine that the operator switched off gives a 501 provider_not_available.',
  'choice.503.switched-off':
    'For extract and transcriptions, a disabled provider gives a 503 provider_not_available.',
  'choice.hint.same-tool':
    'The providers a refusal names as configured all have the tool that was asked for.',
  'choice.503.no-credential':
    'A known engine without a credential gives a 503 provider_not_configured.',
  'choice.503.auto-nothing': 'auto with nothing configured gives a 503 provider_not_configured.',
  'choice.503.transcription-no-credential':
    'A speech service without a credential gives a 503 provider_not_configured.',
  'choice.503.transcription-store':
    'A job store that cannot accept the job gives a 503 provider_not_available.',
  'choice.502.error-answer': 'A provider that answers with an error gives a 502 provider_error.',
  'choice.502.nonsense': 'An unreadable answer of a provider gives a 502 provider_error.',
  'choice.502.no-answer': 'A provider that does not answer in time gives a 502 provider_error.',
  'choice.502.detail':
    'The detail of a provider_error is the body of the provider, with provider, status and body added.',
  'choice.502.secrets-removed': 'No credential is left in the detail of a provider_error.',
  'choice.404.never-on-submit': 'A submitted transcription is never answered with 404.',
  'choice.500.internal-error': 'An internal failure gives a 500 internal_error.',
  'choice.500.request-id-only': 'The detail of an internal_error is a request id and nothing else.',
  'choice.429.off-by-default': 'There is no rate limit on a key unless the operator sets one.',
  'choice.429.rate-limited': 'Above a limit, the answer is a 429 rate_limited with Retry-After.',
  'choice.404.unknown-path': 'An unknown path gives a 404 not_found.',
  'choice.405.wrong-verb': 'A wrong verb gives a 405 invalid_request with an Allow header.',
  'choice.413.body-too-large': 'A body over 1 MiB gives a 413 invalid_request.',
  'choice.400.not-json': 'A body that is not JSON gives a 400 invalid_request.',
  'choice.request-id': 'Every response has a unique x-request-id.',
  // What was decided about waiting, retrying and repeated requests.
  'calls.timeout.search': 'A search waits 30 seconds for its provider.',
  'calls.timeout.extract': 'An extraction waits 60 seconds, or timeout_ms and 5 seconds.',
  'calls.timeout.submit': 'A transcription waits 30 seconds for its submission.',
  'calls.retry.connect': 'A connection that fails is retried once.',
  'calls.retry.429': 'A 429 with a short Retry-After is retried once, within the time limit.',
  'calls.retry.503': 'A 503 is retried once.',
  'calls.retry.described-400':
    "A 400 that a provider's notes describe as repairable is repeated once.",
  'calls.retry.never-after-timeout': 'A request that was sent and timed out is not sent again.',
  'calls.retry.extract': 'Extraction is retried under the same conditions as search.',
  'calls.idempotency.replayed':
    'Same key and same body give the first answer again, marked idempotent-replayed.',
  'calls.idempotency.charged-once': 'A replayed answer is not charged again.',
  'calls.idempotency.other-body': 'Same key and another body give a 409 invalid_request.',
  'calls.idempotency.running': 'Same key while the first request still runs gives a 409.',
  'calls.idempotency.parsed-body':
    'Bodies are the same when they are equal as JSON, in any formatting.',
  'calls.idempotency.own-key': 'An Idempotency-Key belongs to the API key that sent it.',
  'calls.idempotency.kept': 'An idempotency key is remembered for 24 hours.',
  'calls.idempotency.every-post':
    'Search, extraction and transcription all honour Idempotency-Key.',
  'calls.max-cost.refused':
    'A hold above x-max-cost-usd gives a 402 and the provider is not called.',
  // What was decided about fusion: identity of pages, order, merge and failures.
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
