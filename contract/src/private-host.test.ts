// Checks which hosts are private: every block at its limits, in unusual spellings too.
import { expect, test } from 'bun:test';
import { embeddedIpv4, isPrivateHost, isPrivatePageHost } from './private-host.ts';

const privateHosts = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'audio.localhost',
  '0.0.0.0',
  '0.255.255.255',
  '10.0.0.0',
  '10.255.255.255',
  '100.64.0.0',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.255',
  '127.0.0.1.',
  '127.1',
  '0x7f.1',
  '0177.0.0.1',
  '2130706433',
  '169.254.0.0',
  '169.254.169.254',
  '169.254.255.255',
  '172.16.0.0',
  '172.31.255.255',
  '192.0.0.0',
  '192.0.0.255',
  '192.168.0.0',
  '192.168.255.255',
  '198.18.0.0',
  '198.19.255.255',
  '224.0.0.0',
  '255.255.255.255',
  '::',
  '::1',
  '[::1]',
  '0:0:0:0:0:0:0:1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '[::ffff:10.0.0.1]',
  '::ffff:c0a8:101',
  '::ffff:0:10.0.0.1',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::1',
  '64:ff9b:1:ffff::8.8.8.8',
  '2002:a00:1::',
  '2002:7f00:1::1',
  '2001::1',
  'fc00::',
  'fdff:ffff::1',
  'fe80::1',
  'febf::1',
  'fec0::1',
  'feff::1',
  'ff00::',
  'ff02::1',
  'ffff::1',
  '',
  'not a host',
  '1.2.3.256',
  ':::',
];

const publicHosts = [
  'example.org',
  'example.org.',
  'localhost.example.org',
  'notlocalhost',
  '10.example.org',
  '1.0.0.0',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '191.255.255.255',
  '192.0.1.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '8.8.8.8',
  '2606:4700::1111',
  '[2606:4700::1111]',
  '::ffff:8.8.8.8',
  '::8.8.8.8',
  '::ffff:0:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '64:ff9b:2::1',
  '2002:808:808::',
  '2001:1::1',
  '2001:db8:0:0:0:0:0:1',
  'fbff::1',
  'fe00::1',
  'fe7f::1',
];

test.each(privateHosts)('%j is private', (host) => {
  expect(isPrivateHost(host)).toBe(true);
});

test.each(publicHosts)('%j is not private', (host) => {
  expect(isPrivateHost(host)).toBe(false);
});

const octets = (address: string) => address.split('.').map(Number);
const groupsOf = (address: string) => {
  const [a = 0, b = 0, c = 0, d = 0] = octets(address);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
};
const forms: [string, (address: string) => string][] = [
  ['mapped', (address) => `[::ffff:${address}]`],
  ['compatible', (address) => `[::${address}]`],
  ['translated', (address) => `[::ffff:0:${address}]`],
  ['NAT64', (address) => `[64:ff9b::${address}]`],
  ['6to4', (address) => `[2002:${groupsOf(address)}::1]`],
];

test.each(forms)('an address in its %s form is as private as in IPv4', (_name, formOf) => {
  const addresses = [...privateHosts, ...publicHosts, '168.63.129.16', '168.63.129.17'].filter(
    (host) => /^\d+\.\d+\.\d+\.\d+$/.test(host) && !host.endsWith('.256'),
  );
  expect(addresses.length).toBeGreaterThan(40);
  for (const address of addresses.filter((one) => !one.startsWith('0'))) {
    const { hostname } = new URL(`https://${formOf(address)}/`);
    expect([address, embeddedIpv4(hostname)]).toEqual([address, address]);
    for (const judge of [isPrivateHost, isPrivatePageHost]) {
      expect([address, judge(hostname)]).toEqual([address, judge(address)]);
    }
  }
});

test('the internal address of a cloud provider is private', () => {
  expect([isPrivateHost('168.63.129.16'), isPrivateHost('168.63.129.17')]).toEqual([true, false]);
});

test.each([
  ...['localhost..', 'api.localhost', 'metadata', 'metadata.google.internal'],
  ...['host.docker.internal', 'printer.local', 'db.cluster.local.', 'router.lan'],
  'kubernetes.default.svc',
])('%j is the host of a private page', (host) => expect(isPrivatePageHost(host)).toBe(true));

test.each(['internal.example', 'localhost.example', 'public.example', '8.8.8.8'])(
  '%j is not the host of a private page',
  (host) => expect(isPrivatePageHost(host)).toBe(false),
);
