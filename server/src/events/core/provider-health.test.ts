// A provider is unhealthy while one gateway reports it, and recovers when the last report ends.
import { expect, test } from 'bun:test';
import { addReport } from '../watch-providers.ts';

const report = (reporter: string, isOpen: boolean, until = 100) => ({ reporter, isOpen, until });

test('the first report makes it unhealthy, and the last closed circuit recovers it', () => {
  const first = addReport({}, report('a', true), 0);
  expect(first).toEqual({ after: { a: 100 }, event: 'provider.unhealthy' });
  const second = addReport(first.after, report('b', true, 110), 10);
  expect(second).toEqual({ after: { a: 100, b: 110 }, event: undefined });
  const third = addReport(second.after, report('a', false), 20);
  expect(third).toEqual({ after: { b: 110 }, event: undefined });
  const last = addReport(third.after, report('b', false), 30);
  expect(last).toEqual({ after: {}, event: 'provider.recovered' });
  expect(addReport(last.after, report('b', false), 40).event).toBeUndefined();
});

test('a renewed report is no news, and one that was not renewed no longer counts', () => {
  const { after } = addReport({ a: 100 }, report('a', true, 200), 90);
  expect(after).toEqual({ a: 200 });
  expect(addReport(after, report('b', false), 150).event).toBeUndefined();
  expect(addReport(after, report('b', false), 200)).toEqual({
    after: {},
    event: 'provider.recovered',
  });
});

test('a gateway that takes over from one that ended is no news', () => {
  expect(addReport({ a: 100 }, report('b', true, 200), 100)).toEqual({
    after: { b: 200 },
    event: undefined,
  });
});
