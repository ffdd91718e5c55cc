// Which requests count as failures wherever they are counted for people: those that a provider or
// the gateway itself failed.

/**
 * Refusals (a wrong body, too little credit, a limit, a provider that is switched off) and callers
 * who went away say nothing of how well anything works.
 */
export function isFailure(status: number): boolean {
  return status === 500 || status === 502;
}
