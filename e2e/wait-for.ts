// Tests wait only with this: for a condition, with a limit, and with a message for its failure.

const usualLimitMs = 60_000;
const pollMs = 20;
/** What takes long is looked at less often, which costs less. */
const longestPollMs = 100;
const pollShare = 0.05;

interface Wait<T> {
  /** What is waited for: "the job ends". */
  what: string;
  limitMs?: number;
  /** Whether the value is the awaited one; by default, whether it is truthy. */
  until?: (value: T) => boolean;
}

/** Returns the first value that meets the condition; fails with the last one that did not. */
export async function waitFor<T>(
  read: () => T | Promise<T>,
  { what, limitMs = usualLimitMs, until = Boolean }: Wait<T>,
): Promise<T> {
  const began = performance.now();
  for (;;) {
    const value = await read();
    if (until(value)) return value;
    const waitedMs = performance.now() - began;
    if (waitedMs > limitMs) {
      throw new Error(`Not in ${limitMs} ms: ${what}. Last seen: ${Bun.inspect(value)}`);
    }
    await Bun.sleep(Math.min(pollMs + pollShare * waitedMs, longestPollMs));
  }
}
