// The order of `auto` on this gateway, with its reasons, for a plain request to each tool.
import { ExtractRequest, SearchRequest, transcriptionRequestAllowing } from '@trivium/contract';
import type { ProvidersResponse, TranscriberId } from '@trivium/contract';
import { priceOfExtract } from '../extract/index.ts';
import { explainQuality, priceOfSearch, type SearchContext } from '../search/index.ts';
import { priceOfTranscription } from '../transcription/index.ts';
import { explainOrder, type ReadyProvider } from '../upstream/index.ts';

const search = SearchRequest.parse({ query: 'a plain request' });
const extract = ExtractRequest.parse({ urls: ['https://example.com/'] });
const transcription = transcriptionRequestAllowing([]).parse({
  audio_url: 'https://example.com/audio.mp3',
});

export function describeAuto(context: SearchContext): ProvidersResponse['auto'] {
  const { auto_search, auto_extract, auto_transcription } = context.settings;
  const priceOf = (chosen: ReadyProvider) => priceOfSearch(context, chosen, search);
  return {
    search: context.routingEvidence
      ? explainQuality(context, search, priceOf)
      : explainOrder(context, 'search', auto_search, priceOf),
    extract: explainOrder(context, 'extract', auto_extract, (chosen) =>
      priceOfExtract(context, chosen, extract),
    ),
    transcription: explainOrder(context, 'transcribe', auto_transcription, ({ provider }) =>
      priceOfTranscription(context, provider.id as TranscriberId, transcription),
    ),
  };
}
