// The playground: the three tools as forms, with the requests, charges and warnings of the API.
import type { ToolName } from '@trivium/contract';
import { readOpenApi } from '../api/session-calls.ts';
import { toolTitles, useProviders } from '../api/names.ts';
import { useLoad } from '../api/use-load.ts';
import { Await, Page, Segments } from '../components/basics.tsx';
import { ExtractTool } from '../playground/extract-tool.tsx';
import type { JsonSchema } from '../playground/form-fields.ts';
import { SearchTool } from '../playground/search-tool.tsx';
import { TranscriptionTool } from '../playground/transcription-tool.tsx';
import { setQuery, useLocation } from '../shell/router.tsx';

interface OpenApi {
  components: { schemas: Readonly<Record<string, JsonSchema>> };
}

const tools: readonly ToolName[] = ['search', 'extract', 'transcription'];

export function PlaygroundPage() {
  const { query } = useLocation();
  const tool = tools.find((name) => name === query.get('tool')) ?? 'search';
  const contract = useLoad('contract', () => readOpenApi<OpenApi>());
  const providers = useProviders();
  return (
    <Page
      title="Playground"
      intro="Real calls, paid from this account’s balance."
      aside={
        <Segments
          label="Tool"
          options={tools.map((name) => [name, toolTitles[name] ?? name] as const)}
          value={tool}
          onChange={(name) => setQuery({ tool: name })}
        />
      }
    >
      <Await of={contract}>
        {({ components: { schemas } }) => (
          <Await of={providers}>
            {({ providers: all }) => {
              const shared = { all };
              if (tool === 'extract') {
                return <ExtractTool {...shared} schema={schemas['ExtractRequest'] ?? {}} />;
              }
              if (tool === 'transcription') {
                return (
                  <TranscriptionTool {...shared} schema={schemas['TranscriptionRequest'] ?? {}} />
                );
              }
              return <SearchTool {...shared} schema={schemas['SearchRequest'] ?? {}} />;
            }}
          </Await>
        )}
      </Await>
    </Page>
  );
}
