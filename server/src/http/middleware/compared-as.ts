// What a dispatched request is compared by under its idempotency key, where its body differs: the
// value, or the text that version 0.1.0 sends for the same call. It is neither a header nor a
// parameter, so no caller can set it.
const identities = new WeakMap<Request, object>();
const texts = new WeakMap<Request, string>();

export function compareAs(request: Request, identity: object): void {
  identities.set(request, identity);
}

export function comparedAs(request: Request): object | undefined {
  return identities.get(request);
}

export function compareText(request: Request, text: string): void {
  texts.set(request, text);
}

export function comparedText(request: Request): string | undefined {
  return texts.get(request);
}
