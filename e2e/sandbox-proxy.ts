// A server between a gateway and the sandbox, which may change what the sandbox answers.

export type SandboxProxy = AsyncDisposable & { url: string };

export function startSandboxProxy(
  sandboxUrl: string,
  change: (answer: Response, request: Request) => Response | Promise<Response>,
): SandboxProxy {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const headers = new Headers(request.headers);
      headers.delete('host');
      headers.set('accept-encoding', 'identity');
      const answer = await fetch(sandboxUrl + pathname + search, {
        method: request.method,
        headers,
        ...(request.method === 'GET' ? {} : { body: await request.arrayBuffer() }),
      });
      return change(answer, request);
    },
  });
  return { url: server.url.origin, [Symbol.asyncDispose]: () => server.stop(true) };
}
