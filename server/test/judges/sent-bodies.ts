// What our fixtures send to a vendor, for the judges that hold it against the vendor's own client.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fixture } from '../play.ts';

export type SentBody = { file: string; body: Record<string, unknown>; url: URL };

const folder = join(import.meta.dir, '../../fixtures');

/** Every body sent in one vendor's fixtures of a product; a judge without any judges nothing. */
export function sentBodies(vendor: string, product: 'search' | 'extract'): SentBody[] {
  const files = readdirSync(folder).filter((file) => file.startsWith(`${vendor}.${product}.`));
  const sent = files.flatMap((file) => {
    const { sent: requests } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Fixture;
    return requests.map(({ body, url }) => ({
      file,
      body: (body ?? {}) as Record<string, unknown>,
      url: new URL(url),
    }));
  });
  if (sent.length === 0) throw new Error(`no fixture sends anything to ${vendor} for ${product}`);
  return sent;
}
