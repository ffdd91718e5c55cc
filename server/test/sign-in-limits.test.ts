// How often a password may be tried, and which client an attempt behind proxies belongs to.
import { describe, expect, test } from 'bun:test';
import { makeSignInLimits } from '../src/accounts/sign-in/passwords.ts';
import { clientAddress, networkOf, readProxies } from '../src/platform/addresses.ts';
import { systemClock } from '../src/platform/clock.ts';

const ada = 'ada@example.org';

/** How many of these attempts may be made. */
function allowed(
  { count }: ReturnType<typeof makeSignInLimits>,
  attempts: number,
  of: (at: number) => { address: string; email?: string; browser?: string },
): number {
  const made = Array.from({ length: attempts }, (_, at) => {
    try {
      count({ email: ada, browser: undefined, ...of(at) });
      return true;
    } catch {
      return false;
    }
  });
  return made.filter(Boolean).length;
}

describe('the limits of password sign-in', () => {
  test('one network has twenty attempts for all people, other networks have their own', () => {
    const limits = makeSignInLimits(systemClock);
    const from = (address: string) => (at: number) => ({ address, email: `p${at}@example.org` });
    expect(allowed(limits, 23, from('203.0.113.9'))).toBe(20);
    expect(allowed(limits, 1, from('203.0.113.10'))).toBe(1);
    const ofNetwork = (at: number) => from(`2001:db8:2:3::${at + 1}`)(at);
    expect(allowed(limits, 23, ofNetwork)).toBe(20);
  });

  test('one person has ten attempts, and fifty first attempts from other networks', () => {
    const limits = makeSignInLimits(systemClock);
    expect(allowed(limits, 60, (at) => ({ address: `192.0.2.${at % 6}` }))).toBe(10);
    expect(allowed(limits, 90, (at) => ({ address: `100.64.${at}.1` }))).toBe(50);
    expect(allowed(limits, 1, () => ({ address: '198.51.100.201' }))).toBe(0);
  });

  test('a browser in which the person has signed in before has ten of its own', () => {
    const limits = makeSignInLimits(systemClock);
    allowed(limits, 100, (at) => ({ address: `100.64.${at}.1` }));
    expect(allowed(limits, 14, () => ({ address: '192.0.2.1', browser: 'one' }))).toBe(10);
  });

  test('a success is not counted', () => {
    const limits = makeSignInLimits(systemClock);
    const attempt = { address: '192.0.2.1', email: ada, browser: undefined };
    for (let at = 0; at < 100; at += 1) limits.count(attempt)();
    expect(allowed(limits, 20, () => ({ address: '192.0.2.1' }))).toBe(10);
  });
});

describe('the address of a client', () => {
  const proxies = readProxies(['127.0.0.0/8', '10.0.0.7', '2001:db8:1::/48']);
  const seen = (peer: string, forwardedFor: string | null) =>
    proxies && clientAddress(peer, forwardedFor, proxies);

  test.each([
    ['no proxy', '203.0.113.1', null, '203.0.113.1'],
    ['a proxy that is not trusted', '203.0.113.1', '198.51.100.1', '203.0.113.1'],
    ['a trusted one', '127.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['an address that the client added', '127.0.0.1', '1.2.3.4, 203.0.113.77', '203.0.113.77'],
    ['several', '127.0.0.1', '203.0.113.78, 10.0.0.7, [2001:db8:1::9]:443', '203.0.113.78'],
    ['nonsense in the header', '127.0.0.1', 'unknown', '127.0.0.1'],
  ])('behind %s', (_name, peer, forwardedFor, expected) => {
    expect(seen(peer, forwardedFor)).toBe(expected);
  });

  test('its network is itself, or a /64', () => {
    expect(networkOf('203.0.113.1')).toBe('203.0.113.1');
    expect(networkOf('2001:db8:2:3::1')).toBe(networkOf('2001:db8:2:3:ffff::2'));
    expect(networkOf('2001:db8:2:3::1')).not.toBe(networkOf('2001:db8:2:4::1'));
  });

  test.each(['10.0.0.0/33', '10.0.0', 'proxy.example', '::1/129', '10.0.0.0/8/8', '10.0.0.0/-1'])(
    '%s is not a network',
    (value) => expect(readProxies([value])).toBeUndefined(),
  );
});
