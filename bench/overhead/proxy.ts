// A bare proxy on the same runtime: the lower bound for any gateway on it.
import { argv } from 'node:process';

const [, , upstream = ''] = argv;
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    const answer = await fetch(upstream + new URL(request.url).pathname, {
      method: request.method,
      headers: { 'content-type': 'application/json' },
      body: await request.text(),
    });
    const headers = { 'content-type': 'application/json' };
    return new Response(await answer.text(), { status: answer.status, headers });
  },
});
process.stdout.write(`listening on ${server.url.origin}\n`);
