// Domain entries match their host, what is below it, and their path, on whole labels and segments
// only.
import { describe, expect, test } from 'bun:test';
import { hasPath, hostAndPath, hostOf, isUnder, readEntry } from './domains.ts';

describe('an entry is read whatever form it is written in', () => {
  const forms: [string, string][] = [
    ['example.com', 'example.com'],
    ['Example.COM', 'example.com'],
    ['https://example.com/', 'example.com'],
    ['http://www.example.com', 'example.com'],
    ['www.example.com', 'example.com'],
    ['*.example.com', 'example.com'],
    ['.gov', 'gov'],
    ['example.com:8080', 'example.com'],
    ['www.com', 'www.com'],
    [' example.com/Blog/ ', 'example.com/Blog'],
  ];
  for (const [entry, read] of forms) {
    test(`"${entry}" is ${read}`, () => expect(hostAndPath(entry)).toBe(read));
  }
  test('host and path can be asked for alone', () => {
    expect(hostOf('https://www.example.com/blog')).toBe('example.com');
    expect(hasPath('example.com/')).toBe(false);
    expect(hasPath('example.com/blog')).toBe(true);
  });
});

describe('a page is under an entry', () => {
  const cases: [string, string, boolean][] = [
    ['https://example.com/a', 'example.com', true],
    ['https://www.example.com/a', 'example.com', true],
    ['https://blog.example.com/a', 'example.com', true],
    ['https://notexample.com/a', 'example.com', false],
    ['https://example.com.evil.example/a', 'example.com', false],
    ['https://example.com/a', 'blog.example.com', false],
    ['https://example.co.uk/a', 'co.uk', true],
    ['https://example.com./a', 'example.com', true],
    ['https://example.com/blog/post', 'example.com/blog', true],
    ['https://example.com/blog', 'example.com/blog', true],
    ['https://example.com/blogger', 'example.com/blog', false],
    ['https://example.com/Blog', 'example.com/blog', false],
    ['not an address', 'example.com', false],
  ];
  for (const [url, entry, under] of cases) {
    test(`${url} is ${under ? '' : 'not '}under ${entry}`, () => {
      expect(isUnder(url, readEntry(entry))).toBe(under);
    });
  }
});
