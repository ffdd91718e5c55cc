// One suite for all vendors: plays each fixture in both directions and checks that every row of
// every table is covered by a fixture.
import { describe, expect, test } from 'bun:test';
import {
  ExtractRequest,
  providerIds,
  SearchRequest,
  TranscriptionRequest,
  typedName,
} from '@trivium/contract';
import { extractAsks, searchAsks, transcribeAsks } from '../src/negotiation/asks.ts';
import { providers } from '../src/providers/registry.ts';
import { fixtureNames, readFixture, writeFixture } from './fixtures.ts';
import { rowsMet, rowsOf } from './fixture-rows.ts';
import { playExtract, playSearch } from './play.ts';
import { playTranscribe } from './play-transcribe.ts';

const files = fixtureNames();
/** `FIXTURES=write` fills in what was sent, answered and warned; read it before you commit it. */
const writing = process.env['FIXTURES'] === 'write';

const plays: Readonly<Record<string, typeof playSearch>> = {
  search: playSearch,
  extract: playExtract,
  transcribe: playTranscribe,
};

describe('fixtures', () => {
  for (const file of files) {
    test(`${file} sends, answers and warns as recorded`, async () => {
      const [vendor, product] = file.split('.');
      const id = providerIds.find((known) => typedName(known) === vendor);
      if (!id) throw new Error(`${file} does not begin with a vendor's name`);
      const play = product === undefined ? undefined : plays[product];
      if (!play)
        throw new Error(`${file} does not name a product: ${Object.keys(plays).join(', ')}`);
      const fixture = readFixture(file);
      const played = await play(id, fixture);
      if (writing) {
        writeFixture(file, { ...fixture, ...played });
        return;
      }
      expect(played.sent).toEqual(fixture.sent);
      expect(played.answered).toEqual(fixture.answered);
      expect(played.warned).toEqual(fixture.warned);
    });
  }
});

describe('tables', () => {
  for (const id of providerIds) {
    const { search, extract, transcribe } = providers[id];
    const met = (product: string, meet: (asked: unknown) => string[]) =>
      new Set(
        files
          .filter((file) => file.startsWith(`${typedName(id)}.${product}.`))
          .flatMap((file) => meet({ ...readFixture(file).asked, provider: id })),
      );
    if (search) {
      test(`every row of the search table of ${id} is covered by a fixture`, () => {
        const rows = met('search', (asked) =>
          rowsMet(search.supports, searchAsks(SearchRequest.parse(asked))),
        );
        expect(rowsOf(search.supports).filter((row) => !rows.has(row))).toEqual([]);
      });
    }
    if (extract) {
      test(`every row of the extract table of ${id} is covered by a fixture`, () => {
        const rows = met('extract', (asked) =>
          rowsMet(extract.supports, extractAsks(ExtractRequest.parse(asked))),
        );
        expect(rowsOf(extract.supports).filter((row) => !rows.has(row))).toEqual([]);
      });
    }
    if (transcribe) {
      test(`every row of the transcription table of ${id} is covered by a fixture`, () => {
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
