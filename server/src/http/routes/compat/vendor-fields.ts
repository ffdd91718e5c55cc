// Marks a dispatched request whose response should include the vendor's own fields. It is neither a
// header nor a parameter, so no caller can set it.
const requests = new WeakSet<Request>();

export function markForVendorFields(request: Request): void {
  requests.add(request);
}

export function wantsVendorFields(request: Request): boolean {
  return requests.has(request);
}
