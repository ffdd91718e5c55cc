// The playground: the three tools as forms, with the requests, charges and warnings of the API.
import type { ToolName } from '@trivium/contract';
import { toolTitles, useProviders } from '../api/names.ts';
import { Await, Page, Segments } from '../components/basics.tsx';
import type { JsonSchema } from './form-fields.ts';
import { SearchTool } from './search-tool.tsx';
import { lazyPage } from '../shell/lazy-page.ts';
import { setQuery, useLocation } from '../shell/router.tsx';

const ExtractTool = lazyPage(async () => (await import('./extract-tool.tsx')).ExtractTool);
const TranscriptionTool = lazyPage(
  async () => (await import('./transcription-tool.tsx')).TranscriptionTool,
);

/** The schemas of the three requests, which the bundler inserts. */
declare const $requestSchemas: Readonly<Record<string, JsonSchema>>;

const requestNames: Readonly<Record<ToolName, string>> = {
  search: 'SearchRequest',
  extract: 'ExtractRequest',
  transcription: 'TranscriptionRequest',
};
const tools: readonly ToolName[] = ['search', 'extract', 'transcription'];

export function PlaygroundPage() {
  const { query } = useLocation();
  const tool = tools.find((name) => name === query.get('tool')) ?? 'search';
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
      <Await of={providers}>
        {({ providers: all }) => {
          const schema = $requestSchemas[requestNames[tool]] ?? {};
          if (tool === 'extract') return <ExtractTool all={all} schema={schema} />;
          if (tool === 'transcription') return <TranscriptionTool all={all} schema={schema} />;
          return <SearchTool all={all} schema={schema} />;
        }}
      </Await>
    </Page>
  );
}
