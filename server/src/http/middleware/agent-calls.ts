// Marks the calls that the tools for agents make to the public API, for which alone access tokens
// are valid. The mark is neither a header nor a parameter, so no caller can set it.
const calls = new WeakMap<Request, Wants>();

/** A tool shows the beginning of a transcript; a resource is the whole. */
type Wants = 'beginning' | 'whole';

export function markAgentCall(request: Request, wants: Wants): void {
  calls.set(request, wants);
}

export function isAgentCall(request: Request): boolean {
  return calls.has(request);
}

export function wantsBeginning(request: Request): boolean {
  return calls.get(request) === 'beginning';
}
