// The submissions our fixtures send to a speech vendor, for the judges that hold them against its
// client.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fixture } from '../play.ts';

export type Submission = { file: string; sent: Fixture['sent'][number] };

const folder = join(import.meta.dir, '../../fixtures');

/** The first request of every transcription fixture; a judge without any judges nothing. */
export function submissions(vendor: string): Submission[] {
  const files = readdirSync(folder).filter((file) => file.startsWith(`${vendor}.transcribe.`));
  const sent = files.flatMap((file) => {
    const [first] = (JSON.parse(readFileSync(join(folder, file), 'utf8')) as Fixture).sent;
    return first ? [{ file, sent: first }] : [];
  });
  if (sent.length === 0) throw new Error(`no fixture submits anything to ${vendor}`);
  return sent;
}

export type Heard = {
  method: string;
  path: string;
  query: [string, string][];
  authorization: string | null;
  body: unknown;
  form: [string, string][];
};

/** A listener in the vendor's place that keeps what it hears. */
export function listenFor(answer: object) {
  const heard: Heard[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      const multipart = request.headers.get('content-type')?.startsWith('multipart/') ?? false;
      const form = multipart ? [...(await request.formData())] : [];
      heard.push({
        method: request.method,
        path: pathname,
        query: [...searchParams],
        authorization: request.headers.get('authorization') ?? request.headers.get('xi-api-key'),
        body: multipart ? undefined : await request.json(),
        form: form.map(([name, value]) => [name, String(value)]),
      });
      return Response.json(answer);
    },
  });
  return { heard, url: server.url.origin, stop: () => server.stop(true) };
}

/** In one order, whoever wrote them. */
export function inOrder(pairs: readonly [string, string][]): string[] {
  return pairs.map(([name, value]) => `${name}=${value}`).toSorted();
}
