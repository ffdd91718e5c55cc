// What our fixtures send to a vendor, for the suites that compare it with the vendor's own client.
import { fixtureNames, readFixture } from '../fixtures.ts';

export type SentBody = { file: string; body: Record<string, unknown>; url: URL };

/** Every body sent in one vendor's fixtures of a product; a suite without any checks nothing. */
export function sentBodies(vendor: string, product: 'search' | 'extract'): SentBody[] {
  const sent = fixtureNames(`${vendor}.${product}.`).flatMap((file) => {
    const { sent: requests } = readFixture(file);
    return requests.map(({ body, url }) => ({
      file,
      body: (body ?? {}) as Record<string, unknown>,
      url: new URL(url),
    }));
  });
  if (sent.length === 0) throw new Error(`no fixture sends anything to ${vendor} for ${product}`);
  return sent;
}
