// Generates code samples for a request: curl, TypeScript, Python and the command line.
import type { ToolName } from '@trivium/contract';

export type CallForm = 'curl' | 'typescript' | 'python' | 'cli';

const calls: Readonly<Record<ToolName, { path: string; verb: string; main: string }>> = {
  search: { path: '/v1/search', verb: 'search', main: 'query' },
  extract: { path: '/v1/extract', verb: 'extract', main: 'urls' },
  transcription: { path: '/v1/transcriptions', verb: 'transcribe', main: 'audio_url' },
};

/** Fields whose flag on the command line has another name. */
const flags: Readonly<Record<string, string>> = {
  published_after: 'after',
  published_before: 'before',
  include_domains: 'include',
  exclude_domains: 'exclude',
  'locale.country': 'country',
  'locale.language': 'language',
  'content.full_text': 'full-text',
  'content.summary': 'summary',
  'content.format': 'format',
  'content.max_chars': 'max-chars',
  include_links: 'links',
  include_images: 'images',
  keyterms: 'keyterm',
  provider_options: 'options',
};

export function codeSampleText(
  tool: ToolName,
  request: object,
  origin: string,
): Readonly<Record<CallForm, string>> {
  const { path, verb, main } = calls[tool];
  return {
    curl: [
      `curl ${origin}${path} \\`,
      '  -H "authorization: Bearer $TRIVIUM_API_KEY" \\',
      "  -H 'content-type: application/json' \\",
      `  -d ${quoted(JSON.stringify(request))}`,
    ].join('\n'),
    typescript: [
      "import { createClient } from '@trivium/sdk';",
      '',
      'const trivium = createClient({',
      `  url: ${JSON.stringify(origin)},`,
      "  api_key: process.env.TRIVIUM_API_KEY ?? '',",
      '});',
      `const answer = await trivium.${verb}(${JSON.stringify(request, null, 2)});`,
    ].join('\n'),
    python: pythonProgram(verb, main, request, origin),
    cli: commandLine(verb, main, request, origin),
  };
}

function pythonProgram(verb: string, main: string, request: object, origin: string): string {
  const { [main]: first = '', ...rest } = request as Record<string, unknown>;
  const named = Object.entries(rest).map(([name, value]) => `${name}=${pythonText(value)}`);
  const words = [pythonText(first), ...named].map((word) => `        ${word},\n`);
  return [
    'import os',
    '',
    'from trivium_client import Trivium',
    '',
    'with Trivium(',
    `    url=${pythonText(origin)},`,
    '    api_key=os.environ["TRIVIUM_API_KEY"],',
    ') as trivium:',
    `    answer = trivium.${verb}(\n${words.join('')}    )`,
  ].join('\n');
}

/** A value in Python syntax. JSON strings are valid Python strings. */
function pythonText(value: unknown): string {
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (value === null || value === undefined) return 'None';
  if (Array.isArray(value)) return `[${value.map(pythonText).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([name, part]) => `${JSON.stringify(name)}: ${pythonText(part)}`,
  );
  return `{${entries.join(', ')}}`;
}

/** Fields that the command line does not support are listed below it. */
function commandLine(verb: string, main: string, request: object, origin: string): string {
  const { [main]: first = [], ...rest } = request as Record<string, unknown>;
  const asked = [first].flat().map((value) => quoted(String(value)));
  const fieldFlags = flatten(rest).map(([path, value]) => ({ path, words: flagsFor(path, value) }));
  const unsupported = fieldFlags.flatMap(({ path, words }) => (words === undefined ? [path] : []));
  const words = [verb, ...asked, ...fieldFlags.flatMap((flag) => flag.words ?? [])];
  const line = `TRIVIUM_URL=${origin} npx trivium ${words.join(' ')}`;
  return unsupported.length === 0 ? line : `${line}\n# Only in the API: ${unsupported.join(', ')}`;
}

function flatten(value: object, before = ''): (readonly [string, unknown])[] {
  return Object.entries(value).flatMap(([name, part]: [string, unknown]) => {
    const path = before + name;
    const opens = typeof part === 'object' && part !== null && !Array.isArray(part);
    return opens && path !== 'provider_options' ? flatten(part, `${path}.`) : [[path, part]];
  });
}

/** Undefined if the command line has no flag for it. */
function flagsFor(path: string, value: unknown): string[] | undefined {
  const flag = flags[path] ?? (path.includes('.') ? undefined : path.replaceAll('_', '-'));
  if (path === 'timestamps') return value === 'none' ? ['--no-timestamps'] : [];
  if (flag === undefined) return undefined;
  if (value === false) return [];
  if (value === true) return [`--${flag}`];
  if (Array.isArray(value)) return value.map((one) => `--${flag} ${quoted(String(one))}`);
  return [`--${flag} ${quoted(typeof value === 'string' ? value : JSON.stringify(value))}`];
}

function quoted(text: string): string {
  return /^[\w.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
