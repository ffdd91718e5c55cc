// Subtitles as players expect them: numbered and timed cues, one speaker per cue.
import { expect, test } from 'bun:test';
import { words } from './stub-gateway.ts';
import { cuesOf, toSrt, toVtt } from './subtitles.ts';

test('SRT numbers its cues and writes the comma before milliseconds', () => {
  expect(toSrt(words)).toBe(
    '1\n00:00:00,000 --> 00:00:00,900\nspeaker_0: Hello there.\n\n' +
      '2\n00:00:01,200 --> 00:00:01,500\nspeaker_1: Hi!\n',
  );
});

test('WebVTT names voices and escapes what would be markup', () => {
  const vtt = toVtt([{ text: 'a<b', start: 3661.5, end: 3662, speaker_id: 'speaker_2' }]);
  expect(vtt).toBe('WEBVTT\n\n01:01:01.500 --> 01:01:02.000\n<v speaker_2>a&lt;b\n');
});

test.each([
  'a\n\n2\n00:00:09,000 --> 00:00:10,000\nanother cue',
  'a\r\n\r\n00:00:09.000 --> 00:00:10.000\r\nanother cue',
  'a\u2028\u2028\u000b\u0085\u000c\u001e00:00:09,000 ---> 00:00:10,000',
  'STYLE\n::cue { color: red }\u009b31m\u001b[2J',
])('what was said cannot begin a cue or control a terminal: %j', (text) => {
  for (const said of [{ text }, { text: 'a', speaker_id: `${text}>` }]) {
    const given = [{ ...said, start: 0, end: 1 }];
    const [srt, vtt] = [toSrt(given), toVtt(given)];
    expect(srt.match(/-->/g)).toHaveLength(1);
    expect(vtt.match(/-->/g)).toHaveLength(1);
    expect([srt.split('\n').length, vtt.split('\n').length]).toEqual([4, 5]);
    expect(srt + vtt).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028]/);
    expect(vtt.match(/[<>]/g) ?? []).toHaveLength('speaker_id' in said ? 3 : 1);
  }
});

test('a cue ends at a silence, at a full line and after a long time', () => {
  const word = (start: number, end: number, text = 'word') => ({ text, start, end });
  expect(cuesOf([word(0, 0.5), word(2, 2.5)])).toHaveLength(2);
  expect(cuesOf([word(0, 0.5, 'x'.repeat(78)), word(0.6, 1, 'yy')])).toHaveLength(2);
  expect(cuesOf([word(0, 5), word(5.1, 7)])).toHaveLength(2);
  expect(cuesOf([word(0, 0.5), word(0.6, 1)])).toHaveLength(1);
});

test('no words give an empty but valid file', () => {
  expect(toSrt([])).toBe('');
  expect(toVtt([])).toBe('WEBVTT\n');
});
