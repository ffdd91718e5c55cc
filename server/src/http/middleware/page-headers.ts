// The security headers of HTML pages, for Hono's secureHeaders.
import type { secureHeaders } from 'hono/secure-headers';

export type PageHeaders = NonNullable<Parameters<typeof secureHeaders>[0]>;

/** A page may load and run nothing but what `policy` allows. */
export function makePageHeaders(
  policy: NonNullable<PageHeaders['contentSecurityPolicy']>,
): PageHeaders {
  return {
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
      ...policy,
    },
    xFrameOptions: 'DENY',
    permissionsPolicy: { camera: [], microphone: [], geolocation: [] },
    // Every response has it when the public URL is https.
    strictTransportSecurity: false,
  };
}
