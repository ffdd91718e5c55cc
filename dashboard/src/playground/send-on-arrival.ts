// A request that is sent as soon as the playground has filled it in. It is remembered here and not in
// the address, because a link must never spend money.

let isAwaited = false;

export function sendOnArrival(): void {
  isAwaited = true;
}

/** Returns true once. */
export function takeSendOnArrival(): boolean {
  const taken = isAwaited;
  isAwaited = false;
  return taken;
}
