// A shared address restores the request, and contains nothing that may grant access.
import { expect, test } from 'bun:test';
import type { ProviderDescription } from '@trivium/contract';
import type { FieldSpec } from './form-fields.ts';
import { playableAt, readShared, shareState } from './share.ts';

const field = (path: string): FieldSpec => ({ path, kind: 'text', required: false });
const fields = ['query', 'max_results', 'content.full_text', 'audio_url', 'urls'].map(field);
const candidates = ['engine_a', 'engine_b'].map((id) => ({ id }) as ProviderDescription);
const base = { provider: 'auto', way: 'one', panel: [], filled: {} } as const;

function queryOf(address: string): URLSearchParams {
  return new URL(address).searchParams;
}

test('an address restores what was entered, and empty fields are not in the address', () => {
  const state = {
    provider: 'engine_b',
    way: 'fusion',
    panel: ['engine_a', 'engine_b'],
    filled: { query: 'a & b = "c"?', max_results: ' ', 'content.full_text': 'true' },
  } as const;
  const { address, leftOut } = shareState('https://x.example', 'search', state);
  expect(leftOut).toEqual([]);
  expect(address).not.toContain('max_results');
  expect(readShared(queryOf(address), fields, candidates)).toEqual({
    provider: 'auto',
    way: 'fusion',
    panel: ['engine_a', 'engine_b'],
    filled: { query: 'a & b = "c"?', 'content.full_text': 'true' },
  });
});

test.each([
  ['audio_url', 'https://me:pass@files.example/a.mp3'],
  ['audio_url', 'https://files.example/a.mp3?X-Amz-Signature=abc'],
  ['audio_url', 'https://files.example/a.mp3?token=abc'],
  ['audio_url', 'https://files.example/a.mp3?sig=abc&se=2026'],
  ['audio_url', `https://x.example/files/upl_${'0'.repeat(32)}.1772529300000.${'a'.repeat(40)}`],
  ['urls', 'https://ok.example/\nhttps://files.example/a?api_key=abc'],
  ['query', 'x'.repeat(5000)],
])('%s %s is left out', (path, value) => {
  const state = { ...base, filled: { [path]: value } };
  const { address, leftOut } = shareState('https://x.example', 'transcription', state);
  expect(leftOut).toEqual([path]);
  expect(address).toBe('https://x.example/playground?tool=transcription');
});

test('an address with strange names or values does no harm', () => {
  const strange = new URLSearchParams(
    'tool=search&__proto__=1&constructor=2&provider=engine_z&way=sideways' +
      '&panel=engine_a,,unknown,engine_a',
  );
  expect(readShared(strange, fields, candidates)).toEqual({
    provider: 'auto',
    way: 'one',
    panel: ['engine_a'],
    filled: {},
  });
  expect(readShared(new URLSearchParams('tool=search&account=a'), fields, candidates)).toBe(
    undefined,
  );
  const long = new URLSearchParams({ query: 'y'.repeat(100_000) });
  expect(readShared(long, fields, candidates)?.filled?.['query']?.length).toBe(4000);
});

test('an upload is played from this gateway, and any other recording from its address', () => {
  const path = `/files/upl_${'0'.repeat(32)}.1.2`;
  expect(playableAt(`http://127.0.0.1:8787${path}`)).toBe(path);
  expect(playableAt(`https://gateway.example/below${path}`)).toBe(path);
  const other = `https://recordings.example${path}?token=s3cret`;
  expect(playableAt(other)).toBe(other);
});
