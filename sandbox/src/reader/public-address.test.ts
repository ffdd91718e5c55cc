// The address tables: a private address is never public, in any spelling.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { isPublicAddress } from './public-address.ts';

const closed = [
  '0.0.0.0',
  '0.255.255.255',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.7',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:0:53aa:64c:0:0:80ff:fffe',
  '2001:10::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  '2600::1%eth0',
  'fec0::1',
  'ff02::1',
];

const open = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.1',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2001:200::1',
  '2600:1901::1',
  '2a00:1450:4001:80b::200e',
];

test('private, reserved and wrapped addresses are not public', () => {
  expect(closed.filter(isPublicAddress)).toEqual([]);
});

test('internet addresses are public, up to the limits of the private blocks', () => {
  expect(open.filter((address) => !isPublicAddress(address))).toEqual([]);
});

test('text that is not an address is not public', () => {
  const strangers = [
    '',
    'localhost',
    'example.org',
    '1.2.3',
    '1.2.3.4.5',
    '0x7f.1',
    '[::1]',
    '::g',
  ];
  expect(strangers.filter(isPublicAddress)).toEqual([]);
});

describe('for any private IPv4 address', () => {
  const byte = fc.integer({ min: 0, max: 255 });
  const inside = fc.oneof(
    fc.tuple(fc.constant(10), byte, byte, byte),
    fc.tuple(fc.constant(127), byte, byte, byte),
    fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
    fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
    fc.tuple(fc.integer({ min: 224, max: 255 }), byte, byte, byte),
  );

  test('neither it nor an IPv6 address that wraps it is public', () => {
    fc.assert(
      fc.property(inside, ([a, b, c, d]) => {
        const high = ((a << 8) | b).toString(16);
        const low = ((c << 8) | d).toString(16);
        const spelt = [
          `${a}.${b}.${c}.${d}`,
          `::ffff:${a}.${b}.${c}.${d}`,
          `::ffff:${high}:${low}`,
          `::${high}:${low}`,
          `64:ff9b::${high}:${low}`,
          `2002:${high}:${low}::1`,
          `2001:0:${high}:${low}::1`,
        ];
        expect(spelt.filter(isPublicAddress)).toEqual([]);
      }),
    );
  });
});
