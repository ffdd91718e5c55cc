// Writes a request down as curl, TypeScript and a command line.
import type { ToolName } from '@trivium/contract';

export type CallForm = 'curl' | 'typescript' | 'cli';

const paths: Readonly<Record<ToolName, string>> = {
  search: '/v1/search',
  extract: '/v1/extract',
  transcription: '/v1/transcriptions',
};
const verbs: Readonly<Record<ToolName, string>> = {
  search: 'search',
  extract: 'extract',
  transcription: 'transcribe',
};

export function callTexts(
  tool: ToolName,
  request: object,
  origin: string,
): Readonly<Record<CallForm, string>> {
  const body = JSON.stringify(request);
  return {
    curl: [
      `curl ${origin}${paths[tool]} \\`,
      '  -H "authorization: Bearer $TRIVIUM_API_KEY" \\',
      "  -H 'content-type: application/json' \\",
      `  -d ${quoted(body)}`,
    ].join('\n'),
    typescript: [
      "import { createClient } from '@trivium/sdk';",
      '',
      'const trivium = createClient({',
      `  url: ${JSON.stringify(origin)},`,
      "  api_key: process.env.TRIVIUM_API_KEY ?? '',",
      '});',
      `const answer = await trivium.${verbs[tool]}(${JSON.stringify(request, null, 2)});`,
    ].join('\n'),
    cli: `TRIVIUM_URL=${origin} npx trivium ${verbs[tool]}${flagsOf(request)}`,
  };
}

/** What is asked comes first, then every other field by its name. */
function flagsOf(request: object): string {
  const { query, urls, audio_url, ...rest } = request as Record<string, unknown>;
  const main = [urls ?? query ?? audio_url].flat().filter((value) => value !== undefined);
  const flags = Object.entries({ ...rest, ...(urls && query ? { query } : {}) }).map(
    ([name, value]) => ` --${name.replaceAll('_', '-')}${valueText(value)}`,
  );
  return main.map((value) => ` ${quoted(String(value))}`).join('') + flags.join('');
}

function valueText(value: unknown): string {
  if (value === true) return '';
  if (Array.isArray(value)) return ` ${quoted(value.join(','))}`;
  return ` ${quoted(typeof value === 'string' ? value : JSON.stringify(value))}`;
}

function quoted(text: string): string {
  return /^[\w.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
