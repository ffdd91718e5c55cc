// Prevents callers from reading pages of the operator's network through a provider that runs in it.
import { GatewayError, isPrivatePageHost } from '@trivium/contract';
import type { Settings } from '../settings/index.ts';
import type { ReadyProvider } from '../upstream/index.ts';

/**
 * Applies only if the operator set the provider's URL: a vendor's own servers cannot reach this
 * network.
 */
export function refusePrivatePages(
  { allow_private_pages }: Pick<Settings, 'allow_private_pages'>,
  { provider, upstream }: ReadyProvider,
  urls: readonly string[],
): void {
  if (!upstream.overridden || allow_private_pages) return;
  const issues = urls.flatMap((url, at) =>
    isPrivatePageHost(new URL(url).hostname)
      ? [{ path: `urls.${at}`, code: 'private_address', message: 'Must be a public address.' }]
      : [],
  );
  if (issues.length === 0) return;
  throw new GatewayError(
    'invalid_request',
    `${provider.id} runs at an address that the operator set, so pages must be public. The ` +
      'operator can allow others with TRIVIUM_ALLOW_PRIVATE_PAGES=on.',
    { issues },
  );
}
