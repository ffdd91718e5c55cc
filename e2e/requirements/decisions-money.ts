// What was decided about identity, ownership and money.
import type { Requirement } from '../requirement.ts';

export const decisionsMoney = [
  {
    id: 'money.ids.search-suffix',
    says: 'srch_ is followed by the 32 lower-case hex digits of a UUIDv7.',
  },
  {
    id: 'money.ids.extract-suffix',
    says: 'ext_ is followed by the 32 lower-case hex digits of a UUIDv7.',
  },
  {
    id: 'money.ids.job-suffix',
    says: 'job_ is followed by a UUIDv7 of 36 characters.',
  },
  {
    id: 'money.ids.time-ordered',
    says: 'Ids of later requests sort after those of earlier ones, to the millisecond.',
  },
  {
    id: 'money.ids.result',
    says: 'A result id is res_ and 16 hex digits of the SHA-256 of its page key.',
  },
  {
    id: 'money.ids.result-across-searches',
    says: 'The same page has the same result id in every search.',
  },
  {
    id: 'money.key.shape',
    says: 'A key is sk_live_, or sk_test_ in sandbox mode, and 43 characters of URL-safe base64.',
  },
  {
    id: 'money.key.only-hash-stored',
    says: 'The store contains the hash of a key and its first 12 characters, never the key.',
  },
  { id: 'money.key.shown-once', says: 'A key is shown once, when it is made.' },
  {
    id: 'money.account.jobs-shared',
    says: 'Every key of an account reads the jobs of that account.',
  },
  {
    id: 'money.account.jobs-hidden',
    says: 'For any other account a job does not exist: 404.',
  },
  {
    id: 'money.micro-usd',
    says: 'Money is counted in whole micro-USD and never as a fraction.',
  },
  { id: 'money.cost-six-decimals', says: 'cost_usd is exact to six decimals.' },
  { id: 'money.credits.unit', says: 'A credit is 0.001 USD.' },
  {
    id: 'money.credits.fractional',
    says: 'The credits of a search or an extraction may be a fraction.',
  },
  {
    id: 'money.credits.rounded-up',
    says: 'The credits of a transcription are rounded up to a whole number.',
  },
  {
    id: 'money.top-up.dashboard',
    says: 'An operator tops up in the dashboard.',
  },
  { id: 'money.top-up.cli', says: 'An operator tops up on the command line.' },
  {
    id: 'money.top-up.admin-api',
    says: 'An operator tops up through the admin API.',
  },
  {
    id: 'money.top-up.reason',
    says: 'Every top-up is a ledger entry with a reason.',
  },
  {
    id: 'money.hold.before-call',
    says: 'The most that a request can cost is held before the provider is called.',
  },
  {
    id: 'money.hold.settled',
    says: 'After the answer the real price is settled and the rest released.',
  },
  {
    id: 'money.hold.declined',
    says: 'A hold the balance cannot cover gives a 402 insufficient_credits.',
  },
  {
    id: 'money.hold.declined-never-calls',
    says: 'After a declined hold the provider is never called.',
  },
  {
    id: 'money.provider-failure-free',
    says: 'A failure of the provider costs nothing.',
  },
  {
    id: 'money.debit-before-answer',
    says: 'The debit is on disk before the answer is sent.',
  },
  {
    id: 'money.amount.ceiling',
    says: 'A request that may cost more than TRIVIUM_MAX_REQUEST_USD gives a 400 that names the option.',
  },
  {
    id: 'money.report.above-hold',
    says: 'A price that the provider reports is settled in full, also above the hold.',
  },
  {
    id: 'money.report.insane',
    says: 'A report that cannot be a price is not charged; the price of the table is.',
  },
  {
    id: 'money.left.after-call',
    says: 'A caller who disconnects after the provider was called pays and is logged as 499.',
  },
  {
    id: 'money.left.before-call',
    says: 'A caller who disconnects before a provider is called pays nothing.',
  },
  {
    id: 'money.price.own-report',
    says: 'The price is the one the provider reports, where it reports one.',
  },
  { id: 'money.price.table', says: 'Otherwise the price comes from the price table.' },
  {
    id: 'money.price.overridable',
    says: 'An operator can override the price table with one file.',
  },
  {
    id: 'money.price.golden',
    says: 'Every provider, product, tier and option has a golden price.',
  },
  {
    id: 'money.price.zero-explicit',
    says: 'A price of zero is in the table explicitly, never by omission.',
  },
  {
    id: 'money.extract.delivered-only',
    says: 'An extraction pays for delivered URLs only.',
  },
  {
    id: 'money.extract.reported-failures',
    says: 'A failed URL costs only if the provider reports that it charged for it.',
  },
  {
    id: 'money.fusion.members-that-answered',
    says: 'A fusion pays for the members that answered.',
  },
  {
    id: 'money.fusion.retry-once',
    says: 'A member that was tried twice is charged once.',
  },
  {
    id: 'money.fusion.dropped-free',
    says: 'A member that was dropped costs nothing.',
  },
  {
    id: 'money.transcription.hold',
    says: 'A job holds the price of 60 minutes with its options.',
  },
  {
    id: 'money.transcription.hold-setting',
    says: 'The minutes that a job holds are a setting of the operator.',
  },
  {
    id: 'money.transcription.hold-in-full',
    says: 'A balance below the hold of a job gives a 402.',
  },
  {
    id: 'money.transcription.known-length',
    says: 'The length of an upload, read from the file, makes hold and worst case exact.',
  },
  {
    id: 'money.transcription.exposure',
    says:
      'A job is refused with a 402 when the worst cases of the open jobs beyond their holds, with ' +
      'its own, exceed what is available and the overdraft limit.',
  },
  {
    id: 'money.transcription.exposure-searches',
    says: 'Exposure never blocks searches or extractions.',
  },
  {
    id: 'money.transcription.worst-case-limits',
    says:
      'Caps, budgets, policies and x-max-cost-usd compare with the worst case, and the sentence ' +
      'says so.',
  },
  {
    id: 'money.transcription.settled-on-duration',
    says: 'A job is settled on the duration that the provider reports.',
  },
  {
    id: 'money.transcription.below-zero',
    says: 'A recording longer than its worst case is charged in full, also below zero.',
  },
  {
    id: 'money.transcription.long-in-full',
    says: 'Up to 48 hours a reported duration is charged in full, also above the ceiling.',
  },
  {
    id: 'money.transcription.no-report',
    says: 'Without a usable duration a job costs what its last word says, or its hold; never free.',
  },
  {
    id: 'money.transcription.below-zero-then-402',
    says: 'After that the next request gives a 402.',
  },
  {
    id: 'money.transcription.failed-free',
    says: 'A failed job costs nothing.',
  },
  { id: 'money.jobs-read-free', says: 'A read of a job is never a 402.' },
] as const satisfies readonly Requirement[];
