// A request to paste into a terminal, with the new key in it.

export function firstRequest(origin: string, key: string): string {
  return [
    `curl -sS ${origin}/v1/search \\`,
    `  -H 'authorization: Bearer ${key}' \\`,
    "  -H 'content-type: application/json' \\",
    `  -d '{"query":"what is new in solid state batteries","max_results":3}'`,
  ].join('\n');
}
