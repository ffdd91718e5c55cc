// The error of a failed job, as the fixtures record it, names the provider by its neutral id and has
// the reason in the vendor's own words, whichever way the vendor reports it.
import { expect, test } from 'bun:test';
import { providerNames, type TranscriberId, typedName } from '@trivium/contract';
import type { Failure } from '../src/transcription/core/submission.ts';
import { fixtureNames, readFixture } from './fixtures.ts';

type Report = { kind: string; failure?: Failure };

const cases: [TranscriberId, Failure['type'][]][] = [
  ['stt_a', ['audio_unreachable', 'provider_error', 'result_lost']],
  ['stt_b', ['audio_unreachable', 'provider_error', 'result_lost']],
  ['stt_c', ['audio_unreachable', 'provider_error']],
];

test.each(cases)('the error of %s has its neutral id', (by, types) => {
  const failures = fixtureNames(`${typedName(by)}.transcribe.`).flatMap((file) =>
    (readFixture(file).answered as Report[]).flatMap(({ failure }) => failure ?? []),
  );
  for (const { message } of failures) {
    expect(message).toStartWith(`${by} `);
    expect(message).not.toContain(providerNames[by]);
  }
  expect([...new Set(failures.map(({ type }) => type))].toSorted()).toEqual(types);
});
