// Writes docs/providers.md from the adapters, the tables of docs/settings.md from the settings and the
// adapters, and the tables of `api-docs.ts`. Tests fail if one is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  Capability,
  ProviderDescription,
  ProviderId,
  ToolDescription,
  ToolName,
} from '@trivium/contract';
import { providerIds, providerNames, toolNames } from '@trivium/contract';
import type { z } from 'zod';
import { listPrices, providers } from '../server/src/providers/registry.ts';
import { defaultOf, textOf } from '../server/src/settings/settings.ts';
import { variableTables } from '../server/src/settings/variables.ts';
import { describeProvider } from '../server/src/app/provider-checks.ts';
import { apiPages, formatTable } from './api-docs.ts';

export const providerDocsFile = join(import.meta.dir, '../docs/providers.md');
export const settingsDocsFile = join(import.meta.dir, '../docs/settings.md');

export function providerDocs(): string {
  const described = providerIds.map((id) =>
    describeProvider({ provider: providers[id], state: 'not_configured' }, listPrices),
  );
  const sections = toolNames.flatMap((tool) => toolSection(tool, described));
  return [
    '# Providers',
    '',
    'What each provider does with each parameter, and its list prices in US dollars. This page is',
    'generated from the tables that the gateway uses (`npm run generate -- docs`). `GET /v1/providers` returns',
    'the same for your deployment.',
    '',
    '| Support | Meaning | Warning |',
    '|---|---|---|',
    '| native | the provider honours it exactly | none; above a limit `param_approximated` |',
    '| trimmed | the gateway applies it exactly to the results | none |',
    '| approximated | sent as a hint, or added to the query | `param_approximated` |',
    '| post-filtered | the gateway removes results that do not match | `results_post_filtered` |',
    '| depends | see the note | see the note |',
    '| ignored | the provider cannot express it | `param_ignored` |',
    '',
    ...sections,
  ].join('\n');
}

/** The settings page with its tables as the settings and the registry have them. */
export function settingsDocs(page: string): string {
  const tables: Tables = variableTables;
  return Object.entries(tables).reduce((text, [heading, variables]) => {
    const start = `### ${heading}\n\n`;
    if (!text.includes(`${start}|`))
      throw new Error(`${settingsDocsFile} has no table: ${heading}`);
    const [before = '', after = ''] = text.split(start);
    const rest = after.replace(/^(?:\|[^\n]*\n)+/, () => variableTable(variables));
    return before + start + rest;
  }, withProviders(page));
}

type Tables = Readonly<Record<string, Readonly<Record<string, z.ZodType>>>>;

function variableTable(variables: Tables[string]): string {
  const rows = Object.entries(variables).map(([name, schema]) => {
    const { description, default: described } = schema.meta() ?? {};
    const value = textOf(defaultOf(schema));
    const fallback = typeof described === 'string' ? described : value && `\`${value}\``;
    return [`\`${name}\``, fallback ?? '', description ?? ''];
  });
  return formatTable([['Variable', 'Default', 'Meaning'], ...rows]);
}

function withProviders(page: string): string {
  const table = /^\| Id +\| Vendor [^\n]*\n(?:\|[^\n]*\n)+/m;
  if (!table.test(page)) throw new Error(`${settingsDocsFile} has no table of providers`);
  const code = (name: string) => `\`${name}\``;
  const rows = providerIds.map((id) => {
    const { credential, hosts } = providers[id];
    const optional = credential.not_needed_with_base ? '; optional with your own base URL' : '';
    const addresses = Object.values(hosts).map(({ env }) => code(env));
    const variables = credential.env.map(code).join(' or ') + optional;
    return [code(id), providerNames[id], variables, addresses.join(', ')];
  });
  return page.replace(table, () =>
    formatTable([['Id', 'Vendor', 'Credential', 'Base URL'], ...rows]),
  );
}

const supportNames: Readonly<Record<Capability['support'], string>> = {
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
  const capable = described.filter(({ tools }) => tools[tool]);
  if (capable.length === 0) return [];
  return [
    `## ${titles[tool]}`,
    '',
    ...capable.flatMap((provider) => providerSection(provider, tool)),
  ];
}

const products = { search: 'search', extract: 'extract', transcription: 'transcribe' } as const;

/** One sentence for each rate that needs one. */
function priceNotes(id: ProviderId, tool: ToolName): string[] {
  const price = providers[id][products[tool]]?.price;
  const notes = price && 'notes' in price ? (price.notes ?? {}) : {};
  return Object.entries(notes).flatMap(([rate, note]) => [`${rate}: ${note}.`, '']);
}

function providerSection({ id, name, tools }: ProviderDescription, tool: ToolName): string[] {
  const description = tools[tool] as ToolDescription;
  const rows = Object.entries(description.capabilities).map(
    ([param, { support, note }]) =>
      `| \`${param}\` | ${supportNames[support]} | ${(note ?? '').replaceAll('|', '\\|')} |`,
  );
  const { prices, surcharges = {} } = description;
  const listed = Object.entries(prices).filter(([what]) => !(what in surcharges));
  const added = Object.entries(surcharges);
  return [
    `### ${id} (${name})`,
    '',
    '| Parameter | Support | Note |',
    '|---|---|---|',
    ...rows,
    '',
    `Prices: ${pricesIn(listed)}.${added.length === 0 ? '' : ` Added to them: ${pricesIn(added)}.`}`,
    '',
    ...priceNotes(id, tool),
  ];
}

function pricesIn(prices: readonly [string, number][]): string {
  return prices.length === 0 ? 'none' : prices.map(([what, usd]) => `${what} ${usd}`).join(', ');
}

if (import.meta.main) {
  for (const [path, text] of apiPages()) writeFileSync(join(import.meta.dir, '..', path), text);
  writeFileSync(providerDocsFile, providerDocs());
  writeFileSync(settingsDocsFile, settingsDocs(readFileSync(settingsDocsFile, 'utf8')));
}
