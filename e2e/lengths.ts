// How long tests with rounds, time or chance run: briefly in `npm test`, and for hours in
// `npm test -- --suite long`, with another seed each time.

export const isLong = process.env['TRIVIUM_TEST_LONG'] === 'on';
const hourMs = 60 * 60_000;

/** How often each test kills a gateway. */
export const killRounds = isLong ? 450 : 2;
export const soakSeconds = isLong ? 30 * 60 : 5;
/** The ratio of the last samples to the first ones; a short run has hardly warmed up. */
export const maxSoakGrowth = isLong ? 1.25 : 1.6;
export const fuzzCases = isLong ? 15_000 : 1000;
/** How often each native option is attacked, on average. */
export const optionRounds = isLong ? 10 : 1 / 4;
/** One in this many attacks with large texts is run. */
export const largeTextEvery = isLong ? 1 : 8;
/** Runs of the simulated gateway, and from which seed. None is cut short: rules of expiry need it. */
export const simulatedRuns = isLong
  ? { count: 10_000, first: (Date.now() % 1_000_000) * 10_000 }
  : { count: 40, first: 1 };
/** The same for gateways that share a store. */
export const sharedRuns = isLong
  ? { count: 1000, first: (Date.now() % 1_000_000) * 1000, activeMs: Infinity }
  : { count: 8, first: 1, activeMs: 4000 };
export const seed = isLong ? Date.now() % 1_000_000 : 42;
if (isLong) process.stdout.write(`seed ${seed}\n`);

export function limitFor(usualMs: number): number {
  return isLong ? 6 * hourMs : usualMs;
}
