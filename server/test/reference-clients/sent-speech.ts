// The submissions our fixtures send to a speech vendor, for the suites that compare them with its
// client.
import { fixtureNames, readFixture } from '../fixtures.ts';
import type { Fixture } from '../play.ts';

export type Submission = { file: string; sent: Fixture['sent'][number] };

/** The first request of every transcription fixture; a suite without any checks nothing. */
export function submissions(vendor: string): Submission[] {
  const sent = fixtureNames(`${vendor}.transcribe.`).flatMap((file) => {
    const [first] = readFixture(file).sent;
    return first ? [{ file, sent: first }] : [];
  });
  if (sent.length === 0) throw new Error(`no fixture submits anything to ${vendor}`);
  return sent;
}

export type ReceivedRequest = {
  method: string;
  path: string;
  query: [string, string][];
  authorization: string | null;
  body: unknown;
  form: [string, string][];
};

/** A server in the vendor's place that records the requests it receives. */
export function listenFor(answer: object) {
  const received: ReceivedRequest[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      const multipart = request.headers.get('content-type')?.startsWith('multipart/') ?? false;
      const form = multipart ? [...(await request.formData())] : [];
      received.push({
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
  return { received, url: server.url.origin, stop: () => server.stop(true) };
}

/** In one order, for comparison. */
export function inOrder(pairs: readonly [string, string][]): string[] {
  return pairs.map(([name, value]) => `${name}=${value}`).toSorted();
}
