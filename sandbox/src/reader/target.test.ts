// SSRF protection: spellings, names, ports and resolutions of private networks are refused.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ScrapeFailure } from './scrape-failure.ts';
import { checkTarget, publicWeb } from './target.ts';

/** The real policy with a resolver that the test controls. */
const resolving = (...addresses: string[]) => ({
  ...publicWeb,
  resolve: () => Promise.resolve(addresses),
});

async function verdict(address: string, policy = resolving('93.184.215.14')): Promise<string> {
  try {
    return (await checkTarget(new URL(address), policy)).address;
  } catch (error) {
    return error instanceof ScrapeFailure ? error.code : String(error);
  }
}

const refused = 'SCRAPE_SITE_ERROR';

test('a public page is reached at the address its name resolved to', async () => {
  expect(await verdict('https://site.test/page')).toBe('93.184.215.14');
  expect(await verdict('http://site.test:80/')).toBe('93.184.215.14');
  expect(await verdict('http://1.1.1.1/')).toBe('1.1.1.1');
  expect(await verdict('https://[2606:4700::1111]/')).toBe('2606:4700::1111');
  const both = resolving('2606:4700::1111', '93.184.215.14');
  expect(await verdict('https://site.test/', both)).toBe('93.184.215.14');
});

describe('what is refused', () => {
  test('spellings of this machine and of private networks', async () => {
    const hosts = [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0x7f.0.0.1',
      '0177.0.0.1',
      '017700000001',
      '127.0.0.1.',
      '①②⑦.⓪.⓪.①',
      '0',
      '0.0.0.0',
      '10.0.0.1',
      '169.254.169.254',
      '0xa9fea9fe',
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[64:ff9b::7f00:1]',
      '[fd00::1]',
      '[fe80::1]',
    ];
    for (const host of hosts)
      expect([host, await verdict(`http://${host}/`)]).toEqual([host, refused]);
  });

  test('names that only resolve in a private network', async () => {
    const names = [
      'localhost',
      'LOCALHOST',
      'localhost.',
      '%6cocalhost',
      'ocean.localhost',
      'printer.local',
      'metadata.google.internal',
      'wiki.corp',
      'router.home.arpa',
      'intranet',
      'intranet.',
    ];
    for (const name of names)
      expect([name, await verdict(`http://${name}/`)]).toEqual([name, refused]);
  });

  test('ports other than those of the web', async () => {
    for (const port of [22, 25, 81, 3000, 5432, 6379, 8080, 8443, 65535]) {
      expect([port, await verdict(`http://site.test:${port}/`)]).toEqual([port, refused]);
    }
  });

  test('other schemes, and URLs with a user name or password', async () => {
    const strangers = [
      'file:///etc/passwd',
      'ftp://site.test/',
      'data:text/html,x',
      'gopher://site.test/',
      'https://name@site.test/',
      'https://name:word@site.test/',
    ];
    for (const one of strangers) expect([one, await verdict(one)]).toEqual([one, refused]);
  });

  test('names with a private address, even if only one of several is private', async () => {
    expect(await verdict('https://site.test/', resolving('10.0.0.1'))).toBe(refused);
    expect(await verdict('https://site.test/', resolving('1.1.1.1', '127.0.0.1'))).toBe(refused);
    expect(await verdict('https://site.test/', resolving('1.1.1.1', 'fd00::1'))).toBe(refused);
  });

  test('names that do not resolve, with their own message', async () => {
    const failing = { ...publicWeb, resolve: () => Promise.reject(new Error('ENOTFOUND')) };
    const unresolved = 'SCRAPE_DNS_RESOLUTION_ERROR';
    expect(await verdict('https://site.test/', failing)).toBe(unresolved);
    expect(await verdict('https://site.test/', resolving())).toBe(unresolved);
  });
});

test('the refusal does not reveal what a name resolved to', async () => {
  const refusal = checkTarget(new URL('https://site.test/'), resolving('10.11.12.13'));
  const error: unknown = await refusal.catch((caught: unknown) => caught);
  expect((error as Error).message).not.toContain('10.11.12.13');
});

test('no spelling of a loopback address that a browser accepts gets through', async () => {
  const part = (value: number) =>
    fc.constantFrom(
      String(value),
      `0x${value.toString(16)}`,
      `0X${value.toString(16).padStart(4, '0')}`,
      `0${value.toString(8)}`,
      `000${value.toString(8)}`,
    );
  const byte = fc.integer({ min: 0, max: 255 });
  const dotted = fc
    .tuple(byte, byte, byte)
    .chain(([b, c, d]) =>
      fc.oneof(
        fc.tuple(part(127), part(b), part(c), part(d)),
        fc.tuple(part(127), part(b), part((c << 8) | d)),
        fc.tuple(part(127), part((b << 16) | (c << 8) | d)),
        fc.tuple(part(((127 << 24) | (b << 16) | (c << 8) | d) >>> 0)),
      ),
    )
    .map((parts) => parts.join('.'));
  await fc.assert(
    fc.asyncProperty(dotted, fc.constantFrom('', '.'), async (host, dot) => {
      const address = `http://${host}${dot}/`;
      // Text that is not a URL for a browser is not one for the reader either.
      if (!URL.canParse(address)) return;
      expect([address, await verdict(address)]).toEqual([address, refused]);
    }),
    { numRuns: 300 },
  );
});
