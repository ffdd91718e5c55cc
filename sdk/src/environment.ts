// Reads a variable of the environment. A browser has none, and Deno may forbid it.

/** An empty variable counts as not set. */
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
