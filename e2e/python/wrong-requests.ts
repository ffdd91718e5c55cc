// Requests with one example of each kind of mistake, to prove that the Python checks detect them.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const wrong = {
  deepgram: {
    url: '/v1/listen?smart_format=perhaps&smarter_format=true',
    body: { url: 'https://a.example' },
  },
  elevenlabs: {
    url: '/v1/speech-to-text',
    form: [
      ['model_id', 'scribe_v2'],
      ['num_speakers', 'two'],
    ],
  },
  exa: { url: '/search', body: { query: 'a', numResults: '5', contents: { text: { length: 1 } } } },
  linkup: { url: '/v1/search', body: { q: 'a', depth: 'shallow', outputType: 'searchResults' } },
  parallel: {
    url: '/v1/search',
    body: {
      search_queries: ['a'],
      advanced_settings: { source_policy: { domains: ['b.example'] } },
    },
  },
  valyu: { url: '/v1/search', body: { query: 'a', included_sources: ['gov'] } },
  you: { url: '/v2/search', body: { query: 'a' } },
};

/** Writes them as fixtures into a separate folder. */
export function writeWrongRequests(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trivium-wrong-'));
  for (const [vendor, { url, ...more }] of Object.entries(wrong)) {
    const sent = [{ method: 'POST', url: `https://vendor.example${url}`, ...more }];
    mkdirSync(join(folder, vendor, 'fixtures'), { recursive: true });
    writeFileSync(join(folder, vendor, 'fixtures', 'wrong.json'), JSON.stringify({ sent }));
  }
  return folder;
}

/** The start of each message that the checks must report. */
export const mistakes = {
  deepgram: ["smart_format: 'perhaps'", 'smarter_format: the client does not know this field'],
  elevenlabs: ["num_speakers: 'two'"],
  exa: [
    "num_results: '5' is not of type int",
    'contents.text.length: the client does not know this field',
    '/search: the client refuses to send it',
  ],
  linkup: ["depth: 'shallow' is none of"],
  parallel: ['advanced_settings.source_policy.domains: the client does not know this field'],
  valyu: ['/v1/search: the client refuses to send it'],
  you: ['/v2/search: the client does not know this path'],
};
