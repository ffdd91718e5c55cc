// Why a job failed, in words that say what to do.
import { expect, test } from 'bun:test';
import { advised } from './job-failures.ts';
import type { Failure } from './submission.ts';

const failure = (type: Failure['type'], message: string): Failure => ({
  type,
  message,
  provider_status: 400,
  provider_code: null,
  retryable: false,
});

test('what a vendor says is followed by what to do about it', () => {
  const missing = advised(failure('audio_unreachable', 'It was not found'));
  expect(missing.message).toStartWith('It was not found. Make sure that the address can be');
  expect(missing.message).toContain('submit it again. Nothing was charged.');
  const refused = advised(failure('provider_error', 'That is no audio.'));
  expect(refused.message).toBe(
    'That is no audio. Check the recording and the options, or choose another provider. ' +
      'Nothing was charged.',
  );
  expect(refused).toMatchObject({ provider_status: 400, retryable: false });
});

test('a reason of our own is left as it is', () => {
  const own = failure('result_lost', 'The transcript is gone. Submit it again.');
  expect(advised(own)).toBe(own);
});
