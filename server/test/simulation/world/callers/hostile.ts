// Callers who send what is not valid, or hardly.
import fc from 'fast-check';
import { hostile as values } from '../../../../../e2e/fuzz-values.ts';
import { ask, begin } from './asking.ts';
import type { Turn } from './caller.ts';
import type { Ask } from '../network.ts';
import { pick } from '../plan.ts';

export const hostile: Turn = async (caller) => {
  const operation = begin(caller, 'other');
  await ask(caller, operation, hostileBy(caller.world.random));
};

const paths = ['/v1/search', '/v1/extract', '/v1/transcriptions', '/v1/jobs/job_x'];
const fields = [
  ...['max_results', 'provider', 'mode', 'include_domains', 'published_after', 'freshness'],
  ...['content', 'locale', 'category', 'provider_options', 'strict', 'urls', 'audio_url', 'tags'],
];

/** Something that is not valid, or hardly; what is searched for is always about the sun. */
export function hostileBy(random: () => number): Ask {
  const [value] = fc.sample(values, { seed: Math.floor(random() * 2 ** 31), numRuns: 1 });
  const field = pick(random, fields);
  const body = pick<unknown>(random, [
    { query: 'solar', [field]: value },
    { query: 'solar', provider: 'engine_a', [field]: value },
    { query: typeof value === 'string' ? [value] : value },
    { urls: [value] },
    { audio_url: value, provider: 'stt_a' },
    [value],
    '{"query":',
    '['.repeat(2000),
  ]);
  return { path: pick(random, paths), key: '', body, method: 'POST' };
}
