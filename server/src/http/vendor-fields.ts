// Marks a request that is made inside the gateway and whose answer should carry what the vendor
// says beside its results. It is no header and no parameter, so that no caller can set it.
const marked = new WeakSet<Request>();

export function markForVendorFields(request: Request): void {
  marked.add(request);
}

export function wantsVendorFields(request: Request): boolean {
  return marked.has(request);
}
