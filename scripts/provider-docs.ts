// Writes docs/providers.md from the tables that serve the requests; a test fails when the file is
// stale.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Capability, ProviderDescription, ToolDescription, ToolName } from '@trivium/contract';
import { provider_ids, tool_names } from '@trivium/contract';
import { list_prices } from '../server/src/providers/list-prices.ts';
import { providers } from '../server/src/providers/index.ts';
import { describeProviders } from '../server/src/services/describe-providers.ts';
import type { House } from '../server/src/services/house.ts';

export const provider_docs_file = join(import.meta.dir, '../docs/providers.md');

export function providerDocs(): string {
  const stations = Object.fromEntries(
    provider_ids.map((id) => [id, { provider: providers[id], state: 'not_configured' }]),
  ) as House['stations'];
  const described = describeProviders(stations, list_prices).providers;
  const sections = tool_names.flatMap((tool) => toolSection(tool, described));
  return [
    '# Providers',
    '',
    'What each provider does with each parameter, and its list prices in US dollars. This page',
    'comes from the tables that serve the requests (`npm run docs`); `GET /v1/providers` answers',
    'the same for your deployment.',
    '',
    '| Word | Meaning | Warning |',
    '|---|---|---|',
    '| native | the provider honours it exactly | none; above a ceiling `param_approximated` |',
    '| trimmed | the gateway honours it exactly on what comes back | none |',
    '| approximated | sent as a hint, or folded into the query | `param_approximated` |',
    '| post-filtered | the gateway removes what does not fit | `results_post_filtered` |',
    '| depends | see the note | as the note says |',
    '| ignored | the provider cannot express it | `param_ignored` |',
    '',
    ...sections,
  ].join('\n');
}

const words: Readonly<Record<Capability['support'], string>> = {
  native: 'native',
  trimmed: 'trimmed',
  approximated: 'approximated',
  post_filtered: 'post-filtered',
  conditional: 'depends',
  ignored: 'ignored',
};

const titles: Readonly<Record<ToolName, string>> = {
  search: 'Search',
  extract: 'Extract',
  transcription: 'Transcription',
};

function toolSection(tool: ToolName, described: readonly ProviderDescription[]): string[] {
  const able = described.filter(({ tools }) => tools[tool]);
  if (able.length === 0) return [];
  return [`## ${titles[tool]}`, '', ...able.flatMap((provider) => providerSection(provider, tool))];
}

function providerSection({ id, name, tools }: ProviderDescription, tool: ToolName): string[] {
  const description = tools[tool] as ToolDescription;
  const rows = Object.entries(description.capabilities).map(
    ([param, { support, note }]) =>
      `| \`${param}\` | ${words[support]} | ${(note ?? '').replaceAll('|', '\\|')} |`,
  );
  const prices = Object.entries(description.prices).map(([what, usd]) => `${what} ${usd}`);
  return [
    `### ${id} (${name})`,
    '',
    '| Parameter | Support | Note |',
    '|---|---|---|',
    ...rows,
    '',
    `Prices: ${prices.length === 0 ? 'none' : prices.join(', ')}.`,
    '',
  ];
}

if (import.meta.main) writeFileSync(provider_docs_file, providerDocs());
