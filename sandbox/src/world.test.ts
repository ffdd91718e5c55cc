// What stateful vendors use: memory of one sandbox, delayed tasks, and pages that fail.
import { describe, expect, test } from 'bun:test';
import { createUniverse } from './world.ts';

const now = new Date('2026-11-15T12:00:00.000Z');

describe('a universe', () => {
  test('keeps the memory of two sandboxes separate', () => {
    const one = createUniverse(() => now).seen(false);
    const other = createUniverse(() => now).seen(false);
    one.memory('jobs', () => ['first']).push('second');
    expect(one.memory('jobs', () => [] as string[])).toEqual(['first', 'second']);
    expect(other.memory('jobs', () => [] as string[])).toEqual([]);
  });

  test('runs a delayed task, and none after it was stopped', async () => {
    const universe = createUniverse(() => now);
    const done: string[] = [];
    await new Promise<void>((resolve) => {
      universe.seen(false).later(1, () => {
        done.push('ran');
        resolve();
        return Promise.resolve();
      });
    });
    universe.seen(false).later(1, () => {
      done.push('ran although stopped');
      return Promise.resolve();
    });
    universe.stop();
    await Bun.sleep(20);
    expect(done).toEqual(['ran']);
  });
});

describe('reading a page', () => {
  const world = createUniverse(() => now).seen(false);
  const outcomeOf = async (url: string): Promise<string> => (await world.read(url)).outcome;

  test('ignores scheme, www, a trailing slash and tracking parameters', async () => {
    const written = 'http://www.gridlines.example/storage/solar-storage-guide/?utm_source=x#top';
    const reading = await world.read(written);
    expect(reading).toMatchObject({
      outcome: 'page',
      url: 'https://gridlines.example/storage/solar-storage-guide',
    });
  });

  test('follows redirects and reports the final URL', async () => {
    const reading = await world.read('https://pages.example/moved-twice');
    expect(reading).toMatchObject({ outcome: 'page', url: 'https://pages.example/new-home' });
    expect(await outcomeOf('https://pages.example/loop')).toBe('unreachable');
  });

  test('fails in every known way', async () => {
    expect(await outcomeOf('https://pages.example/gone')).toBe('missing');
    expect(await outcomeOf('https://gridlines.example/never-written')).toBe('missing');
    expect(await outcomeOf('https://pages.example/slow')).toBe('timeout');
    expect(await outcomeOf('https://pages.example/bot-wall')).toBe('blocked');
    expect(await outcomeOf('https://pages.example/empty')).toBe('empty');
    expect(await outcomeOf('https://no-such-host.example/')).toBe('unreachable');
    expect(await outcomeOf('ftp://pages.example/huge')).toBe('unsupported');
    expect(await outcomeOf('not an address')).toBe('unsupported');
  });

  test('reads a URL with non-ASCII characters, encoded or not', async () => {
    expect(await outcomeOf('https://pages.example/unicode/naïve-café')).toBe('page');
    expect(await outcomeOf('https://pages.example/unicode/na%C3%AFve-caf%C3%A9')).toBe('page');
  });
});
