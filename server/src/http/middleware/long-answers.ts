// Marks a dispatched request whose answer is stored even when it is long, because the client reads
// it in a later request. It is neither a header nor a parameter, so no caller can set it.
const requests = new WeakSet<Request>();

export function markForLongAnswer(request: Request): void {
  requests.add(request);
}

export function storesLongAnswer(request: Request): boolean {
  return requests.has(request);
}
