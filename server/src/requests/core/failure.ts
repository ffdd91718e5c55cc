// Which requests count as failures in reports: those that failed in a provider or in the gateway.

/**
 * A rejected request (invalid body, insufficient credits, a limit, a disabled provider) or a caller
 * who disconnected is not a failure of the service.
 */
export function isFailure(status: number): boolean {
  return status === 500 || status === 502;
}
