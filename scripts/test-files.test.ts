// Paths select the test files at or below them, and no others.
import { describe, expect, test } from 'bun:test';
import timings from './test-timings.json' with { type: 'json' };
import { testEnvironment } from './test-environment.ts';
import { filesOfShard, findTestFiles, selectSlowFiles, selectTestFiles } from './test-files.ts';

const fileNames = [
  'e2e/server.test.ts',
  'server/a.test.ts',
  'server/src/b.test.ts',
  'server2/c.test.ts',
];

describe('test files', () => {
  test('are found in the project, but not in packages', () => {
    const files = findTestFiles(['scripts']);
    expect(files).toContain('scripts/test-files.test.ts');
    expect(files).not.toContain('scripts/test-files.ts');
    expect(findTestFiles(['node_modules'])).toEqual([]);
  });

  test.each([
    [['server'], ['server/a.test.ts', 'server/src/b.test.ts']],
    [['./server/src/'], ['server/src/b.test.ts']],
    [['server/a.test.ts'], ['server/a.test.ts']],
  ])('%j selects %j', (paths, files) => {
    expect(selectTestFiles(fileNames, paths)).toEqual({ files, unmatched: [] });
  });

  test('with a recorded duration all exist', () => {
    const folders = [
      ...new Set(Object.keys(timings.files).map((file) => file.split('/')[0] ?? '')),
    ];
    expect(findTestFiles(folders)).toEqual(expect.arrayContaining(Object.keys(timings.files)));
  });

  test('are kept with their time when they are slow and still there', () => {
    const times = { 'a.test.ts': 4000, 'gone.test.ts': 9000, 'b.test.ts': 5000, 'c.test.ts': 2999 };
    const kept = selectSlowFiles(times, ['a.test.ts', 'b.test.ts', 'c.test.ts']);
    expect(Object.entries(kept)).toEqual([
      ['b.test.ts', 5000],
      ['a.test.ts', 4000],
    ]);
  });

  test('parts have every file once, and take about the same time', () => {
    const times = { a: 9, b: 5, c: 4, d: 3, e: 3 };
    const files = Object.keys(times);
    const parts = ['1/3', '2/3', '3/3'].map((shard) => filesOfShard(files, shard, times));
    expect(parts).toEqual([['a'], ['b', 'e'], ['c', 'd']]);
    expect(filesOfShard(files, '1/1', {})).toEqual(files);
    for (const wrong of ['0/3', '4/3', '3', '1/0', 'x/2']) {
      expect(() => filesOfShard(files, wrong, times)).toThrow('--shard');
    }
  });

  test('a path without test files is reported', () => {
    const selection = selectTestFiles(fileNames, ['server/src', 'serve']);
    expect(selection).toEqual({ files: ['server/src/b.test.ts'], unmatched: ['serve'] });
  });
});

describe('the environment of tests', () => {
  test('has the test database and no settings of a gateway', () => {
    const settings = { PORT: '1', DATABASE_URL: 'x', EXA_API_KEY: 'k', TRIVIUM_SANDBOX: 'off' };
    const environment = testEnvironment({ ...settings, PATH: '/bin' }, 'postgres://test');
    expect(environment).toEqual({ PATH: '/bin', TRIVIUM_TEST_DATABASE_URL: 'postgres://test' });
  });
});
