// Marks the calls that the tools for agents make to the public API, for which alone access tokens
// are valid. The mark is neither a header nor a parameter, so no caller can set it.
const calls = new WeakSet<Request>();

export function markAgentCall(request: Request): void {
  calls.add(request);
}

export function isAgentCall(request: Request): boolean {
  return calls.has(request);
}
