// What was decided about identity, ownership and money.
export const decisionsMoney = {
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
} as const;
