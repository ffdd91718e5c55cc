// Tests wait only with this: for a condition, with a limit, and with a message for its failure.

const usualLimitMs = 60_000;
const pollMs = 20;

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
  const end = performance.now() + limitMs;
  for (;;) {
    const value = await read();
    if (until(value)) return value;
    if (performance.now() > end) {
      throw new Error(`Not in ${limitMs} ms: ${what}. Last seen: ${Bun.inspect(value)}`);
    }
    await Bun.sleep(pollMs);
  }
}
