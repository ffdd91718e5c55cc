// What stateful vendors rely on: memory of one sandbox, delayed tasks, and pages that go wrong.
import { describe, expect, test } from 'bun:test';
import { createUniverse } from './world.ts';

const NOW = new Date('2026-11-15T12:00:00.000Z');

describe('a universe', () => {
  test('keeps the memory of one sandbox apart from that of another', () => {
    const one = createUniverse(() => NOW).seen(false);
    const other = createUniverse(() => NOW).seen(false);
    one.memory('jobs', () => ['first']).push('second');
    expect(one.memory('jobs', () => [] as string[])).toEqual(['first', 'second']);
    expect(other.memory('jobs', () => [] as string[])).toEqual([]);
  });

  test('runs a delayed task, and none after it was stopped', async () => {
    const universe = createUniverse(() => NOW);
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
  const world = createUniverse(() => NOW).seen(false);
  const outcomeOf = async (url: string): Promise<string> => (await world.read(url)).outcome;

  test('finds it whatever the scheme, www, trailing slash or tracking', async () => {
    const written = 'http://www.gridlines.example/storage/solar-storage-guide/?utm_source=x#top';
    const reading = await world.read(written);
    expect(reading).toMatchObject({
      outcome: 'page',
      url: 'https://gridlines.example/storage/solar-storage-guide',
    });
  });

  test('follows redirects and says where it arrived', async () => {
    const reading = await world.read('https://pages.example/moved-twice');
    expect(reading).toMatchObject({ outcome: 'page', url: 'https://pages.example/new-home' });
    expect(await outcomeOf('https://pages.example/loop')).toBe('unreachable');
  });

  test('meets every kind of trouble', async () => {
    expect(await outcomeOf('https://pages.example/gone')).toBe('missing');
    expect(await outcomeOf('https://gridlines.example/never-written')).toBe('missing');
    expect(await outcomeOf('https://pages.example/slow')).toBe('timeout');
    expect(await outcomeOf('https://pages.example/bot-wall')).toBe('blocked');
    expect(await outcomeOf('https://pages.example/empty')).toBe('empty');
    expect(await outcomeOf('https://no-such-host.example/')).toBe('unreachable');
    expect(await outcomeOf('ftp://pages.example/huge')).toBe('unsupported');
    expect(await outcomeOf('not an address')).toBe('unsupported');
  });

  test('reads an address with signs beyond ASCII, encoded or not', async () => {
    expect(await outcomeOf('https://pages.example/unicode/naïve-café')).toBe('page');
    expect(await outcomeOf('https://pages.example/unicode/na%C3%AFve-caf%C3%A9')).toBe('page');
  });
});
