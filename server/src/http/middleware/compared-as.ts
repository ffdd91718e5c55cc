// What a dispatched request is compared by under its idempotency key, where its body differs each
// time. It is neither a header nor a parameter, so no caller can set it.
const identities = new WeakMap<Request, object>();

export function compareAs(request: Request, identity: object): void {
  identities.set(request, identity);
}

export function comparedAs(request: Request): object | undefined {
  return identities.get(request);
}
