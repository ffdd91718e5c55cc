// The playground: the three tools by hand, with the same form, money and warnings as for programs.
import type { ToolName } from '@trivium/contract';
import { ask } from '../api/http.ts';
import { tool_titles, useProviders } from '../api/names.ts';
import { useLoad } from '../api/use-load.ts';
import { Await, Page, Segments } from '../parts/basics.tsx';
import { ExtractBench } from '../playground/extract-bench.tsx';
import type { JsonSchema } from '../playground/form-fields.ts';
import { SearchBench } from '../playground/search-bench.tsx';
import { TranscriptionBench } from '../playground/transcription-bench.tsx';
import { goWith, usePlace } from '../shell/router.tsx';

interface OpenApi {
  components: { schemas: Readonly<Record<string, JsonSchema>> };
}

const tools: readonly ToolName[] = ['search', 'extract', 'transcription'];

export function PlaygroundPage() {
  const { query } = usePlace();
  const tool = tools.find((name) => name === query.get('tool')) ?? 'search';
  const contract = useLoad('contract', () => ask<OpenApi>('GET', '/openapi.json'));
  const providers = useProviders();
  return (
    <Page
      title="Playground"
      intro="Real calls, paid from this account’s balance."
      aside={
        <Segments
          label="Tool"
          options={tools.map((name) => [name, tool_titles[name] ?? name] as const)}
          value={tool}
          onChange={(name) => goWith({ tool: name })}
        />
      }
    >
      <Await of={contract}>
        {({ components: { schemas } }) => (
          <Await of={providers}>
            {({ providers: all }) => {
              const shared = { all };
              if (tool === 'extract') {
                return <ExtractBench {...shared} schema={schemas['ExtractRequest'] ?? {}} />;
              }
              if (tool === 'transcription') {
                return (
                  <TranscriptionBench {...shared} schema={schemas['TranscriptionRequest'] ?? {}} />
                );
              }
              return <SearchBench {...shared} schema={schemas['SearchRequest'] ?? {}} />;
            }}
          </Await>
        )}
      </Await>
    </Page>
  );
}
