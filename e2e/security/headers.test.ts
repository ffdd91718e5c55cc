// The security headers of every response, and the origins that may use a session.
import { describe, expect, test } from 'bun:test';
import { sharedGateway, startGateway } from '../harness.ts';
import { routeTable } from './route-table.ts';
import { operator, setUpToken, visitor } from './visitor.ts';
import type { Visitor } from './visitor.ts';

describe('an answer', () => {
  const gateway = sharedGateway({ env: { TRIVIUM_CORS_ORIGINS: 'https://app.example' } });

  test('is never sniffed, and is cached only if it is revalidated before each use', async () => {
    const wrong: string[] = [];
    const asked = [...routeTable(), { method: 'GET', path: '/nowhere' }];
    for (const { method, path } of [...asked, { method: 'PUT', path: '/v1/search' }]) {
      const filled = path.replaceAll(/:\w+/g, 'none');
      for (const authorization of [`Bearer ${gateway().key}`, null]) {
        const answer = await gateway().ask(method, filled, undefined, { authorization });
        if (answer.headers.get('x-content-type-options') !== 'nosniff') wrong.push(filled);
        const kept = answer.headers.get('cache-control');
        const isRevalidated =
          answer.status === 200 && (kept === 'no-cache' || kept === 'private, no-cache');
        if (kept !== 'no-store' && !isRevalidated) wrong.push(`${method} ${filled}: ${kept}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('has the same headers for a preflight request of another origin', async () => {
    const { headers, status } = await gateway().ask('OPTIONS', '/v1/search', undefined, {
      origin: 'https://app.example',
      'access-control-request-method': 'POST',
    });
    expect(status).toBe(204);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test.each(['/docs', '/docs/api', '/'])(
    '%s forbids foreign form targets and base URLs',
    async (path) => {
      const { headers } = await gateway().get(path, { authorization: null });
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("base-uri 'none'");
      expect(policy).toMatch(/form-action '(?:none|self)'/);
      expect(policy).toContain("default-src 'none'");
    },
  );
});

describe('a session', () => {
  /** Creates a key with the session, from a page of this origin. */
  const actFrom = async (who: Visitor, origin: string | undefined) => {
    const headers: Record<string, string> = origin === undefined ? {} : { origin };
    const body = { name: 'a key' };
    return (await who.ask('POST', '/admin/v1/accounts/acct_default/keys', { body, headers }))
      .status;
  };

  test('is accepted from pages of the same host over http when no public URL is set', async () => {
    await using gateway = await startGateway();
    const ada = await operator(gateway);
    const { host, port } = new URL(gateway.url);
    expect(await actFrom(ada, gateway.url)).toBe(201);
    const others = [`https://${host}`, `http://127.0.0.1`, `http://localhost:${port}`, 'null', ''];
    for (const origin of others)
      expect([origin, await actFrom(ada, origin)]).toEqual([origin, 403]);
    // A page of another site cannot sign a person in or out either.
    const headers = { origin: 'https://evil.example' };
    const body = { email: 'ada@example.org', password: 'correct horse battery' };
    expect((await ada.ask('POST', '/auth/sign-in/email', { body, headers })).status).toBe(403);
    expect((await ada.ask('POST', '/auth/sign-out', { body: {}, headers })).status).toBe(403);
    expect((await ada.session()).person?.email).toBe('ada@example.org');
  });

  test('is accepted only from pages of the public URL when one is set', async () => {
    const origin = 'http://dashboard.example:8080';
    await using gateway = await startGateway({ env: { TRIVIUM_PUBLIC_URL: origin } });
    const ada = visitor(
      () => gateway.url,
      () => origin,
    );
    expect(await ada.join(setUpToken(gateway), 'ada@example.org')).toBe(201);
    expect(await ada.signIn('ada@example.org')).toBe(200);
    expect(await actFrom(ada, origin)).toBe(201);
    const others = [gateway.url, 'https://dashboard.example:8080', 'http://dashboard.example'];
    for (const other of others) expect([other, await actFrom(ada, other)]).toEqual([other, 403]);
  });
});
