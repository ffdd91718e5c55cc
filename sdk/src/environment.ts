// Where the client runs: its variables, and whether it is a browser.

/** An empty variable counts as not set. A browser has none, and Deno may forbid it. */
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

/** A page or a worker of one. It sets its own User-Agent, and its fetch streams no body. */
export function isBrowser(): boolean {
  return ['document', 'DedicatedWorkerGlobalScope', 'ServiceWorkerGlobalScope'].some(
    (name) => name in globalThis,
  );
}
