// Stands between a gateway and the sandbox: passes everything on, respells the JSON of every
// answer in a valid but unusual way, and remembers what it said.

export type RecordingProxy = AsyncDisposable & {
  /** Give it to a gateway as its `sandbox`. */
  url: string;
  /** The answers it gave, as text, the oldest first. */
  said: string[];
};

export function startRecordingProxy(sandbox_url: string): RecordingProxy {
  const said: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const headers = new Headers(request.headers);
      headers.delete('host');
      headers.set('accept-encoding', 'identity');
      const answer = await fetch(sandbox_url + pathname + search, {
        method: request.method,
        headers,
        ...(request.method === 'GET' ? {} : { body: await request.text() }),
      });
      const text = respell(await answer.text());
      said.push(text);
      return new Response(text, {
        status: answer.status,
        headers: { 'content-type': 'application/json' },
      });
    },
  });
  return {
    url: server.url.origin,
    said,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** Whole numbers get a fraction, and lines are broken: the same JSON in other bytes. */
function respell(text: string): string {
  return JSON.stringify(JSON.parse(text), null, 1).replace(/: (\d{1,6})(?=,?\n)/g, ':  $1.0');
}

/** The text of every `raw` in an answer, cut out with no JSON parser between. */
export function rawTexts(answer: string): string[] {
  const found: string[] = [];
  for (let at = answer.indexOf(MARK); at >= 0; at = answer.indexOf(MARK, at)) {
    const begin = at + MARK.length;
    at = endOfValue(answer, begin);
    found.push(answer.slice(begin, at));
  }
  return found;
}

const MARK = '"raw":';

/** Where the object or list that begins here ends; braces inside strings do not count. */
function endOfValue(text: string, begin: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = begin; at < text.length; at += 1) {
    const sign = text[at];
    if (quoted) {
      if (sign === '\\') at += 1;
      else if (sign === '"') quoted = false;
    } else if (sign === '"') quoted = true;
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  throw new Error('The answer ends inside a raw object.');
}
