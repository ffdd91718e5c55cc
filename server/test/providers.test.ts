// Every vendor, one suite: plays each fixture both ways and demands that every row of every table
// is played by some fixture.
import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ExtractRequest,
  provider_ids,
  SearchRequest,
  TranscriptionRequest,
} from '@trivium/contract';
import { extractAsks, searchAsks } from '../src/domain/negotiation/asks.ts';
import { transcribeAsks } from '../src/domain/negotiation/transcribe-asks.ts';
import { providers } from '../src/providers/index.ts';
import { rowsMet, rowsOf } from './fixture-rows.ts';
import { playExtract, playSearch } from './play.ts';
import { playTranscribe } from './play-transcribe.ts';
import type { Fixture } from './play.ts';

const folder = join(import.meta.dir, '../fixtures');
const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
/** `FIXTURES=write` fills in what was sent, answered and warned, to be read before it is kept. */
const writing = process.env['FIXTURES'] === 'write';

const plays: Readonly<Record<string, typeof playSearch>> = {
  search: playSearch,
  extract: playExtract,
  transcribe: playTranscribe,
};

describe('fixtures', () => {
  for (const file of files) {
    test(`${file} is played to the letter`, async () => {
      const [vendor, product] = file.split('.');
      const id = provider_ids.find((known) => fileName(providers[known].name) === vendor);
      if (!id) throw new Error(`${file} begins with no vendor's name`);
      const play = product === undefined ? undefined : plays[product];
      if (!play) throw new Error(`${file} names no product: ${Object.keys(plays).join(', ')}`);
      const fixture = readFixture(file);
      const played = await play(id, fixture);
      if (writing) {
        const text = `${JSON.stringify({ ...fixture, ...played }, null, 2)}\n`;
        writeFileSync(join(folder, file), text);
        return;
      }
      expect(played.sent).toEqual(fixture.sent);
      expect(played.answered).toEqual(fixture.answered);
      expect(played.warned).toEqual(fixture.warned);
    });
  }
});

describe('tables', () => {
  for (const id of provider_ids) {
    const { search, extract, transcribe, name } = providers[id];
    const met = (product: string, meet: (asked: unknown) => string[]) =>
      new Set(
        files
          .filter((file) => file.startsWith(`${fileName(name)}.${product}.`))
          .flatMap((file) => meet({ ...readFixture(file).asked, provider: id })),
      );
    if (search) {
      test(`every row of the search table of ${id} is met by a fixture`, () => {
        const rows = met('search', (asked) =>
          rowsMet(search.supports, searchAsks(SearchRequest.parse(asked))),
        );
        expect(rowsOf(search.supports).filter((row) => !rows.has(row))).toEqual([]);
      });
    }
    if (extract) {
      test(`every row of the extract table of ${id} is met by a fixture`, () => {
        const rows = met('extract', (asked) =>
          rowsMet(extract.supports, extractAsks(ExtractRequest.parse(asked))),
        );
        expect(rowsOf(extract.supports).filter((row) => !rows.has(row))).toEqual([]);
      });
    }
    if (transcribe) {
      test(`every row of the transcription table of ${id} is met by a fixture`, () => {
        const rows = met('transcribe', (asked) => {
          const request = TranscriptionRequest.parse(asked);
          const options = Object.values(request.provider_options ?? {})[0] ?? {};
          const model = String(options[transcribe.model.option] ?? transcribe.model.default);
          return rowsMet(transcribe.supports, transcribeAsks(request, model));
        });
        expect(rowsOf(transcribe.supports).filter((row) => !rows.has(row))).toEqual([]);
      });
    }
  }
});

function readFixture(file: string): Fixture {
  return JSON.parse(readFileSync(join(folder, file), 'utf8')) as Fixture;
}

function fileName(vendor: string): string {
  return vendor.toLowerCase().replace('.com', '');
}
