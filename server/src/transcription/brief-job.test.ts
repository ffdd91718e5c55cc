// The beginning of a transcript, however its stored text is cut into parts.
import { maxToolTextChars } from '@trivium/contract';
import { expect, test } from 'bun:test';
import { briefResult } from './read-job.ts';

const facts = { language: 'en', provider: 'stt_a', model: 'm', usage: { cost_usd: 1, credits: 9 } };
const words = Array.from({ length: 50 }, () => ({ text: ',"words":[', start: 0, end: 1 }));

async function* streamed(parts: readonly string[]) {
  yield* parts;
}

const brief = async (whole: object, chars: number) => {
  const text = JSON.stringify(whole);
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += chars) parts.push(text.slice(at, at + chars));
  const found = await briefResult(streamed(parts));
  return found === undefined ? undefined : (JSON.parse(found) as { text: string });
};

test.each([10, 13, 97, 1_000_000])('the words are left out, in parts of %i', async (chars) => {
  for (const text of ['', 'Hello.', 'a "quoted\\" ,"words":[ text\n', '\\', '😀é\u0001\\"']) {
    expect(await brief({ text, ...facts, words }, chars)).toEqual({ text, ...facts });
    expect(await brief({ text, ...facts }, chars)).toEqual({ text, ...facts });
  }
});

test.each(['x', '\u0001', '"', '😀'])(
  'a long text of %j ends where a tool ends',
  async (letter) => {
    const text = letter.repeat(maxToolTextChars + 500);
    const found = await brief({ text, ...facts, words }, 128 * 1024);
    expect(found?.text.length).toBe(maxToolTextChars + 1);
    expect(text.startsWith(found?.text.trimEnd().slice(0, -1) ?? 'none')).toBe(true);
    expect(found).toMatchObject(facts);
  },
);

test('what is not a transcript is none', async () => {
  expect(await brief({ other: 1 }, 100)).toBeUndefined();
  expect(await briefResult(streamed([]))).toBeUndefined();
});
