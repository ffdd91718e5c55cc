// Where the client runs: its variables, and whether it is a browser.

/**
 * An empty variable counts as not set. A browser has no variables, and Deno may deny access to
 * them.
 */
export function readVariable(name: string): string | undefined {
  const { process } = globalThis as {
    process?: { env?: Readonly<Record<string, string | undefined>> };
  };
  try {
    return process?.env?.[name] || undefined;
  } catch {
    return undefined;
  }
}

/**
 * True on a page or in one of its workers. Browsers set the User-Agent, and do not stream bodies.
 */
export function isBrowser(): boolean {
  return ['document', 'DedicatedWorkerGlobalScope', 'ServiceWorkerGlobalScope'].some(
    (name) => name in globalThis,
  );
}
