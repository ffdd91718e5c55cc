// A local web site for the reader's tests, with the failures of real sites.
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Policy } from '../src/reader/target.ts';

export type Site = AsyncDisposable & {
  port: number;
  /** Its URL with a name that resolves to this machine. */
  url: string;
  /** The requests it received, oldest first. */
  visits: { path: string; headers: Headers }[];
  /** Allows this site and nothing else. */
  policy: Policy;
};

export const article = `<!doctype html>
<html lang="en-GB"><head><title>Cheap membranes | The Water Post</title>
<meta property="og:title" content="Cheap membranes"><meta name="author" content="R. Okafor">
<meta property="article:published_time" content="2026-03-14T00:30:00+02:00">
<meta name="description" content="A pilot plant saves energy."></head>
<body><nav><a href="/">Home</a> <a href="/news">News</a></nav>
<script>document.write('<p>written by a script</p>')</script>
<main><article><h1>Cheap membranes</h1>
<p>The pilot plant cut energy use by a fifth, engineers said, with parts that any workshop can
make. That matters, because energy is most of what small desalination plants pay for.</p>
<p>Costs fell to 0.80 dollars a cubic metre, says <a href="report.html#page-3">the report</a>,
which three laboratories read before it came out. <img src="img/plant.jpg" alt="The plant">
<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="a dot"></p>
<h2>Figures</h2>
<table><tr><th>Year</th><th>Cost</th></tr><tr><td>2025</td><td>0.80</td></tr></table>
<pre><code class="language-python">def flux(p):
    return p * 2
</code></pre></article></main>
<footer>Imprint and <a href="javascript:void(0)">cookies</a></footer></body></html>`;

export function startSite(): Site {
  const visits: Site['visits'] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      visits.push({ path: pathname, headers: request.headers });
      const answer = pages[pathname] ?? (() => html('<h1>Not here</h1>', { status: 404 }));
      return answer(request);
    },
  });
  const port = server.port ?? 0;
  return {
    port,
    url: `http://site.test:${port}`,
    visits,
    policy: {
      allows: (address, to) => address === '127.0.0.1' && to === port,
      resolve: (host) =>
        host.endsWith('.test')
          ? Promise.resolve(['127.0.0.1'])
          : Promise.reject(new Error(`ENOTFOUND ${host}`)),
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

const bombBytes = 64 * 1024 * 1024;
const largeBytes = 5 * 1024 * 1024;

type Answer = (request: Request) => Response | Promise<Response>;

const pages: Readonly<Record<string, Answer>> = {
  '/water/membranes': () => html(article),
  '/gzip': () => coded('gzip', gzipSync(article)),
  '/deflate': () => coded('deflate', deflateSync(article)),
  '/br': () => coded('br', brotliCompressSync(article)),
  '/twice-coded': () => coded('gzip, gzip', gzipSync(gzipSync(article))),
  '/not-gzip': () => coded('gzip', Buffer.from(article)),
  '/bomb': () => coded('gzip', gzipSync(Buffer.alloc(bombBytes))),
  '/large': () => html('x'.repeat(largeBytes)),
  '/large-in-pieces': () => html(endless()),
  '/moved': () => moved('/water/membranes'),
  '/moved-elsewhere': ({ url }) =>
    moved(url.replace('site.test', 'other.test').replace(/[^/]+$/, 'br')),
  '/moved-inside': () => moved('http://127.0.0.1:1/secret'),
  '/moved-to-file': () => moved('file:///etc/passwd'),
  '/moved-to-name': ({ url }) => moved(url.replace('site.test', 'localhost')),
  '/loop': () => moved('/loop'),
  '/never': () => new Promise<Response>(() => undefined),
  '/stalls': () => html(stalling()),
  '/data.json': () =>
    new Response('{"secret":1}', { headers: { 'content-type': 'application/json' } }),
  '/paper.pdf': () => new Response('%PDF', { headers: { 'content-type': 'application/pdf' } }),
  '/untyped': () => new Response(new Uint8Array([60, 112, 62])),
  '/notes.txt': () => text('Plain notes.\n\nSecond paragraph.', 'text/plain; charset=utf-8'),
  '/notes.md': () => text('# Notes\n\nSome *markdown*.', 'text/markdown'),
  '/empty': () => html(''),
  '/short': () => html('<title>Short</title><nav>Menu</nav><h1>Short</h1><p>Little text.</p>'),
  '/shell': () => html('<div id="root"></div><script src="/app.js"></script>'),
  '/cyrillic': () => html(cyrillic(), { type: 'text/html' }),
  '/latin': () => html(Buffer.from('<p>caf\xe9</p>', 'latin1'), { type: 'text/html' }),
  '/cookie': () => html(article, { headers: { 'set-cookie': 'id=1' } }),
};

function html(
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  { status = 200, type = 'text/html; charset=utf-8', headers = {} } = {},
): Response {
  return new Response(body, { status, headers: { 'content-type': type, ...headers } });
}

function text(body: string, type: string): Response {
  return new Response(body, { headers: { 'content-type': type } });
}

function coded(coding: string, body: Buffer): Response {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-encoding': coding };
  return new Response(new Uint8Array(body), { headers });
}

function moved(location: string): Response {
  return new Response(null, { status: 302, headers: { location } });
}

function endless(): ReadableStream<Uint8Array> {
  const piece = new Uint8Array(64 * 1024).fill(0x61);
  return new ReadableStream({ pull: (controller) => controller.enqueue(piece) });
}

function stalling(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('<p>The beginning')),
  });
}

/** "Вода" in windows-1251, declared only in the page itself. */
function cyrillic(): Uint8Array<ArrayBuffer> {
  const head = '<meta charset="windows-1251"><p>';
  return new Uint8Array([...Buffer.from(head), 0xc2, 0xee, 0xe4, 0xe0, ...Buffer.from('</p>')]);
}
